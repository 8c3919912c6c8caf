/** Services whose keys a caller can save, in the order in which they are used. */
export const KEY_PROVIDERS = ['dataforseo', 'ahrefs'] as const
export type KeyProvider = (typeof KEY_PROVIDERS)[number]

/** Intents of a search. */
export const INTENTS = ['informational', 'navigational', 'commercial', 'transactional'] as const
type Intent = (typeof INTENTS)[number]

/** Sources of keywords: the service's own account, or the caller's own keys of a provider. */
export const KEYWORD_SOURCES = ['service', 'byo_dataforseo', 'byo_ahrefs'] as const
export type KeywordSource = (typeof KEYWORD_SOURCES)[number]

/** Keyword with the metrics of a service; null for those it does not know. */
export type KeptKeyword = {
  keyword: string
  /** Searches a month. */
  searchVolume: number | null
  /** 0 (easy) to 100. */
  difficulty: number | null
  intent: Intent | null
}
