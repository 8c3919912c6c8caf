import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { openLive, seedSearch } from '../suggestions/seed.ts'

const stack = inject('stack')

type Entry = { article_id: number; reason: string; call: { method: string; path: string; fields?: string[] } }

const set = (id: number | undefined, change: ReturnType<typeof sql>) =>
  rowsIn(stack, sql`update articles set ${change} where id = ${id}::int returning id`)

const reportOf = (body: Record<string, unknown>) =>
  new Map(rowsOf(body, 'rules').map(({ rule, articles }) => [rule, articles as Entry[]]))

it('reports what search data show, with the numbers', async () => {
  const { api, project, articles } = await openLive(stack, 3)
  const [falling, silent, rival] = articles
  await seedSearch(stack, api, project, [
    { article: falling, now: [20, 900, 5], before: [100, 1_000, 3], queries: { sheds: [9, 400, 5] } },
    { article: silent, now: [0, 40, 30], before: [30, 900, 6] },
    { article: rival, now: [50, 900, 2], queries: { sheds: [40, 500, 2] } },
  ])
  const { body } = await api.get(`/projects/${project}/care`)
  expect(body).toMatchObject({ project_id: project, published: 3, has_search_data: true })
  const report = reportOf(body)
  expect(report.get('falling')).toMatchObject([
    { article_id: falling, reason: expect.stringContaining('20 clicks in 28 days, 100 in the 28 before') },
  ])
  expect(report.get('silent')).toMatchObject([
    { article_id: silent, reason: expect.stringContaining('30 in the 28 before') },
  ])
  expect(report.get('competing')).toMatchObject([{ article_id: falling, reason: expect.stringContaining('“sheds”') }])
  const [{ call } = { call: { method: '', path: '' } }] = report.get('falling') ?? []
  expect((await api.call(call.method, call.path)).status).toBe(200)
})

it('does not report a page that lost as many readers in the same weeks of the year before', async () => {
  const { api, project, articles } = await openLive(stack, 2)
  const [summery, falling] = articles
  await seedSearch(stack, api, project, [
    { article: summery, now: [20, 900, 5], before: [100, 1_000, 3] },
    { article: falling, now: [20, 900, 5], before: [100, 1_000, 3] },
  ])
  await rowsIn(
    stack,
    sql`with year as (insert into search_days (source_id, day, clicks, impressions, position, pages_at)
        select s.id, date '2026-11-15' - 364 - n, 9, 90, 3, now() from search_sources s, generate_series(0, 55) n
        where s.project_id = ${project}::int returning source_id, day)
      insert into search_page_days (page_id, day, clicks, impressions, position)
      select p.id, year.day, case when s.article_id = ${summery}::int and year.day > date '2026-11-15' - 392 then 1 else 5 end, 20, 3
      from year join search_pages p using (source_id) join site_pages s on s.project_id = ${project}::int and s.url_key = p.page_key
      returning page_id`,
  )
  const report = reportOf((await api.get(`/projects/${project}/care`)).body)
  expect(report.get('falling')).toMatchObject([{ article_id: falling }])
})

it('reports what texts and pages lack, with the call that mends it', async () => {
  const { api, project, articles } = await openLive(stack, 7)
  const [plain, old, lastYear, picture, thin, adopted, drawn] = articles
  const year = new Date().getUTCFullYear()
  // The service would read the pages meanwhile and store receipts of its own.
  await rowsIn(
    stack,
    sql`update outbox set done_at = now() where account_id = ${api.accountId}::int and done_at is null`,
  )
  await set(plain, sql`meta_description = ''`)
  await set(old, sql`title = ${`The best sheds of ${year - 2}`}::text`)
  await set(lastYear, sql`title = ${`Sheds of ${year - 1} and ${year - 3}, order 20199`}::text`)
  await set(picture, sql`receipt = '{"http_status": 200, "images_ok": false}'`)
  const failed = sql`seo = '{"score": 40, "passed": [], "failed": [{"check": "word_count", "severity": "error", "message": "The article has 7 words.", "fix": "Add."}]}'`
  await set(thin, failed)
  // The service changes the text of one adopted post, and not of one that a page builder draws.
  for (const [id, owner] of [
    [adopted, null],
    [drawn, 'Elementor'],
  ] as const) {
    await set(id, sql`${failed}, origin = 'adopted'`)
    await rowsIn(
      stack,
      sql`insert into adopted_posts (article_id, project_id, site, post_id, format, owner, source, source_hash, fields, read_at)
        values (${id}::int, ${project}::int, 'x', ${String(id)}, 'blocks', ${owner}, '', '', '{}', now()) returning article_id`,
    )
  }
  const { body } = await api.get(`/projects/${project}/care?limit=50`)
  const report = reportOf(body)
  const ids = (rule: string) => report.get(rule)?.map(({ article_id }) => article_id)
  expect(body.has_search_data).toBe(false)
  expect(report.get('no_description')).toMatchObject([
    { article_id: plain, call: { method: 'POST', path: `/articles/${plain}/sync`, fields: ['meta_description'] } },
  ])
  expect(report.get('out_of_date')).toMatchObject([
    { article_id: old, reason: `The title names the year ${year - 2}.` },
  ])
  expect(ids('broken_pictures')).toEqual([picture])
  expect(report.get('thin')).toMatchObject([
    { article_id: drawn, reason: 'The article has 7 words.', call: { method: 'GET', path: `/articles/${drawn}` } },
    { article_id: adopted, call: { method: 'POST', path: `/articles/${adopted}/sync`, fields: ['content'] } },
    { article_id: thin, call: { path: `/articles/${thin}/sync`, fields: ['content'] } },
  ])
  const only = await api.get(`/projects/${project}/care?origin=adopted&rule=thin,no_description&limit=1`)
  expect(only.body).toMatchObject({ published: 2, rules: [{ rule: 'thin', count: 2 }] })
})

it('is empty for a project without articles, and 400 for a rule that is none', async () => {
  const api = manyKeys(stack, await newAccount(stack))
  const project = await newProject(api)
  expect((await api.get(`/projects/${project}/care`)).body).toMatchObject({
    published: 0,
    has_search_data: false,
    rules: [],
  })
  expect(fieldsOf((await api.get(`/projects/${project}/care?rule=ugly`)).body)).toEqual(['rule'])
})

it('is a page: some articles of each rule, and all of one', async () => {
  const { api, project, articles } = await openLive(stack, 7)
  for (const id of articles) await set(id, sql`meta_description = ''`)
  const { person } = await signInAsOwner(stack, api)
  const linked = (text: string) =>
    articles.filter((id) => text.includes(`aria-label="Open: `) && text.includes(`href="/p/${project}/articles/${id}"`))
  const page = (await person.get(`/p/${project}/care`)).text
  expect(page).toContain('7 articles')
  expect(linked(page)).toHaveLength(5)
  expect(page).toContain('Connect Search Console')
  expect(linked((await person.get(`/p/${project}/care?rule=no_description`)).text)).toHaveLength(7)
})
