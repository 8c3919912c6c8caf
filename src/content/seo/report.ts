/** Settings and facts that an article is judged by, besides its own words. */
export type SeoExpectations = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  /** Address of the picture at its head, empty without one; absent where the service adds one itself. */
  featureImage?: string | undefined
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
