import { invalidInput } from '../../platform/lib/errors.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { valueOrThrow } from '../social/accounts.ts'
import { notConnected, openProfile, type ProfileDeps } from './connected.ts'
import type { AnalyticsInput, ReviewsInput, StatusInput } from './operations.ts'
import type { BusinessProfile, Metric, Review, ReviewPage } from './port.ts'

/** Returns the day a number of days before an instant, in UTC, `YYYY-MM-DD`. */
const daysBefore = (now: Date, days: number): string =>
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
const analyticsOf = (metrics: Readonly<Record<string, Metric>>) => {
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
const passes = (review: Review, { has_reply, min_rating, max_rating }: Filter): boolean => {
  if (has_reply !== undefined && (review.reply !== null) !== has_reply) return false
  if (min_rating !== undefined && (review.rating ?? 0) < min_rating) return false
  return max_rating === undefined || (review.rating !== null && review.rating <= max_rating)
}

const compare = (a: Review, b: Review, by: 'date' | 'rating'): number => {
  const dates = (a.updatedAt ?? a.createdAt ?? '').localeCompare(b.updatedAt ?? b.createdAt ?? '')
  return by === 'date' ? dates : (a.rating ?? 0) - (b.rating ?? 0) || dates
}

/** Returns reviews in the given order. */
const sorted = (reviews: readonly Review[], by: 'date' | 'rating', order: 'asc' | 'desc'): Review[] =>
  [...reviews].sort((a, b) => (order === 'asc' ? 1 : -1) * compare(a, b, by))

/** Returns a review as callers see it. */
const reviewShown = ({ id, reviewer, rating, comment, createdAt, updatedAt, reply }: Review) => ({
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

const LIMIT = { default: 20, max: 50 }
/** Reviews per request: the most that Google returns. */
const PAGE = 50
/** Most pages that one call reads. A cursor continues after them. */
const MAX_PAGES = 10
const GOOGLE = 'Google Business Profile'

/** Position in a list: the provider's page, and the number of its rows that were shown. */
type Place = { token: string | null; seen: number }

const cursorOf = ({ token, seen }: Place): string => btoa(JSON.stringify([token, seen])).replaceAll('=', '')

const placeIn = (cursor: string | undefined): Place => {
  if (cursor === undefined) return { token: null, seen: 0 }
  try {
    const [token, seen] = JSON.parse(atob(cursor)) as unknown[]
    if ((token === null || typeof token === 'string') && Number.isInteger(seen) && Number(seen) >= 0)
      return { token, seen: Number(seen) }
  } catch {
    // Not a cursor: the error is thrown below.
  }
  throw invalidInput([{ field: 'cursor', message: 'must be a next_cursor from an earlier response' }])
}

type Found = { reviews: Review[]; next: Place | null; about: ReviewPage }

const pageAt = async (profile: BusinessProfile, token: string | null): Promise<ReviewPage> =>
  valueOrThrow(await profile.reviews({ token, size: PAGE }), GOOGLE)

/** Returns the next reviews that pass the filters, in the provider's order: newest first. */
const newestFirst = async (
  profile: BusinessProfile,
  input: ReviewsInput,
  limit: number,
  from: Place,
): Promise<Found> => {
  const reviews: Review[] = []
  let place = from
  let about = await pageAt(profile, place.token)
  for (let pages = 1; ; pages += 1) {
    for (const [n, review] of about.reviews.entries()) {
      if (n < place.seen || !passes(review, input)) continue
      if (reviews.length === limit) return { reviews, next: { token: place.token, seen: n }, about }
      reviews.push(review)
    }
    if (about.next === null) return { reviews, next: null, about }
    place = { token: about.next, seen: 0 }
    if (reviews.length === limit || pages === MAX_PAGES) return { reviews, next: place, about }
    about = await pageAt(profile, place.token)
  }
}

/** Returns reviews in another order. It reads all of them, and throws 400 if they are too many for one call. */
const inOrder = async (profile: BusinessProfile, input: ReviewsInput, limit: number, from: Place): Promise<Found> => {
  const all: Review[] = []
  let about = await pageAt(profile, null)
  for (let pages = 1; ; pages += 1) {
    all.push(...about.reviews)
    if (about.next === null) break
    if (pages === MAX_PAGES)
      throw invalidInput([
        {
          field: 'sort_by',
          message: `is possible for up to ${PAGE * MAX_PAGES} reviews; leave it out to read them newest first`,
        },
      ])
    about = await pageAt(profile, about.next)
  }
  const fitting = sorted(
    all.filter((review) => passes(review, input)),
    input.sort_by ?? 'date',
    input.sort_order ?? 'desc',
  )
  const end = from.seen + limit
  return {
    reviews: fitting.slice(from.seen, end),
    next: end < fitting.length ? { token: null, seen: end } : null,
    about,
  }
}

/** Returns one page of the profile's reviews. Throws 404, 403, 400, 503. */
export const listReviews = async (ctx: Ctx, deps: ProfileDeps, input: ReviewsInput) => {
  const from = placeIn(input.cursor)
  const open = await openProfile(ctx, deps, input)
  if (!open) return notConnected(input.project_id)
  const limit = Math.min(input.limit ?? LIMIT.default, LIMIT.max)
  const isNewestFirst = input.sort_by !== 'rating' && input.sort_order !== 'asc'
  const read = isNewestFirst ? newestFirst : inOrder
  const { reviews, next, about } = await read(open.profile, input, limit, from)
  return {
    connected: true as const,
    project_id: input.project_id,
    reviews: reviews.map(reviewShown),
    count: reviews.length,
    limit,
    next_cursor: next && cursorOf(next),
    has_more: next !== null,
    average_rating: about.averageRating,
    total_reviews: about.total,
  }
}

/** Returns whether the project has a profile, and its ratings. Throws 404, 403, 400, 503. */
export const profileStatus = async (ctx: Ctx, deps: ProfileDeps, input: StatusInput) => {
  const open = await openProfile(ctx, deps, input)
  if (!open) return notConnected(input.project_id)
  const { reviews, next, averageRating, total } = valueOrThrow(
    await open.profile.reviews({ token: null, size: PAGE }),
    GOOGLE,
  )
  const { id, name, username, connectedAt } = open.account
  return {
    connected: true as const,
    project_id: input.project_id,
    profile: { account_id: id, name, username },
    business_name: name,
    location_address: null,
    connected_at: connectedAt?.toISOString() ?? null,
    average_rating: averageRating,
    total_reviews: total,
    unreplied_count: reviews.filter(({ reply }) => reply === null).length,
    unreplied_count_is_partial: next !== null,
  }
}

const DAYS = { default: 28, max: 90 }

/** Returns the views of the profile and the actions of people on it. Throws 404, 403, 400, 503. */
export const profileAnalytics = async (ctx: Ctx, deps: ProfileDeps, input: AnalyticsInput) => {
  const open = await openProfile(ctx, deps, input)
  if (!open) return notConnected(input.project_id)
  const days = Math.min(input.days ?? DAYS.default, DAYS.max)
  const [start, end] = [daysBefore(ctx.now(), days), daysBefore(ctx.now(), 1)]
  const metrics = valueOrThrow(await open.profile.metrics(start, end), GOOGLE)
  return {
    connected: true as const,
    project_id: input.project_id,
    date_range: { start_date: start, end_date: end, days },
    ...analyticsOf(metrics),
  }
}
