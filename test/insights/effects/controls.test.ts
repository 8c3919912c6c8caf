import { type SQL, sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { type ClicksRow, clicksOfChange } from '../../../src/insights/effects/measure.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { costOf, ownPlans, TEXT, vacuum } from '../../support/plans.ts'
import { randomFrom } from './simulated.ts'

const stack = ownPlans(inject('stack'))

const run = <Row>(statement: SQL) => rowsIn<Row>(stack, statement)

/** The day of the change, and days around it that hold clicks. */
const CHANGED = '2026-09-01'
const PAGES = 160

type Page = {
  /** The comparable address; two pages may share one. */
  key: string
  /** Clicks by days after the change. */
  days: Map<number, number>
  article: { isOwn: boolean; age: number | null; touched: number | null } | null
}

/** Returns pages as they come: with gaps, some young, some changed themselves, some without an article, some known by two addresses. */
const pagesFrom = (seed: number): Page[] => {
  const random = randomFrom(seed)
  const at = (max: number) => Math.floor(random.uniform() * max)
  return Array.from({ length: PAGES }, (_, n) => {
    const level = at(6)
    const days = Array.from({ length: 95 }, (_day, i) => [i - 62, random.uniform() < 0.3 ? 0 : at(2 * level)] as const)
    const twin = n > 10 && at(12) === 0
    return {
      key: `site.example/${twin ? n - 1 : n}`,
      days: new Map(days.filter(([, clicks]) => clicks > 0 || at(2) === 0)),
      article:
        twin || (at(5) === 0 && n !== 3)
          ? null
          : { isOwn: n === 3, age: at(6) === 0 ? at(120) : 400, touched: at(6) === 0 ? at(110) - 70 || 1 : null },
    }
  })
}

const sumOf = (pages: readonly Page[], from: number, to: number): number =>
  pages.flatMap(({ days }) => [...days]).reduce((sum, [day, n]) => sum + (day >= from && day <= to ? n : 0), 0)

/** Returns the same by brute force. */
const expected = (pages: readonly Page[]) => {
  const keys = [...new Set(pages.map(({ key }) => key))]
  const all = keys.map((key) => {
    const same = pages.filter((page) => page.key === key)
    const article = same.find((page) => page.article !== null)?.article ?? null
    return { key, article, prior: sumOf(same, -56, -29), before: sumOf(same, -28, -1), after: sumOf(same, 1, 28) }
  })
  const own = all.find(({ article }) => article?.isOwn)
  const away = (before: number) => Math.abs(Math.log(before + 1) - Math.log((own?.before ?? 0) + 1))
  const fits = ({ article, prior, before }: (typeof all)[number]) =>
    !article?.isOwn &&
    prior > 0 &&
    before > 0 &&
    (article === null || article.age === null || article.age > 56) &&
    (article === null || article.touched === null || article.touched <= -57 || article.touched >= 30)
  const order = (a: (typeof all)[number], b: (typeof all)[number]) =>
    away(a.before) - away(b.before) || (a.key < b.key ? -1 : 1)
  const numbers = ({ prior, before, after }: (typeof all)[number]) => ({ prior, before, after })
  return { own: own && numbers(own), similar: all.filter(fits).sort(order).slice(0, 100).map(numbers) }
}

/** Returns a connected project. */
const connected = async () => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const [source] = await run<{ id: number }>(
    sql`insert into search_sources (project_id, property) values (${project}::int, 'sc-domain:site.example') returning id`,
  )
  await run(
    sql`with made as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        values (${api.accountId}::int, ${project}::int, 'Google Search Console', 'x', 'x', 'x') returning id)
      insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at)
        select ${project}::int, ${api.accountId}::int, id, ${source?.id}::int, '', now() + interval '1 day' from made returning 1`,
  )
  return { account: api.accountId, project, source: Number(source?.id) }
}

type Place = Awaited<ReturnType<typeof connected>>

const noon = (days: SQL) =>
  sql`(${CHANGED}::date + ${days})::timestamp at time zone 'America/Los_Angeles' + interval '12 hours'`

type Article = { key: string; age: number | null; changed: number | null }

/** Returns articles with their pages, and changes of some, so many days after the change that is measured; the id of that change. */
const articlesIn = async ({ account, project }: Place, given: Article[]): Promise<number> => {
  const [row] = await run<{ id: number }>(
    sql`with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(key text, age int, changed int)),
      made as (insert into articles (account_id, project_id, status, title, main_keyword, slug, published_at)
        select ${account}::int, ${project}::int, 'Published', 'Sheds', 'sheds', key, ${noon(sql`- age`)} from given returning id, slug),
      pages as (insert into site_pages (project_id, article_id, url, url_key)
        select ${project}::int, id, 'https://' || slug, slug from made),
      changes as (insert into page_changes (account_id, project_id, article_id, kind, revision, changed_at, measure_at)
        select ${account}::int, ${project}::int, id, 'sync', 2, ${noon(sql`changed`)}, now() + interval '1 year'
        from made join given on key = slug where changed is not null returning id, changed_at)
      select id from changes order by abs(extract(epoch from changed_at - ${noon(sql`0`)})) limit 1`,
  )
  return Number(row?.id)
}

it('a change is compared with the most similar pages without changes', { timeout: 60_000 }, async () => {
  const pages = pagesFrom(11)
  const place = await connected()
  const change = await articlesIn(
    place,
    pages.flatMap(({ key, article }) =>
      article ? [{ key, age: article.age, changed: article.isOwn ? 0 : article.touched }] : [],
    ),
  )
  const given = pages.map(({ key, days }, n) => ({ key, page: `https://${key}/${n}`, days: [...days] }))
  await run(
    sql`with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(key text, page text, days jsonb)),
      made as (insert into search_pages (source_id, page, page_key) select ${place.source}::int, page, key from given returning id, page)
      insert into search_page_days (page_id, day, clicks, impressions, position)
        select m.id, ${CHANGED}::date + (d ->> 0)::int, (d ->> 1)::int, 10, 5
        from made m join given g on g.page = m.page, jsonb_array_elements(g.days) d`,
  )
  const rows = await run<ClicksRow>(clicksOfChange(TEXT, change) as unknown as SQL)
  const [own, ...similar] = rows.map(({ prior, before, after }) => ({ prior, before, after }))
  const wanted = expected(pages)
  expect(wanted.own?.before).toBeGreaterThan(0)
  expect(wanted.similar.length).toBeGreaterThan(40)
  expect(own).toEqual(wanted.own)
  expect(similar).toEqual(wanted.similar)
})

const MANY = 4_000

// For all pages, the database reads only the 28 days in the index, whatever else is stored. It reads the rest for a
// hundred pages.
it.runIf(process.env.DATABASE_URL)(
  'and that is read from an index',
  { tags: ['services'], timeout: 300_000 },
  async () => {
    const place = await connected()
    const change = await articlesIn(place, [{ key: 'large.example/7', age: 400, changed: 0 }])
    await run(
      sql`insert into search_pages (source_id, page, page_key) select ${place.source}::int, 'https://large.example/' || n, 'large.example/' || n
      from generate_series(1, ${MANY}::int) n returning 1`,
    )
    for (let from = -60; from < 30; from += 10)
      await run(
        sql`with made as (insert into search_page_days (page_id, day, clicks, impressions, position)
          select p.id, ${CHANGED}::date + d, 1 + p.id % 7, 10, 5 from generate_series(${from}::int, ${from + 9}::int) d, search_pages p
          where p.source_id = ${place.source}::int returning 1) select count(*) from made`,
      )
    await vacuum(stack, ['search_page_days', 'search_pages', 'site_pages'])
    const { buffers, ms } = await costOf(stack, clicksOfChange(TEXT, change))
    console.log('a change among', MANY, 'pages:', buffers, 'buffers', ms, 'ms')
    expect(buffers).toBeLessThan(5 * MANY + 5_000)
  },
)
