import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { lastFinalDay, WINDOW_DAYS } from './rules.ts'

const sourceOf = (projectId: number | SQL): SQL =>
  sql`(select source_id from search_connections where project_id = ${projectId}${typeof projectId === 'number' ? sql`::int` : sql``})`

/**
 * Returns an expression: all sources whose days are the history of a project's site. Those are the one in use, and those that its earlier
 * addresses had when the site moved.
 */
export const historyOf = (projectId: number | SQL): SQL => {
  const id = typeof projectId === 'number' ? sql`${projectId}::int` : projectId
  return sql`array(select source_id from search_connections where project_id = ${id}
    union select source_id from site_moves where project_id = ${id} and state = 'moved')`
}

/** Returns a condition: the project reads a property of Search Console. */
export const hasSearchData = (projectId: SQL): SQL =>
  sql`exists (select 1 from search_connections where project_id = ${projectId} and source_id is not null)`

/** Returns an expression: the end of the last period of 28 days whose rows are complete; null before the first. */
const lastPeriod = (projectId: number): SQL =>
  sql`(select max(ends_on) from search_windows where source_id = ${sourceOf(projectId)})`

/** The last complete period of 28 days; dates are null before the first. `has_before`: the period before it is complete too. */
type Periods = { ends_on: string | null; starts_on: string | null; has_before: boolean }

/** Selects the last complete period of search data of a project. */
export const searchPeriods = (db: Db, projectId: number) =>
  db.execute<Periods>(sql`
    select to_char(last, 'YYYY-MM-DD') as ends_on, to_char(last - ${WINDOW_DAYS - 1}::int, 'YYYY-MM-DD') as starts_on,
      exists (select 1 from search_windows where source_id = ${sourceOf(projectId)} and ends_on = last - ${WINDOW_DAYS}::int) as has_before
    from (select ${lastPeriod(projectId)} as last) l`)

/**
 * Numbers of a page, or of a query on a page, in the last 28 days and in the 28 before.
 *
 * `article_id` is the article at that address. A position is null if the page did not appear.
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
    where ${where} group by r.page_id, r.query),
  most as materialized (select * from found order by impressions + impressions_before desc, page_id, query limit ${limit}::int)
  select p.page, p.page_key, s.article_id, f.query, f.clicks, f.impressions, f.position,
    f.clicks_before, f.impressions_before, f.position_before
  from most f join search_pages p on p.id = f.page_id
    left join site_pages s on s.project_id = ${projectId}::int and s.url_key = p.page_key
  order by f.impressions + f.impressions_before desc, f.page_id, f.query`

const MAX_ROWS = 10_000

/** Returns the project's pages in the last two periods, most impressions first. `query` is ''. */
export const searchedPages = (db: Db, projectId: number, limit: number = MAX_ROWS) =>
  db.execute<SearchNumbers>(numbers(projectId, sql`r.query = ''`, limit))

/** Returns the queries of the project's pages in the last two periods, most impressions first. */
export const searchedQueries = (db: Db, projectId: number, limit: number = MAX_ROWS) =>
  db.execute<SearchNumbers>(numbers(projectId, sql`r.query <> ''`, limit))

/** Returns a query for the days whose pages are known, from 56 days before a day to 28 after it, without that day. */
export const knownDaysAround = (sourceId: SQL, day: SQL): SQL => sql`
  select 1 from search_days d where d.source_id = ${sourceId} and d.pages_at is not null
    and d.day between ${day} - 56 and ${day} + 28 and d.day <> ${day}`

const clicksOf = (pageId: SQL, from: SQL, to: SQL): SQL => sql`
  select sum(r.clicks) from search_page_days r where r.page_id = ${pageId} and r.day >= ${from} and r.day <= ${to}`

/**
 * Returns a query for the clicks of every page of a project from one day to another.
 *
 * It reads page by page from an index that includes the clicks, because the days of a page are scattered in the table.
 */
export const clicksOfPages = (projectId: SQL, from: SQL, to: SQL): SQL => sql`
  select p.page_key, coalesce(sum((${clicksOf(sql`p.id`, from, to)})), 0)::int as clicks
  from search_pages p where p.source_id = ${sourceOf(projectId)} group by p.page_key`

/** Selects the clicks of some pages of a project in the last complete period of 28 days, by their keys. Pages without a row are left out. */
export const clicksOfKeys = (db: Db, projectId: number, keys: readonly string[]) =>
  db.execute<{ page_key: string; clicks: number }>(sql`
    select p.page_key, sum(r.clicks)::int as clicks
    from search_pages p join search_window_rows r on r.page_id = p.id and r.source_id = p.source_id and r.query = ''
      and r.ends_on = ${lastPeriod(projectId)}
    where p.source_id = ${sourceOf(projectId)} and p.page_key = any(${sql.param([...keys])}::text[])
    group by p.page_key`)

/** Returns an expression: the clicks of one page of a project from one day to another. */
export const clicksOfPage = (projectId: SQL, pageKey: SQL, from: SQL, to: SQL): SQL => sql`
  (select coalesce(sum((${clicksOf(sql`q.id`, from, to)})), 0)::int from search_pages q
    where q.source_id = ${sourceOf(projectId)} and q.page_key = ${pageKey})`

/** Returns a query for the days from one on whose pages are known, of the site at any of its addresses. */
export const daysWithPages = (projectId: number | SQL, from: string): SQL => sql`
  select distinct day from search_days where source_id = any(${historyOf(projectId)}) and day >= ${from}::date and pages_at is not null`

/** Returns the clicks of an article's page by day from a day on, oldest first. Only days whose pages are known are included. */
export const clicksByDay = (db: Db, articleId: number, from: string) => {
  const project = sql`(select project_id from articles where id = ${articleId}::int)`
  return db.execute<{ day: string; value: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(r.clicks), 0)::int as value
    from (${daysWithPages(project, from)}) d left join (
      select distinct on (p.page, r.day) r.day, r.clicks from site_pages s
        join search_pages p on p.source_id = any(${historyOf(project)}) and p.page_key = s.url_key
        join search_page_days r on r.page_id = p.id and r.day >= ${from}::date
      where s.article_id = ${articleId}::int and s.project_id = ${project}) r on r.day = d.day
    group by d.day order by d.day`)
}

/** Days from a weekday to the same weekday a year before. */
const YEAR_DAYS = sql.raw('364')

/** Clicks of a page in the same two periods a year before. */
export type LastYear = { page_key: string; clicks: number; clicks_before: number }

/**
 * Returns the clicks of the project's pages in the same weeks of the year before; no rows if one of those days is missing.
 *
 * `lostShare`: only of pages that lost this share of their clicks since the period before.
 */
export const searchedLastYear = (db: Db, projectId: number, lostShare = 0, limit: number = MAX_ROWS) => {
  // Evaluated once, so that only those days are read for each page.
  const last = sql`(select last from w)`
  const days = (day: SQL): SQL => sql`${day} > ${last} - ${2 * WINDOW_DAYS}::int and ${day} <= ${last}`
  const end = sql`${last} + ${YEAR_DAYS}`
  const clicks = sql`coalesce(sum(r.clicks) filter (where r.ends_on = ${end}), 0)`
  const before = sql`sum(r.clicks) filter (where r.ends_on < ${end})`
  const lost = sql`select r.page_id from search_window_rows r where r.source_id = (select source_id from w) and r.query = ''
    and r.ends_on in (${end}, ${end} - ${WINDOW_DAYS}::int) group by r.page_id having ${before} - ${clicks} >= ${lostShare}::float8 * ${before}`
  return db.execute<LastYear>(sql`
    with w as materialized (select ${sourceOf(projectId)} as source_id, ${lastPeriod(projectId)} - ${YEAR_DAYS} as last)
    select p.page_key, coalesce(sum(r.clicks) filter (where r.day > ${last} - ${WINDOW_DAYS}::int), 0)::int as clicks,
      coalesce(sum(r.clicks) filter (where r.day <= ${last} - ${WINDOW_DAYS}::int), 0)::int as clicks_before
    from search_pages p join search_page_days r on r.page_id = p.id and ${days(sql`r.day`)}
    where p.source_id = (select source_id from w) and ${2 * WINDOW_DAYS}::int = (select count(*) from search_days d
      where d.source_id = (select source_id from w) and d.pages_at is not null and ${days(sql`d.day`)})
      ${lostShare > 0 ? sql`and p.id in (${lost})` : sql``}
    group by p.page_key order by 3 desc, 1 limit ${limit}::int`)
}

/** Returns an expression: the time of the next suggestion run of a connected project. */
export const nextSuggestionsAt = (projectId: SQL): SQL =>
  sql`(select next_suggestions_at from search_connections where project_id = ${projectId})`

/** Clicks of a site in its last 28 final days, and the change from the 28 before; null if too few days can be compared. */
export type SiteClicks = { clicks: number; change: number | null; isBeyondNoise: boolean }

/**
 * Differences between a site's days and those 28 days earlier, which have the same weekdays: sum, spread, and number of pairs.
 */
type Difference = { change: number | null; spread: number | null; pairs: number }

/** Fewest pairs of days that are compared. */
const FEWEST_PAIRS = 21
/** Critical t value for as many days as are compared: chance exceeds it in one comparison of a hundred. */
const LIMIT = 2.77

/** Returns the change, and whether it is more than the variation between the days explains. */
const changeIn = ({ change, spread, pairs }: Difference): Pick<SiteClicks, 'change' | 'isBeyondNoise'> =>
  change === null || spread === null || pairs < FEWEST_PAIRS
    ? { change: null, isBeyondNoise: false }
    : { change, isBeyondNoise: Math.abs(change) > LIMIT * spread * Math.sqrt(pairs) }

/** Selects the clicks of an account's sites on their last 28 final days, and the differences to the days before. `only`: one project. */
export const siteDays = (db: Db, account: SQL, only: number | null, now: Date) =>
  db.execute<Difference & { id: number; clicks: number }>(sql`
    select s.project_id as id, sum(d.clicks)::int as clicks, sum(d.clicks - b.clicks)::int as change,
      stddev_samp(d.clicks - b.clicks)::float8 as spread, count(b.day)::int as pairs
    from search_connections s
    join search_days d on d.source_id = s.source_id and d.day > ${lastFinalDay(now)}::date - ${WINDOW_DAYS}::int
      and d.day <= ${lastFinalDay(now)}::date
    left join search_days b on b.source_id = d.source_id and b.day = d.day - ${WINDOW_DAYS}::int
    where s.account_id = ${account} ${only === null ? sql`` : sql`and s.project_id = ${only}::int`}
    group by s.project_id`)

/** Returns the clicks of sites by project, from the rows of `siteDays`. */
export const clicksBySite = (rows: readonly (Difference & { id: number; clicks: number })[]): Map<number, SiteClicks> =>
  new Map(rows.map(({ id, clicks, ...difference }) => [id, { clicks, ...changeIn(difference) }]))
