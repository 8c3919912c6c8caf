/** The answer engines that are asked, in the order they are shown. */
export const ENGINES = ['chatgpt', 'perplexity', 'gemini', 'google_ai_overview', 'google_ai_mode'] as const
export type Engine = (typeof ENGINES)[number]
/** Usual name of each engine. */
export const ENGINE_LABELS: Record<Engine, string> = {
  chatgpt: 'ChatGPT',
  perplexity: 'Perplexity',
  gemini: 'Gemini',
  google_ai_overview: 'Google AI Overview',
  google_ai_mode: 'Google AI Mode',
}

/** Authors of a prompt: the caller, or the service from the business context. */
export const PROMPT_SOURCES = ['own', 'auto'] as const

export const SCAN_KINDS = ['manual', 'weekly'] as const
export type ScanKind = (typeof SCAN_KINDS)[number]

export const SCAN_STATES = ['running', 'completed', 'failed'] as const

/** Verdicts of an answer on the business. `no_data`: there is no answer, and a reason. */
export const VERDICTS = ['cited', 'mentioned', 'not_cited', 'no_data'] as const
export type Verdict = (typeof VERDICTS)[number]

/** States of an answer: still to be asked for, or its verdict. */
export const ANSWER_STATES = ['open', ...VERDICTS] as const

/** True if the engine was asked over its interface for programs, or read from a page of search results. */
export const SURFACES = ['api', 'serp'] as const
export type Surface = (typeof SURFACES)[number]

/** Reasons for a missing answer. */
export const GAP_REASONS = [
  'no_answer_shown',
  'not_configured',
  'provider_unavailable',
  'provider_timeout',
  'provider_rate_limited',
  'provider_refused',
  'provider_unpaid',
  'provider_malformed',
  'prompt_refused',
  'project_archived',
  'internal',
] as const
export type GapReason = (typeof GAP_REASONS)[number]

/** A page an answer cites. `site`: the business's own, the competitor's domain, or nobody's we know. */
export type Citation = { url: string; title: string; domain: string; site: 'own' | 'competitor' | 'other' }

type Count = { answers: number; cited: number; mentioned: number; citations: number }

/** The counts of one scan over one engine; `reasons` counts its gaps. */
export type EngineCounts = Count & { engine: Engine; gaps: number; reasons: Partial<Record<GapReason, number>> }

/** A model as its engine offers it. `reasons`: it thinks before it answers; `queued`: it is asked by a task that waits. */
export type OfferedModel = { name: string; reasons: boolean; searches: boolean; queued: boolean }

/** The model of one engine in one scan: the one that is asked, and those that answered, by their own names. */
export type ScanModel = { asked?: OfferedModel; answered?: string }
export type ScanModels = Partial<Record<Engine, ScanModel>>

type DomainCount = { domain: string; citations: number }

/** Data of the views of a scan, counted once when it ends. */
export type ScanViews = {
  prompts: { id: number; engines: EngineCounts[] }[]
  competitors: DomainCount[]
  other: DomainCount[]
  pages: { url: string; citations: number; engines: Engine[] }[]
}
