import { makesCompounds, pairWithin, stemKeys } from './stems.ts'
import { isUnspaced, wordsIn } from './words.ts'

/** Room between the words of a keyword, beyond their own number; the same in letters of scripts without spaces. */
const SLACK = { words: 4, letters: 12 }
/** Signs that a word is also written without: its hyphens (`e-mail`), and the full stops inside of names (`Node.js`). */
const HYPHENS = /(?<=[\p{L}\p{N}])(?:\p{Pd}|\.(?=\p{L}))(?=[\p{L}\p{N}])/gu
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}`

/** Words, and runs of letters of scripts without spaces. */
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

/** A word in all its forms, or letters of a script without spaces. */
type Unit = { keys: readonly string[] } | { letters: string }

/** Returns the parts of a keyword, each once. */
const unitsOf = (keyword: string, keysOf: Keyer): Unit[] => {
  const parts = keyword.split(/\s+/u).flatMap(piecesOf)
  return [...new Set(parts)].map((piece) => (isUnspaced(piece) ? { letters: piece } : { keys: keysOf(piece) }))
}

/** A place of a part of the keyword, in words; letters of scripts without spaces count as words. */
type Place = { unit: number; start: number; end: number }

/** A text as it is looked through: where each word stands, and its letters of scripts without spaces in one run. */
type Read = { words: { keys: readonly string[]; start: number; end: number }[]; letters: string; at: number[] }

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
      // A sign that is no letter of the run parts it.
      read.letters += ' '
      read.at.push(at)
      if (hasCompounds && before !== '') read.words.push({ keys: keysOf(before + piece), start: at - 1, end: at + 1 })
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
    // Words too far back are dropped.
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
 * Returns a function that tells whether a text has a keyword: all its words in any of their forms, near each other. Undefined for a
 * keyword without a letter or a digit.
 */
export const keywordMatcher = (keyword: string, language: string): ((text: string) => boolean) | undefined => {
  const keysOf = keyer(language)
  const hasCompounds = makesCompounds(language)
  // A word with hyphens counts in its parts or as one; where words make compounds, the whole keyword may be one.
  const variants = [
    keyword,
    keyword.replace(HYPHENS, ''),
    ...(hasCompounds ? [keyword.replace(HYPHENS, '').replace(/\s+/gu, '')] : []),
  ].map((one) => unitsOf(one, keysOf))
  if (variants[0]?.length === 0) return undefined
  return (text) => {
    const read = readText(text, keysOf, hasCompounds)
    return variants.some((units) => standTogether(units, read))
  }
}
