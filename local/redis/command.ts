import type { Reply } from './backend.ts'
import { type Keyspace, RedisError } from './keyspace.ts'

/** `args` excludes the command's name; their number has been checked against the arity. */
export type Handler = (db: Keyspace, args: string[]) => Reply

/** `arity` counts the name too; negative means "at least", as in Redis' COMMAND INFO. */
export type CommandSpec = { arity: number; write: boolean; inScripts: boolean; handler: Handler }
export type CommandTable = Record<string, CommandSpec>

/** A command that changes nothing. */
export const reads = (arity: number, handler: Handler): CommandSpec => ({
  arity,
  write: false,
  inScripts: true,
  handler,
})

/** A command that may change the keyspace. */
export const writes = (arity: number, handler: Handler): CommandSpec => ({
  arity,
  write: true,
  inScripts: true,
  handler,
})

/** A command that redis.call refuses. */
export const outsideScripts = (arity: number, handler: Handler): CommandSpec => ({
  arity,
  write: false,
  inScripts: false,
  handler,
})

export const SYNTAX_ERROR = 'ERR syntax error'
const NOT_AN_INTEGER = 'ERR value is not an integer or out of range'

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** True when the value fits Redis' 64-bit signed integers. */
export const fitsInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX

/** A decimal argument as a 64-bit integer; throws the given refusal when it is not one. */
export const int64 = (text: string, refusal = NOT_AN_INTEGER): bigint => {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) throw new RedisError(refusal)
  const value = BigInt(text)
  if (!fitsInt64(value)) throw new RedisError(refusal)
  return value
}

/** A decimal argument as a number (inexact beyond 2^53); throws the given refusal when it is not an integer. */
export const integer = (text: string, refusal = NOT_AN_INTEGER): number => Number(int64(text, refusal))

/** A floating-point argument, `inf` included; throws the given refusal. */
export const float = (text: string, refusal = 'ERR value is not a valid float'): number => {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text)
  if (infinite) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new RedisError(refusal)
  return Number(text)
}

/** A score as Redis prints it: the shortest text that reads back the same. */
export const scoreText = (score: number): string =>
  Number.isFinite(score) ? String(score) : score > 0 ? 'inf' : '-inf'

/** The sum of two decimal texts as INCRBYFLOAT and HINCRBYFLOAT store it, without binary rounding noise. */
export const addFloats = (left: string | undefined, right: string, refusal: string): string => {
  const sum = (left === undefined ? 0 : float(left, refusal)) + float(right)
  if (!Number.isFinite(sum)) throw new RedisError('ERR increment would produce NaN or Infinity')
  const exact = Number(sum.toPrecision(15))
  return Math.abs(exact) >= 1e21 ? BigInt(exact).toString() : String(exact)
}

/** The start and (exclusive) end of a Redis range with negative offsets, clipped to `length`. */
export const clipRange = (start: number, stop: number, length: number): [start: number, end: number] => {
  const from = start < 0 ? Math.max(0, length + start) : start
  const to = stop < 0 ? length + stop : Math.min(stop, length - 1)
  return [from, Math.max(from, to + 1)]
}

/** Consecutive pairs of arguments; throws an arity refusal for `name` when one is left over. */
export const pairs = (args: string[], name: string): [string, string][] => {
  if (args.length % 2 !== 0) throw new RedisError(`ERR wrong number of arguments for '${name}' command`)
  const found: [string, string][] = []
  for (let i = 0; i + 1 < args.length; i += 2) found.push([args[i] ?? '', args[i + 1] ?? ''])
  return found
}
