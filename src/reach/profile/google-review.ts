import * as z from 'zod/mini'
import type { Review, ReviewPage } from './port.ts'

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
