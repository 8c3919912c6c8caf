import { Redis } from '@upstash/redis/cloudflare'

/** Returns a client of Upstash's Redis. A request ends after `waitMs` with a `TimeoutError` and is not repeated. */
export const createRedis = (url: string, token: string, waitMs: number): Redis =>
  new Redis({
    url,
    token,
    signal: () => AbortSignal.timeout(waitMs),
    retry: { retries: 0 },
    automaticDeserialization: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
    responseEncoding: false,
  })

/** Key of a mark that every change replaces. It shows the minute's work, without the database, whether anything changed. */
export const CHANGED_KEY = 'galley:changed'
