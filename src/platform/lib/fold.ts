/** Letters that count as their plain form although Unicode does not decompose them. */
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
 * Returns a pattern of accents, and of the optional marks of Arabic and Hebrew.
 *
 * Vowel signs of other scripts stay, because they distinguish words, and so do the marks of й and ї.
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

/** Replacements that undo the typography of WordPress's `wptexturize` and similar functions. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  // Invisible characters: soft hyphens, direction marks, variation selectors.
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
 * Returns a text for comparing titles: plain quotes, primes, dashes, dots, number signs and blanks, in lower case.
 *
 * Titles with different words stay different.
 */
export const plainTypography = (text: string): string =>
  FOLDS.reduce(
    (folded, [found, plain]) => folded.replace(found, plain),
    // Thin and non-breaking blanks are inside French quotation marks.
    text
      .normalize('NFC')
      .replace(/‹[\u00a0\u2009\u202f]|[\u00a0\u2009\u202f]›/g, "'")
      .replace(/\s+/g, ' '),
  )
    .trim()
    .toLowerCase()

/** Maximum number of words in a search: more take time and help little. */
export const MAX_WORDS = 8

/** Words that join others and have no topic in any of these languages. Two texts with only such a word in common are not related. */
export const JOINTS: readonly string[] =
  'a an the of for to in on at and or with your my our is are do der die das ein eine und für von zu im in le la les un une des du de et pour el los las una y para con het een en van voor'.split(
    ' ',
  )

/**
 * Returns the words of a text for searches: runs of letters and digits in lower case, without duplicates and joints, the first
 * eight.
 */
export const searchWords = (text: string): string[] => {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]{1,100}/gu) ?? [])
  const topics = [...words].filter((word) => !JOINTS.includes(word))
  return (topics.length > 0 ? topics : [...words]).slice(0, MAX_WORDS)
}

/** Returns the plural or singular of a word if an `s` makes it, so that `bikes` is near `bike`; else the word. */
export const otherNumber = (word: string): string => {
  if (!/^[a-z]{3,}$/.test(word) || word.endsWith('ss')) return word
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`
}
