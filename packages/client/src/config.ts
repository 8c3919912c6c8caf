import type { ClientConfig } from './api.generated.ts'
import { GalleyError } from './error.ts'
import { mayRepeat } from './retry.ts'

export type GalleyOptions = {
  /** Address of the service, with or without `/api/v1`. */
  url: string
  /** API key (`gly_…`). */
  key: string
  /** Repeats of a call that may succeed later; 3 if not given, 0 for none. */
  retries?: number
  /** Longest wait before a repeat, in seconds; 60 if not given. A call that has to wait longer is refused at once. */
  maxWaitS?: number
  /** Milliseconds until a try is given up; 120,000 if not given. */
  timeout?: number
  /** Instead of the platform's `fetch`. */
  fetch?: typeof fetch
}

/** Returns the address of the API: what was given, with `/api/v1`. */
const apiUrl = (given: string): string => {
  const url = given.replace(/\/+$/, '')
  return url.endsWith('/api/v1') ? url : `${url}/api/v1`
}

/** Returns the settings of the generated client: how calls are signed, repeated and refused. */
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
