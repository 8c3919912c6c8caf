/** States of a campaign at the provider, in the interface's words. */
export const CAMPAIGN_STATUSES = ['created', 'running', 'paused', 'finished', 'stopped'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/**
 * Stages of the making of a campaign: under way, not made (its template may be), made by this service, or made elsewhere and
 * registered here.
 */
export const CAMPAIGN_STAGES = ['making', 'failed', 'made', 'registered'] as const

export const RATINGS = ['OK', 'NOK', 'REVISE'] as const
export type Rating = (typeof RATINGS)[number]
