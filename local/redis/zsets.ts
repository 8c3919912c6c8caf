import type { Reply } from './backend.ts'
import { type CommandTable, float, integer, reads, SYNTAX_ERROR, scoreText, writes } from './command.ts'
import { parseScanOptions } from './keys.ts'
import { type Keyspace, lookup, open, RedisError, removeIfEmpty } from './keyspace.ts'
import { listed, ranked } from './zset-ranges.ts'

type AddOption = 'NX' | 'XX' | 'GT' | 'LT' | 'CH' | 'INCR'
const ADD_OPTIONS: readonly string[] = ['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'] satisfies AddOption[]

const scoreOf = (db: Keyspace, key: string, member: string): string | null => {
  const score = lookup(db, key, 'zset')?.get(member)
  return score === undefined ? null : scoreText(score)
}

const parseAdd = (args: string[]): { options: Set<string>; members: [score: number, member: string][] } => {
  const first = args.findIndex((arg) => !ADD_OPTIONS.includes(arg.toUpperCase()))
  const options = new Set(args.slice(0, first < 0 ? args.length : first).map((arg) => arg.toUpperCase()))
  const rest = first < 0 ? [] : args.slice(first)
  if (rest.length === 0 || rest.length % 2 !== 0) throw new RedisError(SYNTAX_ERROR)
  if (options.has('NX') && options.has('XX')) {
    throw new RedisError('ERR XX and NX options at the same time are not compatible')
  }
  if (['NX', 'GT', 'LT'].filter((option) => options.has(option)).length > 1) {
    throw new RedisError('ERR GT, LT, and/or NX options at the same time are not compatible')
  }
  if (options.has('INCR') && rest.length > 2) {
    throw new RedisError('ERR INCR option supports a single increment-element pair')
  }
  const members: [number, string][] = []
  for (let i = 0; i < rest.length; i += 2) members.push([float(rest[i] ?? ''), rest[i + 1] ?? ''])
  return { options, members }
}

const refuses = (options: Set<string>, present: number | undefined, score: number): boolean => {
  if (present === undefined) return options.has('XX')
  return options.has('NX') || (options.has('GT') && score <= present) || (options.has('LT') && score >= present)
}

const zadd = (db: Keyspace, [key = '', ...args]: string[]): Reply => {
  const { options, members } = parseAdd(args)
  const zset = open(db, key, 'zset')
  let [added, changed] = [0, 0]
  let incremented: Reply = null
  for (const [given, member] of members) {
    const present = zset.get(member)
    const score = options.has('INCR') ? (present ?? 0) + given : given
    if (Number.isNaN(score)) throw new RedisError('ERR resulting score is not a number (NaN)')
    if (refuses(options, present, score)) continue
    zset.set(member, score)
    if (present === undefined) added += 1
    else if (present !== score) changed += 1
    incremented = scoreText(score)
  }
  removeIfEmpty(db, key)
  if (options.has('INCR')) return incremented
  return options.has('CH') ? added + changed : added
}

const ranks = (reverse: boolean) =>
  reads(3, (db, [key = '', member = '']) => {
    const members = ranked(db, key)
    const rank = members.findIndex(([candidate]) => candidate === member)
    if (rank < 0) return null
    return reverse ? members.length - 1 - rank : rank
  })

const pops = (highest: boolean) =>
  writes(-2, (db, [key = '', count = '1', ...rest]) => {
    if (rest.length > 0) throw new RedisError(SYNTAX_ERROR)
    const wanted = integer(count, 'ERR value is out of range, must be positive')
    if (wanted < 0) throw new RedisError('ERR value is out of range, must be positive')
    const members = highest ? ranked(db, key).toReversed() : ranked(db, key)
    const taken = members.slice(0, wanted)
    const zset = lookup(db, key, 'zset')
    for (const [member] of taken) zset?.delete(member)
    removeIfEmpty(db, key)
    return listed(taken, true)
  })

const zrem = (db: Keyspace, [key = '', ...members]: string[]): Reply => {
  const zset = lookup(db, key, 'zset')
  const removed = members.filter((member) => zset?.delete(member)).length
  removeIfEmpty(db, key)
  return removed
}

const zscan = (db: Keyspace, [key = '', _cursor, ...rest]: string[]): Reply => {
  const { match } = parseScanOptions(rest)
  const members = ranked(db, key).filter(([member]) => match(member))
  return ['0', listed(members, true)]
}

/** Commands on the members of sorted sets; a range is sorted when asked for, which suits small sets. */
export const zsetCommands: CommandTable = {
  ZADD: writes(-4, zadd),
  ZINCRBY: writes(4, (db, [key = '', by = '', member = '']) => zadd(db, [key, 'INCR', by, member])),
  ZSCORE: reads(3, (db, [key = '', member = '']) => scoreOf(db, key, member)),
  ZMSCORE: reads(-3, (db, [key = '', ...members]) => members.map((member) => scoreOf(db, key, member))),
  ZCARD: reads(2, (db, [key = '']) => lookup(db, key, 'zset')?.size ?? 0),
  ZRANK: ranks(false),
  ZREVRANK: ranks(true),
  ZREM: writes(-3, zrem),
  ZPOPMIN: pops(false),
  ZPOPMAX: pops(true),
  ZSCAN: reads(-3, zscan),
}
