import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { scanWeekly } from '../../../src/insights/visibility/scan/start.ts'
import { systemFor } from '../../publishing/system.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { ALONE, PROMPTS, scanned, start, type Tracked, trackedProject, withManyScans } from './scene.ts'

const stack = inject('stack')
const MONTH = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`

/** Stores what the providers charged for an account, in this month or an earlier one. */
const spent = ({ api }: Tracked, usd: number, month = MONTH) =>
  rowsIn(
    stack,
    sql`update accounts set provider_usd = ${usd}::float8, provider_month = ${month} where id = ${api.accountId}::int`,
  )

const dollarsOf = async ({ api }: Tracked) =>
  (await api.get('/account')).body.provider_dollars as { used: number; limit: number; resets_on: string }

const planned = async ({ api, id }: Tracked, bodies: Record<string, unknown>[]) =>
  (
    await api.post('/plan', {
      calls: bodies.map((body) => ({ operation: 'visibility.scan', body: { project_id: id, ...body } })),
    })
  ).body as { cost_usd: number; calls: { allowed: boolean; refused_by: string | null; cost_usd: number }[] }

it('a scan with several samples costs as many scans, in the quota, in the dry run and in the plan', async () => {
  const tracked = await withManyScans(stack, await trackedProject(stack, PROMPTS.slice(0, 1), ALONE))
  const dry = await tracked.api.post('/ai-visibility/scan?dry_run=true', { project_id: tracked.id, samples: 4 })
  expect(dry.body).toMatchObject({ would: { status: 202, body: { manual_scans_used: 4, cost_usd: 2.72 } } })
  expect(await planned(tracked, [{ samples: 4 }, { samples: 2 }, {}])).toMatchObject({
    cost_usd: 3.4,
    calls: [
      { allowed: true, cost_usd: 2.72 },
      { allowed: false, refused_by: 'limits', cost_usd: 1.36 },
      { allowed: true, cost_usd: 0.68 },
    ],
  })
  expect((await start(tracked, { samples: 4 })).body).toMatchObject({ manual_scans_used: 4, cost_usd: 2.72 })
  await scanned(tracked)
  const refused = await start(tracked, { samples: 2 })
  expectError(refused, 'rate_limited')
  expect(refused.body).toMatchObject({ manual_scans_used: 4, manual_scans_limit: 5 })
})

it('an account is charged what a scan is expected to cost, and at its end what it cost', async () => {
  const tracked = await trackedProject(stack, PROMPTS.slice(0, 1), ALONE)
  expect(await dollarsOf(tracked)).toMatchObject({ used: 0 })
  await start(tracked)
  expect((await dollarsOf(tracked)).used).toBeGreaterThan(0)
  await scanned(tracked)
  const [row] = await rowsIn<{ cost: number; charged: number }>(
    stack,
    sql`select s.cost_usd as cost, a.provider_usd as charged from visibility_scans s join accounts a on a.id = s.account_id
      where s.project_id = ${tracked.id}::int`,
  )
  expect(row?.cost).toBeGreaterThan(0)
  expect(row?.charged).toBeCloseTo(row?.cost ?? 0, 6)
})

it('an account at its ceiling starts no scan and asks for no keywords, and is told so before', async () => {
  const tracked = await trackedProject(stack, PROMPTS.slice(0, 1))
  const { api, id } = tracked
  const { limit } = await dollarsOf(tracked)
  await spent(tracked, limit - 0.01)
  expect((await planned(tracked, [{}])).calls).toMatchObject([{ allowed: false, refused_by: 'credits' }])
  const refused = await start(tracked)
  expectError(refused, 'provider_budget_used')
  expect(refused.body).toMatchObject({ limit, cost_usd: 0.68 })
  const keyword = `sheds ${Math.random()}`
  const searched = await api.post('/keywords/search', { keyword, project_id: id })
  expectError(searched, 'provider_budget_used')
  const lines: string[] = []
  await scanWeekly(systemFor(stack, api.accountId, { log: (_, event) => void lines.push(event) }), id)
  expect(lines).toContain('account.dollars_used')
  const scans = await rowsIn(stack, sql`select 1 from visibility_scans where project_id = ${id}::int`)
  expect(scans).toEqual([])
  await spent(tracked, limit, sql`${MONTH} - interval '1 month'`)
  expect(await dollarsOf(tracked)).toMatchObject({ used: 0, limit })
  expect((await start(tracked)).status).toBe(202)
})

it('keywords that the service pays for are charged, and stored ones are not', async () => {
  const api = await newAccount(stack)
  const id = await newProject(api)
  const keyword = `cabins ${Math.random()}`
  const used = async () => ((await api.get('/account')).body.provider_dollars as { used: number }).used
  expect((await api.post('/keywords/search', { keyword, project_id: id })).status).toBe(200)
  const first = await used()
  expect(first).toBeGreaterThan(0)
  expect((await api.post('/keywords/search', { keyword, project_id: id })).body).toMatchObject({ cached: true })
  expect(await used()).toBe(first)
})
