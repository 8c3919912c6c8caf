/** Possible improvements of a page, by its search data. */
export const OPPORTUNITY_TYPES = [
  'striking_distance',
  'ctr_underperform',
  'declining_page',
  'cannibalisation',
  'dead_page',
  'thin_content',
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

/** States in which a suggestion stands in the way of another of its type for the same article. */
export const OPEN_STATES = ['pending', 'approved', 'rewriting', 'ready', 'failed'] as const satisfies SuggestionState[]

/** A version of the fields a rewrite may change. */
export type Wording = { title: string; meta_description: string; content: string }

/** Search numbers of a page in 28 days and in the 28 before. */
export type TriggerNumbers = { clicks: number; impressions: number; position: number | null }

/** Reason for the suggestion of a page: its numbers, and the queries it was about. */
export type Trigger = {
  page: string
  period: { starts_on: string; ends_on: string; days: number }
  now: TriggerNumbers
  before: TriggerNumbers | null
  queries: (TriggerNumbers & { query: string })[]
  /** The other page of the project that competes for the same query. */
  other_page: string | null
  /** Clicks of the same two periods a year earlier; null where they are not known. Absent in suggestions of earlier releases. */
  last_year?: { clicks: number; clicks_before: number } | null
  expected_clicks: number
}

/** Differences between the page that readers saw at the time of the rewrite, and the text saved here. */
export type LivePage = {
  url: string | null
  read_at: string
  /** `edited`: it says something the saved text does not. `unread`: it could not be read, for `reason`. */
  state: 'same' | 'edited' | 'unread'
  reason: string | null
  /** Sentences that stand there alone, the first twenty. */
  only_live: string[]
  only_live_count: number
  only_saved_count: number
  title_changed: boolean
}

/** A rewrite that is being made: what its steps have given so far. */
export type Making = {
  /** The revision it is made of. What was made of another one is made again. */
  revision: number
  live?: LivePage
  /** The writer's text; null where it leaves the words as they are. */
  html?: string | null
  /** The writer's title and description; null where those of the page's own words stand. */
  wording?: Pick<Wording, 'title' | 'meta_description'> | null
  /** Faults of the writer's last text in this step. */
  faults: string[]
  /** Number of the writer's attempts in this step. */
  asked: number
}
