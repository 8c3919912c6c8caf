import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessOf, flush, type StackAccess } from '../publishing/scene.ts'
import { type Answer, type Api, anotherKey, newArticle } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'
import { openTenant, type Site, type Tenant } from './policy/tenant.ts'

const SEED = Number(process.env.SEED ?? 20_261_126)

let stack: TestStack
let access: StackAccess
let tenants: Tenant[]

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1 })
  access = accessOf(stack)
  tenants = await Promise.all([openTenant(stack, access), openTenant(stack, access)])
})
afterAll(async () => {
  for (const tenant of tenants) await tenant.close()
  await stack.close()
})

const KINDS = [
  'create',
  'retitle',
  'retag',
  'rewrite',
  'plan',
  'unplan',
  'publish',
  'sync',
  'resync',
  'rollback',
  'unpublish',
] as const
type Kind = (typeof KINDS)[number]

/** Call by the agent whose changes are undone, or by another key of the account. */
type Call = { kind: Kind; site: number; place: number; isAgents: boolean }

const call: fc.Arbitrary<Call> = fc.record({
  kind: fc.constantFrom(...KINDS),
  site: fc.nat(1),
  place: fc.nat(1),
  isAgents: fc.constantFrom(true, true, true, false),
})
const both = fc.tuple(fc.array(call, { minLength: 3, maxLength: 12 }), fc.array(call, { minLength: 3, maxLength: 12 }))

/** Article as the account and the readers of its site see it; null if there is none. */
type Seen = {
  title: unknown
  text: string
  tags: unknown
  category: unknown
  status: unknown
  date: unknown
  shown: boolean
} | null

type Change = { articleId: number; isAgents: boolean; before: Seen; kind: Kind }

let words = 0
const nextWords = (): string => {
  words += 1
  return `Shed ${words}x`
}

const seenOf = async ({ apis }: Tenant, site: Site, id: number): Promise<Seen> => {
  const { status, body } = await apis.read.get(`/articles/${id}`)
  if (status === 404) return null
  const shows = await site.shows()
  return {
    title: body.Title,
    // Publication adds parts for readers, such as ids of headings.
    text: String(body.Content).replace(/<[^>]*>/g, ''),
    tags: body.Tags,
    category: body.Category,
    status: body.Status,
    date: body.ScheduledAt,
    shown: shows.includes(String(body.Title)),
  }
}

const send = (api: Api, site: Site, id: number, kind: Kind): Promise<Answer> => {
  const at = `/articles/${id}`
  const title = nextWords()
  const calls: Record<Kind, () => Promise<Answer>> = {
    create: () =>
      api.post('/articles', { project_id: site.projectId, keyword: title, title, content: '<p>Some words.</p>' }),
    retitle: () => api.put(at, { title }),
    retag: () => api.put(at, { tags: [title], category: title }),
    rewrite: () => api.put(at, { content: `<p>${title} is a shed.</p>` }),
    plan: () => api.put(at, { status: 'Planned', scheduled_date: '2031-05-06T10:00:00Z' }),
    unplan: () => api.put(at, { scheduled_date: null }),
    publish: () => api.post(`${at}/publish`),
    sync: () => api.post(`${at}/sync`, { title, tags: [title] }),
    resync: () => api.post(`${at}/sync`),
    rollback: () => api.post(`${at}/rollback`),
    unpublish: () => api.post(`${at}/unpublish`),
  }
  return calls[kind]()
}

/** Makes the calls of one tenant; the changes that they were, in order. */
const change = async (tenant: Tenant, agent: Api, calls: readonly Call[]) => {
  const places = await Promise.all(
    tenant.sites.map(async (site) => [
      await newArticle(tenant.apis.admin, site.projectId, { title: nextWords() }),
      await newArticle(tenant.apis.admin, site.projectId, { title: nextWords() }),
    ]),
  )
  // One article of each site is live before the agent starts.
  for (const [first] of places) expect((await tenant.apis.admin.post(`/articles/${first}/publish`)).status).toBe(200)
  const changes: Change[] = []
  for (const { kind, site: n, place, isAgents } of calls) {
    const site = tenant.sites[n]
    const ids = places[n]
    const id = ids?.[place]
    if (!site || !ids || id === undefined) continue
    const before = kind === 'create' ? null : await seenOf(tenant, site, id)
    const { status, body } = await send(isAgents ? agent : tenant.apis.write, site, id, kind)
    if (status >= 300) continue
    const articleId = Number(body.article_id ?? id)
    if (kind === 'create') ids[place] = articleId
    // An article that is live is not published again.
    if (kind !== 'publish' || before?.status !== 'Published') changes.push({ articleId, isAgents, before, kind })
  }
  await flush(access)
  return {
    changes,
    articles: new Map(places.flatMap((ids, n) => ids.map((id) => [id, tenant.sites[n] as Site] as const))),
  }
}

type Entry = { action: string; article_id: number; result: string; message: string }

const told = (entries: readonly Entry[]) =>
  entries.map(({ action, article_id, result }) => `${action} ${article_id} ${result}`)

/** Returns an article before a change. One that was published is a draft, also if it was planned before. */
const draftOf = ({ before, kind }: Change): Seen =>
  before && kind === 'publish' ? { ...before, status: 'Draft', date: expect.toSatisfy(() => true) } : before

/** Takes the agent's changes back, and expects each article to be as the answer says. */
const takeBack = async (tenant: Tenant, agent: Api, { changes, articles }: Awaited<ReturnType<typeof change>>) => {
  const before = new Map<number, Seen>()
  for (const [id, site] of articles) before.set(id, await seenOf(tenant, site, id))
  const asked = { since: '2020-01-01', limit: 50 }
  const dry = await agent.post('/undo', { ...asked, dry_run: true })
  expect(dry.status, dry.text).toBe(200)
  for (const [id, site] of articles) expect(await seenOf(tenant, site, id)).toEqual(before.get(id))
  const done = await agent.post('/undo', asked)
  expect(done.status, done.text).toBe(200)
  const entries = done.body.entries as Entry[]
  const about = { changes, entries, dry: told(dry.body.entries as Entry[]) }
  expect(told(entries), JSON.stringify(about, null, 1)).toEqual(told(dry.body.entries as Entry[]))
  for (const { result, message } of entries)
    if (result === 'not_undone') expect(message, JSON.stringify(about)).toMatch(/\w+.*\.$/)
  for (const [id, site] of articles) {
    const own = changes.filter(({ articleId }) => articleId === id)
    const undone = entries.filter(({ article_id, result }) => article_id === id && result === 'undone').length
    const agents = own.filter(({ isAgents }) => isAgents)
    const oldest = undone === 0 ? undefined : agents.at(-undone)
    // Nothing is undone beyond a change by others.
    if (oldest)
      expect(
        own.slice(own.indexOf(oldest)).filter(({ isAgents }) => !isAgents),
        JSON.stringify({ id, ...about }, null, 1),
      ).toEqual([])
    const expected = oldest ? draftOf(oldest) : before.get(id)
    expect(await seenOf(tenant, site, id), JSON.stringify({ id, undone, ...about }, null, 1)).toEqual(expected)
  }
}

const runBoth = async (calls: [Call[], Call[]]): Promise<void> => {
  const agents = await Promise.all(tenants.map(({ apis }) => anotherKey(access, apis.write)))
  const made = await Promise.all(tenants.map((tenant, n) => change(tenant, agents[n] as Api, calls[n] ?? [])))
  await Promise.all(tenants.map((tenant, n) => takeBack(tenant, agents[n] as Api, made[n] as (typeof made)[number])))
}

test(
  'undone things are as before the agent changed them, and nothing else changes',
  async () => {
    await holdFor(both, runBoth, { seed: SEED, limitMs: SEQUENCES_MS / 2, least: 3 })
  },
  SEQUENCES_MS + 120_000,
)
