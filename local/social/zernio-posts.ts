import { type Answer, json } from '../receiver/answers.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { type Data, digestOf, newId, type Platform, type Post, urlOf } from './zernio-data.ts'

const DAY_MS = 86_400_000
const REPLAY_MS = 300_000

/**
 * Ways in which a network treats a post, chosen by its text.
 *
 * `[processing]` needs some look-ups, `[fails]` is refused by the network, `[expired]` has lost its access. `[flaky]`
 * and `[quota]` fail once.
 */
type Manner = 'published' | 'processing' | keyof typeof FAULTS

/** The words of a failure, and the provider's kind of it. */
const FAULTS = {
  fails: ['The network does not accept this text.', 'user_content'],
  flaky: ['The network had an internal error.', 'platform_error'],
  quota: ['The shared quota of the network is used up.', 'quota_exhausted'],
  expired: ['The access token was revoked.', 'auth_expired'],
} as const

const ONCE: readonly Manner[] = ['flaky', 'quota']

const mannerOf = (content: string): Manner => {
  const found = /\[(processing|fails|flaky|quota|expired)\]/.exec(content)?.[1]
  return (found as Manner | undefined) ?? 'published'
}

const bad = (error: string, param?: string): Answer =>
  json(400, { error, type: 'invalid_request_error', ...(param ? { param } : {}) })

type Body = {
  content?: unknown
  mediaItems?: unknown[]
  platforms?: { platform?: unknown; accountId?: unknown; platformSpecificData?: unknown }[]
  publishNow?: unknown
  metadata?: Record<string, unknown>
}

const publish = (network: Platform, username: string): void => {
  const id = newId()
  Object.assign(network, {
    status: 'published',
    platformPostId: id,
    platformPostUrl: urlOf(network.platform, username, id),
    publishedAt: new Date().toISOString(),
    errorMessage: undefined,
    errorCategory: undefined,
  })
}

const settle = (data: Data, post: Post, manner: Manner): void => {
  for (const network of post.platforms) {
    const username = data.accounts.find(({ _id }) => _id === network.accountId)?.username ?? ''
    if (manner === 'published') publish(network, username)
    else if (manner === 'processing') network.status = 'pending'
    else {
      const [errorMessage, errorCategory] = FAULTS[manner]
      Object.assign(network, { status: 'failed', errorMessage, errorCategory })
    }
  }
  const states = post.platforms.map(({ status }) => status)
  post.status = states.every((s) => s === 'published')
    ? 'published'
    : states.includes('pending')
      ? 'publishing'
      : 'failed'
  post.updatedAt = new Date().toISOString()
}

const made = (post: Post, status = 201): Answer =>
  post.status === 'published'
    ? json(status, { message: 'Post published successfully', post })
    : json(207, {
        message: 'Post created, but publishing did not fully succeed',
        post,
        platformResults: post.platforms.map(({ platform, status: state, errorMessage: error }) => ({
          platform,
          status: state,
          error,
        })),
      })

/** Answers `POST /v1/posts`: creates a post once for each request id, and once a day for the same words. */
export const createPost = (data: Data, { body, headers }: StandInRequest): Answer => {
  const { content = '', mediaItems = [], platforms = [], publishNow, metadata = {} } = (body ?? {}) as Body
  const requestId = headers['x-request-id']
  const before = typeof requestId === 'string' ? data.requests[requestId] : undefined
  if (before && Date.now() - before.at < REPLAY_MS)
    return json(200, { existingPost: data.posts.find(({ _id }) => _id === before.post) })
  if (typeof content !== 'string') return bad('content must be a string', 'content')
  if (platforms.length === 0) return bad('platforms must not be empty', 'platforms')
  if (publishNow !== true) return bad('this stand-in publishes at once only', 'publishNow')
  const accounts = platforms.map(({ accountId }) => data.accounts.find(({ _id }) => _id === accountId))
  for (const [n, account] of accounts.entries()) {
    if (!account || account.platform !== platforms[n]?.platform)
      return bad('account not found', `platforms.${n}.accountId`)
    if (!account.isActive || account.needsReconnection)
      return json(403, {
        error: 'The account is disconnected.',
        type: 'permission_error',
        code: 'ACCOUNT_DISCONNECTED',
      })
    const digest = digestOf(account._id, content, mediaItems)
    const same = data.posts.find(
      (post) =>
        Date.now() - Date.parse(post.createdAt) < DAY_MS &&
        post.platforms.some((p) => digestOf(p.accountId, post.content, post.mediaItems) === digest),
    )
    if (same)
      return json(409, {
        error: 'Duplicate content',
        type: 'invalid_request_error',
        details: { accountId: account._id, platform: account.platform, existingPostId: same._id },
      })
  }
  const now = new Date().toISOString()
  const post: Post = {
    _id: newId(),
    content,
    mediaItems,
    status: 'publishing',
    platforms: platforms.map(({ platform, accountId }) => ({
      platform: String(platform),
      accountId: String(accountId),
      status: 'pending',
    })),
    metadata,
    createdAt: now,
    updatedAt: now,
  }
  data.posts.unshift(post)
  if (typeof requestId === 'string') data.requests[requestId] = { post: post._id, at: Date.now() }
  settle(data, post, mannerOf(content))
  return made(post)
}

/** Answers `POST /v1/posts/:id/retry`: tries the failed networks again. */
export const retryPost = (data: Data, id: string): Answer => {
  const post = data.posts.find(({ _id }) => _id === id)
  if (!post) return json(404, { error: 'Post not found', type: 'not_found' })
  if (post.status !== 'failed') return bad('only failed posts can be retried')
  const manner = mannerOf(post.content)
  settle(data, post, ONCE.includes(manner) ? 'published' : manner)
  return made(post, 200)
}

/** Answers `GET /v1/posts/:id`. The second read of a post in processing finds it published. */
export const getPost = (data: Data, id: string): Answer => {
  const post = data.posts.find(({ _id }) => _id === id)
  if (!post) return json(404, { error: 'Post not found', type: 'not_found' })
  const answer = json(200, { post })
  if (post.status === 'publishing') settle(data, post, 'published')
  return answer
}

const MAX_LIMIT = 100

/** Answers `GET /v1/posts`, newest first. Refuses a limit above the maximum. */
export const listPosts = (data: Data, query: URLSearchParams): Answer => {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)]
  if (!(limit >= 1 && limit <= MAX_LIMIT)) return bad(`limit must be from 1 to ${MAX_LIMIT}`, 'limit')
  const from = query.get('fromDate')
  const account = query.get('accountId')
  const fitting = data.posts.filter(
    (post) =>
      (!from || Date.parse(post.createdAt) >= Date.parse(from)) &&
      (!account || post.platforms.some(({ accountId }) => accountId === account)),
  )
  const posts = fitting.slice((page - 1) * limit, page * limit)
  return json(200, {
    posts,
    pagination: { page, limit, total: fitting.length, pages: Math.ceil(fitting.length / limit) },
  })
}
