/** First parts of the actions in the feed of events. Actions on keys, people and the account are only in the audit log. */
export const EVENT_KINDS = [
  'article',
  'approval',
  'delivery',
  'suggestion',
  'integration',
  'social',
  'profile',
  'crowdwork',
  'project',
] as const

/** Events are in the feed for this number of days. */
export const EVENT_DAYS = 30

export const ENDPOINT_STATUSES = ['active', 'paused'] as const
