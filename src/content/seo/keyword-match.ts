import { makesCompounds, pairWithin, stemKeys } from './stems.ts'
import { isUnspaced, wordsIn } from './words.ts'

/** Blank after a letter that people write apart or with a hyphen: `t shirt`, `e bike`. */
const LONE = /(?<=(?<![\p{L}\p{N}])[b-hj-z])\s+(?=\p{L}{3})/giu
/** Extra space for the parts of a keyword: in words, or in letters if it has scripts without spaces. */
const SLACK = { words: 4, letters: 12 }
/** Characters that people leave out of words: hyphens (`e-mail`), dots within names (`Node.js`), slashes (`A/B`). */
const HYPHENS = /(?<=[\p{L}\p{N}])(?:\p{Pd}|[./](?=\p{L}))(?=[\p{L}\p{N}])/gu
/** Blank between a number and its unit: `5 kg`. */
const UNIT = /(?<=\d)\s+(?=\p{L})/gu
/** Sizes: `10 × 10`. */
const SIZES = /(?<=\d)\s*[×x]\s*(?=\d)/giu
/** Minimum length of each part of a compound: `may or` is not `mayor`. */
const MIN_PART = 3
/** Word of one letter, which is no part of a compound: `a shed` is not `ashed`. */
const HAS_LETTER = /(?<![\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])/u

/** Returns a text with sizes (`10 × 10`) as one word, and with the long mark that Japanese may leave out: `サーバ` for `サーバー`. */
const evenedSpelling = (text: string): string =>
  text.replace(SIZES, 'x').replace(/[ァ-ヺー]{2}[ァ-ヺ](?![ァ-ヺー])/gu, '$&ー')
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}`

/** Returns a pattern for words, and for runs of letters of scripts without spaces. */
const pieces = () => new RegExp(`[${UNSPACED}][${UNSPACED}\\p{M}]*|[^${UNSPACED}]+`, 'gu')

type Keyer = (word: string) => readonly string[]

const keyer = (language: string): Keyer => {
  const known = new Map<string, readonly string[]>()
  return (word) => {
    const keys = known.get(word) ?? stemKeys(word, language)
    known.set(word, keys)
    return keys
  }
}

const piecesOf = (run: string): string[] =>
  wordsIn(run).flatMap((word) => (isUnspaced(word) ? (word.match(pieces()) ?? []) : [word]))

/** Part of a keyword: a word with the keys of its forms, or letters of a script without spaces. */
type Unit = { keys: readonly string[] } | { letters: string }

/** Articles and prepositions that lose their vowel before a word. Texts need not have the one of the keyword. */
const ELIDED = /(?<![\p{L}\p{N}'’])(?:[cdjlmnst]|qu|un|gli|(?:d|n|s)?[aeou]ll|coll|quest|quell)['’](?=\p{L}{3})/giu
const ELIDING: ReadonlySet<string> = new Set(['French', 'French (CA)', 'Italian', 'Catalan'])

/** Returns the parts of a keyword, without duplicates. */
const unitsOf = (keyword: string, keysOf: Keyer): Unit[] => {
  const parts = keyword.split(/\s+/u).flatMap(piecesOf)
  return [...new Set(parts)].map((piece) => (isUnspaced(piece) ? { letters: piece } : { keys: keysOf(piece) }))
}

/** Place of a part in a text, counted in words. A letter of a script without spaces counts as a word. */
type Place = { unit: number; start: number; end: number }

/** Text prepared for the search: its words with their places, and its letters of scripts without spaces. */
type Read = { words: { keys: readonly string[]; start: number; end: number }[]; letters: string; at: number[] }

/** True if two words may also be written as one. */
const isCompound = (before: string, word: string, hasCompounds: boolean): boolean =>
  /\d$/.test(before) ? /^\p{L}/u.test(word) : hasCompounds && before.length >= MIN_PART && word.length >= MIN_PART

const readText = (text: string, keysOf: Keyer, hasCompounds: boolean): Read => {
  const read: Read = { words: [], letters: '', at: [] }
  let at = 0
  let before = ''
  for (const run of text.split(/\s+/u)) {
    const start = at
    for (const piece of piecesOf(run)) {
      if (isUnspaced(piece)) {
        read.letters += piece
        for (let n = 0; n < piece.length; n += 1) read.at.push(at++)
        continue
      }
      // A word separates runs of such letters.
      read.letters += ' '
      read.at.push(at)
      if (isCompound(before, piece, hasCompounds))
        read.words.push({ keys: keysOf(before + piece), start: at - 1, end: at + 1 })
      read.words.push({ keys: [...keysOf(piece), ...pairWithin(piece)], start: at, end: ++at })
      before = piece
    }
    const joined = run.replace(HYPHENS, '')
    if (joined !== run) for (const piece of piecesOf(joined)) read.words.push({ keys: keysOf(piece), start, end: at })
  }
  return read
}

const placesOf = (units: readonly Unit[], { words, letters, at }: Read): Place[] => {
  const byKey = new Map<string, number[]>()
  const places: Place[] = []
  units.forEach((unit, n) => {
    if ('keys' in unit) for (const key of unit.keys) byKey.set(key, [...(byKey.get(key) ?? []), n])
    else
      for (let found = letters.indexOf(unit.letters); found >= 0; found = letters.indexOf(unit.letters, found + 1))
        places.push({ unit: n, start: at[found] ?? 0, end: (at[found] ?? 0) + unit.letters.length })
  })
  for (const { keys, start, end } of words)
    for (const unit of new Set(keys.flatMap((key) => byKey.get(key) ?? []))) places.push({ unit, start, end })
  return places.sort((a, b) => a.start - b.start)
}

const lengthOf = (unit: Unit): number => ('keys' in unit ? 1 : unit.letters.length)

/** True if all parts of a keyword are near each other. */
const standTogether = (units: readonly Unit[], read: Read): boolean => {
  const slack = units.some((unit) => 'letters' in unit) ? SLACK.letters : SLACK.words
  const reach = units.reduce((sum, unit) => sum + lengthOf(unit), slack)
  const places = placesOf(units, read)
  const held = new Map<number, number>()
  let first = 0
  for (const { unit, end } of places) {
    held.set(unit, (held.get(unit) ?? 0) + 1)
    // Places too far back are dropped.
    for (let place = places[first]; place && end - place.start > reach; place = places[first]) {
      const left = (held.get(place.unit) ?? 0) - 1
      if (left > 0) held.set(place.unit, left)
      else held.delete(place.unit)
      first += 1
    }
    if (held.size === units.length) return true
  }
  return false
}

/**
 * Returns a function that is true for texts with a keyword: all its words in any form, near each other.
 *
 * Undefined for a keyword without letters and digits.
 */
export const keywordMatcher = (keyword: string, language: string): ((text: string) => boolean) | undefined => {
  const keysOf = keyer(language)
  const hasCompounds = makesCompounds(language)
  const plain = keyword.replace(SIZES, 'x')
  const wanted = ELIDING.has(language) ? plain.replace(ELIDED, '') : plain
  // A word with hyphens matches as its parts or as one word. In languages with compounds, the whole keyword may be one word.
  const variants = [
    ...new Set([
      wanted,
      wanted.replace(HYPHENS, ''),
      wanted.replace(LONE, ''),
      wanted.replace(UNIT, ''),
      ...(hasCompounds && !HAS_LETTER.test(keyword) ? [keyword.replace(HYPHENS, '').replace(/\s+/gu, '')] : []),
    ]),
  ].map((one) => unitsOf(one, keysOf))
  if (variants[0]?.length === 0) return undefined
  return (text) => {
    const read = readText(evenedSpelling(text), keysOf, hasCompounds)
    return variants.some((units) => standTogether(units, read))
  }
}
