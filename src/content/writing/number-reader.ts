import { NUMBER_WORDS, type NumberWords } from './number-words.ts'

/** Number that a word states. `needsOther` is true if it counts only next to another number word. */
export type Word = {
  value: number
  isScale: boolean
  needsOther: boolean
  isAlone?: boolean
  addsHalf?: boolean
  isDecimal?: boolean
}

/** Table of a language, compiled for reading. */
export type Reader = {
  words: Map<string, Word>
  scales: readonly number[]
  glued: RegExp | undefined
  part: RegExp
  prefix: RegExp | undefined
  suffix: RegExp | undefined
  joint: RegExp
  parts: readonly (readonly [number, RegExp])[]
  fractions: readonly (readonly [part: number, whole: number, pattern: RegExp])[]
  of: RegExp
  every: RegExp
  everyNoun: RegExp
  within: RegExp
  ordinal: RegExp
  tag: string
}

/** Returns the entries of a table: `100 hundred;1000 thousand`. */
const listed = (table: string | undefined): [key: string, rest: string][] =>
  (table ?? '')
    .split(';')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const blank = entry.indexOf(' ')
      return [entry.slice(0, blank), entry.slice(blank + 1)]
    })

/** Returns the numbers of a table with their words. */
export const entries = (table: string | undefined): [number, string[]][] =>
  listed(table).map(([key, rest]) => [Number(key), rest.split('/')])

const WORD_END = '(?![\\p{L}\\p{M}])'
const WORD_START = '(?<![\\p{L}\\p{M}])'
const NEVER = /(?!)/u

const between = (pattern: string | undefined): RegExp =>
  pattern === undefined ? NEVER : new RegExp(`^\\s(?:${pattern})\\s?$`, 'iu')

/** Words between the numbers of a share that may also connect other things: "two rooms in ten houses". */
const LOOSE: ReadonlySet<string> = new Set(['in', 'dalam', 'unter', 'na', 'на'])

/** Returns a pattern like `between`, with the counted thing before it: "nine owners out of ten". */
const behindNoun = (pattern: string | undefined): RegExp => {
  const strict = pattern?.split('|').filter((words) => !LOOSE.has(words)) ?? []
  return strict.length === 0 ? NEVER : new RegExp(`^\\s[\\p{L}\\p{M}]+\\s(?:${strict.join('|')})\\s?$`, 'iu')
}

const compile = (tag: string, table: NumberWords): Reader => {
  const words = new Map<string, Word>()
  const add = (value: number, written: string, isScale: boolean) => {
    const word = written.replace(/\*$/, '')
    if (word !== '-') words.set(word, { value, isScale, needsOther: written.endsWith('*') })
  }
  const scales = entries(table.scales)
  for (const [value, names] of scales) for (const name of names) add(value, name, true)
  for (const [value, names] of [...entries(table.others), ...entries(table.halves)])
    for (const name of names) add(value, name, false)
  table.tens.split(' ').forEach((names, index) => {
    for (const name of names.split('/')) add(20 + index * 10, name, false)
  })
  table.units.split(' ').forEach((names, index) => {
    for (const name of names.split('/')) add(index, name, false)
  })
  for (const [value, names] of entries(table.alone))
    for (const name of names) words.set(name, { value, isScale: false, needsOther: false, isAlone: true })
  for (const name of table.halfBehind?.split('/') ?? [])
    words.set(name, { value: 0.5, isScale: false, needsOther: true, addsHalf: true })
  const atom = [...words.keys()].sort((a, b) => b.length - a.length).join('|')
  return {
    words,
    scales: scales.map(([value]) => value).filter((value) => value > 0 && value !== 12),
    glued: table.glue === undefined ? undefined : new RegExp(`^(?:${atom})(?:(?:${table.glue})?(?:${atom}))+$`, 'u'),
    // The rest must consist of words too: `centottanta` is `cent` and `ottanta`, not `cento`.
    part: new RegExp(
      table.glue === undefined ? atom : `(?:${table.glue})?(${atom})(?=(?:(?:${table.glue})?(?:${atom}))*$)`,
      'gu',
    ),
    prefix: table.prefix === undefined ? undefined : new RegExp(`^(?:${table.prefix})`, 'u'),
    suffix: table.suffix === undefined ? undefined : new RegExp(`(?:${table.suffix})$`, 'u'),
    joint: new RegExp(
      `^(?:[\\s-]|\\s?[\\u200c\\s-]${table.and === undefined ? '' : `|\\s(?:${table.and})\\s`})$`,
      'iu',
    ),
    parts: entries(table.parts).map(([whole, names]) => [
      whole,
      new RegExp(`^[\\s-](?:${names.join('|')})${WORD_END}`, 'iu'),
    ]),
    fractions: [
      ...(table.half === undefined ? [] : [`1:2 ${table.half}`]),
      ...(table.fractions === undefined ? [] : table.fractions.split(';')),
    ].map((entry) => {
      const [, part, whole, pattern = ''] = /^(?:(\d+):)?(\d+) (.*)$/su.exec(entry) ?? []
      return [Number(part ?? 1), Number(whole), new RegExp(`${WORD_START}(?:${pattern})`, 'giu')]
    }),
    of: between(table.of),
    every: between(table.every),
    everyNoun: behindNoun(table.every),
    within: table.within === undefined ? NEVER : new RegExp(`^(?:${table.within})$`, 'iu'),
    ordinal: table.ordinal === undefined ? NEVER : new RegExp(`^(?:${table.ordinal})${WORD_END}`, 'iu'),
    tag,
  }
}

const readers = new Map<string, Reader>()

/** Returns the compiled table of a language tag; undefined if it has none. Each is compiled once. */
export const readerOf = (tag: string): Reader | undefined => {
  const table = NUMBER_WORDS[tag]
  if (!table) return undefined
  const reader = readers.get(tag) ?? compile(tag, table)
  readers.set(tag, reader)
  return reader
}
