import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { type RunningReceiver, startReceiver } from '../../../local/receiver/server.ts'
import type { Plan, Scope } from '../../../schema/values/accounts.ts'
import type { PolicyClauses } from '../../../schema/values/policy.ts'
import { OPEN_POLICY } from '../../../src/accounts/policy/rules.ts'
import { scopesOf } from '../../../src/platform/accounts/scopes.ts'
import { signInAsOwner, type Visitor } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import type { StackAccess } from '../../publishing/scene.ts'
import { type Api, anotherKey, connectReceiver, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import type { TestStack } from '../../support/stack.ts'
import type { ModelSite } from './model.ts'
import { PLACES } from './sequences.ts'

const TOKEN = 'policy-receiver-token'

/** Request that changes something at a site. */
type Arrival = { articleIds: readonly number[]; isTaken: boolean; at: number }

/** Site of a tenant: its model, and its view for readers. */
export type Site = ModelSite & {
  projectId: number
  /** Account of a social network, if one is connected. */
  account?: string
  /** Title of each post that readers see. */
  shows: () => Promise<string[]>
  /** Requests so far, if the site records them. */
  arrivals: () => Promise<Arrival[]>
  setMode: (mode: ModelSite['mode']) => Promise<void>
}

export type Tenant = {
  accountId: number
  apis: Record<Scope, Api>
  person: Visitor
  /** Forms that the person sent: pages take 30 a minute. */
  acts: number
  sites: Site[]
  close: () => Promise<unknown>
}

const emptySite = (target: ModelSite['target']): ModelSite => ({
  policy: OPEN_POLICY,
  version: 0,
  target,
  mode: 'ok',
  articles: Array.from({ length: PLACES }, () => null),
  places: [],
  posts: [],
  lost: [],
})

type Logged = { article_ids: string[]; action: string | null; received_at: string }

const webhookSite = async (projectId: number, receiver: RunningReceiver): Promise<Site> => {
  const read = async <T>(path: string): Promise<T> => (await (await fetch(`${receiver.url}${path}`)).json()) as T
  return {
    ...emptySite('webhook'),
    projectId,
    shows: async () =>
      (await read<{ posts: { title: string; status: string }[] }>('/api/posts')).posts.map(({ title }) => title),
    arrivals: async () =>
      (await read<{ deliveries: Logged[] }>('/api/deliveries')).deliveries.map(
        ({ article_ids, action, received_at }) => ({
          articleIds: article_ids.map(Number),
          isTaken: action !== null,
          at: Date.parse(received_at),
        }),
      ),
    setMode: async (mode) => {
      await fetch(`${receiver.url}/_control`, { method: 'POST', body: JSON.stringify({ mode }) })
    },
  }
}

const ghostSite = (projectId: number, ghost: GhostStandIn): Site => ({
  ...emptySite('ghost'),
  projectId,
  shows: async () =>
    ghost
      .posts()
      .filter(({ status }) => status === 'published')
      .map(({ title }) => title),
  arrivals: async () =>
    ghost.calls.filter((call) => !call.startsWith('GET')).map(() => ({ articleIds: [], isTaken: true, at: 0 })),
  setMode: async () => {},
})

/** A new account with a person, keys of every scope, and two sites. */
export const openTenant = async (stack: TestStack, access: StackAccess, plan: Plan = 'agentic'): Promise<Tenant> => {
  const first = await newAccount(access)
  await rowsIn(access, sql`update accounts set plan = ${plan}::text where id = ${first.accountId}::int`)
  const of = async (scope: Scope): Promise<Api> =>
    manyKeys(access, await anotherKey(access, first, scopesOf(scope)), scopesOf(scope))
  const [read, draft, write, admin] = await Promise.all([of('read'), of('draft'), of('write'), of('admin')])
  const apis = { read, draft, write, admin }
  const settings = { publishing_status: 'Publish Immediately', timezone: 'UTC' }
  const [receiver, ghost] = [await startReceiver({ port: 0, token: TOKEN }), await startGhost()]
  const ids = [await newProject(write, settings), await newProject(write, settings)] as const
  await connectReceiver(write, ids[0], receiver.url, TOKEN)
  const connected = await write.post(`/projects/${ids[1]}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
  })
  if (connected.status !== 201) throw new Error(connected.text)
  const { person } = await signInAsOwner({ ...access, mailUrl: stack.mail.url }, first)
  return {
    accountId: first.accountId,
    apis,
    person,
    acts: 0,
    sites: [await webhookSite(ids[0], receiver), ghostSite(ids[1], ghost)],
    close: () => Promise.all([receiver.close(), ghost.close()]),
  }
}

/** Forms of a person that a tenant sends at the most. */
const MOST_ACTS = 25

/** Sends the form of a site's policy as its page does. */
const sendPolicy = async (person: Visitor, site: Site, to: PolicyClauses): Promise<void> => {
  const { quiet_hours: quiet, max_publications_per_day: most, allowed_targets: targets } = to
  await person.post(
    `/p/${site.projectId}/policy`,
    {
      version: String(site.version),
      needs_approval: to.needs_approval,
      max_publications_per_day: most === null ? '' : String(most),
      quiet_from: quiet?.from ?? '',
      quiet_to: quiet?.to ?? '',
      ...(targets === null ? {} : { limit_targets: 'yes' }),
      ...Object.fromEntries((targets ?? []).map((target) => [`target_${target}`, 'yes'])),
      ...(to.frozen ? { frozen: 'yes' } : {}),
    },
    { follow: false },
  )
}

/** Has a person change the policy of a site. It is in force then. */
export const savePolicy = async (access: StackAccess, tenant: Tenant, site: Site, to: PolicyClauses): Promise<void> => {
  tenant.acts += 1
  if (tenant.acts < MOST_ACTS) await sendPolicy(tenant.person, site, to)
  else await setPolicy(access, site.projectId, to)
  const { body } = await tenant.apis.read.get(`/projects/${site.projectId}/policy`)
  const inForce = Object.fromEntries(Object.keys(to).map((clause) => [clause, body[clause]]))
  expect(inForce).toEqual(to)
  Object.assign(site, { policy: to, version: Number(body.version) })
}
