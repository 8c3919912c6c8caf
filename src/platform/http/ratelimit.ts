import { Ratelimit } from '@upstash/ratelimit'
import { errorFields, type Log } from '../runtime/log.ts'
import { createRedis } from '../runtime/redis.ts'
import { createCounter, createLocalWindow, type LocalWindow, packedWindow } from './windows.ts'

const WINDOW_S = 60
const MAX_FULL = 10_000

/** Rate limit of `perMinute` requests. Its name appears in the headers. */
export type Policy = { name: string; perMinute: number }

/** Result of the limiter. Without `remaining`, the shared count was unavailable and this isolate's own count decided. */
export type Verdict = { allowed: boolean; remaining?: number; resetS?: number }

/** Rate limiter: a count that all isolates share, and one of this isolate for when the shared one is unavailable. */
export type Limiter = {
  /**
   * Counts one request of `id` under a policy. Never throws: if Redis fails or is slow, this isolate's count decides.
   *
   * `defer` gets work that can be done after the answer. Without it, that work is awaited.
   */
  take: (policy: Policy, id: string, defer?: (work: Promise<unknown>) => void) => Promise<Verdict>
  /** Returns how many requests `id` has left, without counting one. Undefined if the shared count is unavailable. */
  left: (policy: Policy, id: string) => Promise<number | undefined>
  /** Counts in this isolate only. Also refuses while `close` has closed this `id`. */
  countLocally: (policy: Policy, id: string) => Required<Verdict>
  /** Adds a request that `countLocally` allowed to the shared count. Runs after the answer. */
  share: (policy: Policy, id: string) => Promise<void>
  /** Remembers in this isolate that the limit of `id` is used up for this many seconds. */
  close: (policy: Policy, id: string, seconds: number) => void
  /** Returns the remembered refusal of `id`, without calling Redis; undefined if there is none. */
  closed: (policy: Policy, id: string) => Required<Verdict> | undefined
}

/**
 * Returns a limiter with sliding windows of 60 s in Upstash Redis.
 *
 * It uses @upstash/ratelimit with an algorithm of ours: one round trip each, mostly with one command. It waits at most
 * `limiterWaitMs`. After that, or if Redis fails, each isolate counts requests by itself at the same rate.
 */
export const createLimiter = (
  settings: { redisUrl: string; redisToken: string; limiterWaitMs: number },
  now: () => Date,
  log: Log,
): Limiter => {
  const redis = createRedis(settings.redisUrl, settings.redisToken, settings.limiterWaitMs)
  const count = createCounter()
  const shared = new Map<string, Ratelimit>()
  const backstops = new Map<string, LocalWindow>()
  const full = new Map<string, number>()

  const sharedOf = (policy: Policy): Ratelimit => {
    let limiter = shared.get(policy.name)
    if (!limiter) {
      limiter = new Ratelimit({
        redis,
        limiter: packedWindow(count, policy.perMinute, now),
        prefix: policy.name,
        // The Redis client has its own timeout.
        timeout: 0,
        ephemeralCache: false,
        analytics: false,
        enableTelemetry: false,
      })
      shared.set(policy.name, limiter)
    }
    return limiter
  }

  const close: Limiter['close'] = (policy, id, seconds) => {
    if (full.size >= MAX_FULL) full.clear()
    full.set(`${policy.name} ${id}`, now().getTime() + seconds * 1000)
  }

  const closed: Limiter['closed'] = (policy, id) => {
    const leftMs = (full.get(`${policy.name} ${id}`) ?? 0) - now().getTime()
    return leftMs > 0 ? { allowed: false, remaining: 0, resetS: Math.ceil(leftMs / 1000) } : undefined
  }

  const countLocally: Limiter['countLocally'] = (policy, id) => {
    let window = backstops.get(policy.name)
    if (!window) {
      window = createLocalWindow(policy.perMinute, WINDOW_S * 1000)
      backstops.set(policy.name, window)
    }
    return closed(policy, id) ?? window.take(id, now().getTime())
  }

  const share: Limiter['share'] = async (policy, id) => {
    const verdict = await take(policy, `shared:${id}`)
    if (!verdict.allowed) close(policy, id, verdict.resetS ?? 1)
  }

  const noteAway = (policy: Policy, error: unknown): void => {
    const isSlow = error instanceof Error && error.name === 'TimeoutError'
    if (isSlow) log('warn', 'ratelimit.slow', { policy: policy.name, waited_ms: settings.limiterWaitMs })
    else log('warn', 'ratelimit.away', { policy: policy.name, ...errorFields(error) })
  }

  const left: Limiter['left'] = async (policy, id) => {
    try {
      return (await sharedOf(policy).getRemaining(id)).remaining
    } catch (error) {
      noteAway(policy, error)
      return undefined
    }
  }

  const take: Limiter['take'] = async (policy, id, defer) => {
    try {
      const { success, remaining, reset, pending } = await sharedOf(policy).limit(id)
      if (defer && !success) defer(pending)
      else await pending
      return { allowed: success, remaining, resetS: Math.max(1, Math.ceil((reset - now().getTime()) / 1000)) }
    } catch (error) {
      noteAway(policy, error)
    }
    const { allowed, resetS } = countLocally(policy, id)
    return allowed ? { allowed } : { allowed, resetS }
  }

  return { take, left, countLocally, share, close, closed }
}

/** Returns the header fields of a policy (draft-ietf-httpapi-ratelimit-headers). The count is included only if it is known. */
export const rateHeaders = (policy: Policy, verdict?: Verdict): Record<string, string> => ({
  'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=${WINDOW_S}`,
  ...(verdict?.remaining === undefined
    ? {}
    : { RateLimit: `"${policy.name}";r=${verdict.remaining};t=${verdict.resetS ?? 0}` }),
})
