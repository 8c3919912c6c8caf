import { joined } from '../lib/bytes.ts'
import { invalidInput } from '../lib/errors.ts'

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
export const malformedForm = (why: string) =>
  invalidInput([{ field: 'body', message: `is no form of several parts: ${why}` }])

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

const textOf = async (chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
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
  if (boundary === '') throw malformedForm('its Content-Type names no boundary')
  const reader = readerOf(chunks)
  const delimiter = bytesOf(`\r\n--${boundary}`)
  const [lineEnd, headEnd] = [bytesOf('\r\n'), bytesOf('\r\n\r\n')]
  await textOf(reader.until(delimiter), MAX_HEADER_BYTES)
  for (let count = 0; ; count += 1) {
    const after = await reader.take(2)
    if (after === '--') return
    if (count === MAX_PARTS) throw malformedForm(`it has more than ${MAX_PARTS} parts`)
    if (after !== '\r\n') await textOf(reader.until(lineEnd), MAX_HEADER_BYTES)
    const head = await textOf(reader.until(headEnd), MAX_HEADER_BYTES)
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? ''
    const name = parameter(disposition, 'name')
    if (name === undefined) throw malformedForm('a part has no name')
    const body = reader.until(delimiter)
    yield { name, filename: parameter(disposition, 'filename'), body }
    for await (const _ of body);
  }
}
