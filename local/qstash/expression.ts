import { RequestError } from './wire.ts'

type Node = (retried: number) => number
type Cursor = { tokens: string[]; at: number; depth: number }

const maxLength = 1_000
const maxDepth = 50

const unary: Record<string, (x: number) => number> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  exp: Math.exp,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
}
const variadic: Record<string, (...xs: number[]) => number> = { min: Math.min, max: Math.max }

const refuse = (why: string): RequestError => new RequestError(400, `invalid retry delay expression: ${why}`)

const tokenize = (text: string): string[] => {
  const tokens = text.match(/\d+(?:\.\d+)?|[a-z]+|[-+*/(),]|\S/gi) ?? []
  if (text.length > maxLength) throw refuse('too long')
  if (tokens.length === 0) throw refuse('empty')
  return tokens
}

const take = (cursor: Cursor, expected: string): void => {
  const token = cursor.tokens[cursor.at]
  if (token !== expected) throw refuse(`expected "${expected}", found ${token ? `"${token}"` : 'the end'}`)
  cursor.at += 1
}

const parseArguments = (cursor: Cursor): Node[] => {
  take(cursor, '(')
  const given = [parseSum(cursor)]
  while (cursor.tokens[cursor.at] === ',') {
    cursor.at += 1
    given.push(parseSum(cursor))
  }
  take(cursor, ')')
  return given
}

const parseCall = (cursor: Cursor, name: string): Node => {
  const given = parseArguments(cursor)
  const [first, second] = given
  const one = Object.hasOwn(unary, name) ? unary[name] : undefined
  const many = Object.hasOwn(variadic, name) ? variadic[name] : undefined
  if (one && first && given.length === 1) return (n) => one(first(n))
  if (many) return (n) => many(...given.map((argument) => argument(n)))
  if (name === 'pow' && first && second && given.length === 2) return (n) => first(n) ** second(n)
  throw refuse(`"${name}" is no function of ${given.length} argument(s)`)
}

const parsePrimary = (cursor: Cursor): Node => {
  const token = cursor.tokens[cursor.at]
  if (token === undefined) throw refuse('it ends too early')
  if (token === '(') {
    cursor.at += 1
    const inner = parseSum(cursor)
    take(cursor, ')')
    return inner
  }
  cursor.at += 1
  if (/^\d/.test(token)) return () => Number(token)
  if (token === 'retried') return (n) => n
  if (/^[a-z]/i.test(token)) return parseCall(cursor, token)
  throw refuse(`unexpected "${token}"`)
}

const parseSigned = (cursor: Cursor): Node => {
  const sign = cursor.tokens[cursor.at]
  if (sign !== '-' && sign !== '+') return parsePrimary(cursor)
  cursor.at += 1
  cursor.depth += 1
  if (cursor.depth > maxDepth) throw refuse('nested too deeply')
  const operand = parseSigned(cursor)
  cursor.depth -= 1
  return sign === '-' ? (n) => -operand(n) : operand
}

const parseProduct = (cursor: Cursor): Node => {
  let left = parseSigned(cursor)
  for (let sign = cursor.tokens[cursor.at]; sign === '*' || sign === '/'; sign = cursor.tokens[cursor.at]) {
    cursor.at += 1
    const a = left
    const b = parseSigned(cursor)
    left = sign === '*' ? (n) => a(n) * b(n) : (n) => a(n) / b(n)
  }
  return left
}

const parseSum = (cursor: Cursor): Node => {
  cursor.depth += 1
  if (cursor.depth > maxDepth) throw refuse('nested too deeply')
  let left = parseProduct(cursor)
  for (let sign = cursor.tokens[cursor.at]; sign === '+' || sign === '-'; sign = cursor.tokens[cursor.at]) {
    cursor.at += 1
    const a = left
    const b = parseProduct(cursor)
    left = sign === '+' ? (n) => a(n) + b(n) : (n) => a(n) - b(n)
  }
  cursor.depth -= 1
  return left
}

/**
 * An `Upstash-Retry-Delay` expression (numbers, + - * /, parentheses, `retried`, pow sqrt abs exp floor ceil round
 * min max) as a function from the number of retries so far to milliseconds, never negative or NaN.
 * Throws a 400 RequestError for anything else.
 */
export const compileRetryDelay = (text: string): ((retried: number) => number) => {
  const cursor: Cursor = { tokens: tokenize(text), at: 0, depth: 0 }
  const node = parseSum(cursor)
  const rest = cursor.tokens[cursor.at]
  if (rest !== undefined) throw refuse(`unexpected "${rest}"`)
  return (retried) => {
    const ms = node(retried)
    return Number.isNaN(ms) ? 0 : Math.max(0, ms)
  }
}
