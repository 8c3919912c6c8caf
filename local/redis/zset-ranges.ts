import type { Reply } from './backend.ts'
import { type CommandTable, clipRange, float, integer, reads, SYNTAX_ERROR, scoreText, writes } from './command.ts'
import { type Keyspace, lookup, RedisError, removeIfEmpty } from './keyspace.ts'

export type Scored = [member: string, score: number]
type By = 'INDEX' | 'SCORE' | 'LEX'
type Range = { by: By; start: string; stop: string; reverse: boolean; offset: number; count: number }

/** The members of a sorted set by score, equal scores by bytes. */
export const ranked = (db: Keyspace, key: string): Scored[] =>
  [...(lookup(db, key, 'zset') ?? [])].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))

/** Members, each followed by its score when asked for. */
export const listed = (members: Scored[], withScores: boolean): Reply =>
  withScores ? members.flatMap(([member, score]) => [member, scoreText(score)]) : members.map(([member]) => member)

const scoreBound = (text: string): { score: number; open: boolean } => {
  const open = text.startsWith('(')
  return { score: float(open ? text.slice(1) : text, 'ERR min or max is not a float'), open }
}

const byScore = (min: string, max: string): ((member: Scored) => boolean) => {
  const [low, high] = [scoreBound(min), scoreBound(max)]
  return ([, score]) =>
    (low.open ? score > low.score : score >= low.score) && (high.open ? score < high.score : score <= high.score)
}

/** Whether a member lies beyond a lexical bound: negative below, positive above, 0 on it and included. */
const lexCompare = (bound: string): ((member: string) => number) => {
  if (bound === '-') return () => 1
  if (bound === '+') return () => -1
  const value = bound.slice(1)
  if (bound[0] !== '[' && bound[0] !== '(') throw new RedisError('ERR min or max not valid string range item')
  const onBound = bound[0] === '[' ? 0 : Number.NaN
  return (member) => (member === value ? onBound : member < value ? -1 : 1)
}

const byLex = (min: string, max: string): ((member: Scored) => boolean) => {
  const [low, high] = [lexCompare(min), lexCompare(max)]
  return ([member]) => low(member) >= 0 && high(member) <= 0
}

/** A range as a function of the ranked members. Bounds are parsed first: Redis judges them before it looks at the key. */
const selector = ({ by, start, stop, reverse, offset, count }: Range): ((members: Scored[]) => Scored[]) => {
  const ordered = (members: Scored[]): Scored[] => (reverse ? members.toReversed() : members)
  if (by === 'INDEX') {
    const [first, last] = [integer(start), integer(stop)]
    return (members) => ordered(members).slice(...clipRange(first, last, members.length))
  }
  const [min, max] = reverse ? [stop, start] : [start, stop]
  const belongs = by === 'SCORE' ? byScore(min, max) : byLex(min, max)
  const end = count < 0 ? undefined : offset + count
  return (members) => (offset < 0 ? [] : ordered(members).filter(belongs).slice(offset, end))
}

type Options = Pick<Range, 'by' | 'reverse' | 'offset' | 'count'> & { withScores: boolean }

const applyOption = (options: Options, option: string, next: () => string): boolean => {
  if (option === 'BYSCORE') options.by = 'SCORE'
  else if (option === 'BYLEX') options.by = 'LEX'
  else if (option === 'REV') options.reverse = true
  else if (option === 'WITHSCORES') options.withScores = true
  else if (option === 'LIMIT') {
    options.offset = integer(next())
    options.count = integer(next())
  } else return false
  return true
}

const parseOptions = (args: string[], allowed: string[], by: By, reverse: boolean): Options => {
  const options: Options = { by, reverse, offset: 0, count: -1, withScores: false }
  const rest = [...args]
  const next = (): string => {
    const value = rest.shift()
    if (value === undefined) throw new RedisError(SYNTAX_ERROR)
    return value
  }
  while (rest.length > 0) {
    const option = next().toUpperCase()
    if (!allowed.includes(option) || !applyOption(options, option, next)) throw new RedisError(SYNTAX_ERROR)
  }
  const limited = args.some((arg) => arg.toUpperCase() === 'LIMIT')
  if (limited && options.by === 'INDEX') throw new RedisError(LIMIT_BY_INDEX)
  if (options.withScores && options.by === 'LEX') throw new RedisError(WITHSCORES_BY_LEX)
  return options
}

const LIMIT_BY_INDEX = `${SYNTAX_ERROR}, LIMIT is only supported in combination with either BYSCORE or BYLEX`
const WITHSCORES_BY_LEX = `${SYNTAX_ERROR}, WITHSCORES not supported in combination with BYLEX`

const ranges = (allowed: string[], by: By, reverse = false) =>
  reads(-4, (db, [key = '', start = '', stop = '', ...rest]) => {
    const options = parseOptions(rest, allowed, by, reverse)
    const select = selector({ ...options, start, stop })
    return listed(select(ranked(db, key)), options.withScores)
  })

const within = (db: Keyspace, [key = '', start = '', stop = '']: string[], by: By): Scored[] =>
  selector({ by, start, stop, reverse: false, offset: 0, count: -1 })(ranked(db, key))

const counts = (by: By) => reads(4, (db, args) => within(db, args, by).length)

const removes = (by: By) =>
  writes(4, (db, args) => {
    const [key = ''] = args
    const doomed = within(db, args, by)
    const zset = lookup(db, key, 'zset')
    for (const [member] of doomed) zset?.delete(member)
    removeIfEmpty(db, key)
    return doomed.length
  })

/** Commands on ranges of sorted sets: by rank, score or member. */
export const zsetRangeCommands: CommandTable = {
  ZRANGE: ranges(['BYSCORE', 'BYLEX', 'REV', 'LIMIT', 'WITHSCORES'], 'INDEX'),
  ZREVRANGE: ranges(['WITHSCORES'], 'INDEX', true),
  ZRANGEBYSCORE: ranges(['LIMIT', 'WITHSCORES'], 'SCORE'),
  ZREVRANGEBYSCORE: ranges(['LIMIT', 'WITHSCORES'], 'SCORE', true),
  ZRANGEBYLEX: ranges(['LIMIT'], 'LEX'),
  ZREVRANGEBYLEX: ranges(['LIMIT'], 'LEX', true),
  ZCOUNT: counts('SCORE'),
  ZLEXCOUNT: counts('LEX'),
  ZREMRANGEBYSCORE: removes('SCORE'),
  ZREMRANGEBYRANK: removes('INDEX'),
  ZREMRANGEBYLEX: removes('LEX'),
}
