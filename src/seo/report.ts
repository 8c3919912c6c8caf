/** Every check of an article's SEO, by the name answers give it. */
export const SEO_CHECKS = [
  'keyword_in_title',
  'keyword_in_introduction',
  'keyword_in_slug',
  'keyword_in_heading',
  'title_length',
  'meta_description_length',
  'heading_structure',
  'heading_ids',
  'table_of_contents',
  'word_count',
  'internal_links',
  'broken_internal_links',
  'exchange_links',
  'competitor_links',
  'citations',
  'image_alt_text',
  'banned_phrases',
  'readability',
  'duplicate_content',
] as const
export type SeoCheck = (typeof SEO_CHECKS)[number]

/** How much a failed check matters: an `error` keeps the writer from handing the article over. */
export type SeoSeverity = 'error' | 'warning' | 'notice'

export type SeoFailure = { check: SeoCheck; severity: SeoSeverity; message: string; fix: string }

/** The report every save carries. `score` is 0 to 100; `passed` names checks, `failed` says what is wrong and how to mend it. */
export type SeoReport = { score: number; passed: SeoCheck[]; failed: SeoFailure[] }

/** What an article is judged against, besides its own words. */
export type SeoExpectations = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  /** The project's language label, for example `English (US)`. */
  language: string
  /** Words the brief asks for. */
  wordCount: number
  tableOfContents: boolean
  /** Links to own pages the project asks for. */
  internalLinks: number
  /** The project's site, as `siteKey` makes it: links below it are internal. */
  siteKey: string
  /** Keys (`pageKey`) of the linked own pages that are known to exist; null when the site was never scanned. */
  knownPages: ReadonlySet<string> | null
  /** Sites (`siteKey`) of the exchange partners committed to the article. */
  exchangeSites: readonly string[]
  /** Domains never to be linked. */
  competitors: readonly string[]
  bannedPhrases: readonly string[]
  /** The article of the project this one repeats, with the share of common shingles (0 to 1); null when none does. */
  duplicateOf: { articleId: number; title: string; share: number } | null
}
