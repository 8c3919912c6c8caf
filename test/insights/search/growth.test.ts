/** @module-tag services */
import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import { searchedPages, searchedQueries } from '../../../src/insights/search/parts.ts'
import { connectionOf, dayRows, historyState, keptAnswer, pageDayRows } from '../../../src/insights/search/queries.ts'
import { addDays, lastFinalDay, lastWindowEnd } from '../../../src/insights/search/rules.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { costOf, ownPlans, TEXT } from '../../support/plans.ts'

const stack = ownPlans(inject('stack'))

/** Days, pages a day and queries of the large project: half a million rows. */
const [DAYS, PAGES, QUERIES] = [500, 1_000, 2_500]

/** A project with so many pages on each of so many days. */
const fill = async (pages: number, queries: number): Promise<number> => {
  const api = await newAccount(stack)
  const project = await newProject(api)
  const [end, window] = [lastFinalDay(new Date()), lastWindowEnd(lastFinalDay(new Date()))]
  const [source] = await rowsIn<{ id: number }>(
    stack,
    sql`insert into search_sources (project_id, property) values (${project}::int, 'sc-domain:large.example') returning id`,
  )
  const id = Number(source?.id)
  await rowsIn(
    stack,
    sql`with made as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
        values (${api.accountId}::int, ${project}::int, 'Google Search Console', 'x', 'x', 'x') returning id)
      insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at)
        select ${project}::int, ${api.accountId}::int, id, ${id}::int, '', now() + interval '1 day' from made returning 1`,
  )
  await rowsIn(
    stack,
    sql`insert into search_days (source_id, day, clicks, impressions, position, pages_at)
      select ${id}::int, ${end}::date - n, n, 10 * n, 5, now() from generate_series(0, ${DAYS - 1}::int) n returning 1`,
  )
  await rowsIn(
    stack,
    sql`insert into search_pages (source_id, page, page_key) select ${id}::int, 'https://large.example/' || n, 'large.example/' || n
      from generate_series(1, ${pages}::int) n returning 1`,
  )
  // In portions: each is one statement, which may take ten seconds.
  for (let from = 0; from < DAYS; from += 10)
    await rowsIn(
      stack,
      sql`with made as (insert into search_page_days (page_id, day, clicks, impressions, position)
        select p.id, ${end}::date - n, 1, 10, 5 from generate_series(${from}::int, ${Math.min(DAYS, from + 10) - 1}::int) n, search_pages p
        where p.source_id = ${id}::int returning 1) select count(*) from made`,
    )
  for (const day of [window, addDays(window, -28)]) {
    await rowsIn(stack, sql`insert into search_windows values (${id}::int, ${day}::date, now()) returning 1`)
    await rowsIn(
      stack,
      sql`with made as (insert into search_window_rows (source_id, ends_on, page_id, query, clicks, impressions, position)
        select ${id}::int, ${day}::date, p.id, q, 1, 10, 5 from (select id, row_number() over () as n from search_pages where source_id = ${id}::int) p,
          lateral (select '' as q union all select 'query ' || k from generate_series(1, ${Math.ceil(queries / pages)}::int) k) qs returning 1)
        select count(*) from made`,
    )
  }
  return project
}

it.runIf(process.env.DATABASE_URL)(
  'reads of one project cost the same with ten pages as with a thousand',
  { timeout: 600_000 },
  async () => {
    const [small, large] = [await fill(10, 50), await fill(PAGES, QUERIES)]
    await rowsIn(stack, sql`analyze search_page_days, search_pages, search_days, search_window_rows`)
    const now = new Date()
    const from = addDays(lastFinalDay(now), -487)
    const reads: Record<string, (project: number) => unknown> = {
      connection: (project) => connectionOf(TEXT, project),
      'kept answer': (project) => keptAnswer(TEXT, project, '2026:28:25:0:plain', now),
      'history of the site': (project) => dayRows(TEXT, project, from),
      'history of a page': (project) => pageDayRows(TEXT, project, 'large.example/7', from),
      'state of the history': (project) => historyState(TEXT, project),
    }
    const measured: Record<string, { small: number; large: number; ms: number }> = {}
    for (const [name, read] of Object.entries(reads)) {
      await costOf(stack, read(large))
      const [few, many] = [await costOf(stack, read(small)), await costOf(stack, read(large))]
      measured[name] = { small: few.buffers, large: many.buffers, ms: many.ms }
    }
    console.log('buffers of reads:', JSON.stringify(measured))
    // The days of one page lie apart in the table: each may cost a block, however many pages there are.
    const apart = (name: string) => (name === 'history of a page' ? DAYS : 0)
    for (const [name, { small: few, large: many }] of Object.entries(measured))
      expect(many, name).toBeLessThanOrEqual(1.2 * few + 12 + apart(name))
    // Suggestions read two periods, however long the history is.
    for (const read of [searchedPages, searchedQueries]) {
      const { buffers, ms } = await costOf(stack, read(TEXT, large))
      console.log(read.name, buffers, 'buffers', ms, 'ms')
      expect(buffers).toBeLessThan(12 * (PAGES + QUERIES))
    }
  },
)
