import { OK, type Reply } from './backend.ts'
import {
  addFloats,
  type CommandTable,
  clipRange,
  fitsInt64,
  int64,
  integer,
  pairs,
  reads,
  SYNTAX_ERROR,
  writes,
} from './command.ts'
import { expiryOf, isExpiryOption } from './expiry.ts'
import { find, type Keyspace, lookup, RedisError, remove, store } from './keyspace.ts'

type SetOptions = { condition?: 'NX' | 'XX'; get: boolean; keepTtl: boolean; expiresAt?: number }

const parseSetOptions = (db: Keyspace, args: string[]): SetOptions => {
  const options: SetOptions = { get: false, keepTtl: false }
  for (let i = 0; i < args.length; i += 1) {
    const option = (args[i] ?? '').toUpperCase()
    const timed = options.keepTtl || options.expiresAt !== undefined
    if ((option === 'NX' || option === 'XX') && options.condition === undefined) options.condition = option
    else if (option === 'GET') options.get = true
    else if (option === 'KEEPTTL' && !timed) options.keepTtl = true
    else if (isExpiryOption(option) && !timed) {
      options.expiresAt = expiryOf(db, option, args[i + 1], 'set')
      i += 1
    } else throw new RedisError(SYNTAX_ERROR)
  }
  return options
}

const put = (db: Keyspace, key: string, value: string, expiresAt?: number): void =>
  store(db, key, { type: 'string', value }, expiresAt)

const set = (db: Keyspace, [key = '', value = '', ...rest]: string[]): Reply => {
  const options = parseSetOptions(db, rest)
  const present = find(db, key)
  const before = options.get ? (lookup(db, key, 'string') ?? null) : null
  const refused = options.condition !== undefined && (options.condition === 'NX') === (present !== undefined)
  if (!refused) put(db, key, value, options.keepTtl ? present?.expiresAt : options.expiresAt)
  if (options.get) return before
  return refused ? null : OK
}

const getEx = (db: Keyspace, [key = '', option, amount, ...rest]: string[]): Reply => {
  const value = lookup(db, key, 'string')
  const chosen = option?.toUpperCase()
  if (rest.length > 0 || (chosen === 'PERSIST' && amount !== undefined)) throw new RedisError(SYNTAX_ERROR)
  if (chosen !== undefined && chosen !== 'PERSIST' && !isExpiryOption(chosen)) throw new RedisError(SYNTAX_ERROR)
  if (chosen === undefined) return value ?? null
  const expiresAt = chosen === 'PERSIST' ? undefined : expiryOf(db, chosen, amount, 'getex')
  const entry = find(db, key)
  if (entry !== undefined) entry.expiresAt = expiresAt
  return value ?? null
}

const increment = (db: Keyspace, key: string, by: bigint): Reply => {
  const sum = int64(lookup(db, key, 'string') ?? '0') + by
  if (!fitsInt64(sum)) throw new RedisError('ERR increment or decrement would overflow')
  put(db, key, String(sum), find(db, key)?.expiresAt)
  return Number(sum)
}

const incrementByFloat = (db: Keyspace, [key = '', amount = '']: string[]): Reply => {
  const sum = addFloats(lookup(db, key, 'string'), amount, 'ERR value is not a valid float')
  put(db, key, sum, find(db, key)?.expiresAt)
  return sum
}

const setWithExpiry = (name: string, option: string) =>
  writes(4, (db, [key = '', amount = '', value = '']) => {
    put(db, key, value, expiryOf(db, option, amount, name))
    return OK
  })

const append = (db: Keyspace, [key = '', suffix = '']: string[]): Reply => {
  const value = (lookup(db, key, 'string') ?? '') + suffix
  put(db, key, value, find(db, key)?.expiresAt)
  return value.length
}

const getRange = (db: Keyspace, [key = '', start = '', stop = '']: string[]): Reply => {
  const [from, to] = [integer(start), integer(stop)]
  const value = lookup(db, key, 'string') ?? ''
  if (from < 0 && from > to) return ''
  // Unlike the ranges of lists, an end before the first byte counts as the first byte.
  return value.slice(...clipRange(from, Math.max(to, -value.length), value.length))
}

const getString = (db: Keyspace, key: string): string | null => {
  const entry = find(db, key)
  return entry?.type === 'string' ? entry.value : null
}

const setMany = (db: Keyspace, assignments: [string, string][]): void => {
  for (const [key, value] of assignments) put(db, key, value)
}

/** Commands on string values, counters included. */
export const stringCommands: CommandTable = {
  GET: reads(2, (db, [key = '']) => lookup(db, key, 'string') ?? null),
  SET: writes(-3, set),
  SETEX: setWithExpiry('setex', 'EX'),
  PSETEX: setWithExpiry('psetex', 'PX'),
  SETNX: writes(3, (db, [key = '', value = '']) => (set(db, [key, value, 'NX']) === OK ? 1 : 0)),
  GETSET: writes(3, (db, [key = '', value = '']) => set(db, [key, value, 'GET'])),
  GETDEL: writes(2, (db, [key = '']) => {
    const value = lookup(db, key, 'string') ?? null
    remove(db, key)
    return value
  }),
  GETEX: writes(-2, getEx),
  MGET: reads(-2, (db, keys) => keys.map((key) => getString(db, key))),
  MSET: writes(-3, (db, args) => {
    setMany(db, pairs(args, 'mset'))
    return OK
  }),
  MSETNX: writes(-3, (db, args) => {
    const assignments = pairs(args, 'msetnx')
    if (assignments.some(([key]) => find(db, key) !== undefined)) return 0
    setMany(db, assignments)
    return 1
  }),
  INCR: writes(2, (db, [key = '']) => increment(db, key, 1n)),
  DECR: writes(2, (db, [key = '']) => increment(db, key, -1n)),
  INCRBY: writes(3, (db, [key = '', amount = '']) => increment(db, key, int64(amount))),
  DECRBY: writes(3, (db, [key = '', amount = '']) => increment(db, key, -int64(amount))),
  INCRBYFLOAT: writes(3, incrementByFloat),
  APPEND: writes(3, append),
  STRLEN: reads(2, (db, [key = '']) => (lookup(db, key, 'string') ?? '').length),
  GETRANGE: reads(4, getRange),
}
