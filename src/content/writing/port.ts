import type { SeoSeverity } from '../../../schema/values/seo.ts'
import type { RequiredLink, WritingBrief } from '../articles/writing-brief.ts'
import type { Cards } from '../cards/port.ts'

export type { RequiredLink, WritingBrief }

export type Outline = {
  title: string
  metaDescription: string
  /** The first is the introduction and has no heading; each later one has one. */
  sections: { heading: string; points: readonly string[] }[]
}

/** Fault of a text, and its remedy: a failed check, or the purpose of a rewrite. */
export type Fault = { check: string; severity: SeoSeverity; message: string; fix: string }

/** Texts that searchers read before they open an article. */
export type Headline = { title: string; metaDescription: string }

export type WriterInput = { brief: WritingBrief; notes: string }

/**
 * Result of one step of writing.
 *
 * `refused` is a typed failure: `retryable` is true if the same step may succeed later, `retryAfterS` the provider's delay, if
 * it gave one.
 */
export type WriterResult<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; reason: string; retryable: boolean; retryAfterS?: number }

/**
 * Writes an article in steps that each fit a job's time. Steps hold no state: whatever a step needs is handed in, so that
 * any of them can be repeated. Never throws for what a provider does.
 */
export type Writer = {
  /** Plans title, description and sections. */
  outline: (input: WriterInput) => Promise<WriterResult<Outline>>
  /** Writes one section as an HTML fragment without its own heading. `written` are the sections before it. */
  section: (
    input: WriterInput & { outline: Outline; index: number; written: readonly string[] },
  ) => Promise<WriterResult<string>>
  /** Repairs a whole article that failed checks; the new HTML. `kept`: the words are the caller's own and stay as they are. */
  repair: (
    input: WriterInput & { outline: Outline; html: string; failures: readonly Fault[] },
  ) => Promise<WriterResult<string> | { kind: 'kept' }>
  /**
   * Words title and description of a live article again, whose text is in `notes`. `queries`: what searchers typed who saw it.
   * `faults`: why those of the last time were not taken. `kept`: the writer has no words of its own.
   */
  headline: (
    input: WriterInput & { headline: Headline; queries: readonly string[]; faults: readonly string[] },
  ) => Promise<WriterResult<Headline> | { kind: 'kept' }>
}

/** A video that is offered; what it is about is told by its title alone. */
export type VideoOffer = { id: string; title: string; isLive: boolean }

/** `closed`: no key is set up. `failed`: nobody answered, or not with videos. */
export type VideoOffers =
  | { kind: 'offers'; offers: VideoOffer[] }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string }

/** Searches for videos that may be embedded. Never throws. */
export type VideoSearch = { isOpen: boolean; search: (words: string, languageTag: string) => Promise<VideoOffers> }

/** `none`: no model is set up. `failed`: none was made this time; an article goes without it. */
export type PictureResult =
  | { kind: 'made'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'none' }
  | { kind: 'failed'; reason: string }

/** Makes one landscape picture by a description. Never throws. */
export type ImageMaker = { make: (prompt: string) => Promise<PictureResult> }

/** Sources of an article's pictures: a model, cards that show its title, and videos of others. */
export type Pictures = { images: ImageMaker; cards: Cards; videos: VideoSearch }

/** The largest picture taken from a model, bytes: several are held at once. */
export const MAX_PICTURE_BYTES = 4 * 1024 * 1024
