/** What is known of a business and its site, for finding keywords. */
export type KeywordInput = {
  /** Language tag (`en`), and the project's label and region. */
  tag: string
  language: string
  region: string
  businessName: string
  description: string
  audience: readonly string[]
  /** Phrases the site is about, best first. */
  topics: readonly string[]
  /** What the project's pillar pages are about, in words. */
  pillars: readonly string[]
  pages: readonly { title: string; keyword: string; description: string }[]
  /** Domains. */
  competitors: readonly string[]
  /** The most keywords wanted. */
  limit: number
}

/** One keyword; volume (searches a month) and difficulty (0–100) are null where nobody measured them. */
export type FoundKeyword = { keyword: string; searchVolume: number | null; difficulty: number | null; source: string }

/** What the site and its owner say, as keywords. Nobody is asked. */
export type SiteWords = {
  /** Things the business is about, best first: phrases a service can be asked about. */
  seeds: (input: KeywordInput) => string[]
  /** Keywords made of them, best first. */
  keywords: (input: KeywordInput) => string[]
}
