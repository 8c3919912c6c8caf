import { plainText } from '../../content/html/references.ts'
import { jsonWithin } from '../../platform/lib/foreign-json.ts'
import { withStop } from '../../platform/lib/full-stop.ts'
import { retryAfterOf } from '../../platform/lib/retry-after.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { type Outbound, unsentReason } from '../../platform/runtime/outbound.ts'
import type { CmsFailure, CmsResult } from '../../publishing/target/cms-adapter.ts'

/** Services that an adapter uses. */
export type CmsDeps = {
  outbound: Outbound
  now: () => Date
  /** Waits; shortened in development. Only for a provider's own short waits (a file being processed). */
  sleep: (ms: number) => Promise<void>
  serviceName: string
  publicUrl: string
  /** Notes what happened on the way of one call of the port. */
  watch?: CallWatch
}

/**
 * Record of one call of the port. `hasWritten`: the first request that changes something was sent. `printed`: text that
 * the site wrote around its answers.
 */
export type CallWatch = { hasWritten: boolean; printed: Set<string> }

export type CmsCall = {
  /** The CMS's name for sentences: `WordPress`, `Ghost`. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer> | FormData
  /** True if the call changes something: then a lost answer is `unknown`, else it may simply be asked again. */
  writes: boolean
  timeoutMs?: number
  /** Returns the seconds to wait after a 429, for providers that do not use Retry-After. */
  waitOf?: (headers: Headers) => number | undefined
}

/** An answer in JSON, whatever its status. */
export type CmsAnswer = { kind: 'answered'; status: number; headers: Headers; json: unknown }

const READ_TIMEOUT_MS = 15_000
const WRITE_TIMEOUT_MS = 30_000
const MAX_BYTES = 4 * 1024 * 1024

/** Signs of a firewall or challenge page in place of the CMS. */
const FIREWALL = /sgcaptcha|_cf_chl_opt|challenge-platform|wordfence|imunify360|access denied|attention required/i

/** Characters of a page that are looked at for its words. */
const WORDS_IN = 20_000

/** Someone else's words as part of our sentence: cleaned, in one line, at most 300 characters. */
export const quotable = (value: unknown): string => {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, WORDS_IN)
  const shown = text
    .replace(/<(script|style|svg)\b[^<>]*>[^<]*(?:<(?!\/\1)[^<]*)*<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
  return clip(storableText(plainText(shown).replace(/\s+/g, ' ')).trim(), 300)
}

/** The JSON of an answer; undefined where there is none. What a site printed around it is noted. */
const jsonOf = (body: string, watch: CallWatch | undefined): unknown => {
  if (body.trim() === '') return null
  const found = jsonWithin(body)
  const words = found ? quotable(found.around) : ''
  if (words !== '') watch?.printed.add(words)
  return found?.json
}

const lost = (call: CmsCall, reason: string, httpStatus?: number): CmsFailure => {
  const seen = httpStatus === undefined ? {} : { httpStatus }
  return call.writes
    ? { kind: 'unknown', reason: `${reason} It is not known whether the change was made.`, ...seen }
    : { kind: 'refused', code: 'unavailable', reason, retryable: true, ...seen }
}

/**
 * One call to a CMS: the address guard, a time limit, an answer that must be JSON. A 5xx or a lost answer to a write is
 * `unknown`; a page in place of JSON is told as what it is, whatever its status; 429 carries Retry-After.
 *
 * Every other status comes back as `answered`, for the adapter to understand.
 */
export const callCms = async (deps: CmsDeps, call: CmsCall): Promise<CmsAnswer | CmsFailure> => {
  const body = call.json === undefined ? call.body : JSON.stringify(call.json)
  if (call.writes && deps.watch) deps.watch.hasWritten = true
  const answer = await deps.outbound({
    url: call.url,
    method: call.method,
    headers: {
      Accept: 'application/json',
      'User-Agent': `${deps.serviceName}-Publisher/1.0`,
      ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: call.timeoutMs ?? (call.writes ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS),
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'forbidden')
    return {
      kind: 'refused',
      code: 'forbidden_url',
      reason: 'The address is not a public one, so nothing was sent.',
      retryable: false,
    }
  if (answer.kind === 'unsent') {
    const code = answer.reason === 'no_host' ? 'site_not_found' : 'unavailable'
    const gone = answer.reason === 'no_host' ? { unreachable: true as const } : {}
    return { kind: 'refused', code, reason: unsentReason(answer), retryable: true, ...gone }
  }
  if (answer.kind === 'no_answer') {
    if (answer.reason === 'timeout') return lost(call, `${call.name} did not answer in time.`)
    const failure = lost(call, `The connection to ${call.name} failed.`)
    return failure.kind === 'refused' ? { ...failure, unreachable: true } : failure
  }
  const { status, headers } = answer
  if (status === 429)
    return {
      kind: 'refused',
      code: 'rate_limited',
      reason: `${call.name} answers that there were too many requests.`,
      retryable: true,
      httpStatus: status,
      ...withRetryAfter(retryAfterOf(headers, deps.now()) ?? call.waitOf?.(headers)),
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
  const json = jsonOf(answer.body, deps.watch)
  if (json === undefined) return notJson(call, status, answer.body)
  if (status >= 500)
    return lost(call, `${call.name} answered HTTP ${status}${json === null ? '' : ` (${quotable(json)})`}.`, status)
  return { kind: 'answered', status, headers, json }
}

const withRetryAfter = (retryAfterS: number | undefined) => (retryAfterS === undefined ? {} : { retryAfterS })

const notJson = (call: CmsCall, status: number, body: string): CmsFailure => {
  if (FIREWALL.test(body) || status === 403 || status === 406)
    return {
      kind: 'refused',
      code: 'blocked',
      reason: `A firewall or security plugin in front of ${call.name} answered with a page in place of the API (HTTP ${status}). Allow this service there.`,
      retryable: true,
      httpStatus: status,
    }
  // A page with a good status may be a warning printed before the answer: the work can have been done.
  const words = quotable(body)
  const said = words === '' ? '' : ` It says: ${withStop(words)}`
  if (status >= 500 || (call.writes && status < 300))
    return lost(call, `${call.name} answered HTTP ${status} with a page.${said}`, status)
  return {
    kind: 'refused',
    code: status === 404 ? 'site_not_found' : 'unexpected_answer',
    reason: `The address answered with a page that is not ${call.name}'s API (HTTP ${status}).${said}`,
    retryable: false,
    httpStatus: status,
  }
}

/** A refusal made from an answer's status and the provider's words. */
export const refused = (
  code: Extract<CmsFailure, { kind: 'refused' }>['code'],
  reason: string,
  httpStatus: number,
  retryable = false,
): CmsFailure => ({ kind: 'refused', code, reason, retryable, httpStatus })

export const done = <T>(value: T, notes: readonly string[] = []): CmsResult<T> =>
  notes.length > 0 ? { kind: 'done', value, notes } : { kind: 'done', value }
