import * as z from 'zod/mini'
import { GoogleReview, GoogleReviews, reviewOf, reviewPageOf } from '../../../reach/profile/google-review.ts'
import type { BusinessProfile, Metric, ReplyOutcome } from '../../../reach/profile/port.ts'
import type { DirectAccount } from '../../../reach/social/port.ts'
import { type Asked, type BusinessDeps, callerFor, readAs } from './api.ts'

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

const outcomeOf = (asked: Asked): ReplyOutcome => (asked.kind === 'answered' ? { kind: 'done' } : asked)

/** Google refuses the whole call for one name that it no longer has. */
const METRICS = [
  'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
  'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
  'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
  'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
  'WEBSITE_CLICKS',
  'CALL_CLICKS',
  'BUSINESS_DIRECTION_REQUESTS',
  'MESSAGING_CLICKS',
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

/** Returns a Google Business Profile by Google's own APIs, with the grant of its owner. The account's id is `accounts/A/locations/L`. */
export const googleProfile = (deps: BusinessDeps, account: DirectAccount): BusinessProfile => {
  const call = callerFor(deps, account)
  const reviews = `${deps.reviewsUrl}/v4/${account.remoteId}/reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = new URLSearchParams({ pageSize: String(size), orderBy: 'updateTime desc' })
      if (token !== null) query.set('pageToken', token)
      const read = await readAs(call({ method: 'GET', url: `${reviews}?${query}` }), GoogleReviews)
      if (read.kind === 'refused') return read
      return { kind: 'got', value: reviewPageOf(read.value) }
    },
    review: async (id) => {
      const read = await readAs(call({ method: 'GET', url: one(id) }), GoogleReview)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await call({ method: 'PUT', url: `${one(id)}/reply`, json: { comment } })),
    removeReply: async (id) => outcomeOf(await call({ method: 'DELETE', url: `${one(id)}/reply` })),
    metrics: async (from, to) => {
      const location = account.remoteId.slice(account.remoteId.indexOf('locations/'))
      const url = `${deps.metricsUrl}/v1/${location}:fetchMultiDailyMetricsTimeSeries?${range(from, to)}`
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
