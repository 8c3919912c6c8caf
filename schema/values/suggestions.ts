import type { IndexCause, IndexState } from './indexing.ts'

/** Possible improvements of a page, by its search data and by what Google says about it. */
export const OPPORTUNITY_TYPES = [
  'striking_distance',
  'ctr_underperform',
  'declining_page',
  'cannibalisation',
  'dead_page',
  'thin_content',
  'not_indexed',
] as const
export type OpportunityType = (typeof OPPORTUNITY_TYPES)[number]

export const SUGGESTION_STATES = [
  'pending',
  'approved',
  'rewriting',
  'ready',
  'published',
  'rejected',
  'failed',
  'superseded',
] as const
export type SuggestionState = (typeof SUGGESTION_STATES)[number]

/** States in which a suggestion blocks another of its type for the same article. */
export const OPEN_STATES = ['pending', 'approved', 'rewriting', 'ready', 'failed'] as const satisfies SuggestionState[]

/** A version of the fields a rewrite may change. */
export type Wording = { title: string; meta_description: string; content: string }

/** Search numbers of a page in 28 days and in the 28 before. */
export type TriggerNumbers = { clicks: number; impressions: number; position: number | null }

/** Google's answer about a page that it does not list, and the cause that our own checks find. */
type NotIndexed = {
  state: IndexState
  cause: IndexCause | null
  google_says: string | null
  last_crawl_at: string | null
  google_canonical: string | null
}

/** Reason for suggesting a change of a page: its numbers, and the queries concerned. */
export type Trigger = {
  page: string
  period: { starts_on: string; ends_on: string; days: number }
  now: TriggerNumbers
  before: TriggerNumbers | null
  queries: (TriggerNumbers & { query: string })[]
  /** The other page of the project that competes for the same query. */
  other_page: string | null
  /**
   * Clicks of the same two periods a year earlier; null if they are unknown. Absent in suggestions of earlier releases.
   */
  last_year?: { clicks: number; clicks_before: number } | null
  expected_clicks: number
  /** Only of `not_indexed`. */
  index?: NotIndexed
}

/** Differences between the page that readers saw at the time of the rewrite, and the text saved here. */
export type LivePage = {
  url: string | null
  read_at: string
  /**
   * `edited`: the page says something that the saved text does not. `unread`: it could not be read; `reason` says why.
   */
  state: 'same' | 'edited' | 'unread'
  reason: string | null
  /** Sentences that only the live page has, the first twenty. */
  only_live: string[]
  only_live_count: number
  only_saved_count: number
  title_changed: boolean
}

/** Rewrite in progress, with the results of its steps so far. */
export type Making = {
  /** Revision being rewritten. Results for another revision are discarded. */
  revision: number
  live?: LivePage
  /** The writer's text; null if it does not change the words. */
  html?: string | null
  /** The writer's title and description; null if the page keeps its own. */
  wording?: Pick<Wording, 'title' | 'meta_description'> | null
  /** Faults of the writer's last text in this step. */
  faults: string[]
  /** Number of the writer's attempts in this step. */
  asked: number
}
