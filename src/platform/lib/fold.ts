/** Letters that are one with their plain form although Unicode does not take them apart. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
}

/**
 * Accents, and the marks that Arabic and Hebrew leave out at will. Vowel signs of other scripts stay, because they make words, and so do
 * the marks of й and ї.
 */
const accents = () =>
  /(?<!и)\u0306|(?<!і)\u0308|[\u0300-\u0305\u0307\u0309-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u0640]/gu

/** Returns a text in the form in which words are compared: lower case, without accents. */
export const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(accents(), '')
    .replace(/[ßøłđðþæœıςيىك]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')

/** Changes of a text by WordPress's `wptexturize` and its like, folded back to what a keyboard writes. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  // Unseen characters: soft hyphens, marks of direction, selectors of how a sign is drawn.
  [/\p{Cf}|\p{Variation_Selector}/gu, ''],
  [/[‘’‚‛‹›′‵´`＇ʹʻʼʽ׳]/g, "'"],
  [/[“”„‟″‶«»＂ʺ״]|''/g, '"'],
  [/‴/g, '\'"'],
  [/(?:(?<!\s)\s+)?"\s*/g, '"'],
  [/[‐‑‒–—―−]|-{2,3}/g, '-'],
  [/…|\. \. \./g, '...'],
  [/(?<=\d)\s*[×x]\s*(?=\d)/gi, 'x'],
  [/™/g, '(tm)'],
]

/**
 * Returns a text to compare titles by: quotes, primes, dashes, dots, signs between numbers and blanks made plain, in lower case.
 * Two titles that differ in words stay different.
 */
export const plainTypography = (text: string): string =>
  FOLDS.reduce(
    (folded, [found, plain]) => folded.replace(found, plain),
    // Thin and hard blanks are inside of French quotation marks.
    text
      .normalize('NFC')
      .replace(/‹[\u00a0\u2009\u202f]|[\u00a0\u2009\u202f]›/g, "'")
      .replace(/\s+/g, ' '),
  )
    .trim()
    .toLowerCase()

/** Words a search looks for: more would cost time and tell little. */
export const MAX_WORDS = 8

/** Returns the words of a text as searches compare them: runs of letters and digits, lower-case, each once, the first eight. */
export const searchWords = (text: string): string[] =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{1,100}/gu) ?? [])].slice(0, MAX_WORDS)

/** Returns the word's other number where an `s` makes it: pages that say `bikes` are near `bike`. */
export const otherNumber = (word: string): string => {
  if (!/^[a-z]{3,}$/.test(word) || word.endsWith('ss')) return word
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`
}
