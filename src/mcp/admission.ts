import type { Scope } from '../../schema/values/accounts.ts'
import { createLocalWindow } from '../platform/http/windows.ts'
import { sha256 } from '../platform/lib/crypto.ts'
import { ApiError } from '../platform/lib/errors.ts'

/** API key of an access token, and the token's scope, which is never wider than the key's. */
type Opened = { apiKey: string; scope: Scope }

/** Returns the key, scope and end (seconds since 1970) of an access token; undefined if the token is not valid. */
export type KeyOfToken = (token: string) => Promise<(Opened & { expiresAt: number }) | undefined>

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
     * Returns the key and scope of an `Authorization` header; undefined if that has no valid token.
     *
     * `beforeAsking` is called before the OAuth server is asked about an unknown token. If it throws, the server is not
     * asked.
     */
    behind: async (authorization: string | null, beforeAsking: () => void): Promise<Opened | undefined> => {
      const token = TOKEN.exec(authorization?.trim() ?? '')?.[1]
      if (token === undefined || token.length > 400) return undefined
      const hash = await sha256(token)
      const known = kept.get(hash)
      if (known && known.until > now().getTime()) return known
      beforeAsking()
      const found = await keyOfToken(token)
      if (!found) return undefined
      if (kept.size >= MAX_TOKENS) kept.clear()
      kept.set(hash, { ...found, until: Math.min(now().getTime() + KEPT_MS, found.expiresAt * 1000) })
      return found
    },
  }
}

const PER_MINUTE = 30
const MAX_ADDRESSES = 10_000

const tooMany = (seconds: number): ApiError =>
  new ApiError(
    'rate_limited',
    `Too many requests with a missing or invalid access token or API key from this address. The limit is ${PER_MINUTE} a minute; repeat after ${seconds} s.`,
    { retry_after: seconds, policy: 'unauthorized' },
  )

/**
 * Returns a rate limit on refused calls (401) per address, in this isolate. The endpoints do the same for API keys.
 *
 * Both functions throw 429: `judge` for an address above its limit, before any other service is asked; `count` for a
 * refusal above the limit.
 */
export const refusedAddresses = (now: () => Date) => {
  const window = createLocalWindow(PER_MINUTE, 60_000)
  const closedUntil = new Map<string, number>()

  const judge = (address: string): void => {
    const leftMs = (closedUntil.get(address) ?? 0) - now().getTime()
    if (leftMs > 0) throw tooMany(Math.ceil(leftMs / 1000))
  }

  const count = (address: string): void => {
    judge(address)
    const { allowed, remaining, resetS } = window.take(address, now().getTime())
    if (closedUntil.size >= MAX_ADDRESSES) closedUntil.clear()
    if (remaining === 0) closedUntil.set(address, now().getTime() + resetS * 1000)
    if (!allowed) throw tooMany(resetS)
  }

  return { judge, count }
}
