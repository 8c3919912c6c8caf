import { hasTag } from '../../platform/lib/etag.ts'
import type { Bucket } from '../../platform/runtime/bucket.ts'
import { IMAGE_TYPES, VIDEO_TYPES } from './rules.ts'

const NAME = /^([0-9a-f]{64})\.(jpg|png|webp|gif|mp4|mov)$/
const TYPES: Readonly<Record<string, string>> = { ...IMAGE_TYPES, ...VIDEO_TYPES }

/** Headers that prevent scripts in the file from running and loading anything. */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; media-src 'self'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Accept-Ranges': 'bytes',
}

type Span = { offset: number; length: number }

/** Returns the range in a header; undefined for none or several, which may be ignored (RFC 9110, 14.2). */
const rangeIn = (header: string | null, size: number): Span | 'unsatisfiable' | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const [from, to] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < from) return undefined
  return from >= size ? 'unsatisfiable' : { offset: from, length: to - from + 1 }
}

/** True if an object exists and was not erased. */
const isThere = <O extends { size: number }>(object: O | null): object is O => object !== null && object.size > 0

/**
 * Returns the response to a GET or HEAD of `/media/<name>`, cacheable for a year; undefined if the file does not exist.
 *
 * Returns 304 if the caller has it, and a part for a `Range`.
 */
export const serveMedia = async (bucket: Bucket, request: Request, name: string): Promise<Response | undefined> => {
  const [, hash, extension] = NAME.exec(name) ?? []
  if (hash === undefined || extension === undefined) return undefined
  const key = `${hash}.${extension}`
  const tag = `"${hash}"`
  const headers = { ...HEADERS, ETag: tag, 'Content-Type': TYPES[extension] ?? '' }
  const isHead = request.method === 'HEAD'
  const condition = request.headers.get('if-none-match')
  const ifRange = request.headers.get('if-range')
  const range = ifRange === null || ifRange.trim() === tag ? request.headers.get('range') : null
  const respond = (status: number, body: ReadableStream | null, more: Record<string, string>) =>
    new Response(body, { status, headers: { ...headers, ...more } })

  if (isHead || condition !== null || range !== null) {
    const known = await bucket.head(key)
    if (!isThere(known)) return undefined
    if (hasTag(condition, tag)) return respond(304, null, {})
    if (isHead) return respond(200, null, { 'Content-Length': String(known.size) })
    const span = rangeIn(range, known.size)
    if (span === 'unsatisfiable') return respond(416, null, { 'Content-Range': `bytes */${known.size}` })
    if (span !== undefined) {
      const part = await bucket.get(key, { range: span })
      const { offset, length } = span
      return part
        ? respond(206, part.body, {
            'Content-Length': String(length),
            'Content-Range': `bytes ${offset}-${offset + length - 1}/${known.size}`,
          })
        : undefined
    }
  }
  const whole = await bucket.get(key)
  return isThere(whole) ? respond(200, whole.body, { 'Content-Length': String(whole.size) }) : undefined
}
