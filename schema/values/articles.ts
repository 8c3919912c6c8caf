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
export const PUBLISH_STATES = ['idle', 'publishing', 'retrying', 'unknown', 'failed', 'awaiting_approval'] as const

export type PublishState = (typeof PUBLISH_STATES)[number]
