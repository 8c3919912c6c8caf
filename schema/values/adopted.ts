/**
 * Forms in which a CMS stores a text. `blocks`, `classic`: WordPress with and without block comments. `lexical`, `mobiledoc`: JSON of
 * Ghost. `html`: HTML of any other CMS. `page`: read from the live page, because nothing else returns it.
 */
export const STORED_FORMATS = ['blocks', 'classic', 'lexical', 'mobiledoc', 'html', 'page'] as const
export type StoredFormat = (typeof STORED_FORMATS)[number]

/** Maker of an article's post: the service, or the site before the service was connected. */
export const ORIGINS = ['own', 'adopted'] as const
export type Origin = (typeof ORIGINS)[number]

/** Fields of a post as it was found. */
export type FoundFields = {
  title: string
  slug: string
  author: string | null
  language: string | null
  excerpt: string
  metaDescription: string
  seoTitle: string
  canonicalUrl: string
  tags: readonly string[]
  categories: readonly string[]
  image: { url: string; alt: string } | null
  /** Group that may read it, if not everybody may. */
  onlyFor: string | null
}

/** `running`: posts are being adopted. `stopped`: it ended early, for the reason in `error`. */
export const ADOPTION_STATES = ['running', 'done', 'stopped'] as const

/** Post that was not adopted, and why. */
export type AdoptionProblem = { post_id: string; reason: string }
