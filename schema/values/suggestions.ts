/** What can be better about a page, by what search data say of it. */
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

/** Why a page was suggested: its numbers, and the queries it was about. */
export type Trigger = {
  page: string
  period: { starts_on: string; ends_on: string; days: number }
  now: TriggerNumbers
  before: TriggerNumbers | null
  queries: (TriggerNumbers & { query: string })[]
  /** The other page of the project that competes for the same query. */
  other_page: string | null
  expected_clicks: number
}
