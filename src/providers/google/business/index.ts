import * as z from 'zod/mini'
import type { Failure, Result } from '../../../insights/search/port.ts'
import type { Deps } from '../../../platform/runtime/ctx.ts'
import type { GoogleSettings } from '../../../platform/runtime/env.ts'
import type { BusinessConsent, BusinessProfile, Location } from '../../../reach/profile/port.ts'
import type { DirectAccount, DirectNetwork, Got } from '../../../reach/social/port.ts'
import { googleTokens } from '../tokens.ts'
import { type BusinessDeps, callWith, readAs } from './api.ts'
import { findAtGoogle, sendToGoogle } from './posts.ts'
import { googleProfile } from './profile.ts'

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
/** Calls that one listing makes at most. */
const MAX_CALLS = 30

/** Returns every location the owner of a token manages, up to some hundreds. */
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
      // The same location may be in several accounts: the first of them is as good as the others.
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

/** Google's own APIs of business profiles: accounts, locations, reviews and posts (v4), performance (v1). */
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
