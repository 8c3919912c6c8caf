/** Facts about a business and its site, for finding keywords. */
export type KeywordInput = {
  /** Language tag (`en`), then the label of the language and the region of the project. */
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
  /** Most keywords to return. */
  limit: number
}

/** A keyword. Volume (searches a month) and difficulty (0–100) are null if they were not measured. */
export type FoundKeyword = { keyword: string; searchVolume: number | null; difficulty: number | null; source: string }

/** Keywords made of the words of the site and its owner, without a service. */
export type SiteWords = {
  /** Returns the subjects of the business, best first, as phrases for which a provider has keywords. */
  seeds: (input: KeywordInput) => string[]
  /** Returns keywords made of these subjects, best first. */
  keywords: (input: KeywordInput) => string[]
}
