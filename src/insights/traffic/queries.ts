import { type SQL, sql } from 'drizzle-orm'
import type { TrafficKind } from '../../../schema/values/traffic.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Source } from './rules.ts'

/** Days of a report. `article`: only this one's counts, from its publication on. */
export type Span = { project: SQL; article: number | null; from: string; to: string }

const isIn = ({ from, to }: Span, day: SQL): SQL => sql`${day} between ${from}::date and ${to}::date`

const countsIn = (span: Span): SQL =>
  span.article === null
    ? sql`c.project_id = ${span.project} and ${isIn(span, sql`c.day`)}`
    : sql`c.article_id = ${span.article}::int and ${isIn(span, sql`c.day`)}`

/** Selects how a project's active connection counts visits; no row without a connection. */
export const sourceOf = (db: Db, project: SQL) =>
  db.execute<Source>(sql`
    select platform, traffic_error as error from integrations where project_id = ${project} and status = 'Active'`)

/** Selects the visits and crawls of each measured day, the oldest first. */
export const countsByDay = (db: Db, span: Span) =>
  db.execute<{ date: string; visits: number; crawls: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as date, coalesce(c.visits, 0)::int as visits, coalesce(c.crawls, 0)::int as crawls
    from traffic_days d left join (
      select c.day, sum(c.count) filter (where c.kind = 'visit') as visits, sum(c.count) filter (where c.kind = 'crawl') as crawls
      from traffic_counts c where ${countsIn(span)} group by c.day) c on c.day = d.day
    where d.project_id = ${span.project} and ${isIn(span, sql`d.day`)}
      and (${span.article}::int is null or d.day >= (select published_at::date from articles where id = ${span.article}::int))
    order by d.day`)

/** Selects the visits by assistant and the crawls by agent, the most first. */
export const countsByName = (db: Db, span: Span) =>
  db.execute<{ kind: TrafficKind; name: string; count: number }>(sql`
    select c.kind, c.name, sum(c.count)::int as count from traffic_counts c where ${countsIn(span)}
    group by c.kind, c.name order by 3 desc, 2`)

/** Selects the articles with visits or crawls, the most visits first. */
export const countsByArticle = (db: Db, span: Span, limit: number) =>
  db.execute<{ article_id: number; title: string; url: string | null; visits: number; crawls: number }>(sql`
    select a.id as article_id, a.title, a.url, c.visits, c.crawls from (
      select c.article_id, coalesce(sum(c.count) filter (where c.kind = 'visit'), 0)::int as visits,
        coalesce(sum(c.count) filter (where c.kind = 'crawl'), 0)::int as crawls
      from traffic_counts c where ${countsIn(span)} group by c.article_id order by 2 desc, 3 desc, 1 limit ${limit}::int) c
    join articles a on a.id = c.article_id order by c.visits desc, c.crawls desc, a.id`)
