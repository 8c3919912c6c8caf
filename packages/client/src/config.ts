import type { ClientConfig, RetryContext } from './api.generated.ts'
import { GalleyError } from './error.ts'

/** Statuses of a proxy in front of the service, whose answers have no `retryable`. */
const OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504])

/** True if the cause may end by itself. A refusal for money or access needs a person. */
const passesByItself = (status: number): boolean => status === 409 || status === 429 || status >= 500

const hasHeader = (headers: Record<string, string>, name: string): boolean =>
  Object.keys(headers).some((one) => one.toLowerCase() === name)

/** True if sending the request twice has the same effect as sending it once. */
const isRepeatable = ({ method, headers }: RetryContext['request']): boolean =>
  method === 'POST' ? hasHeader(headers, 'idempotency-key') : true

/**
 * Returns the rule for repeating calls: only if the answer is `retryable`, and its wait is at most `maxWaitS` seconds.
 *
 * A POST without an `Idempotency-Key` is never repeated.
 */
const mayRepeat =
  (maxWaitS: number) =>
  async ({ request, response }: RetryContext): Promise<boolean> => {
    if (!isRepeatable(request)) return false
    // The first request may have changed the version that this call requires.
    if (!response) return !hasHeader(request.headers, 'if-match')
    if (!passesByItself(response.status) || Number(response.headers.get('retry-after') ?? 0) > maxWaitS) return false
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (typeof body === 'object' && body !== null && 'retryable' in body) return body.retryable === true
    return OF_PROXIES.has(response.status)
  }

/** Settings of a client. */
export type GalleyOptions = {
  /** Address of the service, with or without `/api/v1`. */
  url: string
  /** API key (`gly_…`). */
  key: string
  /** Number of repeats of a call that may succeed later; 3 by default, 0 for none. */
  retries?: number
  /** Longest wait before a repeat, in seconds; 60 by default. A call that must wait longer fails at once. */
  maxWaitS?: number
  /** Milliseconds until a try is given up; 120,000 by default. */
  timeout?: number
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
}

/** Returns the address of the API: the given one, with `/api/v1`. */
const apiUrl = (given: string): string => {
  const url = given.replace(/\/+$/, '')
  return url.endsWith('/api/v1') ? url : `${url}/api/v1`
}

/** Returns the settings of the generated client: authentication, repeats and errors. */
export const configOf = (options: GalleyOptions): ClientConfig => {
  const { url, key, retries = 3, maxWaitS = 60, timeout = 120_000, fetch: own } = options
  return {
    serverUrl: apiUrl(url),
    auth: { bearer: key },
    clientHeader: false,
    idempotencyKey: true,
    timeout,
    retry: { retries, retryDelay: 1000, retryOn: mayRepeat(maxWaitS) },
    onError: ({ status, body }) => new GalleyError(status, body),
    ...(own ? { fetch: own } : {}),
  }
}
