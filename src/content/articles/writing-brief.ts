/** A link the text has to carry, and the words that carry it. */
export type RequiredLink = { url: string; anchor: string }

/** Settings of the pictures of an article. */
export type Illustrations = {
  /** Free words; may be empty. */
  style: string
  instructions: string
  /** `#rrggbb`; undefined where the project has set none. */
  brandColor?: string | undefined
  /** The feature image shows the title on the brand's colour, whatever else could be made. */
  showsTitle: boolean
  /** A video that fits is embedded; absent in briefs of earlier releases. */
  videos?: boolean | undefined
}

/** Everything a writer, ours or the caller's, needs to know to write one article. */
export type WritingBrief = {
  keyword: string
  title: string
  articleStyle: string
  /** Instructions of the project and the article in their own words; may be empty. */
  instructions: { project: string; article: string }
  language: string
  tone: string
  writingProfile: string
  productPositioning: string
  business: {
    name: string
    /** Other names the business goes by. Absent in briefs of earlier releases. */
    aliases?: readonly string[] | undefined
    websiteUrl: string
    description: string
    audience: readonly string[]
    /** Places that the business serves; may be empty. Absent in briefs of earlier releases. */
    location?: string | undefined
    /** Subjects of its site, as the scan found them; empty if the project wants no brand intelligence. */
    topics?: readonly string[] | undefined
  }
  wordCount: number
  metaDescription: { maxLength: number }
  bannedPhrases: readonly string[]
  strictBannedPhrases: boolean
  /** Domains never to be linked or praised. */
  competitors: readonly string[]
  exchangePartners: readonly RequiredLink[]
  internalLinks: readonly RequiredLink[]
  /** Number of internal links that the project asks for. */
  internalLinksWanted: number
  callToAction: { intensity: 'None' | 'Soft' | 'Direct'; url: string | null }
  firstPerson: boolean
  tableOfContents: boolean
  avoidFormulaicEndings: boolean
  operationalExamples: boolean
  images: { featureImage: string; style: string }
  /** Additions of the service's own writer; absent in briefs of earlier releases. */
  illustrations?: Illustrations | undefined
  htmlRules: readonly string[]
}
