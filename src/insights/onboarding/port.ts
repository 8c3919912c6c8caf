/** Facts about a business and its site, for finding keywords. */
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
  /** Subjects of the project's pillar pages, in words. */
  pillars: readonly string[]
  pages: readonly { title: string; keyword: string; description: string }[]
  /** Domains. */
  competitors: readonly string[]
  /** The most keywords wanted. */
  limit: number
}

/** One keyword; volume (searches a month) and difficulty (0–100) are null if nobody measured them. */
export type FoundKeyword = { keyword: string; searchVolume: number | null; difficulty: number | null; source: string }

/** Words of the site and its owner, as keywords. No service is asked. */
export type SiteWords = {
  /** Things the business is about, best first: phrases a service can be asked about. */
  seeds: (input: KeywordInput) => string[]
  /** Keywords made of them, best first. */
  keywords: (input: KeywordInput) => string[]
}
