import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'
import { WINDOW_DAYS } from './rules.ts'

const sourceOf = (projectId: number | SQL): SQL =>
  sql`(select source_id from search_connections where project_id = ${projectId}${typeof projectId === 'number' ? sql`::int` : sql``})`

/** Whether a project reads a property of Search Console, as a condition. */
export const hasSearchData = (projectId: SQL): SQL =>
  sql`exists (select 1 from search_connections where project_id = ${projectId} and source_id is not null)`

/** The last period of 28 days whose rows are complete, as an expression; null before the first. */
const lastPeriod = (projectId: number): SQL =>
  sql`(select max(ends_on) from search_windows where source_id = ${sourceOf(projectId)})`

/** The periods that are compared: the last 28 days that are kept, and the 28 before. `before` null: not there yet. */
type Periods = { ends_on: string | null; starts_on: string | null; has_before: boolean }

export const searchPeriods = (db: Db, projectId: number) =>
  db.execute<Periods>(sql`
    select to_char(last, 'YYYY-MM-DD') as ends_on, to_char(last - ${WINDOW_DAYS - 1}::int, 'YYYY-MM-DD') as starts_on,
      exists (select 1 from search_windows where source_id = ${sourceOf(projectId)} and ends_on = last - ${WINDOW_DAYS}::int) as has_before
    from (select ${lastPeriod(projectId)} as last) l`)

/**
 * A page, or a query on a page, in the last 28 days and in the 28 before. `article_id`: the article that stands there. Position is
 * null where it did not appear.
 */
export type SearchNumbers = {
  page: string
  page_key: string
  article_id: number | null
  query: string
  clicks: number
  impressions: number
  position: number | null
  clicks_before: number
  impressions_before: number
  position_before: number | null
}

const numbers = (projectId: number, where: SQL, limit: number): SQL => sql`
  with periods as materialized (select ${sourceOf(projectId)} as source_id, ${lastPeriod(projectId)} as last),
  found as (
    select r.page_id, r.query,
      coalesce(sum(r.clicks) filter (where r.ends_on = w.last), 0)::int as clicks,
      coalesce(sum(r.impressions) filter (where r.ends_on = w.last), 0)::int as impressions,
      max(r.position) filter (where r.ends_on = w.last) as position,
      coalesce(sum(r.clicks) filter (where r.ends_on < w.last), 0)::int as clicks_before,
      coalesce(sum(r.impressions) filter (where r.ends_on < w.last), 0)::int as impressions_before,
      max(r.position) filter (where r.ends_on < w.last) as position_before
    from periods w join search_window_rows r on r.source_id = w.source_id and r.ends_on in (w.last, w.last - ${WINDOW_DAYS}::int)
    where ${where} group by r.page_id, r.query)
  select p.page, p.page_key, s.article_id, f.query, f.clicks, f.impressions, f.position,
    f.clicks_before, f.impressions_before, f.position_before
  from found f join search_pages p on p.id = f.page_id
    left join site_pages s on s.project_id = ${projectId}::int and s.url_key = p.page_key
  order by f.impressions + f.impressions_before desc, p.page, f.query limit ${limit}::int`

const MAX_ROWS = 10_000

/** The project's pages in the two last periods, those that appeared most often first. `query` is ''. */
export const searchedPages = (db: Db, projectId: number, limit: number = MAX_ROWS) =>
  db.execute<SearchNumbers>(numbers(projectId, sql`r.query = ''`, limit))

/** The queries of the project's pages in the two last periods, those that appeared most often first. */
export const searchedQueries = (db: Db, projectId: number, limit: number = MAX_ROWS) =>
  db.execute<SearchNumbers>(numbers(projectId, sql`r.query <> ''`, limit))
