import type { FindOutcome, OutgoingPost, SendOutcome } from '../../../reach/social/port.ts'
import { type Api, type Asked, readAs } from './api.ts'
import { createBody, isOurs, standing } from './transform.ts'
import { Conflict, type Post, PostAnswer, Posts } from './types.ts'

const PAGE = 50
/** Enough for 1,500 posts of one account within the hours since the post was asked for. */
const MAX_PAGES = 30
/** Clocks differ: the list is read from a little before the post was asked for. */
const SLACK_MS = 3_600_000

/** Publishing waits for the network. */
const SEND_TIMEOUT_MS = 60_000

type Look = Post | 'absent' | { unsure: string }

const postById = async (api: Api, id: string): Promise<Look> => {
  const read = await readAs(api({ method: 'GET', path: `/v1/posts/${encodeURIComponent(id)}` }), PostAnswer)
  if (read.kind === 'got') return read.value.post ?? { unsure: 'The social provider’s answer has no post.' }
  return read.status === 404 ? 'absent' : { unsure: read.reason }
}

/** Returns the provider's post that carries the key, looked for in what the account had since the post was asked for. */
const postByKey = async (api: Api, { accountId, askedAt, key }: OutgoingPost): Promise<Look> => {
  const fromDate = new Date(askedAt.getTime() - SLACK_MS).toISOString()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { accountId, fromDate, page: String(page), limit: String(PAGE) }
    const read = await readAs(api({ method: 'GET', path: '/v1/posts', query }), Posts)
    if (read.kind === 'refused') return { unsure: read.reason }
    const found = read.value.posts.find((post) => isOurs(post, key))
    if (found) return found
    if (read.value.posts.length < PAGE) return 'absent'
  }
  return { unsure: 'The account has more posts at the social provider than can be looked through.' }
}

/** Looks a post up: by the provider's id where it is known, else by its key. */
export const findPost = async (api: Api, post: OutgoingPost): Promise<FindOutcome> => {
  const found = post.remoteId === null ? await postByKey(api, post) : await postById(api, post.remoteId)
  if (found === 'absent') return { kind: 'absent' }
  if ('unsure' in found) return { kind: 'unsure', reason: found.unsure }
  return standing(found)
}

/** The provider has the same words from this account already: it is the same post, or another one of yesterday. */
const conflict = async (api: Api, post: OutgoingPost, body: unknown, reason: string): Promise<SendOutcome> => {
  const conflict = Conflict.safeParse(body)
  const id = conflict.success ? conflict.data.details?.existingPostId : undefined
  const found = id === undefined ? await postByKey(api, post) : await postById(api, id)
  if (found === 'absent') return { kind: 'refused', reason, retryable: false }
  if ('unsure' in found) return { kind: 'unknown', reason: found.unsure }
  if (isOurs(found, post.key)) return standing(found)
  const url = found.platforms[0]?.platformPostUrl
  return {
    kind: 'refused',
    reason: `The account posted the same within the last 24 hours${url ? `: ${url}` : '.'}`,
    retryable: false,
  }
}

const outcomeOf = async (api: Api, post: OutgoingPost, asked: Asked): Promise<SendOutcome> => {
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') {
    const { reason, retryable, retryAfterS, status, body } = asked
    if (status === 409) return await conflict(api, post, body, reason)
    return { kind: 'refused', reason, retryable, ...(retryAfterS === undefined ? {} : { retryAfterS }) }
  }
  const answer = PostAnswer.safeParse(asked.body)
  const made = answer.success ? (answer.data.post ?? answer.data.existingPost) : undefined
  return made ? standing(made) : { kind: 'unknown', reason: 'The social provider’s answer has no post.' }
}

/**
 * Publishes a post through the provider. One that is there already and failed is tried again in its place; a second one is
 * never made.
 */
export const sendPost = async (api: Api, post: OutgoingPost): Promise<SendOutcome> => {
  const path = post.remoteId === null ? '/v1/posts' : `/v1/posts/${encodeURIComponent(post.remoteId)}/retry`
  const asked = await api({
    method: 'POST',
    path,
    ...(post.remoteId === null ? { body: createBody(post), requestId: post.key } : {}),
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return await outcomeOf(api, post, asked)
}
