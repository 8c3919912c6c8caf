import * as z from 'zod/mini'
import {
  type BusinessProfile,
  GoogleReview,
  GoogleReviews,
  type ReplyOutcome,
  reviewOf,
  reviewPageOf,
} from '../../../reach/profile/port.ts'
import type {
  FindOutcome,
  GuideRules,
  GuideTarget,
  OutgoingPost,
  SendOutcome,
  SocialProvider,
} from '../../../reach/social/port.ts'
import {
  Accounts,
  type Api,
  type Asked,
  Automations,
  Conflict,
  ConnectUrl,
  createApi,
  MadeAutomation,
  MadeProfile,
  type Post,
  PostAnswer,
  Posts,
  Profiles,
  readAs,
  type ZernioDeps,
} from './api.ts'
import { accountsIn, createBody, hasOurKey, ruleBody, ruleOf, stateOfPost, theirName } from './transform.ts'

const PAGE = 50
/** Enough for 1,500 posts of one account in the hours since the post was requested. */
const MAX_PAGES = 30
/** Clocks differ, so the list is read from a little before the request. */
const SLACK_MS = 3_600_000

/** Publishing waits for the network. */
const SEND_TIMEOUT_MS = 60_000

type Look = Post | 'absent' | { unsure: string }

const postById = async (api: Api, id: string): Promise<Look> => {
  const read = await readAs(api({ method: 'GET', path: `/v1/posts/${encodeURIComponent(id)}` }), PostAnswer)
  if (read.kind === 'got') return read.value.post ?? { unsure: 'The social provider’s answer has no post.' }
  return read.status === 404 ? 'absent' : { unsure: read.reason }
}

/** Returns the provider's post with the key, from the account's posts since the request. */
const postByKey = async (api: Api, { accountId, askedAt, key }: OutgoingPost): Promise<Look> => {
  const fromDate = new Date(askedAt.getTime() - SLACK_MS).toISOString()
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { accountId, fromDate, page: String(page), limit: String(PAGE) }
    const read = await readAs(api({ method: 'GET', path: '/v1/posts', query }), Posts)
    if (read.kind === 'refused') return { unsure: read.reason }
    const found = read.value.posts.find((post) => hasOurKey(post, key))
    if (found) return found
    if (read.value.posts.length < PAGE) return 'absent'
  }
  return { unsure: 'The account has more posts at the social provider than can be looked through.' }
}

/** Finds a post: by the provider's id if it is known, else by its key. */
const findPost = async (api: Api, post: OutgoingPost): Promise<FindOutcome> => {
  const found = post.remoteId === null ? await postByKey(api, post) : await postById(api, post.remoteId)
  if (found === 'absent') return { kind: 'absent' }
  if ('unsure' in found) return { kind: 'unsure', reason: found.unsure }
  return stateOfPost(found)
}

/**
 * Returns the outcome if the provider already has the same words from this account.
 *
 * They can be the same post, or another one from the last 24 hours.
 */
const conflict = async (api: Api, post: OutgoingPost, body: unknown, reason: string): Promise<SendOutcome> => {
  const conflict = Conflict.safeParse(body)
  const id = conflict.success ? conflict.data.details?.existingPostId : undefined
  const found = id === undefined ? await postByKey(api, post) : await postById(api, id)
  if (found === 'absent') return { kind: 'refused', reason, retryable: false }
  if ('unsure' in found) return { kind: 'unknown', reason: found.unsure }
  if (hasOurKey(found, post.key)) return stateOfPost(found)
  const url = found.platforms[0]?.platformPostUrl
  return {
    kind: 'refused',
    reason: `The account posted the same within the last 24 hours${url ? `: ${url}` : '.'}`,
    retryable: false,
  }
}

const sendOutcomeOf = async (api: Api, post: OutgoingPost, asked: Asked): Promise<SendOutcome> => {
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'refused') {
    const { reason, retryable, retryAfterS, status, body } = asked
    if (status === 409) return await conflict(api, post, body, reason)
    return { kind: 'refused', reason, retryable, ...(retryAfterS === undefined ? {} : { retryAfterS }) }
  }
  const answer = PostAnswer.safeParse(asked.body)
  const made = answer.success ? (answer.data.post ?? answer.data.existingPost) : undefined
  return made ? stateOfPost(made) : { kind: 'unknown', reason: 'The social provider’s answer has no post.' }
}

/** Publishes a post through the provider. A post that exists there and failed is retried, so that there is never a second one. */
const sendPost = async (api: Api, post: OutgoingPost): Promise<SendOutcome> => {
  const path = post.remoteId === null ? '/v1/posts' : `/v1/posts/${encodeURIComponent(post.remoteId)}/retry`
  const asked = await api({
    method: 'POST',
    path,
    ...(post.remoteId === null ? { body: createBody(post), requestId: post.key } : {}),
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return await sendOutcomeOf(api, post, asked)
}

const idIn = (made: { automation: { id?: string | undefined; _id?: string | undefined } }): string =>
  made.automation.id ?? made.automation._id ?? ''

const guideBody = ({ name, profileId, accountId, networkId }: GuideTarget) => ({
  name,
  profileId,
  accountId,
  platformPostId: networkId,
  trigger: 'comment',
})

/** Returns access to the rules that answer commenters (comment automations). */
const guideRules = (api: Api): GuideRules => {
  const path = '/v1/comment-automations'
  const change = async (id: string, body: object) => {
    const read = await readAs(api({ method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, body }), MadeAutomation)
    return read.kind === 'got' ? { ...read, value: idIn(read.value) || id } : read
  }
  return {
    find: async ({ name, profileId }, config) => {
      const read = await readAs(api({ method: 'GET', path, query: { profileId } }), Automations)
      if (read.kind === 'refused') return read
      const found = read.value.automations.find((automation) => automation.name === name)
      return { kind: 'got', value: found && ruleOf(found, config) }
    },
    make: async (target, config) => {
      const body = { ...guideBody(target), ...ruleBody(config) }
      const read = await readAs(api({ method: 'POST', path, body }), MadeAutomation)
      return read.kind === 'got' ? { ...read, value: idIn(read.value) } : read
    },
    change: (id, config) => change(id, { ...ruleBody(config), isActive: true }),
    stop: (id) => change(id, { isActive: false }),
  }
}

/** Returns the provider of all networks through Zernio (REST, v1). A project is a profile there. */
export const zernio = (deps: ZernioDeps): SocialProvider => {
  const api = createApi(deps)
  return {
    profile: async (name) => {
      const read = await readAs(api({ method: 'GET', path: '/v1/profiles' }), Profiles)
      if (read.kind === 'refused') return read
      const found = read.value.profiles.find((profile) => profile.name === name)
      if (found) return { kind: 'got', value: found._id }
      const made = await readAs(api({ method: 'POST', path: '/v1/profiles', body: { name } }), MadeProfile)
      return made.kind === 'got' ? { kind: 'got', value: made.value.profile._id } : made
    },
    accounts: async (profileId) => {
      const read = await readAs(
        api({ method: 'GET', path: '/v1/accounts', query: { profileId }, decides: true }),
        Accounts,
      )
      return read.kind === 'got' ? { kind: 'got', value: accountsIn(profileId, read.value.accounts) } : read
    },
    connectUrl: async (profileId, platform, returnTo) => {
      const path = `/v1/connect/${theirName(platform)}`
      const read = await readAs(api({ method: 'GET', path, query: { profileId, redirect_url: returnTo } }), ConnectUrl)
      return read.kind === 'got' ? { kind: 'got', value: read.value.authUrl } : read
    },
    send: (post) => sendPost(api, post),
    find: (post) => findPost(api, post),
    guides: guideRules(api),
  }
}

const OneReview = z.object({ review: GoogleReview })

const Performance = z.object({
  metrics: z.record(
    z.string(),
    z.object({
      total: z._default(z.optional(z.number()), 0),
      values: z._default(z.optional(z.array(z.object({ date: z.string(), value: z.number() }))), []),
    }),
  ),
})

const outcomeOf = (asked: Asked): ReplyOutcome => {
  if (asked.kind === 'answered') return { kind: 'done' }
  if (asked.kind === 'unknown') return asked
  const { body: _, ...refusal } = asked
  return refusal
}

/** Returns a Google Business Profile through an account that is connected at Zernio. */
export const zernioProfile = (deps: ZernioDeps, accountId: string): BusinessProfile => {
  const api = createApi(deps)
  const reviews = `/v1/accounts/${encodeURIComponent(accountId)}/gmb-reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = { pageSize: String(size), pageToken: token ?? undefined }
      const read = await readAs(api({ method: 'GET', path: reviews, query }), GoogleReviews)
      if (read.kind === 'refused') return read
      return { kind: 'got', value: reviewPageOf(read.value) }
    },
    review: async (id) => {
      const read = await readAs(api({ method: 'GET', path: one(id), decides: true }), OneReview)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value.review) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await api({ method: 'POST', path: `${one(id)}/reply`, body: { comment } })),
    removeReply: async (id) => outcomeOf(await api({ method: 'DELETE', path: `${one(id)}/reply` })),
    metrics: async (fromDate, toDate) => {
      const path = '/v1/analytics/googlebusiness/performance'
      const read = await readAs(api({ method: 'GET', path, query: { accountId, fromDate, toDate } }), Performance)
      if (read.kind === 'refused') return read
      const entries = Object.entries(read.value.metrics)
      return {
        kind: 'got',
        value: Object.fromEntries(entries.map(([n, m]) => [n, { total: m.total, days: m.values }])),
      }
    },
  }
}
