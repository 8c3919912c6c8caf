import type { Reply } from './backend.ts'
import { type CommandTable, integer, reads, SYNTAX_ERROR, writes } from './command.ts'
import { parseScanOptions } from './keys.ts'
import { type Keyspace, lookup, open, RedisError, remove, removeIfEmpty, store } from './keyspace.ts'

/** A negative SRANDMEMBER count asks for that many draws, however small the set: bounded to protect the process. */
const MAX_REPEATS = 1_000_000

const NO_MEMBERS: ReadonlySet<string> = new Set()

const membersOf = (db: Keyspace, key: string): ReadonlySet<string> => lookup(db, key, 'set') ?? NO_MEMBERS

const add = (db: Keyspace, [key = '', ...members]: string[]): number => {
  const set = open(db, key, 'set')
  const before = set.size
  for (const member of members) set.add(member)
  return set.size - before
}

const subtract = (db: Keyspace, [key = '', ...members]: string[]): number => {
  const set = lookup(db, key, 'set')
  const removed = members.filter((member) => set?.delete(member)).length
  removeIfEmpty(db, key)
  return removed
}

const draw = <T>(from: T[]): T | undefined => from[Math.floor(Math.random() * from.length)]

/** Up to `count` different members at random; a negative count may repeat them. */
const sample = (members: string[], count: number): string[] => {
  if (count < -MAX_REPEATS) throw new RedisError('ERR value is out of range')
  if (count < 0) return members.length === 0 ? [] : Array.from({ length: -count }, () => draw(members) ?? '')
  const rest = [...members]
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [taken = ''] = rest.splice(Math.floor(Math.random() * rest.length), 1)
    return taken
  })
}

const spop = (db: Keyspace, [key = '', count, ...rest]: string[]): Reply => {
  if (rest.length > 0) throw new RedisError(SYNTAX_ERROR)
  const members = [...membersOf(db, key)]
  const wanted = integer(count ?? '1', 'ERR value is out of range, must be positive')
  if (wanted < 0) throw new RedisError('ERR value is out of range, must be positive')
  const taken = sample(members, wanted)
  subtract(db, [key, ...taken])
  return count === undefined ? (taken[0] ?? null) : taken
}

const srandmember = (db: Keyspace, [key = '', count, ...rest]: string[]): Reply => {
  if (rest.length > 0) throw new RedisError(SYNTAX_ERROR)
  const members = [...membersOf(db, key)]
  return count === undefined ? (draw(members) ?? null) : sample(members, integer(count))
}

const smove = (db: Keyspace, [from = '', to = '', member = '']: string[]): Reply => {
  if (lookup(db, from, 'set') === undefined) return 0
  membersOf(db, to)
  if (!membersOf(db, from).has(member)) return 0
  subtract(db, [from, member])
  add(db, [to, member])
  return 1
}

type Combine = (left: ReadonlySet<string>, right: ReadonlySet<string>) => Set<string>
const intersect: Combine = (left, right) => new Set([...left].filter((member) => right.has(member)))
const unite: Combine = (left, right) => new Set([...left, ...right])
const without: Combine = (left, right) => new Set([...left].filter((member) => !right.has(member)))

const combined = (db: Keyspace, keys: string[], combine: Combine): Set<string> => {
  const [first = NO_MEMBERS, ...rest] = keys.map((key) => membersOf(db, key))
  return rest.reduce<Set<string>>(combine, new Set(first))
}

const combines = (combine: Combine) => reads(-2, (db, keys) => [...combined(db, keys, combine)])

const storesCombined = (combine: Combine) =>
  writes(-3, (db, [target = '', ...keys]) => {
    const value = combined(db, keys, combine)
    remove(db, target)
    if (value.size > 0) store(db, target, { type: 'set', value })
    return value.size
  })

const sscan = (db: Keyspace, [key = '', _cursor, ...rest]: string[]): Reply => {
  const { match } = parseScanOptions(rest)
  return ['0', [...membersOf(db, key)].filter(match)]
}

/** Commands on sets. SSCAN answers everything in one step, as Redis does for small sets. */
export const setCommands: CommandTable = {
  SADD: writes(-3, add),
  SREM: writes(-3, subtract),
  SMEMBERS: reads(2, (db, [key = '']) => [...membersOf(db, key)]),
  SISMEMBER: reads(3, (db, [key = '', member = '']) => (membersOf(db, key).has(member) ? 1 : 0)),
  SMISMEMBER: reads(-3, (db, [key = '', ...members]) => {
    const set = membersOf(db, key)
    return members.map((member) => (set.has(member) ? 1 : 0))
  }),
  SCARD: reads(2, (db, [key = '']) => membersOf(db, key).size),
  SPOP: writes(-2, spop),
  SRANDMEMBER: reads(-2, srandmember),
  SMOVE: writes(4, smove),
  SINTER: combines(intersect),
  SUNION: combines(unite),
  SDIFF: combines(without),
  SINTERSTORE: storesCombined(intersect),
  SUNIONSTORE: storesCombined(unite),
  SDIFFSTORE: storesCombined(without),
  SSCAN: reads(-3, sscan),
}
