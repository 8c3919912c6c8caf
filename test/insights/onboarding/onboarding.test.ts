import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import type { Plan } from '../../../schema/values/accounts.ts'
import { type Api, anotherKey, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { manyKeys, rowsOf } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'

const stack = inject('stack')

const WORKSHOP = {
  business_name: 'Spaak & Fietsen',
  business_description:
    'Bicycle workshop: chain wear, brake pads, yearly service and second-hand city bikes. We repair commuter bikes and electric bikes.',
}

const fresh = async (settings: Record<string, unknown> = WORKSHOP, plan: Plan = 'pro') => {
  const api = manyKeys(stack, await newAccount(stack, { plan }))
  return { api, id: await newProject(api, settings) }
}
const onboard = (api: Api, id: number) => api.post(`/projects/${id}/onboarding`)
const setupOf = async (api: Api, id: number) => (await api.get(`/projects/${id}`)).body.setup as Record<string, unknown>

const ended = async (api: Api, id: number): Promise<Record<string, unknown>> => {
  await expect
    .poll(async () => (await setupOf(api, id)).onboarding, { timeout: PATIENCE_MS, interval: 100 })
    .not.toBe('running')
  return await setupOf(api, id)
}

const articlesOf = async (api: Api, id: number) => {
  const { body } = await api.get(`/articles?project_id=${id}&limit=200`)
  return rowsOf(body, 'articles').toReversed() as { [field: string]: string }[]
}

/** Stops the scan at its present step, as a slow site would. */
const scanState = (id: number, state: string) =>
  rowsIn(stack, sql`update projects set site_scan_state = ${state} where id = ${id}`)

describe('POST /projects/:id/onboarding', () => {
  it('plans a month of articles on distinct dates at the publish time, in a zone that changes its clocks', async () => {
    const { api, id } = await fresh({ ...WORKSHOP, publish_time: '07:45', timezone: 'America/New_York' })
    const begun = Date.now()
    const { status, body } = await onboard(api, id)
    expect(status).toBe(202)
    expect(body).toEqual({
      project_id: id,
      status: 'started',
      message: expect.any(String),
      poll: `/articles?project_id=${id}`,
      status_path: `/projects/${id}`,
    })
    expect(await ended(api, id)).toMatchObject({
      onboarding: 'completed',
      onboarding_error: null,
      planned: 30,
      wanted: 30,
      note: expect.stringMatching(/^The keywords’ volumes and difficulties are made up/),
    })
    const articles = await articlesOf(api, id)
    expect(articles).toHaveLength(30)
    for (const article of articles) {
      expect(article).toMatchObject({ Status: 'Planned', ScheduledDate: expect.stringMatching(/T07:45:00$/) })
      expect(article.Slug).toMatch(/^[a-z0-9-]+$/)
      expect(article.Title?.toLowerCase()).toContain(article.MainKeyword?.toLowerCase())
    }
    for (const field of ['MainKeyword', 'ScheduledAt', 'Slug'])
      expect(new Set(articles.map((article) => article[field])).size).toBe(30)
    const inHours = articles.map((article) => (Date.parse(article.ScheduledAt ?? '') - begun) / 3_600_000)
    expect(Math.min(...inHours)).toBeGreaterThan(72)
    const days = articles.map((article) => Date.parse(`${article.ScheduledDate?.slice(0, 10)}T00:00:00Z`) / 86_400_000)
    expect(days.map((day) => day - (days[0] ?? 0))).toEqual(days.map((_, n) => n))
    expect(new Set(articles.map((article) => article.ArticleStyle)).size).toBeGreaterThan(3)
    const { body: project } = await api.get(`/projects/${id}`)
    expect(project).toMatchObject({ article_plan: { current: 30 } })
    const keywords = await rowsIn<{ source: string; search_volume: unknown }>(
      stack,
      sql`select source, search_volume, keyword_difficulty from project_keywords where project_id = ${id}`,
    )
    expect(keywords.length).toBeGreaterThanOrEqual(30)
    for (const row of keywords)
      expect(row).toEqual({
        source: 'dataforseo',
        search_volume: expect.any(Number),
        keyword_difficulty: expect.any(Number),
      })

    const again = await onboard(api, id)
    expect([again.status, again.body]).toEqual([
      200,
      { project_id: id, status: 'already_onboarded', message: expect.any(String) },
    ])
    expect(await articlesOf(api, id)).toHaveLength(30)
  })

  it('counts to the dollars of the account, and is refused if they are used up', async () => {
    const { api, id } = await fresh()
    const dollars = async () => (await api.get('/account')).body.provider_dollars as { used: number; limit: number }
    expect(await dollars()).toMatchObject({ used: 0 })
    await onboard(api, id)
    await ended(api, id)
    const { used, limit } = await dollars()
    expect(used).toBeGreaterThan(0)
    const second = await newProject(api, WORKSHOP)
    await scanState(second, 'completed')
    const month = sql`date_trunc('month', now() at time zone 'utc') at time zone 'utc'`
    await rowsIn(
      stack,
      sql`update accounts set provider_usd = ${limit - 0.1}::float8, provider_month = ${month} where id = ${api.accountId}::int`,
    )
    expectError(await onboard(api, second), 'provider_budget_used')
    expect(await setupOf(api, second)).toMatchObject({ onboarding: 'not_started' })
    await rowsIn(
      stack,
      sql`update accounts set provider_usd = ${limit - 0.3}::float8, provider_month = ${month} where id = ${api.accountId}::int`,
    )
    expect((await onboard(api, second)).status).toBe(202)
  })

  it('follows the chosen article plan, and leaves out existing and banned topics', async () => {
    const { api, id } = await fresh({ ...WORKSHOP, banned_phrases: ['second-hand'] })
    await api.post(`/projects/${id}/article-plan`, { plan: 8 })
    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, url, url_key, title, keyword) values (${id}, 'https://x.example/a', 'x.example/a', 'Chain Wear', '')`,
    )
    await onboard(api, id)
    await ended(api, id)
    const articles = await articlesOf(api, id)
    expect(articles).toHaveLength(8)
    const keywords = articles.map((article) => article.MainKeyword)
    expect(keywords.filter((keyword) => keyword?.includes('second-hand') || keyword === 'chain wear')).toEqual([])
    const [first, second] = articles.map((article) => Date.parse(article.ScheduledAt ?? ''))
    expect(((second ?? 0) - (first ?? 0)) / 86_400_000).toBe(3)
  })

  it('says how many articles it planned, and why there are fewer than the plan asks for', async () => {
    const { api, id } = await fresh({ business_description: 'Chain wear.' }, 'accelerator')
    await api.post(`/projects/${id}/article-plan`, { plan: 90 })
    await onboard(api, id)
    const setup = await ended(api, id)
    const articles = await articlesOf(api, id)
    expect(articles.length).toBeGreaterThan(0)
    expect(articles.length).toBeLessThan(90)
    expect(setup).toMatchObject({
      planned: articles.length,
      wanted: 90,
      note: expect.stringMatching(new RegExp(`^Planned ${articles.length} of 90: .*business_description`)),
    })
  })

  it('says what to fill in if nothing was found, and can be started again', async () => {
    const { api, id } = await fresh({})
    await scanState(id, 'completed')
    expect((await onboard(api, id)).status).toBe(202)
    const failed = { onboarding: 'failed', onboarding_error: expect.stringContaining('business_description') }
    expect(await ended(api, id)).toMatchObject(failed)
    const list = `/articles?project_id=${id}`
    expect((await api.get(list)).body).toMatchObject({ articles: [], setup: failed })
    await api.put(`/projects/${id}`, WORKSHOP)
    expect((await onboard(api, id)).status).toBe(202)
    expect(await ended(api, id)).toMatchObject({ onboarding: 'completed', onboarding_error: null })
    expect((await articlesOf(api, id)).length).toBe(30)
    expect((await api.get(`${list}&status=Published`)).body).not.toHaveProperty('setup')
  })

  it('is refused, at no cost, if the scan failed and the business is unknown', async () => {
    const { api, id } = await fresh({})
    const refused = await onboard(api, id)
    expectError(refused, 'invalid_input')
    expect(refused.body).toMatchObject({
      details: [{ field: 'business_description' }],
      next_calls: [{ method: 'POST', path: `/projects/${id}/scan` }],
    })
    expect(await setupOf(api, id)).toMatchObject({ onboarding: 'not_started' })
    await api.put(`/projects/${id}`, { competitors: ['rival.example'] })
    expect((await onboard(api, id)).status).toBe(202)
    await ended(api, id)
  })

  it('is refused while the site is scanned', async () => {
    const { api, id } = await fresh()
    for (const state of ['pending', 'running']) {
      await scanState(id, state)
      const answer = await onboard(api, id)
      expectError(answer, 'site_scan_running')
      expect(answer.body).toMatchObject({ error: 'site_scan_running', retry_after: expect.any(Number) })
    }
    expect(await setupOf(api, id)).toMatchObject({ onboarding: 'not_started' })
    await scanState(id, 'completed')
    expect((await onboard(api, id)).status).toBe(202)
    await ended(api, id)
  })

  it.each(['agentic_free', 'agentic'] as Plan[])('is skipped on %s, also while the site is scanned', async (plan) => {
    const { api, id } = await fresh(WORKSHOP, plan)
    await scanState(id, 'running')
    const { status, body } = await onboard(api, id)
    expect([status, body]).toEqual([200, { project_id: id, status: 'skipped_byok', message: expect.any(String) }])
    expect(await setupOf(api, id)).toMatchObject({ onboarding: 'not_started' })
    expect(await articlesOf(api, id)).toEqual([])
  })

  it('starts nothing if the project has an article, even a draft', async () => {
    const { api, id } = await fresh()
    await newArticle(api, id)
    expect((await onboard(api, id)).body).toMatchObject({ status: 'already_onboarded' })
    expect(await setupOf(api, id)).toMatchObject({ onboarding: 'not_started' })
  })

  it('called twelve times at once plans once', { tags: ['services'] }, async () => {
    const { api, id } = await fresh()
    const keys = await Promise.all(Array.from({ length: 4 }, () => anotherKey(stack, api)))
    const answers = await Promise.all(keys.flatMap((key) => [onboard(key, id), onboard(key, id), onboard(key, id)]))
    expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2)
    for (const { status, body } of answers)
      expect([202, 200]).toContain(status === 200 && body.status !== 'already_onboarded' ? 'wrong' : status)
    await ended(api, id)
    expect(await articlesOf(api, id)).toHaveLength(30)
    const [row] = await rowsIn<{ count: number }>(
      stack,
      sql`select count(*)::int as count from audit_log where subject = ${`project:${id}`} and action = 'project.onboarding'`,
    )
    expect(row?.count).toBe(1)
  })

  it('called at once with one Idempotency-Key, answers all but one from the record', {
    tags: ['services'],
  }, async () => {
    const { api, id } = await fresh()
    const options = { headers: { 'idempotency-key': `at-once-${id}` } }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => api.post(`/projects/${id}/onboarding`, undefined, options)),
    )
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(4).fill([202, 'started']))
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(3)
    await ended(api, id)
  })

  it('answers a repeated call with one Idempotency-Key from the record', async () => {
    const { api, id } = await fresh()
    const call = () =>
      api.post(`/projects/${id}/onboarding`, undefined, { headers: { 'idempotency-key': `onboard-${id}` } })
    const first = await call()
    const second = await call()
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([202, 202, 'true'])
    expect(second.text).toBe(first.text)
    await ended(api, id)
  })

  it('is refused for a read-only key, another account, and an unknown project', async () => {
    const { api, id } = await fresh()
    const other = await newAccount(stack)
    expectError(await onboard(await anotherKey(stack, api, ['read']), id), 'key_may_not')
    expectError(await onboard(other, id), 'forbidden')
    expectError(await onboard(other, 2_147_483_647), 'not_found')
    expect(await setupOf(api, id)).toMatchObject({ onboarding: 'not_started' })
  })
})
