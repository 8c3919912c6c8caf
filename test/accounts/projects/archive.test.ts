import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { startSite } from '../../../local/site/server.ts'
import { callTool, connect } from '../../mcp/client.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { onOneMonth } from '../../support/day.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')
// Credits come with each month.
onOneMonth('UTC')

const BUSINESS =
  'Bicycle workshop: chain wear, brake pads, yearly service and second-hand city bikes. We repair commuter bikes and electric bikes.'

const slots = async (api: Api) => (await api.get('/account')).body.project_slots

describe('POST /projects/:id/archive', () => {
  it('frees the slot and hides the project; its data stays and comes back with it', async () => {
    const api = await newAccount(stack, { projects: 1 })
    const id = await newProject(api, { business_name: 'Kept Ltd' })
    const article = await newArticle(api, id)
    const done = await api.post(`/projects/${id}/archive`)
    expect(done).toMatchObject({
      status: 200,
      body: { project_id: id, status: 'Archived', project_slots: { used: 0, total: 1 } },
    })
    expect(await slots(api)).toEqual({ used: 0, total: 1 })
    expect((await api.get('/projects')).body.projects).toEqual([])
    expect((await api.get(`/articles/${article}`)).status).toBe(200)
    expect((await api.post(`/projects/${id}/archive`)).status).toBe(200)
    expect(await slots(api)).toEqual({ used: 0, total: 1 })
    for (const refused of [
      await api.post('/articles', { project_id: id, keyword: 'sheds' }),
      await api.post(`/projects/${id}/onboarding`),
    ]) {
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(refused.body.error).toContain('archived')
      expect(refused.body.next_calls).toMatchObject([{ method: 'POST', path: `/projects/${id}/unarchive` }])
    }
    expect(await api.post(`/projects/${id}/unarchive`)).toMatchObject({ status: 200, body: { status: 'Active' } })
    expect(await slots(api)).toEqual({ used: 1, total: 1 })
    expect((await api.get(`/projects/${id}`)).body).toMatchObject({ settings: { business_name: 'Kept Ltd' } })
  })

  it('is refused while an article waits for a retry', async () => {
    const api = await newAccount(stack)
    const id = await connectedProject(api, stack)
    const article = await newArticle(api, id)
    await rowsIn(
      stack,
      sql`insert into deliveries (account_id, project_id, integration_id, article_id, event_type, status, idempotency_key, revision, live, payload, next_attempt_at)
        select account_id, project_id, id, ${article}::int, 'publish_articles', 'retrying', gen_random_uuid()::text, 1, true, '{}', now() + interval '1 hour'
        from integrations where project_id = ${id}::int`,
    )
    expect(await api.post(`/projects/${id}/archive`)).toMatchObject({
      status: 409,
      body: { code: 'publish_in_progress' },
    })
    expect(await slots(api)).toMatchObject({ used: 1 })
  })

  it('is refused while an article is unpublished or rolled back, until that or its lease ends', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    const article = await newArticle(api, id)
    const holdUntil = (until: string) =>
      rowsIn(
        stack,
        sql`update articles set status = 'Published', published_at = now(), publish_state = 'publishing',
          publish_lease_until = now() + ${until}::interval where id = ${article}::int`,
      )
    await holdUntil('1 minute')
    expect(await api.post(`/projects/${id}/archive`)).toMatchObject({
      status: 409,
      body: { code: 'publish_in_progress', message: expect.stringContaining('changed at their site') },
    })
    await holdUntil('-1 second')
    const { status, body } = await api.post(`/projects/${id}/archive`)
    expect({ status, message: body.message }).toEqual({
      status: 200,
      message: expect.stringContaining('still show it'),
    })
    expect((await api.get(`/articles?project_id=${id}`)).body.count).toBe(1)
  })

  it.each([
    ['a scan of its site', 'site_scan', sql`site_scan_state = 'running'`],
    ['its onboarding', 'onboarding', sql`site_scan_state = 'completed', onboarding_state = 'running'`],
  ])('ends %s, which continues when it is restored', async (_, step, state) => {
    const site = await startSite({ pages: { '/': { title: 'Chain wear and brake pads' } } })
    try {
      const api = manyKeys(stack, await newAccount(stack))
      const id = await newProject(api, { website_url: site.url, business_description: BUSINESS })
      const setup = async () => (await api.get(`/projects/${id}`)).body.setup as Record<string, unknown>
      const ends = (what: string) =>
        expect.poll(async () => (await setup())[what], { timeout: PATIENCE_MS, interval: 100 }).toBe('completed')
      await ends('site_scan')
      // Archived during a run: the next run found no active project and ended.
      await api.post(`/projects/${id}/archive`)
      await rowsIn(stack, sql`update projects set ${state} where id = ${id}::int`)
      expect((await setup())[step]).toBe('running')
      await api.post(`/projects/${id}/unarchive`)
      await ends(step)
    } finally {
      await site.close()
    }
  })

  it('is restored only if a slot is free, and no other project has its site', async () => {
    const api = await newAccount(stack, { projects: 1 })
    const site = `https://${crypto.randomUUID().slice(0, 12)}.example`
    const first = Number((await api.post('/projects', { website_url: site })).body.project_id)
    await api.post(`/projects/${first}/archive`)
    const second = Number((await api.post('/projects', { website_url: site })).body.project_id)
    expect(second).not.toBe(first)
    expect(await api.post(`/projects/${first}/unarchive`)).toMatchObject({
      status: 402,
      body: { code: 'project_limit_reached', active_projects: 1, project_quantity: 1 },
    })
    await rowsIn(stack, sql`update accounts set project_slots = 2 where id = ${api.accountId}::int`)
    expect(await api.post(`/projects/${first}/unarchive`)).toMatchObject({
      status: 409,
      body: {
        code: 'edit_conflict',
        retryable: false,
        error: `Project ${second}, which is active, has this website. Archive that one first.`,
        next_calls: [{ method: 'POST', path: `/projects/${second}/archive` }],
      },
    })
    expect(await slots(api)).toEqual({ used: 1, total: 2 })
  })

  it('restores one of two projects if one slot is free', { tags: ['services'] }, async () => {
    const api = await newAccount(stack, { projects: 2 })
    const ids = [await newProject(api), await newProject(api)]
    for (const id of ids) await api.post(`/projects/${id}/archive`)
    await rowsIn(stack, sql`update accounts set project_slots = 1 where id = ${api.accountId}::int`)
    const statuses = await Promise.all(ids.map(async (id) => (await api.post(`/projects/${id}/unarchive`)).status))
    expect(statuses.sort()).toEqual([200, 402])
  })
})

describe('article credits of a new project', () => {
  const credits = async (api: Api) => Number((await api.get('/account')).body.article_credits)

  it('are added once a month per slot, however often a project is archived and another made', async () => {
    const api = manyKeys(stack, await newAccount(stack, { plan: 'pro', projects: 2 }))
    await newProject(api)
    const second = await newProject(api)
    const both = await credits(api)
    await api.post(`/projects/${second}/archive`)
    const third = await newProject(api)
    await api.post(`/projects/${third}/archive`)
    await api.post(`/projects/${second}/unarchive`)
    expect(await credits(api)).toBe(both)
    await rowsIn(stack, sql`update accounts set project_slots = 4 where id = ${api.accountId}::int`)
    await newProject(api)
    expect(await credits(api)).toBe(both + 30)
  })

  it('are added again next month for a project that replaced an archived one', async () => {
    const api = await newAccount(stack, { plan: 'pro', projects: 1 })
    const first = await newProject(api)
    const share = await credits(api)
    await api.post(`/projects/${first}/archive`)
    await rowsIn(
      stack,
      sql`update projects set updated_at = now() - interval '40 days', created_at = now() - interval '40 days' where id = ${first}::int`,
    )
    await rowsIn(stack, sql`update accounts set credits_filled_at = now() where id = ${api.accountId}::int`)
    await newProject(api)
    expect(await credits(api)).toBe(share + 30)
  })
})

describe('GET /account', () => {
  it('says what is left, what the key may do, and every limit', async () => {
    const api = await newAccount(stack, { plan: 'pro', projects: 3 })
    await newProject(api)
    const { status, body } = await api.get('/account')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      account_id: api.accountId,
      plan: 'pro',
      article_credits: expect.any(Number),
      credits_refill_on: expect.stringMatching(/^\d{4}-\d\d-01$/),
      project_slots: { used: 1, total: 3 },
      key: { scopes: ['read', 'write'], expires_at: null },
    })
    expect(body.limits).toContainEqual({ operation: 'articles.list', per_minute: 30 })
    expect(body.limits).toContainEqual({ operation: 'articles.publish', per_minute: 5 })
  })

  it('returns only the parts that include names: the key with its id, and its use', async () => {
    const api = await newAccount(stack)
    const [row] = await rowsIn<{ id: number; name: string }>(
      stack,
      sql`select id, name from api_keys where account_id = ${api.accountId}::int`,
    )
    const none = { used: 0, limit: null }
    const budgets = { article_credits: none, scans: none, dollars: none }
    const key = { id: row?.id, name: row?.name, scopes: ['read', 'write'], expires_at: null, budgets }
    const usage = { month: expect.stringMatching(/^\d{4}-\d\d$/), ...budgets }
    expect((await api.get('/account?include=key')).body).toEqual({ key })
    for (const query of ['include=key,usage', 'include=usage&include=key'])
      expect((await api.get(`/account?${query}`)).body).toEqual({ key, usage })
    expect((await api.get('/account')).body.key).toMatchObject({ id: row?.id })
    expect((await api.get('/account?include=limits')).status).toBe(400)
    const tool = await callTool(await connect(stack.url, api.key), 'get_account')
    expect(tool.body).toEqual({ key, usage })
  })

  it.each(['agentic', 'agentic_free'] as const)('has no refill day on plan %s, which has no credits', async (plan) => {
    const api = await newAccount(stack, { plan })
    expect((await api.get('/account')).body).toMatchObject({ plan, article_credits: 0, credits_refill_on: null })
  })
})
