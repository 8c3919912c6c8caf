import type { Failure, Result } from '../../insights/search/port.ts'
import { foreignJson } from '../../platform/lib/foreign-json.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

const TIMEOUT_MS = 20_000
/** 25,000 rows of long addresses and queries. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_MESSAGE = 300

type Call = {
  url: string
  method: 'GET' | 'POST'
  token?: string
  form?: Record<string, string>
  json?: unknown
}

export type Answered = { status: number; body: unknown }

/** Calls Google; its status and JSON, or why there is no answer. */
export const callGoogle = async (
  { outbound }: Pick<Deps, 'outbound'>,
  { url, method, token, form, json }: Call,
): Promise<Result<Answered>> => {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json)
  const answer = await outbound({
    url,
    method,
    headers: {
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind !== 'answered')
    return { failure: { kind: 'away', message: 'Google did not answer in time.', retryAfter: 60 } }
  const parsed = jsonOf(answer.body)
  if (answer.status < 300 && (parsed === undefined || answer.truncated))
    return {
      failure: { kind: 'away', status: answer.status, message: 'Google’s answer is not readable.', retryAfter: 60 },
    }
  return { ok: { status: answer.status, body: parsed ?? {} } }
}

/** Returns the JSON of a text, nothing for an empty one; undefined if it is none. */
export const jsonOf = (text: string): unknown => (text === '' ? {} : foreignJson(text))

/** Returns one line of what Google said, without control characters. */
const cleaned = (text: string): string =>
  text
    .replace(/[\p{Cc}\uFFFD\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE)

type ApiFault = {
  error?: {
    message?: string
    status?: string
    errors?: { reason?: string }[]
    details?: { reason?: string }[]
  }
}

const QUOTA = /quota|rateLimit|RATE_LIMIT|RESOURCE_EXHAUSTED|userRateLimit|dailyLimit/i
const SCOPE = /insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT/
const DISABLED = /accessNotConfigured|SERVICE_DISABLED/

/** Load quotas are counted over ten minutes; Google asks for a pause of fifteen. */
const QUOTA_PAUSE_S = 900
const RATE_PAUSE_S = 60
const AWAY_PAUSE_S = 30

/** Returns the failure behind an error answer of a Google API (google.rpc shape, or the older one with `errors`). */
export const failureOf = ({ status, body }: Answered): Failure => {
  const { error = {} } = (body ?? {}) as ApiFault
  const { errors, details } = error
  const reasons = [error.status, ...(errors ?? []).map((e) => e.reason), ...(details ?? []).map((d) => d.reason)].join(
    ' ',
  )
  const message = cleaned(error.message ?? '') || `Google answered with status ${status}.`
  if (status === 429 || (status === 403 && QUOTA.test(reasons)))
    return {
      kind: 'quota',
      status,
      message,
      retryAfter: /rateLimit|RATE_LIMIT/.test(reasons) ? RATE_PAUSE_S : QUOTA_PAUSE_S,
    }
  if (status === 401) return { kind: 'unauthorized', status, message }
  if (status === 403 && SCOPE.test(reasons)) return { kind: 'scope', status, message }
  if (status === 403 && DISABLED.test(reasons)) return { kind: 'disabled', status, message }
  if (status === 403 || status === 404) return { kind: 'forbidden', status, message }
  if (status >= 500 || status === 408) return { kind: 'away', status, message, retryAfter: AWAY_PAUSE_S }
  return { kind: 'invalid', status, message }
}

/** Returns the failure behind an error answer of the token endpoint (RFC 6749, section 5.2). */
export const tokenFailure = ({ status, body }: Answered): Failure => {
  const { error = '', error_description: description } = (body ?? {}) as { error?: string; error_description?: string }
  const message = cleaned(description ?? error) || `Google answered with status ${status}.`
  if (status >= 500 || status === 429) return { kind: 'away', status, message, retryAfter: AWAY_PAUSE_S }
  return { kind: error === 'invalid_grant' ? 'revoked' : 'client', status, message }
}
