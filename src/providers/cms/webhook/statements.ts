import { jsonWithin } from '../../../platform/lib/foreign-answers.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'

/** One object of a receiver's answer. Its names are in lower case, without `_` and `-`. */
export type Fields = ReadonlyMap<string, unknown>

/**
 * An object of an answer, and where it is: empty for the answer itself, `data.post` for one within it.
 *
 * `isNear` is true for the answer itself and for objects in the wrappers of results.
 */
export type Statement = { fields: Fields; at: string; isNear: boolean; source: Record<string, unknown> }

/** Names of fields in which an answer has its results. `body` and `json` are envelopes of Lambda and n8n. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['data', 'result', 'results', 'articles', 'workflows', 'body', 'json'],
])
/** Deeper objects are not read, so that no answer can exhaust the stack. */
const MAX_DEPTH = 20

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plainName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** Returns the fields of an object. The first of two names that differ only in spelling wins. */
export const fieldsOf = (value: Record<string, unknown>): Fields => {
  const fields = new Map<string, unknown>()
  for (const [name, field] of Object.entries(value)) {
    const plain = plainName(name)
    if (!fields.has(plain)) fields.set(plain, field)
  }
  return fields
}

/** Returns the JSON inside a text, because some servers encode their answer twice; any other value as it is. */
export const decodedJson = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[{[]/.test(value) ? (jsonWithin(value)?.json ?? value) : value

type Place = { at: string; isNear: boolean; depth: number }

/** Most objects of an answer that are read. A receiver that answers with more of them is not one of posts. */
export const MAX_STATEMENTS = 10_000

const collect = (json: unknown, { at, isNear, depth }: Place, into: Statement[]): void => {
  if (depth > MAX_DEPTH || into.length >= MAX_STATEMENTS) return
  const value = isNear ? decodedJson(json) : json
  if (Array.isArray(value)) {
    for (const [n, one] of value.entries()) collect(one, { at: `${at}[${n}]`, isNear, depth: depth + 1 }, into)
    return
  }
  if (!isObject(value)) return
  into.push({ fields: fieldsOf(value), at, isNear, source: value })
  for (const [name, field] of Object.entries(value)) {
    const isWithin = isNear && WRAPPERS.has(plainName(name))
    collect(field, { at: at === '' ? name : `${at}.${name}`, isNear: isWithin, depth: depth + 1 }, into)
  }
}

/** Returns the objects of an answer, the outer ones first, at most `MAX_STATEMENTS`. */
export const statementsIn = (json: unknown): Statement[] => {
  const statements: Statement[] = []
  collect(json, { at: '', isNear: true, depth: 0 }, statements)
  return statements
}

/** Returns a field as the receiver wrote it: its path and its value, with the words of its object in brackets. */
export const said = ({ fields, at, source }: Statement, name: string): string => {
  const value = fields.get(name)
  const words = wordsOf(fields)
  const written = Object.keys(source).find((one) => plainName(one) === name) ?? name
  const isSame = words === undefined || words === value
  return `${at === '' ? written : `${at}.${written}`}: ${sentence(value)}${isSame ? '' : ` (${sentence(words)})`}`
}

/** Words that programs write instead of an empty value. */
const NOTHING: ReadonlySet<string> = new Set(
  ',null,nil,none,undefined,false,no,no error,no errors,n/a,-,0,ok,success,[],{}'.split(','),
)

/** True if a value is empty in any form, or a word for it. */
export const isEmpty = (value: unknown, depth = 0): boolean => {
  if (value === undefined || value === null || value === false || value === 0) return true
  if (typeof value === 'string')
    return NOTHING.has(
      value
        .replace(/\p{Cf}/gu, '')
        .trim()
        .toLowerCase(),
    )
  return typeof value === 'object' && depth < MAX_DEPTH && Object.values(value).every((one) => isEmpty(one, depth + 1))
}

/** Fields of an error that describe it. */
const WORDS = ['message', 'detail', 'error', 'reason', 'description'] as const

/** Returns a value as text: its words for people, or else its JSON. Empty if it is nested too deep for JSON. */
export const sentence = (value: unknown): string => {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  const words = isObject(only) ? WORDS.map((name) => only[name]).find((one) => typeof one === 'string') : undefined
  return clip(storableText(words ?? (typeof only === 'string' ? only : jsonOf(only))).trim(), 500)
}

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Returns the words of a statement that describe its failure; undefined if it has none. */
export const wordsOf = (fields: Fields): unknown =>
  ['error', 'errors', 'message', 'msg', 'errmsg', 'reason', 'detail']
    .map((name) => fields.get(name))
    .find((one) => !isEmpty(one) && one !== true)
