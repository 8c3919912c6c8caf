import type { RetryContext } from './api.generated.ts'

/** Statuses of a proxy in front of the service, which says nothing of `retryable`. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504])

/** Statuses that pass by themselves. A refusal for money or access waits for a person. */
const passesByItself = (status: number): boolean => status === 409 || status === 429 || status >= 500

const hasHeader = (headers: Record<string, string>, name: string): boolean =>
  Object.keys(headers).some((one) => one.toLowerCase() === name)

/** True if sending the request twice does what sending it once does. */
const isRepeatable = ({ method, headers }: RetryContext['request']): boolean =>
  method === 'POST' ? hasHeader(headers, 'idempotency-key') : true

/**
 * Returns the rule for repeating calls: only where the answer says `retryable`, and only if its wait is at most `maxWaitS` seconds. A
 * POST without an `Idempotency-Key` is never repeated.
 */
export const mayRepeat =
  (maxWaitS: number) =>
  async ({ request, response }: RetryContext): Promise<boolean> => {
    if (!isRepeatable(request)) return false
    // The first request may have changed the version that the call is meant for.
    if (!response) return !hasHeader(request.headers, 'if-match')
    if (!passesByItself(response.status) || Number(response.headers.get('retry-after') ?? 0) > maxWaitS) return false
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (typeof body === 'object' && body !== null && 'retryable' in body) return body.retryable === true
    return OF_PROXIES.has(response.status)
  }
