import { joined } from '../lib/bytes.ts'
import { invalidInput } from '../lib/errors.ts'
import type { Upload } from '../lib/file-fields.ts'
import { arriving, type Body, tooLarge } from './body.ts'
import type { Room } from './room.ts'

/** One part of a form. Its body is read to the end before the next part is read. */
type Part = { name: string; filename: string | undefined; body: AsyncIterable<Uint8Array> }

const MAX_HEADER_BYTES = 8_192
const MAX_PARTS = 100

/** Returns the boundary of a `multipart/form-data` type; undefined for any other type (RFC 2046, section 5.1.1). */
export const boundaryOf = (contentType: string | null): string | undefined => {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType ?? '')) return undefined
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType ?? '') ?? []
  return quoted ?? plain ?? ''
}

/** Returns the refusal of a malformed form. */
const malformedForm = (why: string) =>
  invalidInput([{ field: 'body', message: `is not a valid multipart/form-data body: ${why}` }])

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Returns the position of `needle` in bytes; -1 if they do not contain it. */
const placeOf = (needle: Uint8Array, bytes: Uint8Array): number => {
  const last = bytes.length - needle.length
  for (let at = bytes.indexOf(needle[0] ?? 0); at >= 0 && at <= last; at = bytes.indexOf(needle[0] ?? 0, at + 1))
    if (needle.every((byte, n) => bytes[at + n] === byte)) return at
  return -1
}

/** Returns a reader of bytes that arrive in chunks. It begins with a line break, as if one came before the first boundary. */
const readerOf = (chunks: AsyncIterator<Uint8Array>) => {
  let held: Uint8Array = bytesOf('\r\n')
  const more = async (): Promise<void> => {
    const { done, value } = await chunks.next()
    if (done) throw malformedForm('it ends before its last boundary')
    held = held.length === 0 ? value : joined(held, value)
  }
  return {
    /** Yields the bytes before a mark and skips the mark. */
    until: async function* (mark: Uint8Array): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = placeOf(mark, held)
        const sure = at < 0 ? Math.max(0, held.length - mark.length + 1) : at
        if (sure > 0) yield held.subarray(0, sure)
        held = held.subarray(at < 0 ? sure : at + mark.length)
        if (at >= 0) return
        await more()
      }
    },
    /** Returns the next `length` bytes as Latin-1 text. */
    take: async (length: number): Promise<string> => {
      while (held.length < length) await more()
      const text = String.fromCharCode(...held.subarray(0, length))
      held = held.subarray(length)
      return text
    },
  }
}

const headOf = async (chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  let bytes: Uint8Array = new Uint8Array(0)
  for await (const chunk of chunks) {
    bytes = joined(bytes, chunk)
    if (bytes.length > maxBytes) throw malformedForm('the head of a part is too long')
  }
  return new TextDecoder().decode(bytes)
}

/** Returns a parameter of a `Content-Disposition`, with or without quotes (RFC 7578, section 4.2). */
const parameter = (header: string, name: string): string | undefined => {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(header) ?? []
  return quoted?.replaceAll(/\\(.)/g, '$1').replaceAll('%22', '"') ?? plain
}

/**
 * Yields the parts of a form as they arrive (RFC 7578). Throws 400 if it is malformed.
 *
 * Files are not held in memory. Libraries for forms hold each part whole, which is too much for a video of 64 MB.
 */
export async function* formParts(chunks: AsyncIterator<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  if (boundary === '') throw malformedForm('its Content-Type has no boundary')
  const reader = readerOf(chunks)
  const delimiter = bytesOf(`\r\n--${boundary}`)
  const [lineEnd, headEnd] = [bytesOf('\r\n'), bytesOf('\r\n\r\n')]
  await headOf(reader.until(delimiter), MAX_HEADER_BYTES)
  for (let count = 0; ; count += 1) {
    const after = await reader.take(2)
    if (after === '--') return
    if (count === MAX_PARTS) throw malformedForm(`it has more than ${MAX_PARTS} parts`)
    if (after !== '\r\n') await headOf(reader.until(lineEnd), MAX_HEADER_BYTES)
    const head = await headOf(reader.until(headEnd), MAX_HEADER_BYTES)
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ''
    const name = parameter(disposition, 'name')
    if (name === undefined) throw malformedForm('a part has no name')
    const body = reader.until(delimiter)
    yield { name, filename: parameter(disposition, 'filename'), body }
    for await (const _ of body);
  }
}

/**
 * A body that may also be a form (`multipart/form-data`).
 *
 * `field`: the field for its one file. `maxBytes`: the maximum size of the whole body. `integers`: other fields that are
 * integers.
 */
export type UploadField = { field: string; maxBytes: number; integers?: readonly string[] }

/** Processes a file as it arrives, never as a whole, with memory from `room`. Throws the refusal to answer with. */
export type Intake = (chunks: AsyncIterable<Uint8Array>, room: Room) => Promise<Upload>

const MAX_TEXT_BYTES = 64 * 1024

/** Reads and discards the rest, so that a caller who is still sending receives the answer. Stops after `maxBytes`. */
const letGo = async (chunks: AsyncIterator<Uint8Array>, maxBytes: number): Promise<void> => {
  let size = 0
  try {
    for (let next = await chunks.next(); !next.done && size <= maxBytes; next = await chunks.next())
      size += next.value.byteLength
  } catch {
    // The caller went away.
  }
}

/** Yields chunks up to a limit. Throws 413 past it. */
async function* limited(chunks: AsyncIterator<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    size += next.value.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield next.value
  }
}

const textOf = async (chunks: AsyncIterable<Uint8Array>, take: (bytes: number) => void): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  let text = ''
  try {
    for await (const chunk of chunks) {
      take(chunk.byteLength)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw malformedForm('a field is not UTF-8')
    throw error
  }
}

type Form = { value: Record<string, unknown>; uploads: Upload[] }

const readForm = async (
  form: Form,
  parts: AsyncIterable<{ name: string; filename: string | undefined; body: AsyncIterable<Uint8Array> }>,
  { field, integers = [] }: UploadField,
  takeIn: (chunks: AsyncIterable<Uint8Array>) => Promise<Upload>,
): Promise<void> => {
  let left = MAX_TEXT_BYTES
  const take = (bytes: number): void => {
    left -= bytes
    if (left < 0) throw malformedForm(`its fields beside the file are longer than ${MAX_TEXT_BYTES} bytes`)
  }
  const set = (name: string, value: unknown): void => {
    if (Object.hasOwn(form.value, name))
      throw invalidInput([{ field: name, message: 'was given several times; give it once' }])
    Object.defineProperty(form.value, name, { value, enumerable: true, configurable: true, writable: true })
  }
  for await (const { name, filename, body } of parts) {
    if (filename === undefined) {
      const text = await textOf(body, take)
      set(name, integers.includes(name) && /^\d{1,10}$/.test(text) ? Number(text) : text)
      continue
    }
    if (form.uploads.length > 0) throw invalidInput([{ field, message: 'must be one file' }])
    const upload = await takeIn(body)
    form.uploads.push(upload)
    set(field, upload)
  }
}

/**
 * Reads a form and passes its one file to `takeIn` as it arrives. Throws 400, 413, and what `takeIn` throws.
 *
 * The file is in the operation's field, whatever name its part has. The caller drops `upload` when the request has ended.
 */
export const readUploadBody = async (
  request: Request,
  boundary: string,
  declared: UploadField,
  takeIn: (chunks: AsyncIterable<Uint8Array>) => Promise<Upload>,
): Promise<Body & { upload: Upload | undefined }> => {
  const { maxBytes } = declared
  const chunks = arriving(request.body)
  const form: Form = { value: {}, uploads: [] }
  try {
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
    await readForm(form, formParts(limited(chunks, maxBytes), boundary), declared, takeIn)
    // Bytes after the last boundary do not belong to the form.
    await letGo(chunks, maxBytes)
  } catch (error) {
    await Promise.all(form.uploads.map((one) => one.drop()))
    await letGo(chunks, 2 * maxBytes)
    throw error
  }
  const { value } = form
  return { bytes: 0, isEmpty: false, parsed: () => ({ text: '-', value }), upload: form.uploads[0] }
}
