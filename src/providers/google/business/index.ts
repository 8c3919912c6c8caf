import * as z from 'zod/mini'
import type { Failure, Result } from '../../../insights/search/port.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'
import type { GoogleSettings } from '../../../platform/runtime/provider-env.ts'
import {
  type BusinessConsent,
  type BusinessProfile,
  GoogleReview,
  GoogleReviews,
  type Location,
  type Metric,
  type ReplyOutcome,
  reviewOf,
  reviewPageOf,
} from '../../../reach/profile/port.ts'
import type { DirectAccount, DirectNetwork, Got } from '../../../reach/social/port.ts'
import { googleTokens } from '../http.ts'
import { type Asked, type BusinessDeps, callerFor, callWith, findAtGoogle, readAs, sendToGoogle } from './api.ts'

const DayShape = z.object({
  date: z.object({ year: z.int(), month: z.int(), day: z.int() }),
  /** A 64-bit number, as text; absent for zero. */
  value: z._default(z.optional(z.union([z.string(), z.number()])), 0),
})

const SeriesShape = z.object({
  dailyMetric: z._default(z.optional(z.string()), ''),
  timeSeries: z.optional(z.object({ datedValues: z._default(z.optional(z.array(DayShape)), []) })),
})

const MetricsShape = z.object({
  multiDailyMetricTimeSeries: z._default(
    z.optional(z.array(z.object({ dailyMetricTimeSeries: z._default(z.optional(z.array(SeriesShape)), []) }))),
    [],
  ),
})

const outcomeOf = (asked: Asked): ReplyOutcome => (asked.kind === 'answered' ? { kind: 'done' } : asked)

/** Metrics to read. Google refuses the whole call if it no longer has one of these names. */
const METRICS = [
  'BUSINESS_IMPRESSIONS_DESKTOP_MAPS',
  'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH',
  'BUSINESS_IMPRESSIONS_MOBILE_MAPS',
  'BUSINESS_IMPRESSIONS_MOBILE_SEARCH',
  'WEBSITE_CLICKS',
  'CALL_CLICKS',
  'BUSINESS_DIRECTION_REQUESTS',
  'MESSAGING_CLICKS',
  'BUSINESS_BOOKINGS',
]

const range = (from: string, to: string): URLSearchParams => {
  const query = new URLSearchParams(METRICS.map((name): [string, string] => ['dailyMetrics', name]))
  for (const [edge, day] of [
    ['startDate', from],
    ['endDate', to],
  ] as const) {
    const [year, month, date] = day.split('-').map(Number)
    for (const [part, value] of Object.entries({ year, month, day: date }))
      query.set(`dailyRange.${edge}.${part}`, String(value))
  }
  return query
}

const two = (value: number): string => String(value).padStart(2, '0')

const metricOf = (days: readonly z.infer<typeof DayShape>[]): Metric => {
  const read = days.map(({ date: { year, month, day }, value }) => ({
    date: `${year}-${two(month)}-${two(day)}`,
    value: Math.max(0, Math.trunc(Number(value)) || 0),
  }))
  return { total: read.reduce((sum, { value }) => sum + value, 0), days: read }
}

/** Returns a Google Business Profile by Google's own APIs, with its owner's grant. The account's id is `accounts/A/locations/L`. */
const googleProfile = (deps: BusinessDeps, account: DirectAccount): BusinessProfile => {
  const call = callerFor(deps, account)
  const reviews = `${deps.reviewsUrl}/v4/${account.remoteId}/reviews`
  const one = (id: string) => `${reviews}/${encodeURIComponent(id)}`
  return {
    reviews: async ({ token, size }) => {
      const query = new URLSearchParams({ pageSize: String(size), orderBy: 'updateTime desc' })
      if (token !== null) query.set('pageToken', token)
      const read = await readAs(call({ method: 'GET', url: `${reviews}?${query}` }), GoogleReviews)
      if (read.kind === 'refused') return read
      return { kind: 'got', value: reviewPageOf(read.value) }
    },
    review: async (id) => {
      const read = await readAs(call({ method: 'GET', url: one(id) }), GoogleReview)
      if (read.kind === 'got') return { kind: 'got', value: reviewOf(read.value) }
      return read.status === 404 ? { kind: 'got', value: undefined } : read
    },
    reply: async (id, comment) => outcomeOf(await call({ method: 'PUT', url: `${one(id)}/reply`, json: { comment } })),
    removeReply: async (id) => outcomeOf(await call({ method: 'DELETE', url: `${one(id)}/reply` })),
    metrics: async (from, to) => {
      const location = account.remoteId.slice(account.remoteId.indexOf('locations/'))
      const url = `${deps.metricsUrl}/v1/${location}:fetchMultiDailyMetricsTimeSeries?${range(from, to)}`
      const read = await readAs(call({ method: 'GET', url }), MetricsShape)
      if (read.kind === 'refused') return read
      const series = read.value.multiDailyMetricTimeSeries.flatMap((one) => one.dailyMetricTimeSeries)
      const days = new Map<string, z.infer<typeof DayShape>[]>()
      for (const { dailyMetric, timeSeries } of series)
        days.set(dailyMetric, [...(days.get(dailyMetric) ?? []), ...(timeSeries?.datedValues ?? [])])
      return {
        kind: 'got',
        value: Object.fromEntries([...days].map(([name, values]) => [name, metricOf(values)])),
      }
    },
  }
}

const SCOPE = 'https://www.googleapis.com/auth/business.manage'
const MANAGING = {
  scope: SCOPE,
  needed: SCOPE,
  unticked: 'The box for business profiles was not ticked on Google’s page.',
}

const words = z._default(z.optional(z.string()), '')

const Accounts = z.object({
  accounts: z._default(z.optional(z.array(z.object({ name: z.string() }))), []),
  nextPageToken: words,
})

const Locations = z.object({
  locations: z._default(
    z.optional(
      z.array(
        z.object({
          name: z.string(),
          title: words,
          storefrontAddress: z.optional(
            z.object({ locality: words, addressLines: z._default(z.optional(z.array(z.string())), []) }),
          ),
          metadata: z.optional(z.object({ mapsUri: words })),
        }),
      ),
    ),
    [],
  ),
  nextPageToken: words,
})

/** Fields to read of each location. */
const READ_MASK = 'name,title,storefrontAddress,metadata'
/** Most calls for one listing. */
const MAX_CALLS = 30

/** Returns the locations that the owner of a token manages, up to some hundreds. */
const locationsOf = async (client: BusinessDeps, token: string): Promise<Got<Location[]>> => {
  let calls = 0
  const pages = async <S extends z.ZodMiniType<{ nextPageToken: string }>>(
    base: string,
    query: Record<string, string>,
    shape: S,
  ): Promise<Got<z.infer<S>[]>> => {
    const all: z.infer<S>[] = []
    for (let next = ''; calls < MAX_CALLS; ) {
      calls += 1
      const search = new URLSearchParams({ ...query, ...(next === '' ? {} : { pageToken: next }) })
      const read = await readAs(callWith(client, token, { method: 'GET', url: `${base}?${search}` }), shape)
      if (read.kind === 'refused') return read
      all.push(read.value)
      next = read.value.nextPageToken
      if (next === '') break
    }
    return { kind: 'got', value: all }
  }
  const accounts = await pages(`${client.accountsUrl}/v1/accounts`, { pageSize: '20' }, Accounts)
  if (accounts.kind === 'refused') return accounts
  const found = new Map<string, Location>()
  for (const { name } of accounts.value.flatMap((page) => page.accounts)) {
    const query = { readMask: READ_MASK, pageSize: '100' }
    const read = await pages(`${client.locationsUrl}/v1/${name}/locations`, query, Locations)
    if (read.kind === 'refused') return read
    for (const one of read.value.flatMap((page) => page.locations)) {
      const { addressLines = [], locality = '' } = one.storefrontAddress ?? {}
      // The same location may be in several accounts. The first one is used.
      if (!found.has(one.name))
        found.set(one.name, {
          name: `${name}/${one.name}`,
          title: one.title,
          address: [...addressLines, locality].filter((part) => part !== '').join(', '),
          url: one.metadata?.mapsUri ?? '',
        })
    }
  }
  return { kind: 'got', value: [...found.values()] }
}

const refusalOf = ({ kind, message, status, retryAfter }: Failure): Extract<Got<never>, { kind: 'refused' }> => ({
  kind: 'refused',
  reason: message,
  retryable: kind === 'away' || kind === 'quota',
  ...(status === undefined ? {} : { status }),
  ...(retryAfter === undefined ? {} : { retryAfterS: retryAfter }),
})

const gotOf = <T>(result: Result<T>): Got<T> =>
  'ok' in result ? { kind: 'got', value: result.ok } : refusalOf(result.failure)

/** Business profiles at Google, called directly with the grant of their owner. */
export type GoogleBusiness = {
  consent: BusinessConsent
  /** Posts on a profile. */
  network: DirectNetwork
  profile: (account: DirectAccount) => BusinessProfile
}

/**
 * Returns the client of Google's own APIs for business profiles: accounts, locations, reviews and posts (v4), performance (v1).
 *
 * See https://developers.google.com/my-business/reference/rest.
 */
export const googleBusiness = (deps: Pick<Deps, 'outbound' | 'now'>, settings: GoogleSettings): GoogleBusiness => {
  const tokens = googleTokens(deps, settings, MANAGING)
  const client: BusinessDeps = { outbound: deps.outbound, now: deps.now, tokens, ...settings.business }
  return {
    consent: {
      isConfigured: settings.clientId !== '' && settings.clientSecret !== '',
      isSandbox: settings.isSandbox,
      origin: tokens.consentOrigin,
      url: tokens.consentUrl,
      exchange: async (given) => gotOf(await tokens.exchange(given)),
      locations: (token) => locationsOf(client, token),
    },
    network: {
      send: (account, post) => sendToGoogle(client, account, post),
      find: (account, post) => findAtGoogle(client, account, post),
      withdraw: async (secrets) => {
        await tokens.revoke(secrets.refresh_token ?? '')
      },
    },
    profile: (account) => googleProfile(client, account),
  }
}
