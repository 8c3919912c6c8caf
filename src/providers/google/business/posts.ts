import * as z from 'zod/mini'
import { storableText } from '../../../platform/lib/text.ts'
import type { DirectAccount, FindOutcome, OutgoingPost, SendOutcome } from '../../../reach/social/port.ts'
import { type Asked, type BusinessDeps, callerFor, readAs } from './api.ts'

const words = z._default(z.optional(z.string()), '')

const PostShape = z.object({
  name: words,
  summary: words,
  state: words,
  createTime: words,
  searchUrl: z.optional(z.string()),
  callToAction: z.optional(z.object({ actionType: words, url: words })),
})
type Post = z.infer<typeof PostShape>

const PostsShape = z.object({
  localPosts: z._default(z.optional(z.array(PostShape)), []),
  nextPageToken: words,
})

type Button = { type?: unknown; url?: unknown }

/** Returns the post's button: the chosen one, else "Learn more" with its link. */
const buttonOf = ({ options, link }: OutgoingPost): { actionType: string; url?: string } | undefined => {
  const { type, url } = (options.callToAction ?? {}) as Button
  const to = typeof url === 'string' ? url : (link ?? undefined)
  if (typeof type === 'string') return { actionType: type, ...(to === undefined || type === 'CALL' ? {} : { url: to }) }
  return to === undefined ? undefined : { actionType: 'LEARN_MORE', url: to }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const bodyOf = (post: OutgoingPost) => {
  const { topicType, event, offer, languageCode } = post.options
  const button = buttonOf(post)
  return {
    summary: post.text,
    topicType: typeof topicType === 'string' ? topicType : 'STANDARD',
    ...(typeof languageCode === 'string' ? { languageCode } : {}),
    ...(button ? { callToAction: button } : {}),
    ...(post.media.length > 0
      ? { media: post.media.map(({ url }) => ({ mediaFormat: 'PHOTO', sourceUrl: url })) }
      : {}),
    ...(isObject(event) ? { event } : {}),
    ...(isObject(offer) ? { offer } : {}),
  }
}

type Known = Extract<FindOutcome, { kind: 'published' | 'processing' | 'refused' }>

/** Returns the state of a post at Google. */
const standing = ({ name, state, searchUrl, createTime }: Post): Known => {
  if (state === 'REJECTED')
    return {
      kind: 'refused',
      reason: 'Google looked at the post and rejected it for its content.',
      retryable: false,
      remoteId: name,
    }
  if (state !== 'LIVE') return { kind: 'processing', remoteId: name }
  const at = new Date(createTime)
  return {
    kind: 'published',
    remoteId: name,
    ...(searchUrl === undefined ? {} : { url: searchUrl }),
    ...(Number.isNaN(at.getTime()) ? {} : { publishedAt: at }),
  }
}

const refused = (asked: Extract<Asked, { kind: 'refused' }>): SendOutcome => ({
  kind: 'refused',
  reason: storableText(asked.reason),
  retryable: asked.retryable,
  ...(asked.retryAfterS === undefined ? {} : { retryAfterS: asked.retryAfterS }),
})

const postsOf = (deps: BusinessDeps, account: DirectAccount): string =>
  `${deps.reviewsUrl}/v4/${account.remoteId}/localPosts`

/** Creates a local post. Google has no idempotency keys, so a post whose answer was lost is searched by its text. */
export const sendToGoogle = async (
  deps: BusinessDeps,
  account: DirectAccount,
  post: OutgoingPost,
): Promise<SendOutcome> => {
  const call = callerFor(deps, account)
  const asked = await call({ method: 'POST', url: postsOf(deps, account), json: bodyOf(post) })
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') return refused(asked)
  const made = PostShape.safeParse(asked.body)
  if (!made.success || made.data.name === '') return { kind: 'unknown', reason: 'Google’s answer could not be read.' }
  return standing(made.data)
}

const PAGE = 100
/** Number of pages that are searched for a post, from the newest. */
const MAX_PAGES = 5
/** Difference allowed between two clocks, ms. */
const CLOCKS_MS = 60_000

/** True if a post at Google is this one: it has the same text and button, and is not older than the request. */
const isSame = (post: OutgoingPost, { summary, createTime, callToAction }: Post): boolean =>
  summary === post.text &&
  (callToAction?.url ?? '') === (buttonOf(post)?.url ?? '') &&
  !(Date.parse(createTime) < post.askedAt.getTime() - CLOCKS_MS)

/** Finds a post: by its name if Google gave one, else among the newest of the location. */
export const findAtGoogle = async (
  deps: BusinessDeps,
  account: DirectAccount,
  post: OutgoingPost,
): Promise<FindOutcome> => {
  const call = callerFor(deps, account)
  if (post.remoteId !== null) {
    const read = await readAs(call({ method: 'GET', url: `${deps.reviewsUrl}/v4/${post.remoteId}` }), PostShape)
    if (read.kind === 'got') return standing(read.value)
    if (read.status === 404)
      return {
        kind: 'refused',
        reason: 'The post was taken down at Google.',
        retryable: false,
        remoteId: post.remoteId,
      }
    return { kind: 'unsure', reason: read.reason }
  }
  let token = ''
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ pageSize: String(PAGE), ...(token === '' ? {} : { pageToken: token }) })
    const read = await readAs(call({ method: 'GET', url: `${postsOf(deps, account)}?${query}` }), PostsShape)
    if (read.kind === 'refused') return { kind: 'unsure', reason: read.reason }
    const found = read.value.localPosts.find((one) => isSame(post, one))
    if (found) return standing(found)
    token = read.value.nextPageToken
    if (token === '') return { kind: 'absent' }
  }
  // The list is newest first. A post that is not on these pages is older, or there are too many posts.
  return { kind: 'absent' }
}
