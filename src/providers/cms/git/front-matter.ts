import { isMap, isScalar, isSeq, type Node, type Pair, parse, parseDocument } from 'yaml'

/** Value of a key. Undefined: the key is removed. `as`: text that is written as it is, such as a date. */
export type Value = string | boolean | readonly string[] | { as: string } | undefined

/** File of a post: its front matter between two fences, and its text. */
export type PostFile = { opening: string; yaml: string; closing: string; body: string }

/** Reason why a file cannot be read or changed. */
export type Problem = { problem: string }

const YAML_FILE = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^((?:---|\.\.\.)[ \t]*(?:\r?\n|$))/m
const OTHER_FORMATS = /^\uFEFF?(?:\+\+\+|;;;|\{|---[ \t]*(?:toml|json5?|js)\b)/i

/** Returns the parts of a post's file, which together are the file. */
export const splitFile = (text: string): PostFile | Problem => {
  if (OTHER_FORMATS.test(text)) return { problem: 'its front matter is not YAML' }
  const found = YAML_FILE.exec(text)
  if (found?.index !== 0) return { problem: 'it has no front matter' }
  const [whole, opening = '', yaml = '', closing = ''] = found
  return { opening, yaml, closing, body: text.slice(whole.length) }
}

export const joinFile = ({ opening, yaml, closing, body }: PostFile): string => opening + yaml + closing + body

type Keyed = Pair<Node, Node | null>

const documentOf = (yaml: string): { pairs: Keyed[]; values: Record<string, unknown> } | Problem => {
  const document = parseDocument(yaml)
  const [error] = document.errors
  if (error)
    return { problem: `its front matter is not valid YAML (${error.code}, line ${error.linePos?.[0].line ?? 1})` }
  if (document.contents === null) return { pairs: [], values: {} }
  if (!isMap(document.contents)) return { problem: 'its front matter is not a list of keys' }
  return { pairs: document.contents.items as Keyed[], values: document.toJS() as Record<string, unknown> }
}

/** Returns the values of front matter. Dates stay texts. */
export const valuesOf = (yaml: string): { values: Record<string, unknown> } | Problem => documentOf(yaml)

const nameOf = ({ key }: Keyed): string => (isScalar(key) ? String(key.value) : '')

/** True if a text without quotes is read as the same text, by new and old versions of YAML. */
const isPlainSafe = (text: string, isInList: boolean): boolean => {
  if (!/^[\p{L}\p{N}]/u.test(text) || /[\n\t#]|: |:$|\s$/.test(text) || (isInList && /[,[\]{}]/.test(text)))
    return false
  return (['1.1', '1.2'] as const).every((version) => {
    try {
      return parse(`k: ${text}`, { version }).k === text
    } catch {
      return false
    }
  })
}

type Quotes = 'double' | 'single' | 'plain'

const scalarText = (text: string, quotes: Quotes, isInList = false): string => {
  if (quotes === 'single' && !/[\n\t]/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return quotes === 'plain' && isPlainSafe(text, isInList) ? text : JSON.stringify(text)
}

const quotesOf = (node: unknown): Quotes => {
  const type = isScalar(node) ? node.type : undefined
  if (type === 'QUOTE_DOUBLE') return 'double'
  return type === 'QUOTE_SINGLE' ? 'single' : 'plain'
}

/** Returns a value as YAML, in the style of the value that it replaces. */
const written = (
  value: Exclude<Value, undefined>,
  before: Node | null | undefined,
  indent: string,
  eol: string,
): string => {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return scalarText(value, quotesOf(before))
  if ('as' in value) {
    const quotes = quotesOf(before)
    return quotes === 'plain' ? value.as : scalarText(value.as, quotes)
  }
  const quotes = isSeq(before) ? quotesOf(before.items[0]) : 'plain'
  const isBlock = isSeq(before) && !before.flow && value.length > 0
  const items = value.map((item) => scalarText(item, quotes, !isBlock))
  return isBlock ? items.map((item) => `- ${item}`).join(`${eol}${indent}`) : `[${items.join(', ')}]`
}

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const edited = (yaml: string, key: string, value: Value, pairs: readonly Keyed[], eol: string): string => {
  const pair = pairs.find((one) => nameOf(one) === key)
  if (!pair) {
    if (value === undefined) return yaml
    const start = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}${eol}`
    return `${start}${key}: ${written(value, undefined, '', eol)}${eol}`
  }
  const [keyStart = 0, keyEnd = 0] = pair.key.range ?? []
  const range = pair.value?.range
  if (value === undefined) {
    const end = Math.max(range?.[2] ?? 0, keyEnd)
    const line = yaml.indexOf('\n', Math.max(end - 1, 0))
    return yaml.slice(0, keyStart) + (line < 0 ? '' : yaml.slice(line + 1))
  }
  if (!range || range[0] === range[1]) {
    const colon = yaml.indexOf(':', keyEnd) + 1
    return `${yaml.slice(0, colon)} ${written(value, pair.value, '', eol)}${yaml.slice(colon)}`
  }
  const [start, end] = range
  const indent = ' '.repeat(start - (yaml.lastIndexOf('\n', start - 1) + 1))
  const old = yaml.slice(start, end)
  const tail = /\s*$/.exec(old)?.[0].includes('\n') ? eol : ''
  const text = written(value, pair.value, indent, eol)
  // A list that was below its key becomes one on its line.
  const isRaised = text.startsWith('[') && old.startsWith('-')
  const before = isRaised ? `${yaml.slice(0, yaml.indexOf(':', keyEnd) + 1)} ` : yaml.slice(0, start)
  return before + text + tail + yaml.slice(end)
}

/**
 * Returns front matter with one key set or removed. Every other byte stays: comments, order, quotes and spaces.
 *
 * Returns a problem instead of a text that would be read otherwise.
 */
export const setKey = (yaml: string, key: string, value: Value): string | Problem => {
  const before = documentOf(yaml)
  if ('problem' in before) return before
  const eol = yaml.includes('\r\n') ? '\r\n' : '\n'
  const text = edited(yaml, key, value, before.pairs, eol)
  const after = valuesOf(text)
  const { [key]: _, ...others } = before.values
  const wanted = typeof value === 'object' && 'as' in value ? value.as : value
  if ('problem' in after) return { problem: `the key ${key} cannot be changed in its front matter` }
  const { [key]: now, ...kept } = after.values
  const isRight =
    sameJson(kept, others) && (typeof value === 'object' && 'as' in value ? now !== undefined : sameJson(now, wanted))
  return isRight ? text : { problem: `the key ${key} cannot be changed in its front matter` }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const TIMED = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d(:\d\d)?(\.\d+)?( ?)(Z|[+-]\d\d:?\d\d)?$/

/** Returns an instant (ISO 8601, UTC) in the form of another date, such as `2026-01-31` or `Jan 31 2026`. */
export const dateLike = (example: string, instant: string): string => {
  const at = new Date(instant)
  const iso = at.toISOString()
  const text = example.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return iso.slice(0, 10)
  if (/^\d{4}\/\d\d\/\d\d$/.test(text)) return iso.slice(0, 10).replaceAll('-', '/')
  const named = /^([A-Z][a-z]+)( \d\d?)(,?) \d{4}$/.exec(text)
  if (named) {
    const month = MONTHS[at.getUTCMonth()] ?? ''
    const long = at.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
    const day = named[2]?.length === 3 ? iso.slice(8, 10) : String(at.getUTCDate())
    return `${named[1]?.length === 3 ? month : long} ${day}${named[3]} ${at.getUTCFullYear()}`
  }
  const [, between = 'T', seconds, fraction, blank = '', zone] = TIMED.exec(text) ?? []
  if (!TIMED.test(text)) return iso
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const local = new Date(at.getTime() + offset * 60_000).toISOString()
  const rest = `${seconds === undefined ? '' : local.slice(16, 19)}${fraction === undefined ? '' : local.slice(19, 19 + fraction.length)}`
  return `${local.slice(0, 10)}${between}${local.slice(11, 16)}${rest}${zone === undefined ? '' : `${blank}${zone}`}`
}
