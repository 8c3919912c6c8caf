import { ApiError } from '../lib/errors.ts'
import { jsonFaultAt } from '../lib/json-fault.ts'

/** The largest JSON body taken, bytes. */
export const MAX_JSON_BYTES = 1024 * 1024

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

/** A request's body: as read, and parsed where there was one. `failure` is what to refuse it with. */
export type JsonBody = { text: string; value?: unknown; failure?: ApiError }

const tooLarge = (): ApiError =>
  new ApiError('body_too_large', `The body is larger than ${MAX_JSON_BYTES} bytes (1 MiB).`, {
    max_bytes: MAX_JSON_BYTES,
  })

const readText = async (request: Request): Promise<string | undefined> => {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_JSON_BYTES) {
    await request.body?.cancel()
    return undefined
  }
  if (!request.body) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let text = ''
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_JSON_BYTES) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const syntaxError = (error: unknown, text: string): ApiError => {
  const message = error instanceof Error ? error.message : ''
  const where =
    /position \d+(?: \(line \d+ column \d+\))?|end of JSON input/.exec(message)?.[0] ?? `position ${jsonFaultAt(text)}`
  return new ApiError('invalid_json', `The body is not valid JSON: parsing stopped at ${where}.`, {
    details: [{ field: 'body', message: `not valid JSON at ${where}` }],
  })
}

/**
 * Reads a JSON body of at most 1 MiB, counting while reading. Never throws for what the caller sent: 413, 415 and 400 are
 * handed back, so that they can be told after the key and the rate were judged.
 */
export const readJson = async (request: Request): Promise<JsonBody> => {
  let text: string | undefined
  try {
    text = await readText(request)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const details = [{ field: 'body', message: 'must be UTF-8' }]
    return { text: '', failure: new ApiError('invalid_json', 'The body is not UTF-8 text.', { details }) }
  }
  if (text === undefined) return { text: '', failure: tooLarge() }
  if (text.trim() === '') return { text: '' }
  const type = request.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (!JSON_TYPE.test(type)) {
    const message = `The body must be sent as Content-Type: application/json${type ? `, not ${type.slice(0, 80)}` : ''}.`
    return { text, failure: new ApiError('unsupported_media_type', message, { allowed: ['application/json'] }) }
  }
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    return { text, failure: syntaxError(error, text) }
  }
}
