import { keptIn } from '../kept.ts'
import { published } from '../published.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  type Account,
  type Automation,
  connectAccount,
  type Data,
  emptyData,
  newId,
  type Review,
} from './zernio-data.ts'
import { createPost, getPost, listPosts, retryPost } from './zernio-posts.ts'

const bad = (error: string): Answer => json(400, { error, type: 'invalid_request_error' })

/** Answers requests to `/v1/comment-automations`: rules for Instagram and Facebook, one active rule for each post. */
const automations = (
  data: Data,
  { method, id, body, query }: { method: string; id: string | undefined; body: unknown; query: URLSearchParams },
): Answer => {
  const given = (body ?? {}) as Partial<Automation>
  if (id === undefined) {
    if (method === 'GET')
      return json(200, {
        automations: data.automations.filter(({ profileId }) => profileId === query.get('profileId')),
      })
    const account = data.accounts.find(({ _id }) => _id === given.accountId)
    if (!account || account.profileId !== given.profileId) return bad('account not found')
    if (account.platform !== 'instagram' && account.platform !== 'facebook')
      return bad('comment automations are for Instagram and Facebook accounts')
    if (!given.name || !given.dmMessage || !given.platformPostId)
      return bad('name, dmMessage and platformPostId are required')
    if (data.automations.some((one) => one.isActive && one.platformPostId === given.platformPostId))
      return json(409, { error: 'The post has an active automation already', type: 'invalid_request_error' })
    const automation: Automation = {
      id: newId(),
      name: given.name,
      profileId: account.profileId,
      accountId: account._id,
      platformPostId: given.platformPostId,
      keywords: given.keywords ?? [],
      matchMode: given.matchMode ?? 'contains',
      dmMessage: given.dmMessage,
      ...(given.commentReply ? { commentReply: given.commentReply } : {}),
      isActive: true,
    }
    data.automations.push(automation)
    return json(200, { success: true, automation })
  }
  const automation = data.automations.find((one) => one.id === id)
  if (!automation) return json(404, { error: 'Automation not found', type: 'not_found' })
  if (method === 'PATCH') Object.assign(automation, given)
  return json(200, { success: true, automation })
}

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

/** Answers requests to `/v1/accounts/:id/gmb-reviews`: pages of at most 50, one review, and its reply, which is replaced. */
const reviewsOf = (data: Data, account: Account, asked: Asked): Answer => {
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

/** Answers `/v1/analytics/googlebusiness/performance`, with the same numbers every day. */
const performanceOf = (query: URLSearchParams): Answer => {
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

export type RunningZernio = StandIn & {
  data: Data
  /**
   * Connects an account to the profile of this name, and makes the profile if there is none. Returns the account's id.
   */
  connect: (profileName: string, platform: string, username?: string) => string
}

const SCHEMA = published('zernio')

type Options = {
  key: string
  port?: number
  /** Folder of its data; absent: in memory only. */
  dir?: string
  /** Networks of which each new profile has an account. */
  sample?: readonly string[]
}

const profileNamed = (data: Data, name: string, sample: readonly string[]): string => {
  const found = data.profiles.find((profile) => profile.name === name)
  if (found) return found._id
  const profile = { _id: newId(), name }
  data.profiles.push(profile)
  for (const platform of sample) connectAccount(data, profile._id, platform)
  return profile._id
}

const accountsOf = (data: Data, query: URLSearchParams): Answer => {
  if (query.has('page') !== query.has('limit')) return json(400, { error: 'page and limit come together' })
  const profileId = query.get('profileId')
  const accounts = data.accounts.filter((account) => profileId === null || account.profileId === profileId)
  return json(200, { accounts, hasAnalyticsAccess: false })
}

/** Agrees at once, because here opening the address means agreement. Sends a browser back to its page. */
const agree = (data: Data, { query, headers }: StandInRequest): Answer => {
  const account = connectAccount(data, query.get('profileId') ?? '', query.get('platform') ?? '')
  const back = query.get('redirect_url') ?? ''
  return headers.accept?.includes('text/html') && back !== ''
    ? json(303, { connected: account }, { location: back })
    : json(200, { connected: account })
}

/** Ends an account's access, as a network does after a password change. A person has to connect it again. */
const lapse = (data: Data, { query }: StandInRequest): Answer => {
  const account = data.accounts.find(({ _id }) => _id === query.get('account'))
  if (account) account.needsReconnection = true
  return json(account ? 200 : 404, {})
}

const profileOf = (data: Data, { method, path, body, query }: StandInRequest): Answer => {
  const [, , , accountId, , id, verb] = path.split('/')
  const account = data.accounts.find(({ _id }) => _id === accountId)
  if (account?.platform !== 'googlebusiness') return json(404, { error: 'Account not found', type: 'not_found' })
  return reviewsOf(data, account, { method, id, verb, body, query })
}

const answerTo = (data: Data, { key, sample = [] }: Options, url: () => string, request: StandInRequest): Answer => {
  const { method, path, query, headers, body } = request
  if (path === '/_agree') return agree(data, request)
  if (path === '/_lapse') return lapse(data, request)
  if (headers.authorization !== `Bearer ${key}`)
    return json(401, { error: 'Invalid API key', type: 'authentication_error' })
  const [, version, thing = '', id, verb] = path.split('/')
  if (version !== 'v1') return json(404, { error: 'Not found', type: 'not_found' })
  const call = `${method} ${thing}${id === undefined ? '' : '/:id'}${verb === undefined ? '' : `/${verb}`}`
  switch (call) {
    case 'GET profiles':
      return json(200, { profiles: data.profiles })
    case 'POST profiles': {
      const { name } = (body ?? {}) as { name?: string }
      if (!name) return json(400, { error: 'name is required', type: 'invalid_request_error' })
      return json(201, { profile: { _id: profileNamed(data, name, sample), name } })
    }
    case 'GET accounts':
      return accountsOf(data, query)
    case 'GET connect/:id': {
      const given = new URLSearchParams({
        profileId: query.get('profileId') ?? '',
        platform: id ?? '',
        redirect_url: query.get('redirect_url') ?? '',
      })
      return json(200, { authUrl: `${url()}/_agree?${given.toString()}`, state: newId() })
    }
    case 'POST posts':
      return createPost(data, request)
    case 'GET posts':
      return listPosts(data, query)
    case 'GET posts/:id':
      return getPost(data, id ?? '')
    case 'POST posts/:id/retry':
      return retryPost(data, id ?? '')
    case 'GET analytics/:id/performance':
      return performanceOf(query)
    default:
      if (thing === 'accounts' && verb === 'gmb-reviews') return profileOf(data, request)
      if (thing === 'comment-automations') return automations(data, { method, id, body, query })
      return json(404, { error: 'Not found', type: 'not_found' })
  }
}

/**
 * Starts a stand-in of Zernio on 127.0.0.1: profiles, accounts, posts and comment automations of its REST API.
 *
 * A post is made once for each `x-request-id`, and the same words once a day. Texts in brackets make the network fail
 * (see zernio-posts.ts), and `/_faults` the provider.
 */
export const startZernio = async (options: Options): Promise<RunningZernio> => {
  const { data, save } = keptIn(options.dir, 'zernio.json', emptyData())
  // Earlier versions of this stand-in wrote both as lists of pairs.
  for (const name of ['reviews', 'requests'] as const)
    if (Array.isArray(data[name])) data[name] = Object.fromEntries(data[name])
  const answer = (request: StandInRequest): Answer => {
    const response = answerTo(data, options, () => url, request)
    if (request.method !== 'GET' || request.path === '/_agree') save()
    return response
  }
  let url = ''
  const standIn = await startStandIn({
    ...(options.port === undefined ? {} : { port: options.port }),
    answer,
    published: {
      schema: SCHEMA,
      refused: ({ kind, path, message }) =>
        kind === 'operation'
          ? json(404, { error: 'Not found', type: 'not_found' })
          : json(400, { error: message, type: 'invalid_request_error', param: path.join('.') }),
    },
    posts: () => ({ posts: data.posts, automations: data.automations, accounts: data.accounts }),
  })
  url = standIn.url
  return {
    ...standIn,
    data,
    connect: (name, platform, username) => connectAccount(data, profileNamed(data, name, []), platform, username)._id,
  }
}
