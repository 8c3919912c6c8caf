import { createHash, randomBytes } from 'node:crypto'
import { type SampleReview, STARS, sampleReviews } from '../sample-reviews.ts'

export type Account = {
  _id: string
  platform: string
  profileId: string
  username: string
  displayName: string
  isActive: boolean
  needsReconnection: boolean
}

export type Platform = {
  platform: string
  accountId: string
  status: 'pending' | 'published' | 'failed'
  platformPostId?: string
  platformPostUrl?: string
  publishedAt?: string
  errorMessage?: string
  errorCategory?: string
}

export type Post = {
  _id: string
  content: string
  mediaItems: unknown[]
  status: 'publishing' | 'published' | 'failed'
  platforms: Platform[]
  metadata: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export type Automation = {
  id: string
  name: string
  profileId: string
  accountId: string
  platformPostId: string
  keywords: string[]
  matchMode: string
  dmMessage: string
  commentReply?: string
  isActive: boolean
}

export type Review = Omit<SampleReview, 'reviewer'> & {
  id: string
  name: string
  reviewer: { displayName: string; isAnonymous: boolean }
  rating: number
}

/** Data of one account of the provider. */
export type Data = {
  profiles: { _id: string; name: string }[]
  accounts: Account[]
  posts: Post[]
  automations: Automation[]
  /** Reviews of business profiles, by account. */
  reviews: Record<string, Review[]>
  /** Earlier answers to logical calls, by their `x-request-id`. */
  requests: Record<string, { post: string; at: number }>
}

export const emptyData = (): Data => ({
  profiles: [],
  accounts: [],
  posts: [],
  automations: [],
  reviews: {},
  requests: {},
})

/** Returns an id in the provider's form: 24 hexadecimal digits. */
export const newId = (): string => randomBytes(12).toString('hex')

/** Returns a digest of a post. To the provider, posts with the same digest within a day are the same post. */
export const digestOf = (accountId: string, content: unknown, media: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([accountId, content, media]))
    .digest('hex')

const URLS: Record<string, (username: string, id: string) => string> = {
  twitter: (username, id) => `https://x.com/${username}/status/${id}`,
  linkedin: (_, id) => `https://www.linkedin.com/feed/update/urn:li:share:${id}`,
  instagram: (_, id) => `https://www.instagram.com/p/${id}/`,
  facebook: (username, id) => `https://www.facebook.com/${username}/posts/${id}`,
}

/** Returns the address of a post at its network. */
export const urlOf = (platform: string, username: string, id: string): string =>
  URLS[platform]?.(username, id) ?? `https://${platform}.example/${username}/${id}`

/** Reviews of a new profile, newest first. */
const reviewsOf = (accountId: string): Review[] =>
  sampleReviews(120).map((review, n) => {
    const id = `review-${accountId.slice(0, 6)}-${n}`
    return {
      ...review,
      id,
      name: `accounts/1/locations/2/reviews/${id}`,
      reviewer: { ...review.reviewer, isAnonymous: false },
      rating: STARS.indexOf(review.starRating) + 1,
    }
  })

/** Connects an account of a network to a profile, as if a person had agreed. */
export const connectAccount = (
  data: Data,
  profileId: string,
  platform: string,
  username = `sample_${platform}`,
): Account => {
  const account: Account = {
    _id: newId(),
    platform,
    profileId,
    username,
    displayName: `Sample ${platform}`,
    isActive: true,
    needsReconnection: false,
  }
  data.accounts.push(account)
  if (platform === 'googlebusiness') data.reviews[account._id] = reviewsOf(account._id)
  return account
}
