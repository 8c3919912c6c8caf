/** Link that the text must have, with its anchor text. */
export type RequiredLink = { url: string; anchor: string }

/** Settings for an article's pictures. */
export type Illustrations = {
  /** Free text; may be empty. */
  style: string
  instructions: string
  /** `#rrggbb`; undefined if the project has not set one. */
  brandColor?: string | undefined
  /** Always use a title card as the feature image. */
  showsTitle: boolean
  /** True if a matching video is embedded. Absent in briefs of earlier releases. */
  videos?: boolean | undefined
}

/** Everything a writer needs to know to write one article. */
export type WritingBrief = {
  keyword: string
  title: string
  articleStyle: string
  /** Instructions of the project and of the article as people wrote them; may be empty. */
  instructions: { project: string; article: string }
  language: string
  tone: string
  writingProfile: string
  productPositioning: string
  business: {
    name: string
    /** Other names of the business. Absent in briefs of earlier releases. */
    aliases?: readonly string[] | undefined
    websiteUrl: string
    description: string
    audience: readonly string[]
    /** Places that the business serves; may be empty. Absent in briefs of earlier releases. */
    location?: string | undefined
    /** Subjects of the site found by the scan; empty if the project turned brand intelligence off. */
    topics?: readonly string[] | undefined
  }
  wordCount: number
  metaDescription: { maxLength: number }
  bannedPhrases: readonly string[]
  strictBannedPhrases: boolean
  /** Domains that must not be linked or praised. */
  competitors: readonly string[]
  exchangePartners: readonly RequiredLink[]
  internalLinks: readonly RequiredLink[]
  /** Number of internal links that the project wants. */
  internalLinksWanted: number
  callToAction: { intensity: 'None' | 'Soft' | 'Direct'; url: string | null }
  firstPerson: boolean
  tableOfContents: boolean
  avoidFormulaicEndings: boolean
  operationalExamples: boolean
  images: { featureImage: string; style: string }
  /** Settings for the service's own writer. Absent in briefs of earlier releases. */
  illustrations?: Illustrations | undefined
  htmlRules: readonly string[]
}
