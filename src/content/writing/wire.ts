import * as z from 'zod/mini'
import type { Headline, Outline, WritingBrief } from './port.ts'

const Link = z.object({ url: z.string(), anchor: z.string() })

/** A brief as it is stored with a writing and sent to the writer. */
export const Brief = z.object({
  keyword: z.string(),
  title: z.string(),
  articleStyle: z.string(),
  instructions: z.object({ project: z.string(), article: z.string() }),
  language: z.string(),
  tone: z.string(),
  writingProfile: z.string(),
  productPositioning: z.string(),
  business: z.object({
    name: z.string(),
    aliases: z.optional(z.array(z.string())),
    websiteUrl: z.string(),
    description: z.string(),
    audience: z.array(z.string()),
    location: z.optional(z.string()),
    topics: z.optional(z.array(z.string())),
  }),
  wordCount: z.number(),
  metaDescription: z.object({ maxLength: z.number() }),
  bannedPhrases: z.array(z.string()),
  strictBannedPhrases: z.boolean(),
  competitors: z.array(z.string()),
  exchangePartners: z.array(Link),
  internalLinks: z.array(Link),
  internalLinksWanted: z.number(),
  callToAction: z.object({ intensity: z.enum(['None', 'Soft', 'Direct']), url: z.nullable(z.string()) }),
  firstPerson: z.boolean(),
  tableOfContents: z.boolean(),
  avoidFormulaicEndings: z.boolean(),
  operationalExamples: z.boolean(),
  images: z.object({ featureImage: z.string(), style: z.string() }),
  illustrations: z.optional(
    z.object({
      style: z.string(),
      instructions: z.string(),
      brandColor: z.optional(z.string()),
      showsTitle: z.boolean(),
      videos: z.optional(z.boolean()),
    }),
  ),
  htmlRules: z.array(z.string()),
}) satisfies z.ZodMiniType<WritingBrief>

/** Longest outline, sections with the introduction. */
const MAX_SECTIONS = 24

export const OutlineShape = z.object({
  title: z.string().check(z.maxLength(500)),
  metaDescription: z.string().check(z.maxLength(2_000)),
  sections: z
    .array(
      z.object({
        heading: z.string().check(z.maxLength(300)),
        points: z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(30)),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_SECTIONS)),
}) satisfies z.ZodMiniType<Outline>

const input = () => ({ brief: Brief, notes: z.string() })

/** Bodies of the writer Worker's steps. */
export const OutlineRequest = z.object(input())
export const SectionRequest = z.object({
  ...input(),
  outline: OutlineShape,
  index: z.int().check(z.gte(0), z.lt(MAX_SECTIONS)),
  written: z.array(z.string()),
})
export const RepairRequest = z.object({
  ...input(),
  outline: OutlineShape,
  html: z.string(),
  failures: z.array(
    z.object({
      check: z.string(),
      severity: z.enum(['error', 'warning', 'notice']),
      message: z.string(),
      fix: z.string(),
    }),
  ),
})

export const HeadlineShape = z.object({
  title: z.string().check(z.maxLength(500)),
  metaDescription: z.string().check(z.maxLength(2_000)),
}) satisfies z.ZodMiniType<Headline>

export const HeadlineRequest = z.object({
  ...input(),
  headline: HeadlineShape,
  queries: z.array(z.string()),
  faults: z.array(z.string()),
})

/** Body of a picture's step. */
export const ImageRequest = z.object({ prompt: z.string().check(z.minLength(1), z.maxLength(8_000)) })

const Refused = z.object({
  kind: z.literal('refused'),
  reason: z.string().check(z.maxLength(2_000)),
  retryable: z.boolean(),
  retryAfterS: z.optional(z.number().check(z.gte(0))),
})

const MAX_HTML = 1_200_000
const Html = z.object({ kind: z.literal('done'), value: z.string().check(z.maxLength(MAX_HTML)) })

/** Answers of the writer Worker's steps. */
export const OutlineAnswer = z.union([z.object({ kind: z.literal('done'), value: OutlineShape }), Refused])
export const SectionAnswer = z.union([Html, Refused])
const Kept = z.object({ kind: z.literal('kept') })
export const RepairAnswer = z.union([Html, Refused, Kept])
export const HeadlineAnswer = z.union([z.object({ kind: z.literal('done'), value: HeadlineShape }), Refused, Kept])
