import { DAY_MS } from '../../platform/lib/time.ts'
import type { Metric, Review } from './port.ts'

/** Returns the day a number of days before an instant, in UTC, `YYYY-MM-DD`. */
export const daysBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)

/** Names of Google's metrics behind each number. */
const METRICS = {
  impressions: [
    'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
    'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
    'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
    'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
  ],
  website_clicks: ['WEBSITE_CLICKS'],
  call_clicks: ['CALL_CLICKS'],
  direction_requests: ['BUSINESS_DIRECTION_REQUESTS'],
  conversations: ['MESSAGING_CLICKS'],
  bookings: ['BUSINESS_BOOKINGS'],
} as const

type Numbers = Record<keyof typeof METRICS, number>

const sums = (read: (name: string) => number): Numbers =>
  Object.fromEntries(
    Object.entries(METRICS).map(([name, theirs]) => [name, theirs.reduce((sum, one) => sum + read(one), 0)]),
  ) as Numbers

/** Returns totals and daily numbers from Google's metrics. */
export const analyticsOf = (metrics: Readonly<Record<string, Metric>>) => {
  const byDay = new Map<string, Map<string, number>>()
  for (const [name, { days }] of Object.entries(metrics))
    for (const { date, value } of days) {
      const day = byDay.get(date) ?? new Map<string, number>()
      byDay.set(date, day.set(name, value))
    }
  const dates = [...byDay.keys()].filter((date) => /^\d{4}-\d\d-\d\d$/.test(date)).sort()
  return {
    totals: sums((name) => metrics[name]?.total ?? 0),
    points: dates.map((date) => ({ date, ...sums((name) => byDay.get(date)?.get(name) ?? 0) })),
  }
}

type Filter = { has_reply?: boolean | undefined; min_rating?: number | undefined; max_rating?: number | undefined }

/** True if a review passes the filters. A review without a rating passes no filter by rating. */
export const passes = (review: Review, { has_reply, min_rating, max_rating }: Filter): boolean => {
  if (has_reply !== undefined && (review.reply !== null) !== has_reply) return false
  if (min_rating !== undefined && (review.rating ?? 0) < min_rating) return false
  return max_rating === undefined || (review.rating !== null && review.rating <= max_rating)
}

const compare = (a: Review, b: Review, by: 'date' | 'rating'): number => {
  const dates = (a.updatedAt ?? a.createdAt ?? '').localeCompare(b.updatedAt ?? b.createdAt ?? '')
  return by === 'date' ? dates : (a.rating ?? 0) - (b.rating ?? 0) || dates
}

/** Returns reviews in the given order. */
export const sorted = (reviews: readonly Review[], by: 'date' | 'rating', order: 'asc' | 'desc'): Review[] =>
  [...reviews].sort((a, b) => (order === 'asc' ? 1 : -1) * compare(a, b, by))

/** Returns a review as callers see it. */
export const reviewShown = ({ id, reviewer, rating, comment, createdAt, updatedAt, reply }: Review) => ({
  review_id: id,
  reviewer,
  rating,
  comment,
  created_at: createdAt,
  updated_at: updatedAt,
  reply: reply && { message: reply.message, updated_at: reply.updatedAt, state: reply.state },
  reviewer_name: reviewer,
  text: comment,
  created: createdAt,
  has_reply: reply !== null,
  reply_text: reply?.message ?? null,
  reply_created: reply?.updatedAt ?? null,
  review_url: null,
})
