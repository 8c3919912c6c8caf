import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { type Api, anotherKey, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { newOwner } from './browser.ts'

const stack = inject('stack')

/** Another key of the account with ceilings a month. */
const limited = async (owner: Api, ceilings: { articles?: number; scans?: number; cents?: number }): Promise<Api> => {
  const api = await anotherKey(stack, owner)
  await rowsIn(
    stack,
    sql`update api_keys set budget_article_credits = ${ceilings.articles ?? null}::int, budget_scans = ${ceilings.scans ?? null}::int,
      budget_cents = ${ceilings.cents ?? null}::int where id = (select max(id) from api_keys where account_id = ${owner.accountId}::int)`,
  )
  return api
}

const budgetsOf = async (api: Api) => ((await api.get('/account')).body.key as { budgets: unknown }).budgets

const generate = (api: Api, project: number, keyword: string) =>
  api.post('/articles/generate', { project_id: project, keyword, source_content: 'Felt lasts ten years.' })

const scan = async (api: Api, project: number) => {
  await api.post('/ai-visibility/prompts', { project_id: project, prompt: 'Which garden sheds are best?' })
  return await api.post('/ai-visibility/scan', { project_id: project, samples: 1 })
}

const campaign = (api: Api, project: number, title: string) =>
  api.post('/crowdwork/campaigns', {
    project_id: project,
    title,
    description: 'Say what you see.',
    template_html: '<input name="seen">',
    available_positions: 20,
    payment_per_task: 0.2,
  })

describe('the monthly budget of a key', () => {
  it('is set by a person on the page of keys, and shown there and to the key', async () => {
    const { person, api } = await newOwner(stack)
    const [row] = await rowsIn<{ id: number }>(
      stack,
      sql`select max(id) as id from api_keys where account_id = ${api.accountId}::int`,
    )
    const form = { id: String(row?.id), article_credits: '3', scans: '', dollars: '12.50' }
    const set = await person.post('/settings/keys/budget', form)
    expect(set.text).toContain('0 of 3 article credits, $0.00 of $12.50 of crowdwork')
    expect(await budgetsOf(api)).toEqual({
      article_credits: { used: 0, limit: 3 },
      scans: { used: 0, limit: null },
      dollars: { used: 0, limit: 12.5 },
    })
    expect((await person.post('/settings/keys/budget', { ...form, scans: '-1' })).status).toBe(400)
    const other = await newOwner(stack)
    expect((await other.person.post('/settings/keys/budget', { ...form, article_credits: '9' })).status).toBe(404)
    expect(await budgetsOf(api)).toMatchObject({ article_credits: { limit: 3 } })
  })

  it('starts again each month, and the refusal says what to do', async () => {
    const owner = await newAccount(stack)
    const project = await newProject(owner)
    const api = await limited(owner, { articles: 1 })
    expect((await generate(api, project, 'felt')).status).toBe(202)
    const refused = await generate(api, project, 'slate')
    expectError(refused, 'key_budget_used')
    expect(refused.body).toMatchObject({
      unit: 'article_credits',
      limit: 1,
      used: 1,
      resets_on: expect.stringMatching(/^\d{4}-\d\d-01$/),
      instructions_for_agent: expect.stringContaining('/settings/keys'),
    })
    expect(await budgetsOf(api)).toMatchObject({ article_credits: { used: 1, limit: 1 } })
    expect((await generate(owner, project, 'tiles')).status).toBe(202)
    await rowsIn(
      stack,
      sql`update api_keys set used_month = used_month - interval '1 month' where account_id = ${owner.accountId}::int and budget_article_credits = 1`,
    )
    expect((await generate(api, project, 'slate')).status).toBe(202)
  })

  it.each([
    [
      'article credit',
      { articles: 1 },
      (api: Api, [first]: number[], n: number) => generate(api, first ?? 0, `felt ${n}`),
    ],
    ['scan', { scans: 1 }, (api: Api, projects: number[], n: number) => scan(api, projects[n] ?? 0)],
    [
      'dollars',
      { cents: 500 },
      (api: Api, projects: number[], n: number) => campaign(api, projects[n] ?? 0, `Sheds ${n}`),
    ],
  ] as const)('is not passed by calls at once: %s', { tags: ['services'] }, async (_, ceilings, spend) => {
    const owner = await newAccount(stack)
    const projects = [await newProject(owner), await newProject(owner), await newProject(owner)]
    const api = await limited(owner, ceilings)
    const answers = await Promise.all(projects.map((_, n) => spend(api, projects, n)))
    const told = answers.map(({ status, body }) => (status < 300 ? 'done' : String(body.code))).sort()
    expect(told).toEqual(['done', 'key_budget_used', 'key_budget_used'])
  })
})
