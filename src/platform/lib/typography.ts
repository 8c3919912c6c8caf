/** Changes of a text by WordPress's `wptexturize` and its like, folded back to what a keyboard writes. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′‵´`＇]/g, "'"],
  [/[“”„‟″‶«»＂]|''/g, '"'],
  [/‴/g, '\'"'],
  // Thin and hard blanks stand inside of French quotation marks.
  [/(?:(?<!\s)\s+)?"\s*/g, '"'],
  [/[‐‑‒–—―−]|-{2,3}/g, '-'],
  [/…|\. \. \./g, '...'],
  [/(?<=\d)\s*[×x]\s*(?=\d)/gi, 'x'],
  [/™/g, '(tm)'],
  [/\u00ad|[\u200b-\u200d\u2060\ufeff]/g, ''],
]

/**
 * Returns a text to compare titles by: quotes, primes, dashes, dots, signs between numbers and blanks made plain, in lower case.
 * Two titles that differ in words stay different.
 */
export const plainTypography = (text: string): string =>
  FOLDS.reduce((folded, [found, plain]) => folded.replace(found, plain), text.normalize('NFC').replace(/\s+/g, ' '))
    .trim()
    .toLowerCase()
