/** States of a campaign at the provider, by their names in the API. */
export const CAMPAIGN_STATUSES = ['created', 'running', 'paused', 'finished', 'stopped'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/**
 * Stages of making a campaign: in progress, failed (its template may exist), made by this service, or made elsewhere and
 * registered.
 */
export const CAMPAIGN_STAGES = ['making', 'failed', 'made', 'registered'] as const

export const RATINGS = ['OK', 'NOK', 'REVISE'] as const
export type Rating = (typeof RATINGS)[number]
