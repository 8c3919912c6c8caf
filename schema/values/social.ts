/** Social networks, as this service names them. */
export const SOCIAL_PLATFORMS = [
  'x',
  'linkedin',
  'facebook',
  'instagram',
  'threads',
  'bluesky',
  'reddit',
  'tiktok',
  'youtube',
  'pinterest',
  'telegram',
  'snapchat',
  'googlebusiness',
] as const
export const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'published', 'failed'] as const
export const GUIDE_STATUSES = ['scheduled', 'pending', 'active', 'disabled', 'failed', 'unverified'] as const
/** Transports of a post to its network: the provider of all networks, or the network itself. */
export const SOCIAL_ROUTES = ['provider', 'direct'] as const
export const SOCIAL_ACCOUNT_STATUSES = ['Active', 'Disconnected'] as const

export type SocialPlatform = (typeof SOCIAL_PLATFORMS)[number]
export type PostStatus = (typeof POST_STATUSES)[number]
export type GuideStatus = (typeof GUIDE_STATUSES)[number]
export type SocialRoute = (typeof SOCIAL_ROUTES)[number]

/** File of a post. `url` is public; the other fields are set if they are known. */
export type MediaFile = {
  type: 'image' | 'video'
  url: string
  size?: number
  width?: number
  height?: number
  alt_text?: string
}

/** Answers to commenters, and the comments that get one. */
export type GuideConfig = {
  match_mode: 'keyword' | 'all'
  trigger_keyword: string | null
  delivery_method: 'dm' | 'public_reply'
  delivery_url: string
  custom_message: string
}
