import { type SQL, sql } from 'drizzle-orm'
import { inspectionDays } from '../../../../schema/indexing.ts'
import type { IndexState, WatchedSitemap } from '../../../../schema/values/indexing.ts'
import { statusAllows } from '../../../content/articles/parts.ts'
import type { Db } from '../../../platform/db/client.ts'
import { at } from '../../../platform/db/instant.ts'
import { insertWhere } from '../../../platform/db/writes.ts'
import { INSPECT_HOURS } from '../jobs.ts'
import { LOOK_DAYS } from './rules.ts'

const LOOKS = sql.raw(`unnest(array[${LOOK_DAYS.join(', ')}]) as look (days)`)

/** Expression: the start of an article's days. A post that is dated back is counted from the day on which it was made. */
const BASE = sql.raw("(case when a.origin = 'own' then greatest(a.published_at, a.created_at) else a.published_at end)")
const LOOK = sql`(${BASE} + make_interval(days => look.days))`

/** An article with its address, and the start of its days. */
export type InspectedArticle = { id: number; url: string; base: string }

const columns = sql`a.id, a.url, to_char(${BASE} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as base`

/** Most articles in one run. */
const RUN = 50

/**
 * Selects the articles of a project about which Google is to be asked, the newest first.
 *
 * An article is due if it was not asked about since the last of its days. It is not due before the first of them.
 */
export const dueArticles = (db: Db, projectId: number, now: Date) =>
  db.execute<InspectedArticle>(sql`
    select ${columns} from articles a left join index_states i on i.article_id = a.id and i.url = a.url
    where a.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} and a.url is not null
      and coalesce(i.looked_at, '-infinity') < (select max(${LOOK}) from ${LOOKS} where ${LOOK} <= ${at(now)})
    order by a.published_at desc, a.id desc limit ${RUN}::int`)

/** Selects the address of an article and the start of its days. */
export const inspectedArticle = (db: Db, id: number) =>
  db.execute<InspectedArticle & { project_id: number }>(
    sql`select ${columns}, a.project_id from articles a where a.id = ${id}::int and ${statusAllows('sync', 'a')} and a.url is not null`,
  )

/** Expression: the time of a project's next questions: the next day of an article, at most some hours from now. */
export const nextInspections = (projectId: number, now: Date): SQL => sql`greatest(${at(now)} + interval '10 minutes',
  least(${at(now)} + make_interval(hours => ${INSPECT_HOURS}::int), (select min(${LOOK}) from articles a cross join ${LOOKS}
    where a.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} and a.published_at > ${at(now)} - interval '29 days'
      and ${LOOK} > ${at(now)})))`

/**
 * Counts inspections for a project if its share of the property's day has as many left. Returns a row if so.
 *
 * The projects that read a property share its quota equally.
 */
export const claimInspections = (
  { property, projectId, day, most }: { property: string; projectId: number; day: string; most: number },
  wanted: number,
) =>
  insertWhere(
    inspectionDays,
    { property, day, projectId, used: wanted },
    {
      if: sql`${wanted}::int + coalesce((select u.used from inspection_days u
          where u.property = ${property}::text and u.day = ${day}::date and u.project_id = ${projectId}::int), 0)
        <= ${most}::int / greatest(1, (select count(*) from search_sources s join search_connections c on c.source_id = s.id
          where s.property = ${property}::text))`,
      onConflict: sql`(property, day, project_id) do update set used = ${inspectionDays.used} + excluded.used`,
      returning: { used: inspectionDays.used },
    },
  )

type Shares = { n_7: number; indexed_7: number; n_28: number; indexed_28: number; published: number }

/** Counts the live articles of a project with an address, and those that Google listed after 7 and after 28 days. */
export const indexShares = (db: Db, projectId: number) =>
  db.execute<Shares>(sql`
    select count(*)::int as published, count(i.after_7)::int as n_7, count(*) filter (where i.after_7 = 'indexed')::int as indexed_7,
      count(i.after_28)::int as n_28, count(*) filter (where i.after_28 = 'indexed')::int as indexed_28
    from articles a left join index_states i on i.article_id = a.id and a.origin = 'own'
    where a.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} and a.url is not null`)

/** Counts the live articles of a project by the state that Google last reported. */
export const indexCounts = (db: Db, projectId: number) =>
  db.execute<{ state: IndexState; count: number }>(sql`
    select i.state, count(*)::int as count from index_states i join articles a on a.id = i.article_id and a.url = i.url
    where i.project_id = ${projectId}::int and ${statusAllows('sync', 'a')} group by i.state order by 2 desc, 1`)

type Watched = { sitemaps: WatchedSitemap[]; sitemaps_at: string | null; next_at: string | null; used: number }

/** Selects the sitemaps of a project's property, the time of the next questions, and the inspections that the project used today. */
export const watchedSitemaps = (db: Db, projectId: number, day: string) =>
  db.execute<Watched>(sql`
    select c.sitemaps, to_char(c.sitemaps_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as sitemaps_at,
      to_char(c.next_inspections_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next_at,
      (select coalesce(sum(d.used), 0)::int from inspection_days d where d.project_id = c.project_id and d.day = ${day}::date) as used
    from search_connections c where c.project_id = ${projectId}::int`)
