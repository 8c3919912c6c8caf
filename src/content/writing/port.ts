import type { SeoSeverity } from '../../../schema/values/seo.ts'
import type { RequiredLink, WritingBrief } from '../articles/writing-brief.ts'

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
