import { foldLetters } from '../../platform/lib/fold.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'

// These patterns are created on use, because building their character tables takes longer than reading a text.

/** Returns a pattern for scripts without spaces, or with particles joined to words. Their phrases are found as substrings. */
const unspaced = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}]/u
/** Returns a pattern for scripts in which only a dictionary separates words. */
const segmented = () => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const tokens = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu
const word = () => /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu
const PLAIN = /^[a-z0-9 ]*$/
/** Characters that make a different word: `c++`, `c#`, `f#`. */
const SIGN = String.raw`(?<=[\p{L}\p{N}])(?:\+\+|(?<=\p{L})[+#](?!\p{L}))`
const DOT = String.raw`(?<![^\s(\[{"'«“„])\.(?=\p{L})`
const wordSigns = () => new RegExp(`(${DOT}|${SIGN})|[^\\p{L}\\p{N}\\p{M}+#.]+|[+#.]`, 'gu')
const APOSTROPHES = /['’‘ʼ＇`´]/g

/** Returns the text without apostrophes that belong to a word, and with a space for those that separate words. */
const withoutApostrophes = (text: string): string =>
  text
    .replace(APOSTROPHES, "'")
    // English endings, and apostrophes within words in Ukrainian, Hebrew and Catalan.
    .replace(/(?<=\p{L})'(?=(?:s|t|m|d|ll|re|ve)(?![\p{L}\p{N}]))/gu, '')
    .replace(/(?<=\p{sc=Cyrillic})'(?=\p{sc=Cyrillic})|(?<=\p{sc=Hebrew})['"״׳](?=\p{sc=Hebrew})|(?<=l)·(?=l)/gu, '')

/** Returns the text without invisible characters. The one that joins endings in Persian becomes a space. */
const withoutInvisible = (text: string): string =>
  text.replace(/(?<=\p{sc=Arabic})\u200c(?=\p{sc=Arabic})/gu, ' ').replace(/\p{Cf}|\p{Me}|[\ufe00-\ufe0f]/gu, '')

/**
 * Returns a text in lower case, with a space for everything except letters, digits and characters that make a different word.
 */
const separated = (text: string): string =>
  // Unicode decomposes the accent that people write for an apostrophe.
  withoutApostrophes(withoutInvisible(text.replaceAll('´', "'").replaceAll('♯', '#').normalize('NFKC').toLowerCase()))
    .replace(wordSigns(), (_, sign?: string) => sign ?? ' ')
    .trim()

/** Returns the words of a text in lower case, with their accents. */
export const wordsIn = (text: string): string[] => {
  const lower = PLAIN.test(text) ? text.trim() : separated(text)
  return lower === '' ? [] : lower.split(/ +/)
}

/**
 * Returns a text for comparison: lower case, without accents, with one space for every run of other characters.
 *
 * Letters, digits and characters that make a different word stay (`c++`, `.net`). An apostrophe separates words, except in
 * English endings.
 */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  return (PLAIN.test(lower) ? lower : foldLetters(separated(text))).trim().replace(/ {2,}/g, ' ')
}

/** True if a phrase is in a script without spaces between words. */
export const isUnspaced = (text: string): boolean => unspaced().test(text)

/** True if a folded text contains a folded phrase: as whole words, or as a substring in scripts without spaces. */
export const hasPhrase = (folded: string, phrase: string): boolean => {
  if (phrase === '') return false
  if (isUnspaced(phrase)) return folded.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
  return ` ${folded} `.includes(` ${phrase} `)
}

/** Returns the tokens of a folded text for shingles: words, and single characters of scripts without spaces. */
export const tokensOf = (folded: string): string[] => folded.match(tokens()) ?? []

/** Longest part of a text that is split into words at once. The work grows with the square of a run without spaces. */
const PART = /[\s\S]{1,2000}/gu

/** Returns the number of words in a text. In scripts without spaces, the runtime's dictionary finds them (Intl.Segmenter). */
export const countWords = (text: string): number => {
  if (!segmented().test(text)) return text.match(word())?.length ?? 0
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
  let words = 0
  for (const [part] of text.matchAll(PART))
    for (const { isWordLike } of segmenter.segment(part)) if (isWordLike) words += 1
  return words
}

/** True if more than half of the letters are of a script without spaces between words. */
const isMostlySegmented = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu) ?? []
  const one = segmented()
  return letters.filter((letter) => one.test(letter)).length * 2 > letters.length
}

/** Returns the first `count` words of a text, or twice as many characters in scripts without spaces. */
export const firstWords = (text: string, count: number): string =>
  isMostlySegmented(text.slice(0, count * 20)) ? text.slice(0, count * 2) : text.split(/\s+/u, count).join(' ')

/**
 * Returns the phrases that texts use. A phrase must be within one sentence of one text.
 *
 * Phrases without letters and digits are searched in `shown` as they are.
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
