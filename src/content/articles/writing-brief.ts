import * as z from 'zod/mini'

/** Link that the text must have, with its anchor text. */
const Link = z.object({ url: z.string(), anchor: z.string() })
export type RequiredLink = z.infer<typeof Link>

/** Settings for an article's pictures. */
const Illustrations = z.object({
  /** Free text; may be empty. */
  style: z.string(),
  instructions: z.string(),
  /** `#rrggbb`; undefined if the project has not set one. */
  brandColor: z.optional(z.string()),
  /** Always use a title card as the feature image. */
  showsTitle: z.boolean(),
  /** True if a matching video is embedded. Absent in briefs of earlier releases. */
  videos: z.optional(z.boolean()),
})
export type Illustrations = z.infer<typeof Illustrations>

/**
 * Everything a writer needs to know to write one article.
 *
 * The brief is stored with a writing and sent to the writer Worker, which drops fields that are not here.
 */
export const Brief = z.object({
  keyword: z.string(),
  title: z.string(),
  articleStyle: z.string(),
  /** Instructions of the project and of the article as people wrote them; may be empty. */
  instructions: z.object({ project: z.string(), article: z.string() }),
  language: z.string(),
  tone: z.string(),
  writingProfile: z.string(),
  productPositioning: z.string(),
  business: z.object({
    name: z.string(),
    /** Other names of the business. Absent in briefs of earlier releases. */
    aliases: z.optional(z.array(z.string())),
    websiteUrl: z.string(),
    description: z.string(),
    audience: z.array(z.string()),
    /** Places that the business serves; may be empty. Absent in briefs of earlier releases. */
    location: z.optional(z.string()),
    /** Subjects of the site found by the scan; empty if the project turned brand intelligence off. */
    topics: z.optional(z.array(z.string())),
  }),
  wordCount: z.number(),
  metaDescription: z.object({ maxLength: z.number() }),
  bannedPhrases: z.array(z.string()),
  strictBannedPhrases: z.boolean(),
  /** Domains that must not be linked or praised. */
  competitors: z.array(z.string()),
  exchangePartners: z.array(Link),
  internalLinks: z.array(Link),
  /** Number of internal links that the project wants. */
  internalLinksWanted: z.number(),
  callToAction: z.object({ intensity: z.enum(['None', 'Soft', 'Direct']), url: z.nullable(z.string()) }),
  firstPerson: z.boolean(),
  tableOfContents: z.boolean(),
  avoidFormulaicEndings: z.boolean(),
  operationalExamples: z.boolean(),
  images: z.object({ featureImage: z.string(), style: z.string() }),
  /** Settings for the service's own writer. Absent in briefs of earlier releases. */
  illustrations: z.optional(Illustrations),
  htmlRules: z.array(z.string()),
})
export type WritingBrief = z.infer<typeof Brief>
