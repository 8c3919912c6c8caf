import {
  type Client,
  createClient,
  OPERATIONS,
  type OperationContext,
  type OperationId,
  type OperationPath,
  type OperationTag,
  type Ops,
} from './api.generated.ts'
import { GalleyError } from './error.ts'
import { mayRepeat } from './retry.ts'

export type * from './api.generated.ts'
export { OPERATIONS } from './api.generated.ts'
export { type Code, type Detail, GalleyError, type NextCall } from './error.ts'
export { each, type PagedOperation, pages, type Row } from './pages.ts'

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

/** One method for each operation, named as in the description: `galley.articlesPublish({ path: { id: 43 } })`. */
export type Galley = Client<Ops, OperationContext<OperationId, OperationPath, OperationTag>>

/** Returns the address of the API: what was given, with `/api/v1`. */
const apiUrl = (given: string): string => {
  const url = given.replace(/\/+$/, '')
  return url.endsWith('/api/v1') ? url : `${url}/api/v1`
}

/**
 * Returns a client of the service. Each POST has an `Idempotency-Key`, so that its repeats do nothing twice. A refused call throws
 * `GalleyError`.
 */
export const createGalley = (options: GalleyOptions): Galley => {
  const { url, key, retries = 3, maxWaitS = 60, timeout = 120_000, fetch: own } = options
  return createClient<Ops, OperationId, OperationPath, OperationTag>(OPERATIONS, {
    serverUrl: apiUrl(url),
    auth: { bearer: key },
    clientHeader: false,
    idempotencyKey: true,
    timeout,
    retry: { retries, retryDelay: 1000, retryOn: mayRepeat(maxWaitS) },
    onError: ({ status, body }) => new GalleyError(status, body),
    ...(own ? { fetch: own } : {}),
  })
}
