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
