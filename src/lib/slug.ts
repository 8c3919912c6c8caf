import transliterate from '@sindresorhus/transliterate'

const MAX_SLUG = 80

/** A URL slug: ASCII letters, digits and single hyphens, at most 80 characters cut at a word; empty when nothing is left. */
export const slugify = (text: string): string => {
  const slug = transliterate(text)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (slug.length <= MAX_SLUG) return slug
  const cut = slug.slice(0, MAX_SLUG + 1)
  const atWord = cut.lastIndexOf('-')
  return (atWord > 0 ? cut.slice(0, atWord) : slug.slice(0, MAX_SLUG)).replace(/-+$/, '')
}
