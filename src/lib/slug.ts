import transliterate from '@sindresorhus/transliterate'

/** Longest slug, characters. */
export const MAX_SLUG = 80

/** A slug of at most `max` characters, cut between words where it has more than one. */
export const cutSlug = (slug: string, max: number): string => {
  if (slug.length <= max) return slug
  const atWord = slug.slice(0, max + 1).lastIndexOf('-')
  return (atWord > 0 ? slug.slice(0, atWord) : slug.slice(0, max)).replace(/(?<!-)-+$/, '')
}

/** A text whose Latin letters and digits of other widths and shapes (`ＳＥＯ`, `ﬁ`, `𝐒`) are plain ones. */
const plainLetters = (text: string): string =>
  text.replace(/[\uFB00-\uFB06\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/gu, (letter) => letter.normalize('NFKC'))

/** A URL slug: ASCII letters, digits and single hyphens, at most 80 characters cut at a word; empty when nothing is left. */
export const slugify = (text: string): string => {
  const slug = transliterate(plainLetters(text))
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  return cutSlug(slug, MAX_SLUG)
}
