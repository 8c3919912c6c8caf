import type { Ratelimit } from '@upstash/ratelimit'
import type { Redis } from '@upstash/redis/cloudflare'
import { waitingFor } from '../lib/request-scope.ts'

/** Counter of events per key over a sliding window, in this isolate's memory. */
export type LocalWindow = {
  /** Counts one event at `nowMs` if the limit allows it. Returns how many are left, and the seconds until the oldest event leaves. */
  take: (key: string, nowMs: number) => { allowed: boolean; remaining: number; resetS: number }
}

const MAX_KEYS = 10_000

const forget = (log: Map<string, number[]>): void => {
  for (const oldest of log.keys()) {
    if (log.size <= MAX_KEYS) return
    log.delete(oldest)
  }
}

/** Creates a sliding log of at most `limit` events in `windowMs` per key. Past 10,000 keys it forgets those unused longest. */
export const createLocalWindow = (limit: number, windowMs: number): LocalWindow => {
  const log = new Map<string, number[]>()
  const take: LocalWindow['take'] = (key, nowMs) => {
    const recent = (log.get(key) ?? []).filter((at) => at > nowMs - windowMs)
    const allowed = recent.length < limit
    if (allowed) recent.push(nowMs)
    log.delete(key)
    log.set(key, recent)
    forget(log)
    const resetS = Math.max(1, Math.ceil(((recent[0] ?? nowMs) + windowMs - nowMs) / 1000))
    return { allowed, remaining: limit - recent.length, resetS }
  }
  return { take }
}

const WINDOW_MS = 60_000
/** Number of minutes with counts in one number. */
const MINUTES = 5
/** Base of the packed counts. A minute's count stays below 2^10, so five stay below 2^53 and JSON keeps them exact. */
const ROOM = 1_024
/** Minutes that share one hash, which Redis expires as a whole. A multiple of MINUTES. */
const HASH_MINUTES = 30
const HASH_SECONDS = (HASH_MINUTES + MINUTES) * 60
const MAX_REMEMBERED = 10_000

/** Counter of a minute: a field of a hash, and the value of one call within that field's number. */
type Place = { hash: string; field: string; one: number; isFirst: boolean }

const placeOf = (id: string, minute: number): Place => ({
  hash: `galley:rate:${Math.floor(minute / HASH_MINUTES)}`,
  field: `${Math.floor(minute / MINUTES)}:${id}`,
  one: ROOM ** (minute % MINUTES),
  isFirst: minute % MINUTES === 0,
})

const countIn = (value: unknown, one: number): number => Math.floor(Number(value ?? 0) / one) % ROOM

/** An algorithm of @upstash/ratelimit, in the package's own type. */
type Algorithm = ConstructorParameters<typeof Ratelimit>[0]['limiter']

/** Adds `more` calls of an id to this minute. Returns the counts of this minute and of the minute before. */
type Counter = (
  redis: Pick<Redis, 'hincrby' | 'pipeline'>,
  id: string,
  minute: number,
  more: number,
) => Promise<[number, number]>

/** Returns a counter that remembers, in this isolate, the counts of past minutes. */
export const createCounter = (): Counter => {
  /** Counts of past minutes, by hash and field. */
  const past = new Map<string, number>()
  let expiring = ''

  const remember = (name: string, count: number): number => {
    if (past.size >= MAX_REMEMBERED) past.clear()
    past.set(name, count)
    return count
  }

  return async (redis, id, minute, more) => {
    const { hash, field, one, isFirst } = placeOf(id, minute)
    const before = placeOf(id, minute - 1)
    const name = `${before.hash} ${before.field}`
    const known = past.get(name)
    const asksBefore = isFirst && known === undefined
    const send = async (): Promise<unknown[]> => {
      if (!asksBefore && expiring === hash) return [await redis.hincrby(hash, field, more * one)]
      const pipeline = redis.pipeline().hincrby(hash, field, more * one)
      if (asksBefore) pipeline.hget(before.hash, before.field)
      if (expiring !== hash) pipeline.expire(hash, HASH_SECONDS)
      return await pipeline.exec()
    }
    const [value, ...others] = await waitingFor('redis', send)
    if (!Number.isSafeInteger(value)) throw new Error(`HINCRBY answered ${JSON.stringify(value)}, which is no count.`)
    expiring = hash
    if (!isFirst) return [countIn(value, one), countIn(value, one / ROOM)]
    return [countIn(value, one), known ?? remember(name, countIn(others[0], before.one))]
  }
}

/**
 * Returns a sliding window of 60 s for @upstash/ratelimit. It counts like the package's own window.
 *
 * It adds this minute's calls and the share of the minute before that the last 60 s still cover.
 *
 * It takes one command per call instead of four or five: HINCRBY returns a number with the counts of five minutes. Only the first
 * of the five reads the minute before, once per isolate. A refused call is not counted, so a caller who keeps calling is admitted
 * again.
 */
export const packedWindow =
  (count: Counter, limit: number, now: () => Date): Algorithm =>
  () => {
    const take = async (redis: Pick<Redis, 'hincrby' | 'pipeline'>, id: string, more: number) => {
      const at = now().getTime()
      const minute = Math.floor(at / WINDOW_MS)
      const [current, previous] = await count(redis, id, minute, more)
      const used = Math.floor((1 - (at % WINDOW_MS) / WINDOW_MS) * previous) + current
      return { minute, current, used, remaining: Math.max(0, limit - used), reset: (minute + 1) * WINDOW_MS }
    }
    return {
      limit: async ({ redis }, id) => {
        const { minute, used, remaining, reset } = await take(redis, id, 1)
        const success = used <= limit
        // If this fails, the caller has one call fewer in this minute.
        const takenBack = async () => void (await count(redis, id, minute, -1).catch(() => {}))
        return { success, limit, remaining, reset, pending: success ? Promise.resolve() : takenBack() }
      },
      getRemaining: async ({ redis }, id) => {
        const { remaining, reset } = await take(redis, id, 0)
        return { remaining, reset, limit }
      },
      resetTokens: async ({ redis }, id) => {
        const { minute, current } = await take(redis, id, 0)
        await count(redis, id, minute, -current)
      },
    }
  }
