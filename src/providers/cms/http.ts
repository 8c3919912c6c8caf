import type * as z from 'zod/mini'
import { plainText } from '../../content/html/references.ts'
import { fetchPicture, type PictureFile } from '../../content/media/fetch.ts'
import { jsonWithin, retryAfterOf } from '../../platform/lib/foreign-answers.ts'
import { clip, storableText, withStop } from '../../platform/lib/text.ts'
import { type Outbound, unsentReason } from '../../platform/runtime/outbound.ts'
import type { CmsFailure, CmsFound, CmsResult } from '../../publishing/target/cms-adapter.ts'

/** Services that an adapter uses. */
export type CmsDeps = {
  outbound: Outbound
  now: () => Date
  /** Waits; shortened in development. Only for short waits at a provider, such as for a file being processed. */
  sleep: (ms: number) => Promise<void>
  serviceName: string
  publicUrl: string
  /** Records events during one call of the port. */
  watch?: CallWatch
}

/**
 * Record of one call of the port. `isProbe`: it tests an address. `hasWritten`: a request that changes something was sent. `hasChanged`:
 * such a request was accepted. `printed`: text that the site wrote around its answers.
 */
export type CallWatch = { isProbe: boolean; hasWritten: boolean; hasChanged: boolean; printed: Set<string> }

/** One HTTP call of an adapter. */
export type CmsCall = {
  /** The CMS's name in messages: `WordPress`, `Ghost`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer> | FormData
  /** True if the call changes something. A lost answer is then `unknown`; otherwise the call can be repeated. */
  writes: boolean
  /** True for a read that decides nothing, such as one that finds the API's address. A cache may answer it. */
  mayBeOld?: boolean
  timeoutMs?: number
  /** Returns the seconds to wait after a 429, for providers that do not use Retry-After. */
  waitOf?: (headers: Headers) => number | undefined
  /** True if the JSON of a 5xx is a refusal with a reason, so nothing was done. */
  isRefusal?: (json: unknown) => boolean
  /** True if the JSON of an error has the CMS's own form. Another server in front of it writes any other. */
  isOwnError?: (json: unknown) => boolean
}

/** An answer in JSON, whatever its status. */
export type CmsAnswer = { kind: 'answered'; status: number; headers: Headers; json: unknown }

const READ_TIMEOUT_MS = 15_000
const WRITE_TIMEOUT_MS = 30_000
const MAX_BYTES = 4 * 1024 * 1024

/** Signs of a firewall or challenge page instead of the CMS. */
const FIREWALL = /sgcaptcha|_cf_chl_opt|challenge-platform|wordfence|imunify360|access denied|attention required/i

/** Characters of a page that are searched for its words. */
const WORDS_IN = 20_000

/** Returns a text as it is, anything else as JSON; empty if the value is nested too deep for JSON. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Returns a provider's words for use in our sentence: cleaned, on one line, at most 300 characters. */
export const quotable = (value: unknown): string => {
  const text = textOf(value).slice(0, WORDS_IN)
  const shown = text
    .replace(/<(script|style|svg)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
  return clip(storableText(plainText(shown).replace(/\s+/g, ' ')).trim(), 300)
}

/** Fields in which providers write for people, the most useful first. */
const WORDS_AT = [
  'message',
  'error_description',
  'context',
  'description',
  'detail',
  'details',
  'error',
  'errors',
  'title',
]
/** Deeper fields are for machines, and the first entries of a list are enough. */
const MAX_DEPTH = 4
const MAX_LISTED = 3

/** Returns the words for people in an error of any provider; empty if there are none. */
const wordsIn = (json: unknown, depth = 0): string => {
  if (typeof json === 'string') return quotable(json)
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return ''
  const parts = Array.isArray(json)
    ? json.slice(0, MAX_LISTED).map((one) => wordsIn(one, depth + 1))
    : [
        WORDS_AT.map((name) => wordsIn((json as Record<string, unknown>)[name], depth + 1)).find((one) => one !== '') ??
          '',
      ]
  return clip([...new Set(parts.filter((part) => part !== ''))].join('; '), 300)
}

/** Returns the provider's words in brackets, or its whole answer if it has no words for people. Empty for an empty answer. */
const inBrackets = (json: unknown): string => {
  if (json === null || json === undefined) return ''
  const words = wordsIn(json) || quotable(json)
  return words === '' ? '' : ` (${words})`
}

/** Returns the JSON of an answer: null for an empty answer, undefined if it has no JSON. Text around the JSON is recorded in `watch`. */
const jsonOf = (body: string, watch: CallWatch | undefined): unknown => {
  if (body.trim() === '') return null
  const found = jsonWithin(body)
  const words = found ? quotable(found.around) : ''
  if (words !== '') watch?.printed.add(words)
  return found?.json
}

type Seen = { httpStatus?: number; retryAfterS?: number }

const lost = (call: CmsCall, reason: string, { retryAfterS, ...seen }: Seen = {}): CmsFailure =>
  call.writes
    ? { kind: 'unknown', reason: `${reason} It is not known whether the change was made.`, ...seen }
    : { kind: 'refused', code: 'unavailable', reason, retryable: true, ...seen, ...withRetryAfter(retryAfterS) }

/** Returns the failure of a call that got no answer. */
const unanswered = (
  call: CmsCall,
  outcome: Exclude<Awaited<ReturnType<Outbound>>, { kind: 'answered' }>,
): CmsFailure => {
  if (outcome.kind === 'forbidden')
    return {
      kind: 'refused',
      code: 'forbidden_url',
      reason: 'The address is not a public one, so nothing was sent.',
      retryable: false,
    }
  if (outcome.kind === 'unsent') {
    const code = outcome.reason === 'no_host' ? 'site_not_found' : 'unavailable'
    const gone = outcome.reason === 'no_host' ? { unreachable: true as const } : {}
    return { kind: 'refused', code, reason: unsentReason(outcome), retryable: true, ...gone }
  }
  if (outcome.reason === 'timeout') return lost(call, `${call.name} did not answer in time.`)
  const failure = lost(call, `The connection to ${call.name} failed.`)
  return failure.kind === 'refused' ? { ...failure, unreachable: true } : failure
}

/**
 * Calls a CMS once, with the address guard and a time limit. Returns any JSON answer that is no failure below as `answered`.
 *
 * A 5xx, or a write whose answer is lost or broke off, is `unknown`. A page instead of JSON is a failure that names the likely cause. A 429 has the seconds to
 * wait, and a redirect its location.
 */
export const callCms = async (deps: CmsDeps, call: CmsCall): Promise<CmsAnswer | CmsFailure> => {
  const body = call.json === undefined ? call.body : JSON.stringify(call.json)
  if (call.writes && deps.watch) deps.watch.hasWritten = true
  const answer = await deps.outbound({
    url: call.url,
    method: call.method,
    headers: {
      Accept: 'application/json',
      'Cache-Control': 'no-cache',
      'User-Agent': `${deps.serviceName}-Publisher/1.0`,
      ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: call.timeoutMs ?? (call.writes ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS),
    maxBytes: MAX_BYTES,
  })
  if (answer.kind !== 'answered') return unanswered(call, answer)
  const { status, headers } = answer
  if (call.writes && status < 300 && deps.watch) deps.watch.hasChanged = true
  const retryAfterS = retryAfterOf(headers, deps.now())
  const isCut = answer.truncated || answer.incomplete
  const json = isCut ? null : jsonOf(answer.body, deps.watch)
  if (status === 429)
    return {
      kind: 'refused',
      code: 'rate_limited',
      reason: `${call.name} answers that there were too many requests${inBrackets(json)}.`,
      retryable: true,
      httpStatus: status,
      ...withRetryAfter(retryAfterS ?? call.waitOf?.(headers)),
    }
  if (status >= 300 && status < 400)
    return {
      kind: 'refused',
      code: 'site_not_found',
      reason: `${call.name} redirects (HTTP ${status}${headers.get('location') ? ` to ${quotable(headers.get('location'))}` : ''}). Connect the final address.`,
      retryable: false,
      httpStatus: status,
      ...(headers.get('location') ? { location: headers.get('location') ?? '' } : {}),
    }
  if (status === 413 && (json === undefined || json === null)) return tooLarge(call)
  const seen = { httpStatus: status, ...withRetryAfter(retryAfterS) }
  if (isCut && status < 300)
    return lost(
      call,
      `The answer of ${call.name} ${answer.truncated ? 'is too long and was cut' : 'broke off'} (HTTP ${status}).`,
      seen,
    )
  const isProbe = deps.watch?.isProbe === true
  if (json === undefined) return notJson(call, answer.body, isProbe, { ...seen, status })
  if (status >= 500 && !call.isRefusal?.(json))
    return lost(call, `${call.name} answered HTTP ${status}${inBrackets(json)}.`, seen)
  if (!isProbe && status >= 400 && status < 500 && json !== null && call.isOwnError?.(json) === false)
    return inBetween(call, json, seen)
  if (!call.writes && !call.mayBeOld && !isProbe && isFromCache(headers)) return cached(call, status)
  return { kind: 'answered', status, headers, json }
}

/** Names of headers in which caches say how they answered: `X-Cache`, `CF-Cache-Status`, `Cache-Status`. */
const CACHE_HEADER = /(?:^|-)cache(?:-status)?$/
/** Words of caches that did not ask the site. */
const HIT = /(?:^|[^a-z])(?:hit|stale|updating)(?![a-z])/i

/** True if a cache answered without asking the site, so the answer may be old. */
const isFromCache = (headers: Headers): boolean =>
  Number(headers.get('age')) > 0 || [...headers].some(([name, value]) => CACHE_HEADER.test(name) && HIT.test(value))

/** Returns a query parameter that no earlier request had, so that caches which compare addresses ask the site. */
export const freshParameter = (): { fresh: string } => ({ fresh: crypto.randomUUID().slice(0, 8) })

/** Returns the failure of a read that a cache answered. */
const cached = ({ name }: CmsCall, status: number): CmsFailure =>
  refused(
    'cached',
    `A cache in front of ${name} answered, so the answer may be old. Exclude the API from that cache.`,
    status,
    true,
  )

/** Returns the refusal of another server in front of the CMS, with its words. It can be tried again. */
const inBetween = (call: CmsCall, json: unknown, seen: Seen): CmsFailure => ({
  kind: 'refused',
  code: 'blocked',
  reason: `Something in front of ${call.name} answered instead of it (HTTP ${seen.httpStatus})${inBrackets(json)}. Allow this service there.`,
  retryable: true,
  ...seen,
})

const withRetryAfter = (retryAfterS: number | undefined) => (retryAfterS === undefined ? {} : { retryAfterS })

/** Returns the refusal of a request that the web server found too large. The CMS itself would give a reason in JSON. */
const tooLarge = (call: CmsCall): CmsFailure => ({
  kind: 'refused',
  code: 'validation',
  reason: `The web server of ${call.name} takes no request of this size (HTTP 413). Send a smaller image or a shorter text, or raise the limit of that server.`,
  retryable: false,
  httpStatus: 413,
})

/**
 * Returns the failure of a call that got a page instead of JSON.
 *
 * An address that was connected has answered as the API before, so the site is away and is tried again. Only a probe may find that an
 * address is not the API's.
 */
const notJson = (
  call: CmsCall,
  body: string,
  isProbe: boolean,
  { status, ...seen }: Seen & { status: number },
): CmsFailure => {
  if (status === 401)
    return {
      kind: 'refused',
      code: 'blocked',
      reason: `The web server in front of ${call.name} asks for a password of its own (HTTP 401). Take that protection away for the API.`,
      retryable: false,
      httpStatus: status,
    }
  if (FIREWALL.test(body) || status === 403 || status === 406)
    return {
      kind: 'refused',
      code: 'blocked',
      reason: `A firewall or security plugin in front of ${call.name} answered with a page instead of the API (HTTP ${status}). Allow this service there.`,
      retryable: true,
      httpStatus: status,
    }
  const words = quotable(body)
  const said = words === '' ? '' : ` It says: ${withStop(words)}`
  const reason = `${call.name} answered HTTP ${status} with a page.${said}`
  // A page with a good status may be a warning printed before the answer, so the write may have been done.
  if (status >= 500 || (call.writes && status < 300)) return lost(call, reason, seen)
  if (!isProbe) return { kind: 'refused', code: 'unavailable', reason, retryable: true, isPage: true, ...seen }
  return {
    kind: 'refused',
    code: status === 404 ? 'site_not_found' : 'unexpected_answer',
    reason: `The address answered with a page that is not ${call.name}'s API (HTTP ${status}).${said}`,
    retryable: false,
    isPage: true,
    httpStatus: status,
  }
}

/** Returns a refusal with an answer's status and the provider's words. */
export const refused = (
  code: Extract<CmsFailure, { kind: 'refused' }>['code'],
  reason: string,
  httpStatus: number,
  retryable = false,
): CmsFailure => ({ kind: 'refused', code, reason, retryable, httpStatus })

/** Returns the result of a successful call of the port, with notes for people. */
export const done = <T>(value: T, notes: readonly string[] = []): CmsResult<T> =>
  notes.length > 0 ? { kind: 'done', value, notes } : { kind: 'done', value }

/** Parsed value of an answer, or its failure. */
export type Got<T> = { kind: 'got'; value: T } | CmsFailure

export const got = <T>(value: T): Got<T> => ({ kind: 'got', value })

/**
 * Returns the part of a successful answer that an adapter reads.
 *
 * An answer of another shape is a failure. After a write it is `unknown`, because the write may have been done.
 */
export const readAnswer = <T>(
  schema: z.ZodMiniType<T>,
  answer: CmsAnswer,
  { name, writes }: { name: string; writes: boolean },
): Got<T> => {
  const parsed = schema.safeParse(answer.json)
  if (parsed.success) return { kind: 'got', value: parsed.data }
  const reason = `${name} answered HTTP ${answer.status} with something that its API does not send (${quotable(answer.json)}).`
  return writes
    ? { kind: 'unknown', reason, httpStatus: answer.status }
    : { kind: 'refused', code: 'unexpected_answer', reason, retryable: true, httpStatus: answer.status }
}

/** Returns the refusal of a connection whose settings do not fit the site. */
export const misfit = (reason: string): CmsFailure => ({
  kind: 'refused',
  code: 'validation',
  reason,
  retryable: false,
})

/** Post that the port's `find` returns; null if there is none. */
export type Found = CmsFound | null

const MAX_IMAGE_BYTES = 12 * 1024 * 1024

/** Fetches an image for a CMS that needs the bytes. Callers report a failure as a note and still write the post. */
export const fetchImage = async (deps: CmsDeps, url: string): Promise<PictureFile | CmsFailure> => {
  const picture = await fetchPicture(deps, url, MAX_IMAGE_BYTES)
  return 'bytes' in picture
    ? picture
    : {
        kind: 'refused',
        code: 'validation',
        reason: `The image could not be fetched: ${picture.reason}.`,
        retryable: false,
      }
}
