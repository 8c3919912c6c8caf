/** Closed value lists of the writable project settings, in the spelling answers use. */
export const TONES = ['Informative', 'Conversational', 'Persuasive'] as const
export const WRITING_PROFILES = ['Experienced practitioner', 'Simple educational', 'Balanced SEO'] as const
export const PRODUCT_POSITIONINGS = ['Neutral operational', 'Soft mention', 'Promotional'] as const
export const PUBLISHING_STATUSES = ['Publish Immediately', 'Save as Drafts', 'Send as Drafts'] as const
export const SOCIAL_PUBLISHING_STATUSES = ['Publish Immediately', 'Save as Drafts'] as const
export const CTA_INTENSITIES = ['None', 'Soft', 'Direct'] as const
export const ARTICLE_PLANS = [5, 8, 30, 60, 90] as const
export const PROJECT_STATUSES = ['Active', 'Archived'] as const
export const SITE_SCAN_STATES = ['pending', 'running', 'completed', 'failed'] as const
export const ONBOARDING_STATES = ['not_started', 'running', 'completed'] as const

/** Stored for images that this service hosts. Answers show the service's name instead. */
export const SERVICE_IMAGE_HOSTING = 'service'
