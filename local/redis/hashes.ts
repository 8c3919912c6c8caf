import { OK, type Reply } from './backend.ts'
import { addFloats, type CommandTable, fitsInt64, int64, pairs, reads, writes } from './command.ts'
import { parseScanOptions } from './keys.ts'
import { type Keyspace, lookup, open, RedisError, removeIfEmpty } from './keyspace.ts'

const NO_FIELDS: ReadonlyMap<string, string> = new Map()

const fieldsOf = (db: Keyspace, key: string): ReadonlyMap<string, string> => lookup(db, key, 'hash') ?? NO_FIELDS

const assign = (db: Keyspace, key: string, assignments: [string, string][]): number => {
  const hash = open(db, key, 'hash')
  const before = hash.size
  for (const [field, value] of assignments) hash.set(field, value)
  return hash.size - before
}

const hincrby = (db: Keyspace, [key = '', field = '', amount = '']: string[]): Reply => {
  const by = int64(amount)
  const sum = int64(fieldsOf(db, key).get(field) ?? '0', 'ERR hash value is not an integer') + by
  if (!fitsInt64(sum)) throw new RedisError('ERR increment or decrement would overflow')
  assign(db, key, [[field, String(sum)]])
  return Number(sum)
}

const hincrbyfloat = (db: Keyspace, [key = '', field = '', amount = '']: string[]): Reply => {
  const sum = addFloats(fieldsOf(db, key).get(field), amount, 'ERR hash value is not a float')
  assign(db, key, [[field, sum]])
  return sum
}

const hdel = (db: Keyspace, [key = '', ...fields]: string[]): Reply => {
  const hash = lookup(db, key, 'hash')
  const removed = fields.filter((field) => hash?.delete(field)).length
  removeIfEmpty(db, key)
  return removed
}

const hscan = (db: Keyspace, [key = '', _cursor, ...rest]: string[]): Reply => {
  const { match } = parseScanOptions(rest)
  return ['0', [...fieldsOf(db, key)].filter(([field]) => match(field)).flat()]
}

/** Commands on hashes. HSCAN answers everything in one step, as Redis does for small hashes. */
export const hashCommands: CommandTable = {
  HSET: writes(-4, (db, [key = '', ...rest]) => assign(db, key, pairs(rest, 'hset'))),
  HMSET: writes(-4, (db, [key = '', ...rest]) => {
    assign(db, key, pairs(rest, 'hmset'))
    return OK
  }),
  HSETNX: writes(4, (db, [key = '', field = '', value = '']) =>
    fieldsOf(db, key).has(field) ? 0 : assign(db, key, [[field, value]]),
  ),
  HGET: reads(3, (db, [key = '', field = '']) => fieldsOf(db, key).get(field) ?? null),
  HMGET: reads(-3, (db, [key = '', ...fields]) => {
    const hash = fieldsOf(db, key)
    return fields.map((field) => hash.get(field) ?? null)
  }),
  HGETALL: reads(2, (db, [key = '']) => [...fieldsOf(db, key)].flat()),
  HKEYS: reads(2, (db, [key = '']) => [...fieldsOf(db, key).keys()]),
  HVALS: reads(2, (db, [key = '']) => [...fieldsOf(db, key).values()]),
  HLEN: reads(2, (db, [key = '']) => fieldsOf(db, key).size),
  HEXISTS: reads(3, (db, [key = '', field = '']) => (fieldsOf(db, key).has(field) ? 1 : 0)),
  HSTRLEN: reads(3, (db, [key = '', field = '']) => (fieldsOf(db, key).get(field) ?? '').length),
  HINCRBY: writes(4, hincrby),
  HINCRBYFLOAT: writes(4, hincrbyfloat),
  HDEL: writes(-3, hdel),
  HSCAN: reads(-3, hscan),
}
