import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PolicyClauses, PolicyTarget } from '../../schema/values/policy.ts'
import { scopesOf } from '../../src/platform/accounts/scopes.ts'
import { setPolicy } from '../accounts/policy/set.ts'
import { accessOf, type StackAccess } from '../publishing/scene.ts'
import { type Answer, type Api, anotherKey, newArticle, rowsIn } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'
import { holdFor, SEQUENCES_MS } from './hold.ts'
import { openTenant, type Site, type Tenant } from './policy/tenant.ts'

const PLANS = Number(process.env.PLANS ?? 200)
/** PLANS asks for so many, however long they take. */
const PLANS_MS = process.env.PLANS === undefined ? SEQUENCES_MS / 2 : 3_600_000
const SEED = Number(process.env.SEED ?? 20_261_126)

let stack: TestStack
let access: StackAccess
let tenant: Tenant

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 1 })
  access = accessOf(stack)
  tenant = await openTenant(stack, access, 'pro')
})
afterAll(async () => {
  await tenant.close()
  await stack.close()
})

const KINDS = [
  'publish',
  'publish_live',
  'sync',
  'rollback',
  'unpublish',
  'create',
  'plan',
  'update',
  'put_sync',
  'generate',
  'scan',
  'shot',
] as const
type Kind = (typeof KINDS)[number]
type Wanted = { kind: Kind; site: number; place: number }

/** A plan and its conditions: scope and budget of the key, credits of the account, the policies and earlier calls. */
type Given = {
  scope: 'read' | 'draft' | 'write'
  before: number
  keyCredits: number | null
  credits: number
  shots: number
  policies: {
    frozen: boolean
    quiet: boolean
    more: number | null
    targets: PolicyTarget[] | null
    credits: number | null
    needs: PolicyClauses['needs_approval']
  }[]
  calls: Wanted[]
}

const given: fc.Arbitrary<Given> = fc.record({
  scope: fc.constantFrom('read', 'draft', 'write', 'write', 'write', 'write'),
  before: fc.constantFrom(0, 0, 3),
  keyCredits: fc.constantFrom(null, null, 0, 1),
  credits: fc.constantFrom(0, 1, 5),
  shots: fc.constantFrom(0, 0, 119, 120),
  policies: fc.array(
    fc.record({
      frozen: fc.constantFrom(false, false, false, true),
      quiet: fc.constantFrom(false, false, false, true),
      more: fc.constantFrom(null, null, 0, 1),
      targets: fc.constantFrom<PolicyTarget[] | null>(null, null, null, ['webhook'], ['ghost']),
      credits: fc.constantFrom(null, null, 0),
      needs: fc.constantFrom('off', 'off', 'first', 'every'),
    }),
    { minLength: 2, maxLength: 2 },
  ),
  calls: fc.array(
    fc.record({
      kind: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...KINDS) },
        { weight: 3, arbitrary: fc.constantFrom('publish' as const, 'scan' as const) },
      ),
      site: fc.nat(1),
      place: fc.nat(1),
    }),
    { minLength: 2, maxLength: 8 },
  ),
})

type Call = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: Record<string, unknown> }
/** Articles of a site for one plan: drafts, and one that readers see. */
type Articles = { drafts: number[]; live: number }

let words = 0
const callOf = ({ kind, site: n, place }: Wanted, sites: readonly Site[], articles: readonly Articles[]): Call => {
  words += 1
  const project_id = sites[n]?.projectId ?? 0
  const { drafts, live } = articles[n] ?? { drafts: [], live: 0 }
  const draft = drafts[place] ?? 0
  const calls: Record<Kind, Call> = {
    publish: { method: 'POST', path: `/articles/${draft}/publish` },
    publish_live: { method: 'POST', path: `/articles/${live}/publish` },
    sync: { method: 'POST', path: `/articles/${live}/sync`, body: { title: `Words ${words}` } },
    put_sync: { method: 'PUT', path: `/articles/${live}`, body: { title: `Words ${words}`, sync: true } },
    rollback: { method: 'POST', path: `/articles/${live}/rollback` },
    unpublish: { method: 'POST', path: `/articles/${live}/unpublish` },
    create: { method: 'POST', path: '/articles', body: { project_id, keyword: `felt ${words}` } },
    plan: { method: 'POST', path: '/articles', body: { project_id, keyword: `felt ${words}`, status: 'Planned' } },
    update: { method: 'PUT', path: `/articles/${draft}`, body: { category: `Sheds ${words}` } },
    generate: {
      method: 'POST',
      path: '/articles/generate',
      body: { project_id, keyword: `felt ${words}`, source_content: 'Felt lasts ten years.' },
    },
    scan: { method: 'POST', path: `/projects/${project_id}/scan` },
    shot: { method: 'POST', path: '/screenshots', body: { url: `https://example.com/${words}`, name: 'Sheds' } },
  }
  return calls[kind]
}

const CREDITS = new Set(['no_article_credits', 'plan_required', 'key_budget_used', 'provider_budget_used'])

/**
 * Returns the rule that refused a call, by its name in plans. Null if it succeeded, or the state of the article refused
 * it.
 */
const refuserOf = ({ status, body }: Answer): string | null => {
  if (body.code === 'key_may_not') return 'scope'
  if (body.code === 'policy') return `policy ${body.rule}`
  if (status === 429) return 'limits'
  if (CREDITS.has(String(body.code))) return 'credits'
  return body.code === 'forbidden' || body.code === 'not_found' ? 'access' : null
}

/** Codes of a state that no plan knows of: the call is not judged by it. */
const BY_STATE = new Set([
  'not_published',
  'published_article',
  'nothing_to_roll_back',
  'unsupported_for_sync',
  'already_being_written',
  'publish_in_progress',
  'sync_in_progress',
])

type Judged = { refused_by: string | null; rule?: string }

const articlesOf = async (site: Site): Promise<Articles> => {
  const { write } = tenant.apis
  const made = [
    await newArticle(write, site.projectId),
    await newArticle(write, site.projectId),
    await newArticle(write, site.projectId),
  ]
  const [live = 0, ...drafts] = made
  const answer = await write.post(`/articles/${live}/publish`)
  expect(answer.status, answer.text).toBe(200)
  return { live, drafts }
}

const hourNow = (ahead: number): string => {
  const at = new Date(Date.now() + ahead * 3_600_000)
  return at.toISOString().slice(11, 16)
}

/** Returns a key with a rate of its own, and a budget. */
const keyOf = async ({ scope, keyCredits }: Given): Promise<Api> => {
  const api = await anotherKey(access, { ...tenant.apis.write }, scopesOf(scope))
  await rowsIn(
    access,
    sql`update api_keys set budget_article_credits = ${keyCredits}::int
      where id = (select max(id) from api_keys where account_id = ${tenant.accountId}::int)`,
  )
  return api
}

const runPlan = async (wanted: Given): Promise<void> => {
  const { sites } = tenant
  for (const site of sites) await setPolicy(access, site.projectId)
  const articles = [await articlesOf(sites[0] as Site), await articlesOf(sites[1] as Site)]
  const api = await keyOf(wanted)
  const today = new Date().toISOString().slice(0, 10)
  await rowsIn(
    access,
    sql`update accounts set article_credits = ${wanted.credits}::int where id = ${tenant.accountId}::int`,
  )
  await rowsIn(
    access,
    sql`insert into screenshot_days (account_id, day, count) values (${tenant.accountId}::int, ${today}::date, ${wanted.shots}::int)
      on conflict (account_id, day) do update set count = excluded.count`,
  )
  for (const [n, site] of sites.entries()) {
    const to = wanted.policies[n]
    if (!to) continue
    const { body } = await tenant.apis.read.get(`/projects/${site.projectId}/policy`)
    const { publications_today: used, article_credits_this_month: taken } = body.used as Record<string, number>
    await setPolicy(access, site.projectId, {
      needs_approval: to.needs,
      max_publications_per_day: to.more === null ? null : Number(used) + to.more,
      quiet_hours: to.quiet ? { from: hourNow(-1), to: hourNow(2) } : null,
      allowed_targets: to.targets,
      monthly_budget: {
        article_credits: to.credits === null ? null : Number(taken) + to.credits,
        crowdwork_dollars: null,
      },
      frozen: to.frozen,
    })
  }
  const minute = Math.floor(Date.now() / 60_000)
  for (let n = 0; n < wanted.before; n += 1) await api.post(`/projects/${sites[0]?.projectId}/scan`)
  const calls = wanted.calls.map((call) => callOf(call, sites, articles))
  const planned = await api.post('/plan', { calls })
  expect(planned.status, planned.text).toBe(200)
  const judged = planned.body.calls as Judged[]
  const answers: Answer[] = []
  for (const { method, path, body } of calls) answers.push(await api.call(method, path, { body }))
  // A rate limit that began again meanwhile admits more calls than planned.
  if (Math.floor(Date.now() / 60_000) !== minute) return
  const pairs = answers.map((answer, n) => {
    const { refused_by: by = null, rule } = judged[n] ?? { refused_by: null }
    const isAsked = by === null && rule === 'needs_approval'
    const said = by === 'policy' ? `policy ${rule}` : by
    return {
      call: calls[n]?.path,
      said: isAsked ? 'asked' : said,
      done: refuserOf(answer),
      answer: `${answer.status} ${answer.body.code ?? answer.body.status}`,
    }
  })
  const wrong = pairs.filter(({ said, done, answer }) => {
    if (BY_STATE.has(answer.split(' ')[1] ?? '')) return false
    return said === 'asked' ? answer !== '202 awaiting_approval' : said !== done
  })
  expect(wrong, JSON.stringify({ wanted, pairs }, null, 1)).toEqual([])
}

test(
  'calls that a plan allows are not refused, and calls that it refuses are, by the same rule',
  async () => {
    await holdFor(given, runPlan, { seed: SEED, runs: PLANS, limitMs: PLANS_MS, least: 5 })
  },
  PLANS_MS + 120_000,
)
