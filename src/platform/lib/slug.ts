import transliterate from '@sindresorhus/transliterate'

/** The slugs of a text: the usual one, and those of languages (by label) that write it differently. */
export type SlugChoice = { usual: string; byLanguage: Record<string, string> }

/** Choice for a text that gives no slug. */
export const NO_SLUG: SlugChoice = { usual: '', byLanguage: {} }

/** Returns the slug for a language. */
export const slugOf = ({ usual, byLanguage }: SlugChoice, language: string): string => byLanguage[language] ?? usual

/** Longest slug, characters. */
export const MAX_SLUG = 80

/** Returns a slug of at most `max` characters, cut between words if it has several. */
export const cutSlug = (slug: string, max: number): string => {
  if (slug.length <= max) return slug
  const atWord = slug.slice(0, max + 1).lastIndexOf('-')
  return (atWord > 0 ? slug.slice(0, atWord) : slug.slice(0, max)).replace(/(?<!-)-+$/, '')
}

/** Letters and digits of other widths and shapes: `ＳＥＯ`, `ﬁ`, `𝐒`, `H₂O`, `№`, `Ⅷ`, `Ǆ`. */
const SHAPES =
  /[\u00B2\u00B3\u00B9\u0132\u0133\u01C4-\u01CC\u01F1-\u01F3\u2070-\u209C\u2116\u2160-\u217F\u2460-\u24FF\uFB00-\uFB06\uFF01-\uFFDC\u{1D400}-\u{1D7FF}]+/gu
/** Characters that nobody sees, such as soft hyphens and direction marks. The one that ends a part of a Persian word stays. */
const INVISIBLE = /(?!\u200C)[\p{Cf}\p{Variation_Selector}]/gu
const FRACTIONS = /[\u00BC-\u00BE\u2150-\u215E]/g

/** Returns a text with plain Latin letters and digits, and with fractions as separate words: `1½` is `1 1/2`. */
export const plainLetters = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    // A sign for money is not read as a letter: `50€`.
    .replace(/\p{Sc}/gu, ' ')
    .replace(SHAPES, (letters) => letters.normalize('NFKC'))
    .replace(FRACTIONS, (fraction) => ` ${fraction.normalize('NFKC').replace('\u2044', '/')} `)

/** Returns a text in Latin letters as far as they are known, for any language. */
export const toLatin = (text: string): string => transliterate(plainLetters(text))

/** Returns a URL slug of Latin letters; letters of other scripts are left out. */
export const slugOfLatin = (text: string): string => {
  const slug = text
    .toLowerCase()
    .replace(/['’‘ʼ′＇]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  return cutSlug(slug, MAX_SLUG)
}

/** Returns a URL slug: ASCII letters, digits and single hyphens, at most 80 characters, cut at a word. Empty if nothing is left. */
export const slugify = (text: string): string => slugOfLatin(toLatin(text))
