import * as z from 'zod/mini'
import type { BusinessProfile, Metric, ReplyOutcome, Review } from '../../../profile/port.ts'
import type { DirectAccount } from '../../../social/port.ts'
import { type Asked, type BusinessMeans, callerFor, readAs } from './api.ts'

const words = z._default(z.nullable(z.optional(z.string())), null)

const STARS: Readonly<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

const ReviewShape = z.object({
  name: z._default(z.optional(z.string()), ''),
  reviewId: z.optional(z.string()),
  reviewer: z.optional(z.object({ displayName: words, isAnonymous: z.optional(z.boolean()) })),
  starRating: z._default(z.optional(z.string()), ''),
  comment: words,
  createTime: words,
  updateTime: words,
  reviewReply: z.optional(z.nullable(z.object({ comment: words, updateTime: words, reviewReplyState: words }))),
})

const ReviewsShape = z.object({
  reviews: z._default(z.optional(z.array(ReviewShape)), []),
  averageRating: z.optional(z.number()),
  totalReviewCount: z.optional(z.number()),
  nextPageToken: z._default(z.optional(z.string()), ''),
})

const DayShape = z.object({
  date: z.object({ year: z.int(), month: z.int(), day: z.int() }),
  /** A number of 64 bits, as text; absent for none. */
  value: z._default(z.optional(z.union([z.string(), z.number()])), 0),
})

const SeriesShape = z.object({
  dailyMetric: z._default(z.optional(z.string()), ''),
  timeSeries: z.optional(z.object({ datedValues: z._default(z.optional(z.array(DayShape)), []) })),
})

const MetricsShape = z.object({
  multiDailyMetricTimeSeries: z._default(
    z.optional(z.array(z.object({ dailyMetricTimeSeries: z._default(z.optional(z.array(SeriesShape)), []) }))),
    [],
  ),
})

const reviewOf = ({ reviewReply: reply, ...given }: z.infer<typeof ReviewShape>): Review => ({
  id: given.reviewId ?? given.name.split('/').at(-1) ?? '',
  reviewer: given.reviewer?.displayName ?? '',
  rating: STARS[given.starRating] ?? null,
  comment: given.comment,
  createdAt: given.createTime,
  updatedAt: given.updateTime,
  reply: reply?.comment
    ? { message: reply.comment, updatedAt: reply.updateTime, state: reply.reviewReplyState?.toLowerCase() ?? null }
    : null,
})

const outcomeOf = (asked: Asked): ReplyOutcome => (asked.kind === 'answered' ? { kind: 'done' } : asked)

const METRICS = [
  'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
  'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
  'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
  'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
  'WEBSITE_CLICKS',
  'CALL_CLICKS',
  'BUSINESS_DIRECTION_REQUESTS',
  'BUSINESS_CONVERSATIONS',
  'BUSINESS_BOOKINGS',
]

const range = (from: string, to: string): URLSearchParams => {
  const query = new URLSearchParams(METRICS.map((name): [string, string] => ['dailyMetrics', name]))
  for (const [edge, day] of [
    ['startDate', from],
    ['endDate', to],
  ] as const) {
    const [year, month, date] = day.split('-').map(Number)
    for (const [part, value] of Object.entries({ year, month, day: date }))
      query.set(`dailyRange.${edge}.${part}`, String(value))
  }
  return query
}

const two = (value: number): string => String(value).padStart(2, '0')

const metricOf = (days: readonly z.infer<typeof DayShape>[]): Metric => {
  const read = days.map(({ date: { year, month, day }, value }) => ({
    date: `${year}-${two(month)}-${two(day)}`,
    value: Math.max(0, Math.trunc(Number(value)) || 0),
  }))
  return { total: read.reduce((sum, { value }) => sum + value, 0), days: read }
}

/** A Google Business Profile by Google's own APIs, with the grant of its owner. The account's id is `accounts/A/locations/L`. */
export const googleProfile = (means: BusinessMeans, account: DirectAccount): BusinessProfile => {
  const call = callerFor(means, account)
  const reviews = `${means.reviewsUrl}/v4/${account.remoteId}/reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = new URLSearchParams({ pageSize: String(size), orderBy: 'updateTime desc' })
      if (token !== null) query.set('pageToken', token)
      const read = await readAs(call({ method: 'GET', url: `${reviews}?${query}` }), ReviewsShape)
      if (read.kind === 'refused') return read
      const { averageRating, totalReviewCount, nextPageToken } = read.value
      return {
        kind: 'got',
        value: {
          reviews: read.value.reviews.map(reviewOf),
          next: nextPageToken || null,
          averageRating: averageRating || null,
          total: totalReviewCount ?? null,
        },
      }
    },
    review: async (id) => {
      const read = await readAs(call({ method: 'GET', url: one(id) }), ReviewShape)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await call({ method: 'PUT', url: `${one(id)}/reply`, json: { comment } })),
    removeReply: async (id) => outcomeOf(await call({ method: 'DELETE', url: `${one(id)}/reply` })),
    metrics: async (from, to) => {
      const location = account.remoteId.slice(account.remoteId.indexOf('locations/'))
      const url = `${means.metricsUrl}/v1/${location}:fetchMultiDailyMetricsTimeSeries?${range(from, to)}`
      const read = await readAs(call({ method: 'GET', url }), MetricsShape)
      if (read.kind === 'refused') return read
      const series = read.value.multiDailyMetricTimeSeries.flatMap((one) => one.dailyMetricTimeSeries)
      const days = new Map<string, z.infer<typeof DayShape>[]>()
      for (const { dailyMetric, timeSeries } of series)
        days.set(dailyMetric, [...(days.get(dailyMetric) ?? []), ...(timeSeries?.datedValues ?? [])])
      return {
        kind: 'got',
        value: Object.fromEntries([...days].map(([name, values]) => [name, metricOf(values)])),
      }
    },
  }
}
