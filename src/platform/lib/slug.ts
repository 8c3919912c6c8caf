import transliterate from '@sindresorhus/transliterate'

/** The slug of a text: the usual one, and those of languages (by label) that write it otherwise. */
export type SlugChoice = { usual: string; byLanguage: Record<string, string> }

/** Choice for a text that no slug can be made of. */
export const NO_SLUG: SlugChoice = { usual: '', byLanguage: {} }

/** Returns the slug for a language. */
export const slugOf = ({ usual, byLanguage }: SlugChoice, language: string): string => byLanguage[language] ?? usual

/** Longest slug, characters. */
export const MAX_SLUG = 80

/** Returns a slug of at most `max` characters, cut between words where it has more than one. */
export const cutSlug = (slug: string, max: number): string => {
  if (slug.length <= max) return slug
  const atWord = slug.slice(0, max + 1).lastIndexOf('-')
  return (atWord > 0 ? slug.slice(0, atWord) : slug.slice(0, max)).replace(/(?<!-)-+$/, '')
}

/** Returns a text whose Latin letters and digits of other widths and shapes (`ＳＥＯ`, `ﬁ`, `𝐒`) are plain ones. */
export const plainLetters = (text: string): string =>
  text.replace(/[\uFB00-\uFB06\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/gu, (letter) => letter.normalize('NFKC'))

/** Returns a text in Latin letters as far as they are known, whatever its language. */
export const toLatin = (text: string): string => transliterate(plainLetters(text))

/** Returns a URL slug of Latin letters; letters of other scripts are left out. */
export const slugOfLatin = (text: string): string => {
  const slug = text
    .toLowerCase()
    .replace(/['’ʼ]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  return cutSlug(slug, MAX_SLUG)
}

/** Returns a URL slug: ASCII letters, digits and single hyphens, at most 80 characters cut at a word; empty when nothing is left. */
export const slugify = (text: string): string => slugOfLatin(toLatin(text))
