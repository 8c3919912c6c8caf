import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const TOKEN_HEADERS = ['authorization', 'x-api-key', 'x-automation-apikey'] as const

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()

/** Returns the names of the headers that carry the receiver's access token; empty when none does. One is enough. */
export const headersWithToken = (headers: IncomingHttpHeaders, token: string): string[] =>
  TOKEN_HEADERS.filter((name) => {
    const value = headers[name]
    if (typeof value !== 'string') return false
    const given = name === 'authorization' ? value.replace(/^Bearer\s+/i, '') : value
    return timingSafeEqual(digest(given), digest(token))
  })

/** Returns the request's headers without those that hold a token, right or wrong: they are stored and shown on a page. */
export const withoutTokens = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !TOKEN_HEADERS.some((hidden) => hidden === name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
