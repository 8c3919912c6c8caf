import type { Scope } from '../../schema/values/accounts.ts'
import { createLocalWindow } from '../platform/http/windows.ts'
import { sha256 } from '../platform/lib/crypto.ts'
import { ApiError } from '../platform/lib/errors.ts'

/** API key of an access token, and the token's scope, which is never wider than the key's. */
type Opened = { apiKey: string; scope: Scope }

/**
 * Returns the key, scope and end (seconds since 1970) of an access token; `expired` for another token of an existing grant;
 * undefined for a token of no grant.
 */
export type KeyOfToken = (token: string) => Promise<(Opened & { expiresAt: number }) | 'expired' | undefined>

const KEPT_MS = 60_000
const MAX_TOKENS = 5_000

/** `person:grant:secret`, as the OAuth server makes them. */
const TOKEN = /^Bearer +([\w-]+:[\w-]+:[\w-]+)$/i

/**
 * Returns a cache of the API keys of access tokens. Entries last a minute.
 *
 * It cannot extend access: the endpoints check the key on each call, and the key of an ended grant is revoked.
 */
export const accessTokens = (keyOfToken: KeyOfToken, now: () => Date) => {
  const kept = new Map<string, Opened & { until: number }>()
  return {
    /**
     * Returns the key and scope of an `Authorization` header; `expired` for an expired token of an existing grant; undefined if
     * it has no token of a grant.
     */
    behind: async (authorization: string | null): Promise<Opened | 'expired' | undefined> => {
      const token = TOKEN.exec(authorization?.trim() ?? '')?.[1]
      if (token === undefined || token.length > 400) return undefined
      const hash = await sha256(token)
      const known = kept.get(hash)
      if (known && known.until > now().getTime()) return known
      const found = await keyOfToken(token)
      if (!found || found === 'expired') return found
      if (kept.size >= MAX_TOKENS) kept.clear()
      kept.set(hash, { ...found, until: Math.min(now().getTime() + KEPT_MS, found.expiresAt * 1000) })
      return found
    },
  }
}

const PER_MINUTE = 30

const tooMany = (seconds: number): ApiError =>
  new ApiError(
    'rate_limited',
    `Too many requests with an invalid access token or API key from this address. The limit is ${PER_MINUTE} a minute; repeat after ${seconds} s.`,
    { retry_after: seconds, policy: 'unauthorized' },
  )

/**
 * Returns a counter of refused calls (401) per address, in this isolate. It throws 429 for a refusal above the limit. The
 * endpoints do the same for API keys.
 */
export const refusedAddresses = (now: () => Date) => {
  const window = createLocalWindow(PER_MINUTE, 60_000)
  return (address: string): void => {
    const { allowed, resetS } = window.take(address, now().getTime())
    if (!allowed) throw tooMany(resetS)
  }
}
