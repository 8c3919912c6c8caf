/** Kinds of files of Bing's AI performance report: cited pages, the searches behind the answers, and citations by day. */
export const BING_KINDS = ['pages', 'queries', 'days'] as const
export type BingKind = (typeof BING_KINDS)[number]

/** Row of such a file: a page, a search or a day, and how often AI answers cited the site for it. */
export type BingRow = { name: string; citations: number }
