import * as z from 'zod/mini'
import { GoogleReview, GoogleReviews, reviewOf, reviewPageOf } from '../../../reach/profile/google-review.ts'
import type { BusinessProfile, ReplyOutcome } from '../../../reach/profile/port.ts'
import { type Asked, createApi, readAs, type ZernioDeps } from './api.ts'

const OneReview = z.object({ review: GoogleReview })

const Performance = z.object({
  metrics: z.record(
    z.string(),
    z.object({
      total: z._default(z.optional(z.number()), 0),
      values: z._default(z.optional(z.array(z.object({ date: z.string(), value: z.number() }))), []),
    }),
  ),
})

const outcomeOf = (asked: Asked): ReplyOutcome => {
  if (asked.kind === 'answered') return { kind: 'done' }
  if (asked.kind === 'unknown') return asked
  const { body: _, ...refusal } = asked
  return refusal
}

/** Returns a Google Business Profile through an account that is connected at Zernio. */
export const zernioProfile = (deps: ZernioDeps, accountId: string): BusinessProfile => {
  const api = createApi(deps)
  const reviews = `/v1/accounts/${encodeURIComponent(accountId)}/gmb-reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = { pageSize: String(size), pageToken: token ?? undefined }
      const read = await readAs(api({ method: 'GET', path: reviews, query }), GoogleReviews)
      if (read.kind === 'refused') return read
      return { kind: 'got', value: reviewPageOf(read.value) }
    },
    review: async (id) => {
      const read = await readAs(api({ method: 'GET', path: one(id) }), OneReview)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value.review) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await api({ method: 'POST', path: `${one(id)}/reply`, body: { comment } })),
    removeReply: async (id) => outcomeOf(await api({ method: 'DELETE', path: `${one(id)}/reply` })),
    metrics: async (fromDate, toDate) => {
      const path = '/v1/analytics/googlebusiness/performance'
      const read = await readAs(api({ method: 'GET', path, query: { accountId, fromDate, toDate } }), Performance)
      if (read.kind === 'refused') return read
      const entries = Object.entries(read.value.metrics)
      return {
        kind: 'got',
        value: Object.fromEntries(entries.map(([n, m]) => [n, { total: m.total, days: m.values }])),
      }
    },
  }
}
