import { decodeInPlace } from '../lib/bytes.ts'
import { hex } from '../lib/crypto.ts'
import { Attachment } from '../lib/file-fields.ts'
import { type Body, bodyOf, tooLarge } from './body.ts'

const [QUOTE, BACKSLASH, COLON, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x22, 0x5c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Returns the position of the quote that ends a string, searching from `from`; -1 if the string does not end. */
const endOfString = (bytes: Uint8Array, from: number): number => {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    while (at - slashes > from && bytes[at - slashes - 1] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return -1
}

const skipBlanks = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isBlank(bytes[at])) at += 1
  return at
}

const equals = (bytes: Uint8Array, from: number, to: number, text: string): boolean => {
  if (to - from !== text.length) return false
  for (let i = 0; i < text.length; i += 1) if (bytes[from + i] !== text.charCodeAt(i)) return false
  return true
}

/** Position of a text between its quotes. */
type Place = { from: number; to: number }

/**
 * Returns the position of a field's text in the outermost object of JSON bytes. The last of duplicates wins.
 *
 * Undefined if there is no such text, or if the bytes end within a string. Strings are skipped, not decoded.
 */
const stringAt = (bytes: Uint8Array, field: string): Place | undefined => {
  let found: Place | undefined
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === OPEN || byte === OPEN_LIST) depth += 1
    else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1
    else if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1)
      if (end < 0) return undefined
      const isField = depth === 1 && equals(bytes, at + 1, end, field)
      at = end
      const colon = skipBlanks(bytes, end + 1)
      const value = skipBlanks(bytes, colon + 1)
      if (isField && bytes[colon] === COLON) {
        found = undefined
        if (bytes[value] === QUOTE) {
          const to = endOfString(bytes, value + 1)
          if (to < 0) return undefined
          found = { from: value + 1, to }
          at = to
        }
      }
    }
  }
  return found
}

/** The field of a JSON body that has a file as base64, and the maximum size of the whole body. */
export type AttachmentField = { field: string; maxBytes: number }

/** Returns the memory that a body will need, bytes. */
export const roomFor = (request: Request, { maxBytes }: AttachmentField): number =>
  Math.min(Number(request.headers.get('content-length') ?? maxBytes), maxBytes)

/** Reads and discards the body, so that a caller who is still sending receives the answer. Stops after twice `maxBytes`. */
const letGo = async (request: Request, maxBytes: number): Promise<void> => {
  let size = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > 2 * maxBytes) return
  }
}

/** Returns the whole body in one buffer. Throws 413. */
const readWhole = async (request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const announced = request.headers.get('content-length')
  if (Number(announced ?? 0) > maxBytes) {
    await letGo(request, maxBytes)
    throw tooLarge(maxBytes)
  }
  const bytes = new Uint8Array(announced === null ? maxBytes : Number(announced))
  let size = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    if (size + chunk.byteLength > bytes.length) throw tooLarge(maxBytes)
    bytes.set(chunk, size)
    size += chunk.byteLength
  }
  return bytes.subarray(0, size)
}

/** Longest prefix before a data URL's comma. */
const MAX_PREFIX = 200
const COMMA = 0x2c

const latin = (bytes: Uint8Array, { from, to }: Place): string => String.fromCharCode(...bytes.subarray(from, to))

/** Returns the media type of a data URL (RFC 2397) and the position of its base64; for plain base64, the position given. */
const withoutPrefix = (bytes: Uint8Array, place: Place): Place & { declared?: string; isBase64: boolean } => {
  const { from, to } = place
  if (latin(bytes, { from, to: Math.min(from + 5, to) }).toLowerCase() !== 'data:') return { ...place, isBase64: true }
  const comma = bytes.subarray(from, Math.min(from + MAX_PREFIX, to)).indexOf(COMMA)
  if (comma < 0) return { ...place, isBase64: false }
  const prefix = latin(bytes, { from: from + 5, to: from + comma }).replaceAll('\\/', '/')
  const [declared = '', ...parameters] = prefix.split(';').map((part) => part.trim().toLowerCase())
  return { from: from + comma + 1, to, declared, isBase64: parameters.at(-1) === 'base64' }
}

const attachmentAt = async (
  bytes: Uint8Array<ArrayBuffer>,
  place: Place,
  isToBeKnown: boolean,
): Promise<Attachment> => {
  const { from, to, declared, isBase64 } = withoutPrefix(bytes, place)
  const decoded = isBase64 ? decodeInPlace(bytes, from, to) : undefined
  const digest = decoded && isToBeKnown ? hex(await crypto.subtle.digest('SHA-256', decoded)) : undefined
  return new Attachment(decoded, declared, digest)
}

/**
 * Reads a JSON body with a file in one field. Throws 413.
 *
 * The file is decoded in place, so body and file together need only the memory of the body. The rest is parsed like any other
 * body; its field gets an `Attachment`.
 *
 * `isToBeKnown`: the request has an Idempotency-Key, so the file's digest is computed.
 */
export const readAttachmentBody = async (
  request: Request,
  { field, maxBytes }: AttachmentField,
  isToBeKnown: boolean,
): Promise<Body> => {
  const bytes = await readWhole(request, maxBytes)
  const type = request.headers.get('content-type')
  const place = stringAt(bytes, field)
  if (!place) return bodyOf([bytes], type)
  // Copy the rest before the file is decoded over it.
  const rest = [bytes.slice(0, place.from), bytes.slice(place.to)]
  const attached = await attachmentAt(bytes, place, isToBeKnown)
  const body = bodyOf(rest, type)
  const { value } = body.parsed()
  if (typeof value === 'object' && value !== null && (value as Record<string, unknown>)[field] === '')
    Object.assign(value, { [field]: attached })
  return { bytes: bytes.length, isEmpty: false, parsed: body.parsed }
}
