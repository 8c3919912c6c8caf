import * as z from 'zod/mini'
import type { BusinessProfile, ReplyOutcome, Review } from '../../profile/port.ts'
import { type Asked, createApi, readAs, type ZernioMeans } from './api.ts'

const text = z._default(z.nullable(z.optional(z.string())), null)

const STARS: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

const ReviewShape = z.object({
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  reviewer: z.optional(z.nullable(z.object({ displayName: text, isAnonymous: z.optional(z.boolean()) }))),
  rating: z.optional(z.number()),
  starRating: z.optional(z.string()),
  comment: text,
  createTime: text,
  updateTime: text,
  reviewReply: z.optional(z.nullable(z.object({ comment: text, updateTime: text, reviewReplyState: text }))),
})

const ReviewsShape = z.object({
  reviews: z._default(z.optional(z.array(ReviewShape)), []),
  averageRating: z.optional(z.number()),
  totalReviewCount: z.optional(z.number()),
  nextPageToken: z._default(z.nullable(z.optional(z.string())), null),
})

const OneReview = z.object({ review: ReviewShape })

const Performance = z.object({
  metrics: z.record(
    z.string(),
    z.object({
      total: z._default(z.optional(z.number()), 0),
      values: z._default(z.optional(z.array(z.object({ date: z.string(), value: z.number() }))), []),
    }),
  ),
})

const reviewOf = (given: z.infer<typeof ReviewShape>): Review => {
  const rating = given.rating || STARS[given.starRating ?? ''] || null
  const reply = given.reviewReply
  return {
    id: given.id ?? given.name?.split('/').at(-1) ?? '',
    reviewer: given.reviewer?.displayName ?? '',
    rating,
    comment: given.comment,
    createdAt: given.createTime,
    updatedAt: given.updateTime,
    reply: reply?.comment
      ? { message: reply.comment, updatedAt: reply.updateTime, state: reply.reviewReplyState?.toLowerCase() ?? null }
      : null,
  }
}

const outcomeOf = (asked: Asked): ReplyOutcome => {
  if (asked.kind === 'answered') return { kind: 'done' }
  if (asked.kind === 'unknown') return asked
  const { body: _, ...refusal } = asked
  return refusal
}

/** A Google Business Profile through an account that is connected at Zernio. */
export const zernioProfile = (means: ZernioMeans, accountId: string): BusinessProfile => {
  const api = createApi(means)
  const reviews = `/v1/accounts/${encodeURIComponent(accountId)}/gmb-reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = { pageSize: String(size), pageToken: token ?? undefined }
      const read = await readAs(api({ method: 'GET', path: reviews, query }), ReviewsShape)
      if (read.kind === 'refused') return read
      const { averageRating, totalReviewCount, nextPageToken } = read.value
      return {
        kind: 'got',
        value: {
          reviews: read.value.reviews.map(reviewOf),
          next: nextPageToken || null,
          averageRating: averageRating ?? null,
          total: totalReviewCount ?? null,
        },
      }
    },
    review: async (id) => {
      const read = await readAs(api({ method: 'GET', path: one(id) }), OneReview)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value.review) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await api({ method: 'POST', path: `${one(id)}/reply`, body: { comment } })),
    removeReply: async (id) => outcomeOf(await api({ method: 'DELETE', path: `${one(id)}/reply` })),
    metrics: async (startDate, endDate) => {
      const path = '/v1/analytics/googlebusiness/performance'
      const read = await readAs(api({ method: 'GET', path, query: { accountId, startDate, endDate } }), Performance)
      if (read.kind === 'refused') return read
      const entries = Object.entries(read.value.metrics)
      return {
        kind: 'got',
        value: Object.fromEntries(entries.map(([n, m]) => [n, { total: m.total, days: m.values }])),
      }
    },
  }
}
