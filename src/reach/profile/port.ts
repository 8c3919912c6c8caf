import * as z from 'zod/mini'
import type { DirectAccount, Got } from '../social/port.ts'

/** A reply to a review. `state` is its state at Google, if Google sends one. */
type Reply = { message: string; updatedAt: string | null; state: string | null }

export type Review = {
  id: string
  reviewer: string
  /** 1 to 5; null if Google sends none. */
  rating: number | null
  comment: string | null
  createdAt: string | null
  updatedAt: string | null
  reply: Reply | null
}

export type ReviewPage = {
  reviews: Review[]
  next: string | null
  averageRating: number | null
  total: number | null
}

/** Numbers of one metric: the total, and the value of each day. */
export type Metric = { total: number; days: readonly { date: string; value: number }[] }

/** Result of sending a reply. `unknown`: it may have arrived, which only reading the review can show. */
export type ReplyOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string; status?: number; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** A business profile at Google, for one location. It returns failures as results and never throws them. */
export type BusinessProfile = {
  /** Returns reviews newest first, at most `size` (1 to 50). */
  reviews: (page: { token: string | null; size: number }) => Promise<Got<ReviewPage>>
  /** Returns a review; undefined if it does not exist. */
  review: (id: string) => Promise<Got<Review | undefined>>
  reply: (id: string, message: string) => Promise<ReplyOutcome>
  removeReply: (id: string) => Promise<ReplyOutcome>
  /** Returns metrics by their names in Google's performance API. Days are in UTC, `YYYY-MM-DD`, both included. */
  metrics: (from: string, to: string) => Promise<Got<Readonly<Record<string, Metric>>>>
}

/** Opens profiles, by the way in which their account is connected. */
export type Profiles = {
  /** Opens a profile through the social provider; undefined if there is no provider. */
  provided: (accountId: string) => BusinessProfile | undefined
  /** Opens a profile through Google's own API, with the grant of its owner. */
  direct: (account: DirectAccount) => BusinessProfile
}

/** A location that a Google account manages. `name` is `accounts/A/locations/L`. */
export type Location = { name: string; title: string; address: string; url: string }

/** Grant of a person, and the person's identity. */
type Grant = { accessToken: string; expiresIn: number; refreshToken: string; sub: string; email: string }

/** Client of Google's consent for business profiles. It returns Google's errors as results and never throws them. */
export type BusinessConsent = {
  /** True if this service has an OAuth client at Google. */
  isConfigured: boolean
  /** True if the local stand-in answers instead of Google. */
  isSandbox: boolean
  /** Origin of Google's page, to which forms may redirect. */
  origin: string
  /** Returns the address of Google's consent page. `challenge`: PKCE, S256 (RFC 7636). */
  url: (asked: { redirectUri: string; state: string; challenge: string }) => string
  exchange: (given: { code: string; verifier: string; redirectUri: string }) => Promise<Got<Grant>>
  locations: (accessToken: string) => Promise<Got<Location[]>>
}

const words = z._default(z.nullable(z.optional(z.string())), null)

const STARS: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

/**
 * A review as Google sends it (https://developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews).
 *
 * A service that passes it on may add an `id` and a `rating`.
 */
export const GoogleReview = z.object({
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  reviewId: z.optional(z.string()),
  reviewer: z.optional(z.nullable(z.object({ displayName: words, isAnonymous: z.optional(z.boolean()) }))),
  rating: z.optional(z.number()),
  starRating: z.optional(z.string()),
  comment: words,
  createTime: words,
  updateTime: words,
  reviewReply: z.optional(z.nullable(z.object({ comment: words, updateTime: words, reviewReplyState: words }))),
})

/** A page of Google's reviews. */
export const GoogleReviews = z.object({
  reviews: z._default(z.optional(z.array(GoogleReview)), []),
  averageRating: z.optional(z.number()),
  totalReviewCount: z.optional(z.number()),
  nextPageToken: z._default(z.nullable(z.optional(z.string())), null),
})

/** Returns a review of Google’s API in the form of this domain. */
export const reviewOf = ({ reviewReply: reply, ...given }: z.infer<typeof GoogleReview>): Review => ({
  id: given.id ?? given.reviewId ?? given.name?.split('/').at(-1) ?? '',
  reviewer: given.reviewer?.displayName ?? '',
  rating: given.rating || STARS[given.starRating ?? ''] || null,
  comment: given.comment,
  createdAt: given.createTime,
  updatedAt: given.updateTime,
  reply: reply?.comment
    ? { message: reply.comment, updatedAt: reply.updateTime, state: reply.reviewReplyState?.toLowerCase() ?? null }
    : null,
})

/** Returns a page of reviews. Google sends an average of 0 if there are no reviews. */
export const reviewPageOf = (page: z.infer<typeof GoogleReviews>): ReviewPage => ({
  reviews: page.reviews.map(reviewOf),
  next: page.nextPageToken || null,
  averageRating: page.averageRating || null,
  total: page.totalReviewCount ?? null,
})
