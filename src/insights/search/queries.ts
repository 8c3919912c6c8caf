import { type SQL, sql } from 'drizzle-orm'
import type { SearchFailure } from '../../../schema/values/search.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { daysWithPages, historyOf } from './parts.ts'

const id = (value: number): SQL => sql`${value}::int`

/** A project with its stored connection to Search Console; `connection_id` is null if there is none. */
export type Connected = {
  project_id: number
  account_id: number
  website_url: string
  website_key: string
  business_name: string
  business_aliases: string[]
  language: string
  connection_id: number | null
  name: string | null
  sealed_secrets: string | null
  source_id: number | null
  property: string | null
  filtered_to: string | null
  properties: string[] | null
  google_sub: string | null
  sealed_access: string | null
  access_expires: string | null
  failure: SearchFailure | null
  failed_at: string | null
  granted_at: string | null
  sandbox: boolean | null
}

const connected = (where: SQL) => sql`
  select p.id as project_id, p.account_id, p.website_url, p.website_key, p.business_name, p.business_aliases, p.language, s.connection_id, c.name, c.sealed_secrets,
    s.source_id, o.property, o.filtered_to, s.properties, s.google_sub, s.sealed_access,
    to_char(s.access_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as access_expires, s.failure,
    to_char(s.failed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as failed_at,
    to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as granted_at, s.sandbox
  from projects p left join search_connections s on s.project_id = p.id left join connections c on c.id = s.connection_id
    left join search_sources o on o.id = s.source_id
  where ${where}`

/** Returns a project with its connection. */
export const connectionOf = (db: Db, projectId: number) =>
  db.execute<Connected>(connected(sql`p.id = ${id(projectId)}`))

/** Returns the project of an article with its connection. */
export const connectionOfArticle = (db: Db, articleId: number) =>
  db.execute<Connected>(connected(sql`p.id = (select project_id from articles where id = ${id(articleId)})`))

/** Returns an active project of an account that is not suspended, with its connection and the id for a new one. */
export const connectableOf = (db: Db, projectId: number, accountId: number) =>
  db.execute<Connected & { next_id: string }>(
    sql`select f.*, nextval('integrations_id_seq')::text as next_id from (${connected(sql`p.id = ${id(projectId)} and p.account_id = ${id(accountId)} and p.status = 'Active'
      and exists (select 1 from accounts a where a.id = p.account_id and a.suspended_at is null)`)}) f`,
  )

const sourceOf = (projectId: number): SQL =>
  sql`(select source_id from search_connections where project_id = ${id(projectId)})`

const kept = (projectId: number, key: string, now: Date): SQL =>
  sql`source_id = ${sourceOf(projectId)} and key = ${key} and expires_at > ${at(now)}`

/** Returns a stored answer that has not expired. */
export const keptAnswer = (db: Db, projectId: number, key: string, now: Date) =>
  db.execute<{ body: unknown }>(sql`select body from search_answers where ${kept(projectId, key, now)}`)

/**
 * Returns the keys under which a page may be stored: its own, and its earlier one without a query until the project's keys are
 * computed again.
 */
const keysOf = (projectId: number, key: SQL | string): SQL =>
  sql`case when exists (select 1 from projects where id = ${id(projectId)} and pages_rekey_at is not null)
    then array[${key}::text, split_part(${key}, '?', 1)] else array[${key}::text] end`

/**
 * Returns the keys of the addresses that a page's article has or had before its site moved, and the page's own key.
 */
const addressesOf = (projectId: number, key: string): SQL =>
  sql`array(select unnest(${keysOf(projectId, key)}) union select other.url_key from site_pages page
      join site_pages other on other.article_id = page.article_id and other.project_id = page.project_id
    where page.project_id = ${id(projectId)} and page.url_key = ${key})`

const articlesAt = (db: Db, projectId: number, keys: SQL) =>
  db.execute<ArticlePage>(sql`
    select asked.key as url_key, s.article_id from unnest(${keys}) asked (key)
      join site_pages s on s.project_id = ${id(projectId)} and s.url_key = any(${keysOf(projectId, sql`asked.key`)})
    where s.article_id is not null`)

/** Selects the articles at the pages of a stored answer. */
export const articlesOfKept = (db: Db, projectId: number, key: string, now: Date) =>
  articlesAt(db, projectId, sql`(select page_keys from search_answers where ${kept(projectId, key, now)})`)

export type ArticlePage = { url_key: string; article_id: number }

/** Selects the articles at these pages. */
export const articlesOfPages = (db: Db, projectId: number, keys: readonly string[]) =>
  articlesAt(db, projectId, sql`${sql.param([...keys])}::text[]`)

/** Counts the other connections that use the same Google account: projects and business profiles, of any account here. */
export const otherUsersOfGrant = (db: Db, projectId: number) =>
  db.execute<{ count: number }>(sql`
    with mine as (select google_sub from search_connections where project_id = ${id(projectId)} and google_sub <> '')
    select count(*)::int as count from (
      select 1 from search_connections o join mine on mine.google_sub = o.google_sub where o.project_id <> ${id(projectId)}
      union all
      select 1 from social_accounts s join mine on mine.google_sub = s.grant_sub where s.status = 'Active'
      limit 100) others`)

export type HistoryState = { from: string | null; to: string | null; days: number; missing: boolean }

/** Selects the first and the last stored day of a project, their number, and whether any lacks its pages. */
export const historyState = (db: Db, projectId: number) =>
  db.execute<HistoryState>(sql`
    select to_char(min(day), 'YYYY-MM-DD') as "from", to_char(max(day), 'YYYY-MM-DD') as "to", count(*)::int as days,
      coalesce(bool_or(pages_at is null), true) as missing
    from search_days where source_id = ${sourceOf(projectId)}`)

export type DayRow = { date: string; clicks: number; impressions: number; position: number | null }

/** Returns totals by day from a day on, oldest first. */
export const dayRows = (db: Db, projectId: number, from: string) =>
  db.execute<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as date, clicks, impressions, case when impressions > 0 then position end as position
    from search_days where source_id = ${sourceOf(projectId)} and day >= ${from}::date order by day`)

/**
 * Returns the numbers of one page by day from a day on, oldest first.
 *
 * Only days whose pages are known are included. Days on which the page did not appear have zeros.
 */
export const pageDayRows = (db: Db, projectId: number, key: string, from: string) =>
  db.execute<DayRow>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(sum(r.clicks), 0)::int as clicks,
      coalesce(sum(r.impressions), 0)::int as impressions,
      sum(r.position * r.impressions) / nullif(sum(r.impressions), 0) as position
    from (${daysWithPages(projectId, from)}) d left join (
      select distinct on (p.page, r.day) r.day, r.clicks, r.impressions, r.position from search_pages p join search_page_days r on r.page_id = p.id
      where p.source_id = any(${historyOf(projectId)}) and p.page_key = any(${addressesOf(projectId, key)}) and r.day >= ${from}::date) r on r.day = d.day
    group by d.day order by d.day`)

/** Returns the newest day whose totals are stored; null before the first. */
export const lastKeptDay = (db: Db, projectId: number) =>
  db.execute<{ day: string | null }>(
    sql`select to_char(max(day), 'YYYY-MM-DD') as day from search_days where source_id = ${sourceOf(projectId)}`,
  )
