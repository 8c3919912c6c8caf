import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSite, startSite } from '../../../local/site/server.ts'
import { planMonth } from '../../../src/insights/onboarding/plan.ts'
import { steppedStack } from '../../faults/stepped-stack.ts'
import { callExecutor, tirelessAccount } from '../../publishing/scene.ts'
import { systemFor } from '../../publishing/system.ts'
import { newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const { steps, stack, access } = steppedStack(100)
let site: RunningSite

beforeAll(async () => {
  site = await startSite({
    pages: {
      '/': {
        title: 'Sheds',
        description: 'Garden sheds, log cabins and wooden summer houses.',
        links: ['/a', '/b', '/c'],
      },
      '/a': { title: 'Page a' },
      '/b': { title: 'Page b' },
      '/c': { title: 'Page c' },
    },
    sitemaps: { '/sitemap.xml': { pages: ['/d', '/a'] } },
  })
})
afterAll(() => site.close())

/** Kills the Workers at a step, starts them again, and makes everything unfinished run at once. */
const crashAt = async (name: string, begin: () => Promise<unknown>): Promise<void> => {
  const reached = steps.stopAt(name)
  await begin()
  await reached
  await stack.crash()
  steps.letGo()
  await stack.restart()
  await rowsIn(
    access,
    sql`update outbox set lease_until = null, offered_at = null, run_at = now() where done_at is null`,
  )
  await stack.workers().cron()
}

const setup = async (id: number) => {
  const [row] = await rowsIn<{ scan: string; onboarding: string }>(
    access,
    sql`select site_scan_state as scan, onboarding_state as onboarding from projects where id = ${id}`,
  )
  return row
}

test.each(['scan:open', 'scan:sitemaps', 'scan:pages'])(
  'a scan killed at %s continues, and finds the same',
  async (name) => {
    const api = await tirelessAccount(access)
    let id = 0
    await crashAt(name, async () => {
      id = await newProject(api, { website_url: site.url })
    })
    await expect.poll(async () => (await setup(id))?.scan, { timeout: PATIENCE_MS }).toBe('completed')
    const pages = await rowsIn<{ title: string; read: boolean }>(
      access,
      sql`select title, read_at is not null as read from site_pages where project_id = ${id} order by url_key`,
    )
    expect(pages).toEqual([
      { title: 'Sheds', read: true },
      { title: 'Page a', read: true },
      { title: 'Page b', read: true },
      { title: 'Page c', read: true },
    ])
  },
)

test('onboarding killed before it planned plans once; the late run plans nothing', async () => {
  const api = await tirelessAccount(access)
  const id = await newProject(api, { business_description: 'Garden sheds, log cabins and wooden summer houses.' })
  await crashAt('researched', () => api.post(`/projects/${id}/onboarding`))
  await expect.poll(async () => (await setup(id))?.onboarding, { timeout: PATIENCE_MS }).toBe('completed')
  const count = async () =>
    (await rowsIn<{ n: number }>(access, sql`select count(*)::int as n from articles where project_id = ${id}`))[0]?.n
  expect(await count()).toBe(30)
})

const ROUNDS = 8
const RUNS = 4

test('runs of one onboarding at the same moment plan one month between them', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const api = await tirelessAccount(access)
    const id = await newProject(api, { business_description: 'Garden sheds, log cabins and wooden summer houses.' })
    await rowsIn(access, sql`update projects set onboarding_state = 'running' where id = ${id}`)
    const rows = await rowsIn<{ id: string }>(
      access,
      sql`insert into outbox (account_id, job, key, payload, run_at, offered_at)
        select ${api.accountId}::int, 'research.onboard', 'race:' || ${id}::int || ':' || n, jsonb_build_object('project_id', ${id}::int), now(), now()
        from generate_series(1, ${RUNS}::int) n returning id`,
    )
    const answers = await Promise.all(
      rows.map((row) => callExecutor(access, JSON.stringify({ outbox_id: Number(row.id) }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(rows.map(() => 200))
    const [made] = await rowsIn<{ n: number; keywords: number; dates: number }>(
      access,
      sql`select count(*)::int as n, count(distinct main_keyword)::int as keywords, count(distinct scheduled_at)::int as dates
        from articles where project_id = ${id}`,
    )
    expect(made).toEqual({ n: 30, keywords: 30, dates: 30 })
  }
})

test('two plans of other keywords for one project: one is made', async () => {
  const api = await tirelessAccount(access)
  const ctx = systemFor(access, api.accountId)
  const id = await newProject(api, {})
  for (let round = 0; round < ROUNDS; round += 1) {
    await rowsIn(access, sql`update projects set onboarding_state = 'running', article_plan = 30 where id = ${id}`)
    const plan = (word: string) => {
      const keyword = `${word} ${round}`
      const scheduledAt = new Date(Date.UTC(2031, 0, 1 + round))
      const place = { scheduledAt, scheduledDay: scheduledAt.toISOString().slice(0, 10), scheduledStep: 0 }
      const article = { title: keyword, keyword, slug: keyword.replace(' ', '-'), style: 'Informative', ...place }
      const seen = { article_plan: 30, publish_time: '09:00', timezone: 'UTC' }
      return planMonth(ctx, id, seen, 30, { keywords: [], note: null }, [article])
    }
    const made = await Promise.all([plan('left'), plan('right')])
    expect(made.sort()).toEqual([false, true])
    const rows = await rowsIn(
      access,
      sql`select id from articles where project_id = ${id} and slug like ${`%-${round}`}`,
    )
    expect(rows).toHaveLength(1)
  }
})
