// These expressions are made when they are used: the tables of letters they need take the platform longer than a text does.

/** Scripts written without spaces between words, or whose particles are written onto them: phrases are found by substring. */
const unspaced = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}]/u
/** Scripts in which only a dictionary tells words apart. */
const segmented = () => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const tokens = () =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}]+/gu
const word = () => /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }
const PLAIN = /^[a-z0-9 ]*$/

/** Text as it is compared: lower-case, without accents, everything but letters and digits made one space. */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  const letters = PLAIN.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(/[\p{M}'’]/gu, '')
        .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
  return letters.trim().replace(/ {2,}/g, ' ')
}

/** Whether a phrase is written without spaces between its words. */
export const isUnspaced = (text: string): boolean => unspaced().test(text)

/** Whether a folded text has a folded phrase in it: by whole words, in scripts without spaces by substring. */
export const hasPhrase = (folded: string, phrase: string): boolean => {
  if (phrase === '') return false
  if (isUnspaced(phrase)) return folded.replaceAll(' ', '').includes(phrase.replaceAll(' ', ''))
  return ` ${folded} `.includes(` ${phrase} `)
}

/** What shingles are made of: words, and single characters in scripts without spaces. The text is folded. */
export const tokensOf = (folded: string): string[] => folded.match(tokens()) ?? []

/** How many words a text has. Words in scripts without spaces are found with the runtime's dictionary (Intl.Segmenter). */
export const countWords = (text: string): number => {
  if (!segmented().test(text)) return text.match(word())?.length ?? 0
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words += 1
  return words
}

/** The first `count` words of a text; in scripts without spaces as many characters, twice over. */
export const firstWords = (text: string, count: number): string =>
  isUnspaced(text) ? text.slice(0, count * 2) : text.split(' ', count).join(' ')
