import * as z from 'zod/mini'
import { GoogleReview, GoogleReviews, reviewOf, reviewPageOf } from '../../../reach/profile/google-review.ts'
import type { BusinessProfile, ReplyOutcome } from '../../../reach/profile/port.ts'
import type { GuideRules, GuideTarget, SocialProvider } from '../../../reach/social/port.ts'
import { type Api, type Asked, createApi, readAs, type ZernioDeps } from './api.ts'
import { findPost, sendPost } from './posts.ts'
import { accountsIn, ruleBody, ruleOf, theirName } from './transform.ts'
import { Accounts, Automations, ConnectUrl, MadeAutomation, MadeProfile, Profiles } from './types.ts'

const idIn = (made: { automation: { id?: string | undefined; _id?: string | undefined } }): string =>
  made.automation.id ?? made.automation._id ?? ''

const guideBody = ({ name, profileId, accountId, networkId }: GuideTarget) => ({
  name,
  profileId,
  accountId,
  platformPostId: networkId,
  trigger: 'comment',
})

/** Returns the rules that answer commenters (comment automations). */
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

/** Returns all networks through Zernio (REST, v1). A project is a profile there. */
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
      const read = await readAs(api({ method: 'GET', path: '/v1/accounts', query: { profileId } }), Accounts)
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
      const read = await readAs(api({ method: 'GET', path: one(id) }), OneReview)
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
