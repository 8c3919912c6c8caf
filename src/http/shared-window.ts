import type { Ratelimit } from '@upstash/ratelimit'
import { redisPipeline } from '../runtime/redis.ts'

const WINDOW_MS = 60_000
/** Minutes whose counts travel in one number. */
const MINUTES = 5
/** Room for the count of one minute: 2^10. Five of them stay below 2^53, so that JSON carries them exactly. */
const ROOM = 1_024
/** Minutes that share one hash, which Redis forgets as a whole. A multiple of MINUTES. */
const HASH_MINUTES = 30
const HASH_SECONDS = (HASH_MINUTES + MINUTES) * 60
const MAX_REMEMBERED = 10_000

/** Where a minute is counted: a field of a hash, and the worth of one call within that field's number. */
type Place = { hash: string; field: string; one: number; isFirst: boolean }

const placeOf = (id: string, minute: number): Place => ({
  hash: `galley:rate:${Math.floor(minute / HASH_MINUTES)}`,
  field: `${Math.floor(minute / MINUTES)}:${id}`,
  one: ROOM ** (minute % MINUTES),
  isFirst: minute % MINUTES === 0,
})

const countIn = (value: unknown, one: number): number => Math.floor(Number(value ?? 0) / one) % ROOM

type Config = ConstructorParameters<typeof Ratelimit>[0]

/** How many calls of an id this minute has, and how many the minute before had, once `more` are added to this minute. */
type Counter = (id: string, minute: number, more: number) => Promise<[number, number]>

/** Counts in Redis, mostly at one command a call. Throws when Redis does not answer in `timeoutMs`. */
export const createCounter = (redis: { url: string; token: string; timeoutMs: number }): Counter => {
  /** Counts of minutes that are over, by hash and field. */
  const past = new Map<string, number>()
  let expiring = ''

  const send = (...commands: (readonly unknown[])[]) => redisPipeline(redis.url, redis.token, commands, redis.timeoutMs)

  const remember = (name: string, count: number): number => {
    if (past.size >= MAX_REMEMBERED) past.clear()
    past.set(name, count)
    return count
  }

  return async (id, minute, more) => {
    const { hash, field, one, isFirst } = placeOf(id, minute)
    const before = placeOf(id, minute - 1)
    const name = `${before.hash} ${before.field}`
    const known = past.get(name)
    const asksBefore = isFirst && known === undefined
    const [value, ...others] = await send(
      ['HINCRBY', hash, field, more * one],
      ...(asksBefore ? [['HGET', before.hash, before.field]] : []),
      ...(expiring === hash ? [] : [['EXPIRE', hash, HASH_SECONDS]]),
    )
    if (!Number.isSafeInteger(value)) throw new Error(`HINCRBY answered ${JSON.stringify(value)}, which is no count.`)
    expiring = hash
    if (!isFirst) return [countIn(value, one), countIn(value, one / ROOM)]
    return [countIn(value, one), known ?? remember(name, countIn(others[0], before.one))]
  }
}

/**
 * A sliding window of 60 s for @upstash/ratelimit, counted as its own is: this minute's count, and of the one before the share that
 * the last 60 s still reach into.
 *
 * It takes one command a call instead of four or five: HINCRBY answers with a number that holds the counts of five minutes. Only the
 * first of five looks the minute before up, once in an isolate. What was counted and refused is taken back, so that a caller who
 * keeps on calling is let in again.
 */
export const packedWindow =
  (count: Counter, limit: number, now: () => Date): Config['limiter'] =>
  () => {
    const take = async (id: string, more: number) => {
      const at = now().getTime()
      const minute = Math.floor(at / WINDOW_MS)
      const [current, previous] = await count(id, minute, more)
      const used = Math.floor((1 - (at % WINDOW_MS) / WINDOW_MS) * previous) + current
      return { minute, current, used, remaining: Math.max(0, limit - used), reset: (minute + 1) * WINDOW_MS }
    }
    return {
      limit: async (_, id) => {
        const { minute, used, remaining, reset } = await take(id, 1)
        const success = used <= limit
        // Where it cannot be taken back the caller has one less in this minute.
        const takenBack = async () => void (await count(id, minute, -1).catch(() => {}))
        return { success, limit, remaining, reset, pending: success ? Promise.resolve() : takenBack() }
      },
      getRemaining: async (_, id) => {
        const { remaining, reset } = await take(id, 0)
        return { remaining, reset, limit }
      },
      resetTokens: async (_, id) => {
        const { minute, current } = await take(id, 0)
        await count(id, minute, -current)
      },
    }
  }
