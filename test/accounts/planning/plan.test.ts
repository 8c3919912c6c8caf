import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ACTIVITY_OF } from '../../../src/accounts/planning/plan-calls.ts'
import { OPERATIONS } from '../../../src/operations.ts'
import {
  type Api,
  anotherKey,
  connectReceiver,
  newAccount,
  newArticle,
  newProject,
  rowsIn,
} from '../../support/client.ts'
import { bodyOf, expectError } from '../../support/contract.ts'
import { connectedProject } from '../../support/story.ts'

const stack = inject('stack')

let api: Api
let project: number
let article: number

beforeAll(async () => {
  api = await newAccount(stack)
  project = await newProject(api)
  await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
  article = await newArticle(api, project)
  await rowsIn(stack, sql`update accounts set article_credits = 2 where id = ${api.accountId}::int`)
})

const generate = () => ({
  operation: 'articles.generate',
  body: { project_id: project, keyword: 'felt', source_content: 'Felt lasts ten years.' },
})

const judged = async (calls: unknown[], as: Api = api) => {
  const { status, body, text } = await as.post('/plan', { calls })
  expect(status, text).toBe(200)
  return body as { allowed: boolean; calls: Record<string, unknown>[]; costs: unknown[]; seconds: number }
}

describe('a plan', () => {
  it('has the cost and duration of each call, and the sums', async () => {
    const plan = await judged([{ method: 'POST', path: `/articles/${article}/publish` }, generate()])
    expect(plan).toMatchObject({
      allowed: true,
      calls: [
        {
          operation: 'articles.publish',
          path: `/articles/${article}/publish`,
          allowed: true,
          refused_by: null,
          costs: [],
          seconds: 5,
        },
        {
          operation: 'articles.generate',
          allowed: true,
          costs: [{ unit: 'article_credits', amount: 1 }],
          seconds: 180,
        },
      ],
      costs: [{ unit: 'article_credits', amount: 1, is_minimum: false }],
      seconds: 185,
    })
    const { body } = await api.get(`/articles/${article}`)
    expect(body).toMatchObject({ Status: 'Draft' })
  })

  it('reckons the dollars of a campaign from its body', async () => {
    const campaign = {
      project_id: project,
      title: 'Sheds',
      description: 'Look.',
      template_html: '<input name="a">',
      available_positions: 40,
      payment_per_task: 0.25,
    }
    expect(await judged([{ operation: 'crowdwork.create', body: campaign }])).toMatchObject({
      costs: [{ unit: 'dollars', amount: 10, is_minimum: false }],
    })
  })

  it('says if scope, policy, limits or credits refuse a call', async () => {
    const reader = await anotherKey(stack, api, ['read', 'draft'])
    expect(
      (
        await judged(
          [
            { operation: 'articles.create', body: { project_id: project, keyword: 'felt', status: 'planned' } },
            generate(),
          ],
          reader,
        )
      ).calls,
    ).toMatchObject([
      { allowed: false, refused_by: 'scope', reason: expect.stringContaining('"write"') },
      { allowed: false, refused_by: 'scope' },
    ])
    expect((await judged([generate(), generate(), generate()])).calls.map(({ refused_by }) => refused_by)).toEqual([
      null,
      null,
      'credits',
    ])
    const scans = Array.from({ length: 7 }, () => ({ operation: 'projects.scan', project_id: project }))
    expect((await judged(scans)).calls.map(({ refused_by }) => refused_by)).toEqual([
      null,
      null,
      null,
      null,
      null,
      'limits',
      'limits',
    ])
    // Calls of other operations take nothing of a limit.
    const others = Array.from({ length: 5 }, () => ({
      operation: 'articles.create',
      body: { project_id: project, keyword: 'felt' },
    }))
    const scan = { operation: 'visibility.scan', body: { project_id: project } }
    expect((await judged([...others, scan])).allowed).toBe(true)
    const publish = [article, await newArticle(api, project)].map((id) => ({
      method: 'post',
      path: `/api/v1/articles/${id}/publish`,
    }))
    await rowsIn(
      stack,
      sql`insert into policies (project_id, account_id, version, max_publications_per_day, changed_by, changed_at)
        values (${project}::int, ${api.accountId}::int, 1, 1, 'person:1', now())`,
    )
    expect((await judged(publish)).calls).toMatchObject([
      { allowed: true },
      { refused_by: 'policy', rule: 'max_publications_per_day' },
    ])
    await rowsIn(
      stack,
      sql`update policies set monthly_article_credits = 1 where project_id = ${project}::int returning project_id`,
    )
    expect((await judged([...others, generate(), generate()])).calls.slice(-2)).toMatchObject([
      { allowed: true },
      { refused_by: 'policy', rule: 'monthly_budget' },
    ])
    // The plan names missing credits first, as the call itself does.
    await rowsIn(stack, sql`update accounts set article_credits = 0 where id = ${api.accountId}::int`)
    await rowsIn(stack, sql`update policies set monthly_article_credits = 0 where project_id = ${project}::int`)
    expect((await judged([generate()])).calls).toMatchObject([{ refused_by: 'credits' }])
    await rowsIn(stack, sql`update policies set frozen = true where project_id = ${project}::int`)
    expect((await judged(publish)).calls).toMatchObject([
      { refused_by: 'policy', rule: 'frozen' },
      { refused_by: 'policy', rule: 'frozen' },
    ])
  })

  it('counts the key’s calls of this minute, its budget, and the quotas of the day', async () => {
    const owner = await newAccount(stack)
    const site = await newProject(owner)
    const key = await anotherKey(stack, owner)
    await rowsIn(
      stack,
      sql`update api_keys set budget_article_credits = 1, budget_cents = 1000
        where id = (select max(id) from api_keys where account_id = ${owner.accountId}::int)`,
    )
    const refusers = async (calls: unknown[]) => (await judged(calls, key)).calls.map(({ refused_by }) => refused_by)
    for (let n = 0; n < 3; n += 1) await key.post(`/projects/${site}/scan`)
    const scans = Array.from({ length: 3 }, () => ({ operation: 'projects.scan', project_id: site }))
    expect(await refusers(scans)).toEqual([null, null, 'limits'])
    const writing = {
      operation: 'articles.generate',
      body: { project_id: site, keyword: 'felt', source_content: 'Felt.' },
    }
    expect(await refusers([writing, writing])).toEqual([null, 'credits'])
    const campaign = { project_id: site, title: 'Sheds', description: 'Look.', template_html: '<input name="a">' }
    const dollars = (count: number) => ({
      operation: 'crowdwork.create',
      body: { ...campaign, available_positions: count, payment_per_task: 0.25 },
    })
    expect(await refusers([dollars(30), dollars(20)])).toEqual([null, 'credits'])
    const asked = { operation: 'visibility.scan', body: { project_id: site } }
    expect(await refusers([asked, asked, asked])).toEqual([null, null, 'limits'])
    await rowsIn(
      stack,
      sql`insert into screenshot_days (account_id, day, count) values (${owner.accountId}::int, (now() at time zone 'UTC')::date, 119)`,
    )
    const shot = (page: string) => ({
      operation: 'screenshots.take',
      body: { url: `https://example.com/${page}`, name: 'Sheds' },
    })
    expect(await refusers([shot('a'), shot('a#b'), shot('c')])).toEqual([null, null, 'limits'])
  })

  it('counts an article once among the day’s publications, and a live one never', async () => {
    const owner = await newAccount(stack)
    const site = await connectedProject(owner, stack)
    const [live, one, other] = [
      await newArticle(owner, site),
      await newArticle(owner, site),
      await newArticle(owner, site),
    ]
    expect((await owner.post(`/articles/${live}/publish`)).status).toBe(200)
    await rowsIn(
      stack,
      sql`insert into policies (project_id, account_id, version, max_publications_per_day, changed_by, changed_at)
        values (${site}::int, ${owner.accountId}::int, 1, 2, 'person:1', now())`,
    )
    const calls = [live, one, one, other].map((id) => ({ method: 'POST', path: `/articles/${id}/publish` }))
    expect((await judged(calls, owner)).calls.map(({ rule }) => rule ?? null)).toEqual([
      null,
      null,
      null,
      'max_publications_per_day',
    ])
    await rowsIn(stack, sql`update policies set needs_approval = 'every' where project_id = ${site}::int`)
    expect((await judged(calls.slice(0, 2), owner)).calls).toMatchObject([
      { allowed: true, reason: null },
      {
        allowed: true,
        refused_by: null,
        rule: 'needs_approval',
        reason: expect.stringContaining('A person must approve'),
      },
    ])
  })

  it('knows the way to the outside of every operation that a policy refuses', () => {
    const refusing = OPERATIONS.filter(({ id, errors }) => errors.includes('policy') && id !== 'articles.generate')
    expect(Object.keys(ACTIVITY_OF).sort()).toEqual(refusing.map(({ id }) => id).sort())
  })

  it('judges a post by its networks, and by its date only if that is in the future', async () => {
    const owner = await newAccount(stack)
    const site = await newProject(owner, { timezone: 'Pacific/Kiritimati', publish_time: '23:59' })
    await rowsIn(
      stack,
      sql`insert into policies (project_id, account_id, version, allowed_targets, changed_by, changed_at)
        values (${site}::int, ${owner.accountId}::int, 1, '{bluesky}', 'person:1', now())`,
    )
    const post = (more: object) => ({
      operation: 'social.publish',
      body: { project_id: site, content: 'Sheds.', platforms: ['bluesky'], ...more },
    })
    const rules = async (calls: unknown[]) => (await judged(calls, owner)).calls.map(({ rule }) => rule ?? null)
    const account = { platform: 'bluesky', account_id: 'acc_1' }
    expect(await rules([post({ platforms: [account] }), post({ platforms: [account, { platform: 'x' }] })])).toEqual([
      null,
      'allowed_targets',
    ])
    await rowsIn(stack, sql`update policies set frozen = true where project_id = ${site}::int`)
    // By the clock of the project, 14 hours ahead of UTC, today's publishing time comes before midnight there.
    const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
    const dates = ['2020-01-05T09:00:00Z', '2020-01-05', '2099-01-05T09:00:00Z', '2099-01-05T09:00:00', today]
    expect(await rules(dates.map((scheduled_for) => post({ scheduled_for })))).toEqual([
      'frozen',
      'frozen',
      null,
      null,
      null,
    ])
    const profile = (scheduled_date: string) => ({
      operation: 'profile.post',
      body: { project_id: site, text: 'Open on Sunday.', scheduled_date },
    })
    expect(await rules([profile('2020-01-05T09:00:00Z'), profile('2099-01-05T09:00:00Z')])).toEqual(['frozen', null])
  })

  it('shows nothing of another account', async () => {
    const other = await newAccount(stack)
    expect(
      (
        await judged(
          [
            { method: 'POST', path: `/articles/${article}/publish` },
            { method: 'POST', path: '/articles/2147483647/publish' },
          ],
          other,
        )
      ).calls,
    ).toMatchObject([
      { refused_by: 'access', reason: expect.stringContaining('does not exist') },
      { refused_by: 'access', reason: expect.stringContaining('does not exist') },
    ])
  })

  it('judges every operation of a thing whose id is not known yet', async () => {
    const as = await anotherKey(stack, api)
    const later = OPERATIONS.filter(({ path }) => path.includes(':')).map((op) => ({
      operation: op.id,
      body: { ...bodyOf(op, project), ...(op.id === 'articles.update' ? { sync: true } : {}) },
    }))
    for (let at = 0; at < later.length; at += 50) {
      const asked = later.slice(at, at + 50)
      expect((await judged(asked, as)).calls.map(({ operation }) => operation)).toEqual(
        asked.map((call) => call.operation),
      )
    }
  })

  it.each([
    [{ operation: 'articles.publsh' }, 'calls.1.operation', /Did you mean articles.publish/],
    [{}, 'calls.1.operation', /is required/],
    [{ path: '/articles' }, 'calls.1.method', /is required/],
    [{ method: 'POST', path: '/nowhere' }, 'calls.1.path', /is not a path/],
    [{ method: 'POST', path: '/articles/none/publish' }, 'calls.1.path', /id/],
    [
      { method: 'POST', path: '/articles', operation: 'articles.list', body: {} },
      'calls.1.operation',
      /articles.create/,
    ],
    [{ operation: 'articles.create', body: { keyword: 'felt' } }, 'calls.1.body.project_id', /required/],
    [{ operation: 'articles.create' }, 'calls.1.body', /is required/],
    [{ method: 'PATCH', path: '/articles' }, 'calls.1.method', /./],
  ])('names the field that is wrong in %j', async (call, field, message) => {
    const as = await anotherKey(stack, api)
    const answer = await as.post('/plan', { calls: [{ operation: 'account.get' }, call] })
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toMatchObject([{ field, message: expect.stringMatching(message) }])
  })
})
