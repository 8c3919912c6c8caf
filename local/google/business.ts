import { createHash } from 'node:crypto'
import { keptIn } from '../kept.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type SampleReview, STARS, sampleReviews } from '../sample-reviews.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** A location as `POST /_accounts` gives it to an account. */
export type GivenLocation = { title: string; reviews?: number; isVerified?: boolean; mayPost?: boolean }

type Review = Omit<SampleReview, 'reviewReply'> & {
  name: string
  reviewId: string
  reviewReply?: { comment: string; updateTime: string; reviewReplyState: string }
}

type Post = Record<string, unknown> & { name: string; summary: string; state: string; createTime: string }

type Location = Required<GivenLocation> & { account: string; name: string; list: Review[]; posts: Post[] }

const reviewsOf = (path: string, count: number): Review[] =>
  sampleReviews(count).map(({ reviewReply: own, ...review }, n) => ({
    ...review,
    name: `${path}/reviews/rev-${n}`,
    reviewId: `rev-${n}`,
    ...(own ? { reviewReply: { ...own, reviewReplyState: 'APPROVED' } } : {}),
  }))

/** Returns an error answer as Google's APIs write it (google.rpc.Status). */
const fault = (code: number, status: string, message: string): Answer =>
  json(code, { error: { code, message, status } })

const notFound = (): Answer => fault(404, 'NOT_FOUND', 'Requested entity was not found.')
const invalid = (message: string): Answer => fault(400, 'INVALID_ARGUMENT', message)

const MAX_REPLY_BYTES = 4_096
const MAX_SUMMARY = 1_500

/** Returns one page of a list, as all of Google's lists are paged; an error answer for a size that is not allowed. */
const pageOf = <T>(
  all: readonly T[],
  query: URLSearchParams,
  { field, usual, most }: { field: string; usual: number; most: number },
): Record<string, unknown> | Answer => {
  const size = Number(query.get('pageSize') ?? usual)
  if (!(size >= 1 && size <= most)) return invalid(`pageSize must be between 1 and ${most}`)
  const from = Number(query.get('pageToken')?.replace('next-', '') ?? 0)
  const rows = all.slice(from, from + size)
  return {
    ...(rows.length > 0 ? { [field]: rows } : {}),
    ...(from + size < all.length ? { nextPageToken: `next-${from + size}` } : {}),
  }
}

const sent = (page: Record<string, unknown> | Answer, also: object = {}): Answer =>
  'status' in page && 'body' in page ? (page as Answer) : json(200, { ...page, ...also })

const dayOf = (query: URLSearchParams, edge: string): number => {
  const part = (name: string) => Number(query.get(`dailyRange.${edge}.${name}`))
  return Date.UTC(part('year'), part('month') - 1, part('day'))
}

/**
 * A day's numbers by metric: those that Google has (https://developers.google.com/my-business/content/performance/change-log).
 * BUSINESS_CONVERSATIONS was removed on 2026-01-31; BUSINESS_FOOD_ORDERS ends on 2027-04-22.
 */
const PER_DAY: Readonly<Record<string, number>> = {
  BUSINESS_IMPRESSIONS_DESKTOP_MAPS: 0,
  BUSINESS_IMPRESSIONS_DESKTOP_SEARCH: 5,
  BUSINESS_IMPRESSIONS_MOBILE_MAPS: 7,
  BUSINESS_IMPRESSIONS_MOBILE_SEARCH: 0,
  BUSINESS_DIRECTION_REQUESTS: 0,
  CALL_CLICKS: 1,
  WEBSITE_CLICKS: 2,
  MESSAGING_CLICKS: 3,
  BUSINESS_BOOKINGS: 0,
  BUSINESS_FOOD_MENU_CLICKS: 0,
}

/** Returns the same numbers every day. */
const performance = (query: URLSearchParams): Answer => {
  const [from, to] = [dayOf(query, 'startDate'), dayOf(query, 'endDate')]
  const metrics = query.getAll('dailyMetrics')
  if (metrics.length === 0 || !(to >= from)) return invalid('Request contains an invalid argument.')
  const unknown = metrics.find((name) => !Object.hasOwn(PER_DAY, name))
  if (unknown !== undefined)
    return invalid(
      `Invalid value at 'daily_metrics' (type.googleapis.com/google.mybusiness.businessprofileperformance.v1.DailyMetric), "${unknown}"`,
    )
  const days = Array.from({ length: (to - from) / 86_400_000 + 1 }, (_, n) => new Date(from + n * 86_400_000))
  const dailyMetricTimeSeries = metrics.map((dailyMetric) => ({
    dailyMetric,
    timeSeries: {
      datedValues: days.map((day) => ({
        date: { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() },
        ...(PER_DAY[dailyMetric] ? { value: String(PER_DAY[dailyMetric]) } : {}),
      })),
    },
  }))
  return json(200, { multiDailyMetricTimeSeries: [{ dailyMetricTimeSeries }] })
}

/** Returns Google's decision on a reply, which follows after the reply was accepted. Links are refused. */
const moderated = (comment: string): string => (comment.includes('http') ? 'REJECTED' : 'APPROVED')

/** Returns a review as a later request sees it: Google has decided on its reply by then. */
const judged = (review: Review): Review => {
  const { reviewReply: own } = review
  if (own?.reviewReplyState === 'PENDING') own.reviewReplyState = moderated(own.comment)
  return review
}

const reply = (review: Review, { method, body }: StandInRequest): Answer => {
  if (method === 'DELETE') {
    if (!review.reviewReply) return notFound()
    delete review.reviewReply
    return json(200, {})
  }
  if (method !== 'PUT') return notFound()
  const { comment } = (body ?? {}) as { comment?: unknown }
  if (typeof comment !== 'string' || comment === '' || Buffer.byteLength(comment) > MAX_REPLY_BYTES)
    return invalid('Review reply comment must be between 1 and 4096 bytes.')
  review.reviewReply = { comment, updateTime: new Date().toISOString(), reviewReplyState: 'PENDING' }
  return json(200, review.reviewReply)
}

const localPost = (location: Location, path: string, body: unknown): Answer => {
  const given = (body ?? {}) as { summary?: unknown; topicType?: unknown; callToAction?: { actionType?: string } }
  if (!location.mayPost) return fault(403, 'PERMISSION_DENIED', 'This location cannot operate local posts.')
  if (typeof given.summary !== 'string' || [...given.summary].length > MAX_SUMMARY)
    return invalid('summary must be at most 1500 characters.')
  if (!['STANDARD', 'EVENT', 'OFFER', 'ALERT'].includes(String(given.topicType)))
    return invalid('topic_type is required.')
  const at = new Date().toISOString()
  const post: Post = {
    ...given,
    name: `${path}/post-${location.posts.length + 1}`,
    summary: given.summary,
    state: 'PROCESSING',
    createTime: at,
    updateTime: at,
  }
  location.posts.unshift(post)
  return json(200, post)
}

/** Returns a post as a later request sees it: Google has decided on it by then. */
const decided = (location: Location, post: Post): Post => {
  if (post.state === 'PROCESSING') {
    post.state = post.summary.includes('[rejected]') ? 'REJECTED' : 'LIVE'
    if (post.state === 'LIVE')
      post.searchUrl = `https://local.google.example/${location.name}/${post.name.split('/').at(-1)}`
  }
  return post
}

/** Returns the number of an account, the same each time. */
export const numberOf = (email: string): number =>
  1_000_000 + (createHash('sha256').update(email).digest().readUInt32BE() % 8_000_000)

const locationsFor = (email: string, given: readonly GivenLocation[]): Location[] => {
  const number = numberOf(email)
  const account = `accounts/${number}`
  return given.map(({ title, reviews = 120, isVerified = true, mayPost = true }, n): Location => {
    const name = `locations/${number}${String(n).padStart(3, '0')}`
    const list = reviewsOf(`${account}/${name}`, reviews)
    return { title, reviews, isVerified, mayPost, account, name, list, posts: [] }
  })
}

/**
 * Returns Google's APIs of business profiles: accounts, locations, reviews with replies, local posts and daily numbers.
 *
 * Each account of the stand-in has one location with 120 reviews unless it was given others.
 */
export const openBusiness = (dir?: string) => {
  /** Locations of accounts, by e-mail address. */
  const { data: owned, save } = keptIn<Record<string, Location[]>>(dir, 'google-business.json', {})

  const give = (email: string, given: readonly GivenLocation[]) => {
    owned[email] = locationsFor(email, given)
    save()
  }
  const locationsOf = (email: string): Location[] => {
    if (!owned[email]) give(email, [{ title: 'Garden Sheds' }])
    return owned[email] ?? []
  }

  const listLocations = (mine: readonly Location[], account: string, query: URLSearchParams): Answer => {
    if (!query.get('readMask')) return invalid('Invalid field mask provided')
    const rows = mine
      .filter((one) => one.account === account)
      .map(({ name, title, mayPost }) => ({
        name,
        title,
        storefrontAddress: { regionCode: 'GB', locality: 'Bristol', addressLines: ['1 Orchard Lane'] },
        metadata: { mapsUri: `https://maps.google.example/${name}`, canOperateLocalPost: mayPost },
      }))
    return sent(pageOf(rows, query, { field: 'locations', usual: 10, most: 100 }))
  }

  const listReviews = ({ list, isVerified }: Location, query: URLSearchParams): Answer => {
    if (!isVerified) return fault(403, 'PERMISSION_DENIED', 'The location is not verified.')
    const order = query.get('orderBy') ?? 'updateTime desc'
    if (!['updateTime desc', 'rating', 'rating desc'].includes(order)) return invalid('Invalid order_by.')
    const stars = list.map(({ starRating }) => STARS.indexOf(starRating) + 1)
    return sent(pageOf(list.map(judged), query, { field: 'reviews', usual: 50, most: 50 }), {
      ...(list.length > 0 ? { averageRating: stars.reduce((sum, one) => sum + one, 0) / list.length } : {}),
      totalReviewCount: list.length,
    })
  }

  const below = (location: Location, rest: string[], request: StandInRequest): Answer => {
    const { method, query, path, body } = request
    const [kind, id, verb] = rest
    if (kind === 'reviews') {
      if (id === undefined) return method === 'GET' ? listReviews(location, query) : notFound()
      const review = location.list.find(({ reviewId }) => reviewId === id)
      if (!review) return notFound()
      if (verb === 'reply') return reply(review, request)
      return json(200, judged(review))
    }
    if (kind !== 'localPosts') return notFound()
    if (method === 'POST' && id === undefined) return localPost(location, path.replace('/v4/', ''), body)
    if (id === undefined) {
      const posts = location.posts.map((post) => decided(location, post))
      return sent(pageOf(posts, query, { field: 'localPosts', usual: 20, most: 100 }))
    }
    const post = location.posts.find(({ name }) => name.endsWith(`/${id}`))
    return post ? json(200, decided(location, post)) : notFound()
  }

  return {
    give,
    /** Every post of every location, newest first. */
    posts: (): Post[] =>
      Object.values(owned)
        .flat()
        .flatMap(({ posts }) => posts),
    /** True if a request is one of these APIs'. */
    takes: (path: string): boolean => /^\/(v1|v4)\/(accounts|locations)\b/.test(path),
    answer: (email: string, request: StandInRequest): Answer => {
      const { path, query } = request
      const mine = locationsOf(email)
      if (path === '/v1/accounts') {
        const names = [...new Set(mine.map(({ account }) => account))]
        const rows = names.map((name) => ({ name, accountName: email, type: 'PERSONAL', role: 'PRIMARY_OWNER' }))
        return sent(pageOf(rows, query, { field: 'accounts', usual: 20, most: 20 }))
      }
      const [, account] = /^\/v1\/(accounts\/\d+)\/locations$/.exec(path) ?? []
      if (account !== undefined) return listLocations(mine, account, query)
      const [, measured] = /^\/v1\/(locations\/\d+):fetchMultiDailyMetricsTimeSeries$/.exec(path) ?? []
      if (measured !== undefined) return mine.some(({ name }) => name === measured) ? performance(query) : notFound()
      const [, version, a, one, l, two, ...rest] = path.split('/').map(decodeURIComponent)
      const location = mine.find((own) => own.account === `${a}/${one}` && own.name === `${l}/${two}`)
      if (version !== 'v4' || !location) return notFound()
      const answer = below(location, rest, request)
      save()
      return answer
    },
  }
}
