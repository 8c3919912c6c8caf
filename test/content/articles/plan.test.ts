import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { setCredits } from '../writing/scene.ts'

const stack = inject('stack')

/** Account on Pro, whose credits are filled up to 30 a month. */
const fresh = async () => {
  const api = manyKeys(stack, await newAccount(stack, { plan: 'pro' }))
  return { api, project: await newProject(api) }
}

const planned = (api: Api, project: number, scheduled_date: string) =>
  newArticle(api, project, { status: 'Planned', scheduled_date, content: '' })

/** Plans empty articles for the first days of June 2032, one an hour. */
const plannedInJune = (project: number, count: number) =>
  rowsIn(
    stack,
    sql`insert into articles (account_id, project_id, title, main_keyword, slug, status, content, scheduled_at)
      select account_id, id, 'June ' || n, 'june ' || n, 'june-' || n, 'Planned', '', '2032-06-01T00:00Z'::timestamptz + n * interval '1 hour'
      from projects, generate_series(1, ${count}::int) n where id = ${project}::int`,
  )

const unreachedOf = async (api: Api, project: number) => {
  const { body } = await api.get(`/projects/${project}/article-plan`)
  return (body.unreached as { article_id: number; credit: string }[]).map((one) => [one.article_id, one.credit])
}

it('GET /projects/:id/article-plan names the dated articles that the credits of their month do not reach', async () => {
  const { api, project } = await fresh()
  await plannedInJune(project, 28)
  const other = await newProject(api)
  // Two projects have 60 credits a month. The 61st article by date is not reached, whatever its project.
  await plannedInJune(other, 31)
  const [last, first] = [await planned(api, project, '2032-06-30'), await planned(api, project, '2032-06-29')]
  const july = await planned(api, project, '2032-07-01')
  const { body, status } = await api.get(`/projects/${project}/article-plan`)
  expect([status, body]).toMatchObject([
    200,
    { project_id: project, plan: null, budget_left: null, unreached_total: 1 },
  ])
  expect(body.unreached).toEqual([
    {
      article_id: last,
      title: expect.stringContaining('keyword'),
      keyword: expect.stringContaining('keyword'),
      ScheduledAt: expect.stringMatching(/^2032-06-30T/),
      credit: 'none_left',
    },
  ])
  expect(body.message).toContain('No credit is left for 1 dated article')
  expect(await unreachedOf(api, other)).toEqual([])
  // The forecast of a save says the same, and that of a new article, which comes after them.
  const saved = async (id: number) =>
    (await api.put(`/articles/${id}`, { instructions: 'Short.' })).body.will_be_written
  expect(await saved(first)).toMatchObject({ credit: 'left' })
  expect(await saved(july)).toMatchObject({ credit: 'left' })
  expect(await saved(last)).toMatchObject({
    credit: 'none_left',
    note: expect.stringContaining('articles with earlier dates use the 60 of its month'),
  })
  const plan = { project_id: project, keyword: 'sheds', status: 'Planned' }
  const dry = await api.post('/articles?dry_run=true', { ...plan, scheduled_date: '2032-06-30' })
  expect(dry.body.would).toMatchObject({ body: { will_be_written: { credit: 'none_left' } } })
  const before = await api.post('/articles?dry_run=true', { ...plan, scheduled_date: '2032-06-02' })
  expect(before.body.would).toMatchObject({ body: { will_be_written: { credit: 'left' } } })
  // One that is moved away makes room for the next one by date.
  await api.put(`/articles/${first}`, { scheduled_date: '2032-08-01' })
  expect(await unreachedOf(api, project)).toEqual([])
  const later = await api.put(`/articles/${last}?dry_run=true`, { scheduled_date: '2032-06-30T20:00' })
  expect(later.body.would).toMatchObject({ body: { will_be_written: { credit: 'left' } } })
})

it('an article over the monthly budget of its project is not reached, and uses no credit of the account', async () => {
  const { api, project } = await fresh()
  await setPolicy(stack, project, { monthly_budget: { article_credits: 1, crowdwork_dollars: null } })
  const other = await newProject(api)
  await planned(api, project, '2032-09-01')
  const over = await planned(api, project, '2032-09-02')
  await plannedInJune(other, 59)
  const june = await planned(api, project, '2032-06-01')
  const alsoOver = await planned(api, project, '2032-06-01')
  expect(await unreachedOf(api, project)).toEqual([
    [alsoOver, 'over_budget'],
    [over, 'over_budget'],
  ])
  expect(await unreachedOf(api, other)).toEqual([])
  const { body } = await api.put(`/articles/${over}`, { instructions: 'Short.' })
  expect(body.will_be_written).toMatchObject({
    credit: 'over_budget',
    note: expect.stringContaining('the monthly budget of the project’s policy has none left for it'),
  })
  expect((await api.put(`/articles/${june}`, { instructions: 'Short.' })).body.will_be_written).toMatchObject({
    credit: 'left',
  })
})

it('without a credit in this month, its dates are not reached, and those of later months are', async () => {
  const { api, project } = await fresh()
  await setCredits(stack, api.accountId, 0)
  const now = new Date()
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - 1_000
  const late = await planned(api, project, new Date(Math.min(month, now.getTime() + 3_600_000)).toISOString())
  await planned(api, project, '2032-01-01')
  const { body } = await api.get(`/projects/${project}/article-plan`)
  expect(body).toMatchObject({ article_credits: 0, credits_taken: 0, unreached_total: 1 })
  expect(body.unreached).toMatchObject([{ article_id: late, credit: 'none_left' }])
})

it('on a plan without the writer nothing waits for a credit', async () => {
  const api = await newAccount(stack, { plan: 'agentic' })
  const project = await newProject(api)
  await planned(api, project, '2032-01-01')
  const { body } = await api.get(`/projects/${project}/article-plan`)
  expect(body).toMatchObject({ credits_refill_on: null, unreached: [], unreached_total: 0 })
  expect(body.message).toContain('does not include the writer')
})
