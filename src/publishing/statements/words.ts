import { hashOf, saltSketch } from '../../content/seo/sketch.ts'
import { numbersIn } from '../../content/writing/numbers.ts'
import { foldLetters } from '../../platform/lib/fold.ts'

/**
 * Word, number or currency of a text, from `start` to `end`. Two texts say the same if their keys are equal.
 *
 * `isSign`: a character of a script without spaces between words.
 */
export type Word = { key: string; start: number; end: number; isSign: boolean }

const SIGN = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}]`

type Patterns = { run: RegExp; sign: RegExp; parts: RegExp; currencies: readonly Beside[] }
type Beside = { before: RegExp; after: RegExp; key: string }
let patterns: Patterns | undefined

/** Returns the patterns. They are built for the first text, not while a Worker starts. */
const patternsKnown = (): Patterns => {
  patterns ??= {
    run: /[\p{L}\p{N}\p{M}\p{Cf}ー]+(?:\+\+|#(?!\p{L}))?/gu,
    sign: new RegExp(SIGN, 'u'),
    parts: new RegExp(String.raw`(${SIGN}\p{M}*)|(?:(?!${SIGN})\P{Z})+`, 'gu'),
    currencies: Object.entries(CURRENCIES).map(([code, forms]) => ({
      before: new RegExp(String.raw`(?<![\p{L}\p{N}])(${forms})\s?$`, 'iu'),
      after: new RegExp(String.raw`^\s?(${forms})(?!\p{N}|(?!${SIGN})\p{L})`, 'iu'),
      key: `¤${code}`,
    })),
  }
  return patterns
}

/** Signs, codes and words of currencies, as they are beside an amount. */
const CURRENCIES: Readonly<Record<string, string>> = {
  eur: '€|eur|euros?',
  usd: 'us\\$|\\$|usd|dollars?|dólares|dollari',
  gbp: '£|gbp|pounds?|pfund',
  jpy: '¥|jpy|yen|円',
  chf: 'chf|fr\\.|franken|francs? suisses?',
  pln: 'zł|pln|złotych',
  czk: 'kč|czk|korun',
  inr: '₹|inr|rupees?',
  rub: '₽|rub|руб\\.?|рублей',
  uah: '₴|uah|грн\\.?|гривень',
}
const MOST_LETTERS = 16

const currencyAt = (text: string, start: number, end: number): Word | undefined => {
  const behind = text.slice(end, end + MOST_LETTERS)
  const ahead = text.slice(Math.max(0, start - MOST_LETTERS), start)
  for (const { before, after, key } of patternsKnown().currencies) {
    const [, name] = after.exec(behind) ?? []
    if (name !== undefined) {
      const at = end + behind.indexOf(name)
      return { key, start: at, end: at + name.length, isSign: false }
    }
    const first = before.exec(ahead)
    if (first?.[1] !== undefined) {
      const at = start - ahead.length + first.index
      return { key, start: at, end: at + first[1].length, isSign: false }
    }
  }
  return undefined
}

/** Returns the amounts of a text: each number in its plain form, and then its currency, which may be before it in the text. */
const amountsIn = (text: string): Word[] =>
  /\p{N}/u.test(text)
    ? numbersIn(text, '')
        .filter(({ value }) => value !== '')
        .flatMap(({ start, end, value }) => {
          const number = { key: `#${value}`, start, end, isSign: false }
          const currency = currencyAt(text, start, end)
          return currency ? [number, currency] : [number]
        })
    : []

const plain = (word: string): string => {
  const lower = word.toLowerCase()
  return /^[a-z0-9]*$/.test(lower) ? lower : foldLetters(lower.replace(/\p{Cf}/gu, ''))
}

const wordsBetween = (text: string, from: number, to: number): Word[] => {
  const { run, sign, parts } = patternsKnown()
  const found: Word[] = []
  const add = (word: string, start: number, isSign: boolean): void => {
    const key = plain(word)
    if (key !== '') found.push({ key, start, end: start + word.length, isSign })
  }
  for (const { 0: word, index } of text.slice(from, to).matchAll(run)) {
    const start = from + index
    if (!sign.test(word)) add(word, start, false)
    else for (const part of word.matchAll(parts)) add(part[0], start + part.index, part[1] !== undefined)
  }
  return found
}

/**
 * Returns the words of a plain text in order, for comparison: without case, accents, quotes, punctuation and runs of spaces.
 *
 * A number has one form however it is written: `1,450`, `1 450` and `1.450` are equal, and so are `€45` and `45 euros`.
 */
export const wordsOf = (text: string): Word[] => {
  const found: Word[][] = []
  let at = 0
  const amounts = amountsIn(text)
  for (let n = 0; n < amounts.length; n += 1) {
    const number = amounts[n] as Word
    const next = amounts[n + 1]
    const currency = next?.key.startsWith('¤') ? next : undefined
    if (currency) n += 1
    const start = Math.min(number.start, currency?.start ?? number.start)
    if (start < at) continue
    found.push(wordsBetween(text, at, start), currency ? [number, currency] : [number])
    at = Math.max(number.end, currency?.end ?? 0)
  }
  found.push(wordsBetween(text, at, text.length))
  return found.flat()
}

/** Number of letters that words of one stem share. Most endings are after them, in every language with spaces. */
const STEM = 5

/** Key by which a word is compared with other words, and what an equal word is worth: rare words and numbers are worth more. */
export type Weighed = ReadonlyMap<string, number>

const weightOf = (key: string): number => {
  if (key.startsWith('#')) return 8
  if (key.startsWith('¤')) return 2
  // Longer words are rarer.
  return Math.min(6, Math.max(1, key.length - 2))
}
const PAIR = 4

/** Returns the keys of words with their weights: numbers, the first letters of words, and pairs of signs. */
export const weighed = (found: readonly Word[]): Weighed => {
  const keys = new Map<string, number>()
  for (const [n, { key, isSign }] of found.entries()) {
    const next = found[n + 1]
    if (isSign) {
      if (next?.isSign) keys.set(key + next.key, PAIR)
      continue
    }
    const short = /^[#¤]/.test(key) ? key : key.slice(0, STEM)
    keys.set(short, Math.max(keys.get(short) ?? 0, weightOf(key)))
  }
  return keys
}

const isNumber = (key: string): boolean => key.startsWith('#')

/** Least part of a statement's weight that a sentence with other words must have. */
export const LEAST = 0.5

/** Returns the part of a statement that a sentence has in common with it, by weight: 0 without any of its numbers. */
export const likeness = (statement: Weighed, sentence: Weighed): number => {
  let [all, shared, numbers, sharedNumbers] = [0, 0, 0, 0]
  for (const [key, weight] of statement) {
    const has = sentence.has(key)
    all += weight
    if (has) shared += weight
    if (isNumber(key)) {
      numbers += 1
      if (has) sharedNumbers += 1
    }
  }
  if (all === 0 || (numbers > 0 && sharedNumbers === 0)) return 0
  return shared / all
}

/**
 * Returns keys of which every sentence with a likeness of at least `LEAST` has one: the numbers, or else the heaviest words.
 */
export const rareKeys = (statement: Weighed): string[] => {
  const keys = [...statement].sort(([, a], [, b]) => b - a)
  const numbers = keys.filter(([key]) => isNumber(key))
  if (numbers.length > 0) return numbers.map(([key]) => key)
  let left = keys.reduce((sum, [, weight]) => sum + weight, 0)
  const least = left * LEAST
  const rare: string[] = []
  for (const [key, weight] of keys) {
    if (left < least) break
    rare.push(key)
    left -= weight
  }
  return rare
}

/** Returns keys as the index of a project has them: 32-bit integers that differ between projects. */
export const indexKeys = (keys: Iterable<string>, projectId: number): number[] => [
  ...new Set(saltSketch([...keys].map(hashOf), projectId)),
]
