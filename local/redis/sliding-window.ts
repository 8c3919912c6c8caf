import type { Reply } from './backend.ts'

/**
 * SHA-1 of the only script that runs: `slidingWindowLimitScript` of @upstash/ratelimit 2.2.0. Other scripts are
 * refused.
 *
 * Workers of the release before count with it if they run beside these (test/support/release-before.ts). A test
 * compares this hash with the installed package, and `slidingWindow` with a real Redis.
 */
export const SCRIPT_SHA = '74740bb3d7792848093cdef586b6b6037c455fd6'

/** Commands of the script on keys, each as the Redis command of that name. */
export type Keys = {
  get: (key: string) => string | undefined
  incrBy: (key: string, by: number) => number
  pExpire: (key: string, ms: number) => void
}

const FAILED = { error: 'ERR user_script: attempt to perform arithmetic on a value that is no number' }

/** Returns a whole number as Redis and Lua read it from text; undefined for anything else. */
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined

/**
 * Runs the script in TypeScript, line by line. Returns `[tokens left or -1, limit]`, or the error if Lua would fail.
 */
export const slidingWindow = (keys: Keys, names: readonly string[], args: readonly string[]): Reply => {
  const [currentKey, previousKey, ...others] = names
  const [limit, now, window, incrementBy] = [0, 1, 2, 3].map((at) => whole(args[at]))
  if (currentKey === undefined || previousKey === undefined || others.length > 0) return FAILED
  const current = whole(keys.get(currentKey) ?? '0')
  const before = whole(keys.get(previousKey) ?? '0')
  if (limit === undefined || now === undefined || incrementBy === undefined) return FAILED
  if (!window || current === undefined || before === undefined) return FAILED
  const share = (now % window) / window
  const previous = Math.floor((1 - share) * before)
  if (incrementBy > 0 && previous + current >= limit) return [-1, limit]
  const count = keys.incrBy(currentKey, incrementBy)
  if (count === incrementBy) keys.pExpire(currentKey, window * 2 + 1000)
  return [limit - (count + previous), limit]
}
