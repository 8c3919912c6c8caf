import { createHash } from 'node:crypto'
import type { Command, ErrorReply } from './backend.ts'
import { SCRIPT_SHA } from './sliding-window.ts'

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
