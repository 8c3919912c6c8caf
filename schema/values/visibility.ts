/** Answer engines, in the order in which they are shown. */
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

/** Verdicts on how an answer treats the business. `no_data`: there is no answer, or none that can be judged, for a reason. */
export const VERDICTS = ['cited', 'mentioned', 'not_cited', 'no_data'] as const
export type Verdict = (typeof VERDICTS)[number]

/** States of an answer: not received yet, or its verdict. */
export const ANSWER_STATES = ['open', ...VERDICTS] as const

/** Sources of an answer: the engine's API, or a page of search results. */
export const SURFACES = ['api', 'serp'] as const
export type Surface = (typeof SURFACES)[number]

/** Reasons for a missing answer, and for one that cannot be judged. */
export const GAP_REASONS = [
  'unclear',
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

/** Page that an answer cites. `site`: the business's own, a competitor's, or any other. */
export type Citation = { url: string; title: string; domain: string; site: 'own' | 'competitor' | 'other' }

type Count = { answers: number; cited: number; mentioned: number; citations: number }

/** Counts of one engine in one scan; `reasons` counts the missing answers. */
export type EngineCounts = Count & { engine: Engine; gaps: number; reasons: Partial<Record<GapReason, number>> }

/** Model that an engine offers. `reasons`: it thinks before it answers. `queued`: it answers through a queued task. */
export type OfferedModel = { name: string; reasons: boolean; searches: boolean; queued: boolean }

/** Model of one engine in one scan: the one that was asked, and the name of the one that answered. */
export type ScanModel = { asked?: OfferedModel; answered?: string }
export type ScanModels = Partial<Record<Engine, ScanModel>>

type DomainCount = { domain: string; citations: number }

/** Data of a scan's views, computed once when it ends. */
export type ScanViews = {
  prompts: { id: number; engines: EngineCounts[] }[]
  competitors: DomainCount[]
  other: DomainCount[]
  pages: { url: string; citations: number; engines: Engine[] }[]
}
