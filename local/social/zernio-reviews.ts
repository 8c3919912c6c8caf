import { type Answer, json } from '../receiver/answers.ts'
import type { Account, Data, Review } from './zernio-data.ts'

const MAX_REPLY_BYTES = 4_096

type Asked = { method: string; id: string | undefined; verb: string | undefined; body: unknown; query: URLSearchParams }

const reply = (review: Review, { method, body }: Asked): Answer => {
  if (method === 'DELETE') {
    delete review.reviewReply
    return json(200, { success: true, reviewId: review.id })
  }
  const { comment } = (body ?? {}) as { comment?: unknown }
  if (typeof comment !== 'string' || comment === '' || Buffer.byteLength(comment) > MAX_REPLY_BYTES)
    return json(400, { error: 'comment must not be empty, nor longer than 4096 bytes', type: 'invalid_request_error' })
  if (comment.includes('http')) return json(400, { error: 'Replies must not contain links.', type: 'platform_error' })
  review.reviewReply = { comment, updateTime: new Date().toISOString() }
  return json(200, { success: true, reviewId: review.id, platform: 'googlebusiness' })
}

/** `/v1/accounts/:id/gmb-reviews`: pages of at most 50, one review, and its reply, which is set and not added to. */
export const reviewsOf = (data: Data, account: Account, asked: Asked): Answer => {
  const reviews = data.reviews[account._id] ?? []
  if (asked.id !== undefined) {
    const review = reviews.find(({ id }) => id === asked.id)
    if (!review) return json(404, { error: 'Review not found', type: 'not_found' })
    return asked.verb === 'reply' ? reply(review, asked) : json(200, { review })
  }
  const size = Number(asked.query.get('pageSize') ?? 50)
  if (!(size >= 1 && size <= 50)) return json(400, { error: 'pageSize must be from 1 to 50' })
  const from = Number(asked.query.get('pageToken')?.replace('page-', '') ?? 0)
  const ratings = reviews.map(({ rating }) => rating)
  return json(200, {
    success: true,
    accountId: account._id,
    reviews: reviews.slice(from, from + size),
    averageRating: ratings.reduce((sum, one) => sum + one, 0) / Math.max(1, ratings.length),
    totalReviewCount: reviews.length,
    ...(from + size < reviews.length ? { nextPageToken: `page-${from + size}` } : {}),
  })
}

/** `/v1/analytics/googlebusiness/performance`: the same numbers every day. */
export const performanceOf = (query: URLSearchParams): Answer => {
  const [from, to] = [query.get('fromDate') ?? '', query.get('toDate') ?? '']
  const dates: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    dates.push(new Date(at).toISOString().slice(0, 10))
  const metric = (value: number) => ({ total: value * dates.length, values: dates.map((date) => ({ date, value })) })
  return json(200, {
    success: true,
    platform: 'googlebusiness',
    dateRange: { startDate: from, endDate: to },
    metrics: {
      BUSINESS_IMPRESSIONS_DESKTOP_SEARCH: metric(5),
      BUSINESS_IMPRESSIONS_MOBILE_MAPS: metric(7),
      WEBSITE_CLICKS: metric(2),
      CALL_CLICKS: metric(1),
    },
  })
}
