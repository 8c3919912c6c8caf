import { ApiError, invalidInput } from '../lib/errors.ts'

const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string may not hold them
  /[ \t\n\r]*(?:([{}[\],:])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y
const BLANKS = /[ \t\n\r]*/y

type Expected = 'value' | 'entry or ]' | 'key' | 'key or }' | ':' | 'more or end'

/** Returns what may follow a token; undefined if the token is not allowed here. `open`: the brackets not closed yet. */
const after = (token: string, isString: boolean, expected: Expected, open: string[]): Expected | undefined => {
  const isValue = expected === 'value' || expected === 'entry or ]'
  if (token === '{' || token === '[') {
    if (!isValue) return undefined
    open.push(token)
    return token === '{' ? 'key or }' : 'entry or ]'
  }
  if (token === '}' || token === ']') {
    const closes = open.at(-1) === (token === '}' ? '{' : '[')
    const mayEnd = expected === 'more or end' || expected === (token === '}' ? 'key or }' : 'entry or ]')
    if (!closes || !mayEnd) return undefined
    open.pop()
    return 'more or end'
  }
  if (token === ',') {
    if (expected !== 'more or end' || open.length === 0) return undefined
    return open.at(-1) === '{' ? 'key' : 'value'
  }
  if (token === ':') return expected === ':' ? 'value' : undefined
  if (expected === 'key' || expected === 'key or }') return isString ? ':' : undefined
  return isValue ? 'more or end' : undefined
}

/** Returns the offset of the first token that makes a text invalid JSON. Engines do not always report it. */
export const jsonFaultAt = (text: string): number => {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    BLANKS.lastIndex = at
    const start = at + (BLANKS.exec(text)?.[0].length ?? 0)
    if (!match) return start
    const token = match[1] ?? match[0].trimStart()
    const next = after(token, match[2] !== undefined, expected, open)
    if (next === undefined) return start
    expected = next
    at = TOKEN.lastIndex
  }
  return text.length
}

/** Maximum size of a JSON body, bytes, unless its operation has another one. */
export const MAX_JSON_BYTES = 1024 * 1024

const CSV_TYPE = 'text/csv'
const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

/** Contents of a body: its text, and its value if it is valid JSON. `failure`: the refusal if it is not. */
type ParsedBody = { text: string; value?: unknown; failure?: ApiError }

/** A request's body. It is not decoded until `parsed` is called. */
export type Body = {
  bytes: number
  isEmpty: boolean
  /** True if it is read as a file in CSV. */
  isFile?: boolean
  parsed: () => ParsedBody
}

/** Returns the refusal of a body larger than `maxBytes`. */
export const tooLarge = (maxBytes: number = MAX_JSON_BYTES): ApiError =>
  new ApiError('body_too_large', `The body is larger than ${maxBytes} bytes (${maxBytes / 1024 / 1024} MiB).`, {
    max_bytes: maxBytes,
  })

/** Yields the chunks of a body as they arrive. Throws 400 if the caller gives up before its end, which is no error of ours. */
export async function* arriving(body: Request['body']): AsyncGenerator<Uint8Array> {
  try {
    yield* (body ?? []) as unknown as AsyncIterable<Uint8Array>
  } catch {
    throw invalidInput([{ field: 'body', message: 'ended before all of it had arrived; send it again' }])
  }
}

const readChunks = async (request: Request, maxBytes: number): Promise<Uint8Array[]> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
    await request.body?.cancel()
    throw tooLarge(maxBytes)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of arriving(request.body)) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return chunks
}

const syntaxError = (error: unknown, text: string): ApiError => {
  const message = error instanceof Error ? error.message : ''
  const where =
    /position \d+(?: \(line \d+ column \d+\))?|end of JSON input/.exec(message)?.[0] ?? `position ${jsonFaultAt(text)}`
  return new ApiError('invalid_json', `The body is not valid JSON: parsing stopped at ${where}.`, {
    details: [{ field: 'body', message: `not valid JSON at ${where}` }],
  })
}

const decode = (chunks: readonly Uint8Array[]): string | undefined => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch {
    return undefined
  }
}

const JSON_ONLY: readonly string[] = ['application/json']

const isCsv = (contentType: string | null): boolean => contentType?.split(';')[0]?.trim().toLowerCase() === CSV_TYPE

/** Returns the value in JSON that a file in CSV means. Throws 400. */
type FileReader = (text: string) => object

const ofFile = (text: string, readFile: FileReader): ParsedBody => {
  try {
    return { text, value: readFile(text) }
  } catch (error) {
    if (error instanceof ApiError) return { text, failure: error }
    throw error
  }
}

const parse = (
  chunks: readonly Uint8Array[],
  contentType: string | null,
  allowed: readonly string[],
  readFile?: FileReader,
): ParsedBody => {
  const text = decode(chunks)
  if (text?.trim() === '') return { text }
  const type = contentType?.split(';')[0]?.trim() ?? ''
  const readsFile = isCsv(contentType) ? readFile : undefined
  if (!readsFile && !JSON_TYPE.test(type)) {
    const message = `The body must be sent as Content-Type: ${allowed.join(' or ')}${type ? `, not ${type.slice(0, 80)}` : ''}.`
    return { text: text ?? '', failure: new ApiError('unsupported_media_type', message, { allowed }) }
  }
  if (text === undefined) {
    const details = [{ field: 'body', message: 'must be UTF-8' }]
    return { text: '', failure: new ApiError('invalid_json', 'The body is not UTF-8 text.', { details }) }
  }
  if (readsFile) return ofFile(text, readsFile)
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    return { text, failure: syntaxError(error, text) }
  }
}

/**
 * Returns a body of these bytes. `allowed`: the media types to name if the body has another one. `readFile`: reads a file in CSV,
 * if the body may be one.
 */
export const bodyOf = (
  chunks: readonly Uint8Array[],
  contentType: string | null,
  allowed: readonly string[] = JSON_ONLY,
  readFile?: FileReader,
): Body => {
  let parsed: ParsedBody | undefined
  const body: Body = {
    bytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    isFile: readFile !== undefined && isCsv(contentType),
    get isEmpty() {
      return body.parsed().text === '' && body.parsed().failure === undefined
    },
    parsed: () => {
      parsed ??= parse(chunks, contentType, allowed, readFile)
      return parsed
    },
  }
  return body
}

/** No body, as of a GET. */
export const NO_BODY: Body = bodyOf([], null)

/** Reads a body that may be JSON or a file in CSV, of at most `maxBytes`. Throws 413. */
export const readBodyOrFile = async (
  request: Request,
  maxBytes: number | undefined,
  readFile: FileReader,
): Promise<Body> =>
  bodyOf(
    await readChunks(request, maxBytes ?? MAX_JSON_BYTES),
    request.headers.get('content-type'),
    [...JSON_ONLY, CSV_TYPE],
    readFile,
  )

/** Reads a body of at most `maxBytes`, counted while reading. Throws 413. The body is decoded and parsed on first use. */
export const readBody = async (
  request: Request,
  allowed?: readonly string[],
  maxBytes = MAX_JSON_BYTES,
): Promise<Body> => bodyOf(await readChunks(request, maxBytes), request.headers.get('content-type'), allowed)

/** Returns the body; if it is compressed, a body that is refused, because compression is not supported (RFC 9110, 15.5.16). */
export const withoutEncoding = (request: Request, body: Body): Body => {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (body.bytes === 0 || encoding === '' || encoding === 'identity') return body
  const message = `The body must be sent as it is, without Content-Encoding: ${encoding.slice(0, 80)}.`
  const failure = new ApiError('unsupported_media_type', message, { allowed: JSON_ONLY })
  return { bytes: body.bytes, isEmpty: false, parsed: () => ({ text: '', failure }) }
}
