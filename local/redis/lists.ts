import { OK, type Reply } from './backend.ts'
import { type CommandTable, clipRange, integer, reads, SYNTAX_ERROR, writes } from './command.ts'
import { type Keyspace, lookup, open, RedisError, removeIfEmpty } from './keyspace.ts'

type Side = 'LEFT' | 'RIGHT'

const itemsOf = (db: Keyspace, key: string): readonly string[] => lookup(db, key, 'list') ?? []

const push = (db: Keyspace, key: string, side: Side, items: string[]): number => {
  const list = open(db, key, 'list')
  for (const item of items) {
    if (side === 'LEFT') list.unshift(item)
    else list.push(item)
  }
  return list.length
}

const take = (db: Keyspace, key: string, side: Side): string | undefined => {
  const list = lookup(db, key, 'list')
  const item = side === 'LEFT' ? list?.shift() : list?.pop()
  removeIfEmpty(db, key)
  return item
}

const pushes = (side: Side, onlyIfPresent: boolean) =>
  writes(-3, (db, [key = '', ...items]) =>
    onlyIfPresent && lookup(db, key, 'list') === undefined ? 0 : push(db, key, side, items),
  )

const pops = (side: Side) =>
  writes(-2, (db, [key = '', count, ...rest]) => {
    if (rest.length > 0) throw new RedisError(SYNTAX_ERROR)
    const wanted = integer(count ?? '1', 'ERR value is out of range, must be positive')
    if (wanted < 0) throw new RedisError('ERR value is out of range, must be positive')
    const { length } = itemsOf(db, key)
    if (length === 0) return null
    const taken = Array.from({ length: Math.min(wanted, length) }, () => take(db, key, side) ?? '')
    return count === undefined ? (taken[0] ?? null) : taken
  })

const move = (db: Keyspace, from: string, to: string, out: Side, into: Side): Reply => {
  if (lookup(db, from, 'list') === undefined) return null
  lookup(db, to, 'list')
  const item = take(db, from, out) ?? ''
  push(db, to, into, [item])
  return item
}

const sideOf = (text: string): Side => {
  const side = text.toUpperCase()
  if (side !== 'LEFT' && side !== 'RIGHT') throw new RedisError(SYNTAX_ERROR)
  return side
}

const at = (list: readonly string[], index: number): number => (index < 0 ? list.length + index : index)

const lset = (db: Keyspace, [key = '', index = '', item = '']: string[]): Reply => {
  const list = lookup(db, key, 'list')
  if (list === undefined) throw new RedisError('ERR no such key')
  const position = at(list, integer(index))
  if (list[position] === undefined) throw new RedisError('ERR index out of range')
  list[position] = item
  return OK
}

/** Removes `count` equal items from the head, or from the tail when negative, or all when 0. */
const lrem = (db: Keyspace, [key = '', count = '', item = '']: string[]): Reply => {
  const wanted = integer(count)
  const list = lookup(db, key, 'list')
  if (list === undefined) return 0
  let left = wanted === 0 ? Number.POSITIVE_INFINITY : Math.abs(wanted)
  const before = list.length
  const keep = (candidate: string): boolean => {
    if (candidate !== item || left === 0) return true
    left -= 1
    return false
  }
  const kept = wanted < 0 ? list.toReversed().filter(keep).toReversed() : list.filter(keep)
  list.length = 0
  for (const each of kept) list.push(each)
  removeIfEmpty(db, key)
  return before - kept.length
}

const ltrim = (db: Keyspace, [key = '', start = '', stop = '']: string[]): Reply => {
  const [from, to] = [integer(start), integer(stop)]
  const list = lookup(db, key, 'list')
  if (list === undefined) return OK
  const [first, end] = clipRange(from, to, list.length)
  list.splice(end)
  list.splice(0, first)
  removeIfEmpty(db, key)
  return OK
}

const linsert = (db: Keyspace, [key = '', where = '', pivot = '', item = '']: string[]): Reply => {
  const place = where.toUpperCase()
  if (place !== 'BEFORE' && place !== 'AFTER') throw new RedisError(SYNTAX_ERROR)
  const list = lookup(db, key, 'list')
  if (list === undefined) return 0
  const index = list.indexOf(pivot)
  if (index < 0) return -1
  list.splice(place === 'BEFORE' ? index : index + 1, 0, item)
  return list.length
}

/** Commands on lists. */
export const listCommands: CommandTable = {
  LPUSH: pushes('LEFT', false),
  RPUSH: pushes('RIGHT', false),
  LPUSHX: pushes('LEFT', true),
  RPUSHX: pushes('RIGHT', true),
  LPOP: pops('LEFT'),
  RPOP: pops('RIGHT'),
  LMOVE: writes(5, (db, [from = '', to = '', out = '', into = '']) => move(db, from, to, sideOf(out), sideOf(into))),
  RPOPLPUSH: writes(3, (db, [from = '', to = '']) => move(db, from, to, 'RIGHT', 'LEFT')),
  LLEN: reads(2, (db, [key = '']) => itemsOf(db, key).length),
  LRANGE: reads(4, (db, [key = '', start = '', stop = '']) => {
    const [from, to] = [integer(start), integer(stop)]
    const items = itemsOf(db, key)
    return items.slice(...clipRange(from, to, items.length))
  }),
  LINDEX: reads(3, (db, [key = '', index = '']) => {
    const position = integer(index)
    const items = itemsOf(db, key)
    return items[at(items, position)] ?? null
  }),
  LSET: writes(4, lset),
  LREM: writes(4, lrem),
  LTRIM: writes(4, ltrim),
  LINSERT: writes(5, linsert),
}
