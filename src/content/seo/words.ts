import { foldLetters } from '../../platform/lib/fold.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'

// These expressions are made when they are used: the tables of letters they need take the platform longer than a text does.

/** Scripts written without spaces between words, or whose particles are written onto them: phrases are found by substring. */
const unspaced = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}]/u
/** Scripts in which only a dictionary tells words apart. */
const segmented = () => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const tokens = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu
const word = () => /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu
const PLAIN = /^[a-z0-9 ]*$/
/** Signs that make another word of a word: `c++`, `c#`, `f#`. */
const SIGN = String.raw`(?<=[\p{L}\p{N}])(?:\+\+|(?<=\p{L})[+#](?!\p{L}))`
const DOT = String.raw`(?<![^\s(\[{"'«“„])\.(?=\p{L})`
const wordSigns = () => new RegExp(`(${DOT}|${SIGN})|[^\\p{L}\\p{N}\\p{M}+#.]+|[+#.]`, 'gu')
const APOSTROPHES = /['’‘ʼ＇`´]/g

/** Returns the text with every apostrophe that is a part of its word taken out, and a blank for each that parts two words. */
const withoutApostrophes = (text: string): string =>
  text
    .replace(APOSTROPHES, "'")
    // The English endings, and what Ukrainian, Hebrew and Catalan write inside a word.
    .replace(/(?<=\p{L})'(?=(?:s|t|m|d|ll|re|ve)(?![\p{L}\p{N}]))/gu, '')
    .replace(/(?<=\p{sc=Cyrillic})'(?=\p{sc=Cyrillic})|(?<=\p{sc=Hebrew})['"״׳](?=\p{sc=Hebrew})|(?<=l)·(?=l)/gu, '')

/** Returns the text without characters that nobody sees; the one that Persian joins endings with is a blank. */
const withoutInvisible = (text: string): string =>
  text.replace(/(?<=\p{sc=Arabic})\u200c(?=\p{sc=Arabic})/gu, ' ').replace(/\p{Cf}|\p{Me}|[\ufe00-\ufe0f]/gu, '')

/** Returns a text in lower case, with one blank for everything that is not a letter, a digit or a sign that makes another word of a word. */
const separated = (text: string): string =>
  withoutApostrophes(withoutInvisible(text.normalize('NFKC').toLowerCase()))
    .replace(wordSigns(), (_, sign?: string) => sign ?? ' ')
    .trim()

/** Returns the words of a text in lower case, with their accents. */
export const wordsIn = (text: string): string[] => {
  const lower = PLAIN.test(text) ? text.trim() : separated(text)
  return lower === '' ? [] : lower.split(/ +/)
}

/**
 * Returns a text for comparison: lower case, without accents, with one blank for every run of other characters.
 *
 * Kept are letters, digits and signs that make another word of a word (`c++`, `.net`). An apostrophe parts words, except in the
 * English endings.
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  return (PLAIN.test(lower) ? lower : foldLetters(separated(text))).trim().replace(/ {2,}/g, ' ')
}

/** True if a phrase is written without spaces between its words. */
export const isUnspaced = (text: string): boolean => unspaced().test(text)

/** True if a folded text has a folded phrase in it: by whole words, in scripts without spaces by substring. */
export const hasPhrase = (folded: string, phrase: string): boolean => {
  if (phrase === '') return false
  if (isUnspaced(phrase)) return folded.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
  return ` ${folded} `.includes(` ${phrase} `)
}

/** Returns the tokens of shingles: words, and single characters in scripts without spaces. The text is folded. */
export const tokensOf = (folded: string): string[] => folded.match(tokens()) ?? []

/** Returns the number of words in a text. Those of scripts without spaces are found with the runtime's dictionary (Intl.Segmenter). */
export const countWords = (text: string): number => {
  if (!segmented().test(text)) return text.match(word())?.length ?? 0
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words += 1
  return words
}

/** True if more than half of the letters are of a script without spaces between words. */
const isMostlySegmented = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu) ?? []
  const one = segmented()
  return letters.filter((letter) => one.test(letter)).length * 2 > letters.length
}

/** Returns the first `count` words of a text; in scripts without spaces as many characters, twice over. */
export const firstWords = (text: string, count: number): string =>
  isMostlySegmented(text.slice(0, count * 20)) ? text.slice(0, count * 2) : text.split(/\s+/u, count).join(' ')

/**
 * Returns the phrases that texts use, each text a block of its own: a phrase lies within one sentence. Signs are looked for as they stand
 * in `shown`.
 */
export const bannedIn = (phrases: readonly string[], texts: readonly string[], shown = texts.join('\n')): string[] => {
  const wanted = phrases.filter((phrase) => phrase.trim() !== '')
  if (wanted.length === 0) return []
  const sentences = texts.flatMap((text) => sentencesOf(text).map(({ start, end }) => fold(text.slice(start, end))))
  return wanted.filter((phrase) => {
    const folded = fold(phrase)
    if (folded === '') return shown.includes(phrase.trim())
    return sentences.some((sentence) => hasPhrase(sentence, folded))
  })
}
