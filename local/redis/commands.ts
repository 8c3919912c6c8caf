import { createHash } from 'node:crypto'
import type { Command, ErrorReply, Reply } from './backend.ts'

/**
 * SHA-1 of the only script that runs: `slidingWindowLimitScript` of @upstash/ratelimit 2.2.0. Other scripts are
 * refused.
 *
 * Workers of the release before count with it if they run beside these (test/support/release-before.ts). A test
 * compares this hash with the installed package, and `slidingWindow` with a real Redis.
 */
export const SCRIPT_SHA = '74740bb3d7792848093cdef586b6b6037c455fd6'

/** Commands of the script on keys, each as the Redis command of that name. */
type Keys = {
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

/** Request to the store: a plain command, or the limiter's script on keys and arguments. */
export type Order =
  | { kind: 'command'; name: PlainName; args: string[] }
  | { kind: 'script'; source: string | undefined; keys: string[]; args: string[] }

type PlainName = 'PING' | 'GET' | 'SET' | 'DEL' | 'EXPIRE' | 'PTTL' | 'HGET' | 'HINCRBY'

/** Least number of arguments; the exact one unless `more`. */
const PLAIN: Record<PlainName, { args: number; more?: true }> = {
  PING: { args: 0 },
  GET: { args: 1 },
  SET: { args: 2, more: true },
  DEL: { args: 1, more: true },
  EXPIRE: { args: 2 },
  PTTL: { args: 1 },
  HGET: { args: 2 },
  HINCRBY: { args: 3 },
}

const isPlain = (name: string): name is PlainName => Object.hasOwn(PLAIN, name)

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

const arityError = (name: string): ErrorReply => ({
  error: `ERR wrong number of arguments for '${name.toLowerCase()}' command`,
})

const script = (source: string | undefined, count: string, rest: string[]): Order | ErrorReply => {
  const keys = /^-?\d{1,9}$/.test(count) ? Number(count) : Number.NaN
  if (Number.isNaN(keys)) return { error: 'ERR value is not an integer or out of range' }
  if (keys > rest.length) return { error: "ERR Number of keys can't be greater than number of args" }
  if (keys < 0) return { error: "ERR Number of keys can't be negative" }
  return { kind: 'script', source, keys: rest.slice(0, keys), args: rest.slice(keys) }
}

const NOSCRIPT = { error: 'NOSCRIPT No matching script. Please use EVAL.' }
const UNKNOWN_SCRIPT = {
  error: 'ERR this local Redis runs one script only: the sliding window of @upstash/ratelimit',
}

/**
 * Creates a reader of commands that refuses those which the service does not send.
 *
 * It accepts a script by its SHA-1 after EVAL has sent the script.
 */
export const createReader = (): ((command: Command) => Order | ErrorReply) => {
  let isLoaded = false
  return (command) => {
    const [given = '', ...args] = command.map(String)
    const name = given.toUpperCase()
    if (isPlain(name)) {
      const { args: least, more } = PLAIN[name]
      const fits = more ? args.length >= least : args.length === least
      return fits ? { kind: 'command', name, args } : arityError(name)
    }
    const [source = '', count = '', ...rest] = args
    if (name !== 'EVAL' && name !== 'EVALSHA') {
      const begin = args.map((arg) => `'${arg}' `).join('')
      return { error: `ERR unknown command '${given}', with args beginning with: ${begin}` }
    }
    if (args.length < 2) return arityError(name)
    if (name === 'EVALSHA') {
      return isLoaded && source.toLowerCase() === SCRIPT_SHA ? script(undefined, count, rest) : NOSCRIPT
    }
    if (sha1(source) !== SCRIPT_SHA) return UNKNOWN_SCRIPT
    isLoaded = true
    return script(source, count, rest)
  }
}
