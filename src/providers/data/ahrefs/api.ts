import type { ProviderFailure } from '../../../accounts/provider-keys/port.ts'
import { foreignJson } from '../../../platform/lib/foreign-json.ts'
import { retryAfterOf } from '../../../platform/lib/retry-after.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import { type Outbound, unsentReason } from '../../../platform/runtime/outbound.ts'

/** Address of Ahrefs, and the key to use. */
export type AhrefsAccount = { baseUrl: string; apiKey: string }
export type AhrefsDeps = { outbound: Outbound; now: () => Date }

const NAME = 'Ahrefs'
const MAX_BYTES = 4 * 1024 * 1024
const LEAST_MS = 1_000
/** Limits are per minute; Retry-After is rarely there. */
const NEXT_MINUTE_S = 60

const clean = (text: string): string =>
  clip(
    storableText(
      text
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    200,
  )

/** Returns the reason in an error body: `["Error","Unauthorized"]`, `{"error": …}`, `{"message": …}` or plain text. */
export const reasonIn = (body: string): string => {
  const json = foreignJson(body)
  if (Array.isArray(json)) return clean(json.filter((part) => typeof part === 'string' && part !== 'Error').join(' '))
  if (typeof json === 'object' && json !== null) {
    const { error, message } = json as { error?: unknown; message?: unknown }
    return clean(String((typeof error === 'string' ? error : undefined) ?? message ?? ''))
  }
  return clean(body)
}

/** Of a 403 only the words say why: units used up, a plan without the endpoint, or a key that is missing. */
const BILLING = /unit|limit|plan|subscription|upgrade|insufficient|quota/i

const kindOf = (status: number, reason: string): ProviderFailure['code'] => {
  if (status === 401) return 'auth'
  if (status === 403) return BILLING.test(reason) ? 'billing' : 'auth'
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'transient'
  return status === 400 ? 'invalid_input' : 'permanent'
}

const lost = (reason: string): ProviderFailure => ({ kind: 'failed', code: 'transient', reason })

type Call = { path: string; query: Record<string, string>; until: number }
type Got = { kind: 'got'; json: unknown }

/** Makes one call of Ahrefs' API: its JSON, or why there is none. */
export const callAhrefs = async (
  deps: AhrefsDeps,
  { baseUrl, apiKey }: AhrefsAccount,
  { path, query, until }: Call,
): Promise<Got | ProviderFailure> => {
  const timeoutMs = until - deps.now().getTime()
  if (timeoutMs < LEAST_MS) return lost(`${NAME} did not answer in time.`)
  const answer = await deps.outbound({
    url: `${baseUrl}${path}?${new URLSearchParams(query)}`,
    method: 'GET',
    headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  if (answer.kind === 'unsent') return lost(unsentReason(answer))
  if (answer.kind === 'forbidden') return { ...lost(`The address of ${NAME} is not a public one.`), code: 'permanent' }
  if (answer.kind === 'no_answer')
    return lost(answer.reason === 'timeout' ? `${NAME} did not answer in time.` : `The connection to ${NAME} failed.`)
  const { status, headers, body } = answer
  if (status === 200) {
    const json = foreignJson(body)
    return json === undefined ? lost(`${NAME} answered with something that is not its API.`) : { kind: 'got', json }
  }
  const words = reasonIn(body)
  const code = kindOf(status, words)
  return {
    kind: 'failed',
    code,
    reason: `${NAME} answered HTTP ${status}${words === '' ? '.' : `: ${words}`}`,
    status,
    ...(code === 'rate_limited' ? { retryAfterS: retryAfterOf(headers, deps.now()) ?? NEXT_MINUTE_S } : {}),
  }
}
