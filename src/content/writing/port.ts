import * as z from 'zod/mini'
import type { SeoSeverity } from '../../../schema/values/seo.ts'
import { Brief, type RequiredLink, type WritingBrief } from '../articles/writing-brief.ts'
import type { Cards } from '../cards/client.ts'

export { Brief, type RequiredLink, type WritingBrief }

/** Plan of an article, made before its sections. */
export type Outline = {
  title: string
  metaDescription: string
  /** The first section is the introduction, without a heading. All others have one. */
  sections: { heading: string; points: readonly string[] }[]
}

/** Fault of a text and how to fix it: a failed check, or the purpose of a rewrite. */
export type Fault = { check: string; severity: SeoSeverity; message: string; fix: string }

/** Texts that searchers read before they open an article. */
export type Headline = { title: string; metaDescription: string }

/** Input of every step: the brief, and the caller's notes (HTML, Markdown or text). */
export type WriterInput = { brief: WritingBrief; notes: string }

/**
 * Result of one step of writing.
 *
 * `refused` is a failure. `retryable` is true if the same step may succeed later; `retryAfterS` is the provider's delay, if it
 * gave one.
 */
export type WriterResult<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number }

/**
 * Writes an article in steps that each fit in a job's time. Does not throw if a provider fails.
 *
 * Steps have no state and get all their input, so each can be repeated.
 */
export type Writer = {
  /** Plans the title, description and sections. */
  outline: (input: WriterInput) => Promise<WriterResult<Outline>>
  /** Writes one section as HTML without its own heading. `written` has the sections before it. */
  section: (
    input: WriterInput & { outline: Outline; index: number; written: readonly string[] },
  ) => Promise<WriterResult<string>>
  /**
   * Repairs a whole article that failed checks, and returns the new HTML. `kept`: the text is the caller's own and stays.
   *
   * `queries` are searches that found the article.
   */
  repair: (
    input: WriterInput & { outline: Outline; html: string; failures: readonly Fault[]; queries?: string[] | undefined },
  ) => Promise<WriterResult<string> | { kind: 'kept' }>
  /**
   * Rewrites title and description of a live article, whose text is in `notes`. `queries` are searches that found it.
   *
   * `faults` are reasons why the last proposals were rejected. `kept`: the writer cannot write new text.
   */
  headline: (
    input: WriterInput & { headline: Headline; queries: readonly string[]; faults: readonly string[] },
  ) => Promise<WriterResult<Headline> | { kind: 'kept' }>
}

/** Video found by a search. Only its title describes it. */
export type VideoOffer = { id: string; title: string; isLive: boolean }

/** Result of a video search. `closed`: no key is set up. `failed`: the provider did not return videos. */
export type VideoOffers =
  | { kind: 'offers'; offers: VideoOffer[] }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string }

/** Searches for videos that may be embedded. Never throws. */
export type VideoSearch = { isOpen: boolean; search: (words: string, languageTag: string) => Promise<VideoOffers> }

/** Result of making a picture. `none`: no model is set up. `failed`: no picture was made this time. */
export type PictureResult =
  | { kind: 'made'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'none' }
  | { kind: 'failed'; reason: string }

/** Makes one landscape picture from a description. Never throws. */
export type ImageMaker = { make: (prompt: string) => Promise<PictureResult> }

/** Sources for an article's pictures: a model, title cards, and videos by others. */
export type Pictures = { images: ImageMaker; cards: Cards; videos: VideoSearch }

/** Largest picture accepted from a model, in bytes. Several are in memory at once. */
export const MAX_PICTURE_BYTES = 4 * 1024 * 1024

/** Most sections of an outline, with the introduction. */
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

/** Bodies of requests to the writer Worker. */
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
  queries: z.optional(z.array(z.string())),
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

/** Body of a request for a picture. */
export const ImageRequest = z.object({ prompt: z.string().check(z.minLength(1), z.maxLength(8_000)) })

const Refused = z.object({
  kind: z.literal('refused'),
  reason: z.string().check(z.maxLength(2_000)),
  retryable: z.boolean(),
  retryAfterS: z.optional(z.number().check(z.gte(0))),
})

const MAX_HTML = 1_200_000
const Html = z.object({ kind: z.literal('done'), value: z.string().check(z.maxLength(MAX_HTML)) })

/** Responses of the writer Worker. */
export const OutlineAnswer = z.union([z.object({ kind: z.literal('done'), value: OutlineShape }), Refused])
export const SectionAnswer = z.union([Html, Refused])
const Kept = z.object({ kind: z.literal('kept') })
export const RepairAnswer = z.union([Html, Refused, Kept])
export const HeadlineAnswer = z.union([z.object({ kind: z.literal('done'), value: HeadlineShape }), Refused, Kept])
