import { ApiError } from '../../platform/lib/errors.ts'
import { checkPublicUrl, decoded, locationOf, WEB_PORTS } from '../../platform/lib/urls.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { type Outbound, unsentReason } from '../../platform/runtime/outbound.ts'
import { IMAGE_TYPES, imageFormat } from './rules.ts'

const MAX_REDIRECTS = 3
/** Statuses below 500 for failures that may be temporary. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

/** Returns the user agent for fetching files, so that hosts know who asks. */
const botName = ({ serviceName, publicUrl }: { serviceName: string; publicUrl: string }): string =>
  publicUrl === '' ? `${serviceName}Bot/1.0` : `${serviceName}Bot/1.0 (+${publicUrl})`

type Answered = Extract<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>

/** Result of fetching a file. `lasts` is true if the same call would fail in the same way. */
type Followed =
  | { kind: 'fetched'; answer: Answered }
  | { kind: 'forbidden'; url: string; isRedirect: boolean }
  | { kind: 'failed'; reason: string; lasts: boolean; status?: number }

type Wanted = {
  agent: string
  accept: string
  timeoutMs: number
  maxBytes: number
  as: 'bytes' | 'stream'
  method?: 'GET' | 'HEAD'
  /** True if only the first `maxBytes` bytes are wanted. */
  isStart?: boolean
}

/**
 * Fetches a file from a public address. Follows at most three redirects itself, and checks each address like the first.
 *
 * Sends a user agent and an `Accept` header, because large hosts refuse requests without them.
 */
const follow = async (
  outbound: Outbound,
  from: string,
  { agent, accept, timeoutMs, maxBytes, as, method = 'GET', isStart = false }: Wanted,
): Promise<Followed> => {
  const headers: Record<string, string> = { 'User-Agent': agent, Accept: accept }
  if (isStart) headers.Range = `bytes=0-${maxBytes - 1}`
  let url = from
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await outbound({ url, method, headers, timeoutMs, maxBytes, as })
    if (answer.kind === 'forbidden') return { kind: 'forbidden', url, isRedirect: redirects > 0 }
    if (answer.kind === 'unsent')
      return {
        kind: 'failed',
        reason: unsentReason(answer).replace(/\.$/, ''),
        lasts: answer.reason === 'no_host',
      }
    if (answer.kind === 'no_answer') {
      const isLate = answer.reason === 'timeout'
      const reason = isLate ? 'its address did not answer in time' : 'its address could not be reached'
      return { kind: 'failed', reason, lasts: false }
    }
    const { status } = answer
    if (status === 200 || (isStart && status === 206))
      return answer.incomplete
        ? { kind: 'failed', reason: 'its address sent only a part of it', lasts: false }
        : { kind: 'fetched', answer }
    await answer.stream?.letGo()
    const next = locationOf(answer, url)
    if (!next) {
      const lasts = status < 500 && !PASSING.has(status)
      return { kind: 'failed', reason: `its address answered with status ${status}`, lasts, status }
    }
    url = next.href
  }
  return { kind: 'failed', reason: 'its address redirects too many times', lasts: true }
}

/** File to fetch, and the error details for a failure. */
type WantedFile = {
  /** Field of the body with the address. */
  field: string
  what: 'image' | 'file'
  code: 'image_not_fetched' | 'media_not_fetched'
  accept: string
  timeoutMs: number
  maxBytes: number
}

/** Failure of a fetch. `lasts` is true if the same call would fail in the same way. */
type Fault = { status?: number; lasts?: boolean }

/** Returns the error for a file that could not be fetched. */
export const notFetched = (
  { code, field, what }: WantedFile,
  reason: string,
  { status, lasts }: Fault = {},
): ApiError =>
  new ApiError(code, `The ${what} could not be copied: ${reason}.`, {
    ...(lasts ? { retryable: false } : {}),
    upstream: { name: field, ...(status === undefined ? {} : { status }), message: reason },
  })

const forbidden = (field: string, url: string, isRedirect: boolean): ApiError => {
  const checked = checkPublicUrl(url, true)
  const hasPort = 'refusal' in checked && checked.refusal === 'port'
  const own = hasPort ? WEB_PORTS : 'must be a public address'
  const message = isRedirect ? 'leads to an address that is not a public one' : own
  return new ApiError('forbidden_url', `${field} ${message}.`, { details: [{ field, message }] })
}

/**
 * Fetches a public address, follows its redirects, and returns the response of status 200. Throws 400 `forbidden_url` and 422.
 */
export const fetchFile = async (
  { outbound, settings }: Pick<Deps, 'outbound' | 'settings'>,
  from: string,
  as: 'bytes' | 'stream',
  wanted: WantedFile,
): Promise<Extract<Followed, { kind: 'fetched' }>['answer']> => {
  const { field, accept, timeoutMs, maxBytes } = wanted
  const got = await follow(outbound, from, { agent: botName(settings), accept, timeoutMs, maxBytes, as })
  if (got.kind === 'fetched') return got.answer
  throw got.kind === 'forbidden' ? forbidden(field, got.url, got.isRedirect) : notFetched(wanted, got.reason, got)
}

/** Dependencies for fetching pictures. */
type PictureDeps = { outbound: Outbound; serviceName: string; publicUrl: string }

/** Fetched picture. `type` is its media type, `extension` has no dot. */
export type PictureFile = { bytes: Uint8Array<ArrayBuffer>; type: string; extension: string; filename: string }

/** Reason for a missing picture, as the end of a sentence. `lasts` is true if the same call would fail in the same way. */
type NoPicture = { kind: 'no_picture'; reason: string; lasts: boolean }

const TIMEOUT_MS = 20_000
/** Bytes of a file that are enough to recognize its type. */
const SIGNATURE_BYTES = 64

/** Returns a file name for a picture, made from its address. It has only ASCII letters, digits, `-` and `_`. */
export const pictureName = (url: string, extension: string): string => {
  const last = decoded((URL.parse(url)?.pathname ?? '').split('/').at(-1) ?? '')
  const stem = last
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 80)
  return `${stem || 'image'}.${extension}`
}

/** Fetches a picture. Its type is read from its bytes, never from a name or a declared type. */
export const fetchPicture = async (
  deps: PictureDeps,
  url: string,
  maxBytes: number,
): Promise<PictureFile | NoPicture> => {
  const none = (reason: string, lasts = true): NoPicture => ({ kind: 'no_picture', reason, lasts })
  const wanted = { agent: botName(deps), accept: 'image/*', timeoutMs: TIMEOUT_MS, as: 'bytes' } as const
  const got = await follow(deps.outbound, url, { ...wanted, maxBytes: maxBytes + 1 })
  if (got.kind === 'forbidden')
    return none(got.isRedirect ? 'its address leads to one that is not public' : 'its address is not public')
  if (got.kind === 'failed') return none(got.reason, got.lasts)
  const { bytes, truncated } = got.answer
  if (truncated || bytes.byteLength > maxBytes) return none(`it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`)
  const extension = imageFormat(bytes)
  if (!extension) return none('its address does not answer with a JPG, PNG, WebP or GIF')
  return { bytes, type: IMAGE_TYPES[extension], extension, filename: pictureName(url, extension) }
}

const namedFormat = (url: string) => {
  const name = /\.([a-z]{3,4})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  const extension = name === 'jpeg' ? 'jpg' : name
  return extension in IMAGE_TYPES ? (extension as keyof typeof IMAGE_TYPES) : undefined
}

/** Returns the type of the picture at an address: from its first bytes, or from its name if it cannot be fetched. */
export const pictureTypeAt = async (
  deps: PictureDeps,
  url: string,
): Promise<{ type: string; extension: string } | undefined> => {
  const wanted = { agent: botName(deps), accept: 'image/*', timeoutMs: TIMEOUT_MS, as: 'bytes' } as const
  const got = await follow(deps.outbound, url, { ...wanted, maxBytes: SIGNATURE_BYTES })
  const extension = got.kind === 'fetched' ? imageFormat(got.answer.bytes) : namedFormat(url)
  return extension && { type: IMAGE_TYPES[extension], extension }
}

/** Time limit of asking for a picture that a page shows, ms. */
const SHOWN_TIMEOUT_MS = 8_000

const isPicture = ({ headers }: Answered): boolean =>
  /^image\//i.test(headers.get('content-type') ?? '') && headers.get('content-length') !== '0'

/** True if a picture loads at its address: its server names it as a picture, or sends the bytes of one. */
export const pictureLoads = async (deps: PictureDeps, url: string): Promise<boolean> => {
  const wanted = { agent: botName(deps), accept: 'image/*', timeoutMs: SHOWN_TIMEOUT_MS, as: 'bytes' } as const
  const asked = await follow(deps.outbound, url, { ...wanted, method: 'HEAD', maxBytes: 0 })
  if (asked.kind === 'fetched' && isPicture(asked.answer)) return true
  // Some servers do not answer HEAD as they answer GET.
  const isSilent = asked.kind === 'failed' && asked.status === undefined
  if (asked.kind === 'forbidden' || isSilent) return false
  const got = await follow(deps.outbound, url, { ...wanted, isStart: true, maxBytes: SIGNATURE_BYTES })
  if (got.kind !== 'fetched' || got.answer.bytes.byteLength === 0) return false
  return isPicture(got.answer) || imageFormat(got.answer.bytes) !== undefined
}
