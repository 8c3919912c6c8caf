/**
 * States of a page in Google's index.
 *
 * `not_measured`: Google was not asked about it yet, or does not answer for its address.
 */
export const INDEX_STATES = [
  'indexed',
  'crawled',
  'discovered',
  'unknown',
  'blocked',
  'canonical_elsewhere',
  'unreachable',
  'other',
  'not_measured',
] as const
export type IndexState = (typeof INDEX_STATES)[number]

/** Answer of Google's URL Inspection, in its own words. A value that Google left out is null. */
export type IndexFacts = {
  coverage: string | null
  verdict: string | null
  robots: string | null
  indexing: string | null
  fetch: string | null
  crawled_at: string | null
  google_canonical: string | null
  user_canonical: string | null
  link: string | null
  /** Number of pages that lead to it, among those that Google names. */
  referring: number
  /** Reason for `not_measured`. */
  reason?: string
  /** True if a stand-in made the answer up. */
  sandbox?: true
}

/** Sitemap that Search Console knows, with what Google found in it. */
export type WatchedSitemap = {
  path: string
  type: string | null
  submitted_at: string | null
  read_at: string | null
  is_pending: boolean
  errors: number
  warnings: number
  /** Number of addresses in it; null if Google does not say. */
  addresses: number | null
}

/** Causes that our own checks find for a page that Google does not list. */
export const INDEX_CAUSES = ['robots', 'noindex', 'unreachable', 'canonical', 'duplicate', 'thin', 'orphan'] as const
export type IndexCause = (typeof INDEX_CAUSES)[number]
