import * as z from 'zod/mini'
import type { DirectAccount, Got } from '../social/port.ts'

/** A reply to a review. `state` is what Google says of it, where it says anything. */
type Reply = { message: string; updatedAt: string | null; state: string | null }

export type Review = {
  id: string
  reviewer: string
  /** 1 to 5; null where Google sends none. */
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

/** Numbers of one metric: the sum, and what each day had. */
export type Metric = { total: number; days: readonly { date: string; value: number }[] }

/** Result of sending a reply. `unknown`: it may have arrived, and only reading the review can tell. */
export type ReplyOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string; status?: number; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** A business profile at Google, one location. Never throws for what the other side does. */
export type BusinessProfile = {
  /** Newest first, at most `size` (1 to 50). */
  reviews: (page: { token: string | null; size: number }) => Promise<Got<ReviewPage>>
  /** Undefined if there is no such review. */
  review: (id: string) => Promise<Got<Review | undefined>>
  reply: (id: string, message: string) => Promise<ReplyOutcome>
  removeReply: (id: string) => Promise<ReplyOutcome>
  /** By the names Google's performance API has for them. Days in UTC, `YYYY-MM-DD`, both included. */
  metrics: (from: string, to: string) => Promise<Got<Readonly<Record<string, Metric>>>>
}

/** Opens profiles by the way their account is connected. */
export type Profiles = {
  /** Through the social provider; undefined if there is none. */
  provided: (accountId: string) => BusinessProfile | undefined
  /** By Google's own API, with the grant of its owner. */
  direct: (account: DirectAccount) => BusinessProfile
}

/** A location that a Google account manages. `name` is `accounts/A/locations/L`. */
export type Location = { name: string; title: string; address: string; url: string }

/** Grant of a person, and the person's identity. */
type Grant = { accessToken: string; expiresIn: number; refreshToken: string; sub: string; email: string }

/** Consent of people to the use of their business profiles at Google. Never throws for an answer of Google. */
export type BusinessConsent = {
  /** True if this service has a client at Google at all. */
  isConfigured: boolean
  /** The local stand-in answers instead of Google. */
  isSandbox: boolean
  /** Origin of Google's page, to which forms may lead. */
  origin: string
  /** Google's page of consent. `challenge`: PKCE, S256 (RFC 7636). */
  url: (asked: { redirectUri: string; state: string; challenge: string }) => string
  exchange: (given: { code: string; verifier: string; redirectUri: string }) => Promise<Got<Grant>>
  locations: (accessToken: string) => Promise<Got<Location[]>>
}

const words = z._default(z.nullable(z.optional(z.string())), null)

const STARS: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

/**
 * A review as Google sends it, also through a service that passes it on, which may add an `id` and a `rating`
 * (https://developers.google.com/my-business/reference/rest/v4/accounts.locations.reviews).
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

/** A page of them. */
export const GoogleReviews = z.object({
  reviews: z._default(z.optional(z.array(GoogleReview)), []),
  averageRating: z.optional(z.number()),
  totalReviewCount: z.optional(z.number()),
  nextPageToken: z._default(z.nullable(z.optional(z.string())), null),
})

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

/** An average of 0 is that of no reviews. */
export const reviewPageOf = (page: z.infer<typeof GoogleReviews>): ReviewPage => ({
  reviews: page.reviews.map(reviewOf),
  next: page.nextPageToken || null,
  averageRating: page.averageRating || null,
  total: page.totalReviewCount ?? null,
})
