import { type CommandTable, integer, reads, SYNTAX_ERROR, writes } from './command.ts'
import { find, type Keyspace, RedisError, remove } from './keyspace.ts'

const MAX_MS = 2 ** 63 - 1

/** How an amount becomes epoch milliseconds: EX and PX count from now, EXAT and PXAT are absolute. */
const UNITS: Record<string, { factor: number; absolute: boolean }> = {
  EX: { factor: 1000, absolute: false },
  PX: { factor: 1, absolute: false },
  EXAT: { factor: 1000, absolute: true },
  PXAT: { factor: 1, absolute: true },
}

/** True when the option names an expiry that SET and GETEX take. */
export const isExpiryOption = (option: string): boolean => option in UNITS

const deadline = (db: Keyspace, option: string, amount: number): number => {
  const { factor, absolute } = UNITS[option] ?? { factor: 1, absolute: true }
  return amount * factor + (absolute ? 0 : db.now())
}

/** The deadline an option such as EX 10 sets, in epoch milliseconds; throws unless the amount is positive. */
export const expiryOf = (db: Keyspace, option: string, amount: string | undefined, name: string): number => {
  if (amount === undefined) throw new RedisError(SYNTAX_ERROR)
  const count = integer(amount)
  const at = deadline(db, option, count)
  if (count <= 0 || at > MAX_MS) throw new RedisError(`ERR invalid expire time in '${name}' command`)
  return at
}

/** Whether NX, XX, GT or LT let the new deadline replace the present one; a key without one counts as infinite. */
const permits = (condition: string | undefined, present: number | undefined, at: number): boolean => {
  if (condition === undefined) return true
  if (condition === 'NX') return present === undefined
  if (condition === 'XX') return present !== undefined
  if (condition === 'GT') return present !== undefined && at > present
  if (condition === 'LT') return present === undefined || at < present
  throw new RedisError(`ERR Unsupported option ${condition}`)
}

const expires = (name: string, option: string) =>
  writes(-3, (db, [key = '', amount = '', condition, ...rest]) => {
    const at = deadline(db, option, integer(amount))
    if (Math.abs(at) > MAX_MS) throw new RedisError(`ERR invalid expire time in '${name}' command`)
    if (rest.length > 0) throw new RedisError(`ERR Unsupported option ${rest[0]}`)
    const entry = find(db, key)
    const permitted = permits(condition?.toUpperCase(), entry?.expiresAt, at)
    if (entry === undefined || !permitted) return 0
    if (at <= db.now()) remove(db, key)
    else entry.expiresAt = at
    return 1
  })

/** -2 for no key, -1 for no deadline, else what `show` makes of the deadline in milliseconds. */
const shows = (show: (at: number, now: number) => number) =>
  reads(2, (db, [key = '']) => {
    const entry = find(db, key)
    if (entry === undefined) return -2
    return entry.expiresAt === undefined ? -1 : show(entry.expiresAt, db.now())
  })

/** Deadlines of keys: EXPIRE and its relatives, TTL and its relatives, PERSIST. */
export const expiryCommands: CommandTable = {
  EXPIRE: expires('expire', 'EX'),
  PEXPIRE: expires('pexpire', 'PX'),
  EXPIREAT: expires('expireat', 'EXAT'),
  PEXPIREAT: expires('pexpireat', 'PXAT'),
  // Redis rounds the remaining time to the nearest second.
  TTL: shows((at, now) => Math.floor((at - now + 500) / 1000)),
  PTTL: shows((at, now) => at - now),
  EXPIRETIME: shows((at) => Math.floor((at + 500) / 1000)),
  PEXPIRETIME: shows((at) => at),
  PERSIST: writes(2, (db, [key = '']) => {
    const entry = find(db, key)
    if (entry?.expiresAt === undefined) return 0
    entry.expiresAt = undefined
    return 1
  }),
}
