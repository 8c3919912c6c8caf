/** Closed value lists of articles, in the spelling answers use. */
export const ARTICLE_STATUSES = ['Draft', 'Planned', 'Published', 'Generating'] as const
export const ARTICLE_STYLES = [
  'Informative',
  'Listicle',
  'How-To',
  'Comparison',
  'Review',
  'Explainer',
  'Resources',
  'News',
  'Professional',
  'Casual',
  'Technical',
] as const
export const PUBLISH_STATES = [
  'idle',
  'publishing',
  'retrying',
  'unknown',
  'failed',
  'awaiting_approval',
  'awaiting_merge',
] as const

export type PublishState = (typeof PUBLISH_STATES)[number]

/** Outcomes of an article of a batch. `existed`: an article of the project has its `external_ref`. */
export const BATCH_OUTCOMES = ['created', 'existed', 'refused'] as const
export type BatchOutcome = (typeof BATCH_OUTCOMES)[number]

/** Credit for an article that waits for the writer, in the order of dates. */
export const CREDIT_STATES = ['left', 'none_left', 'over_budget'] as const
export type CreditState = (typeof CREDIT_STATES)[number]
