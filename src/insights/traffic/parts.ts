import { type Column, type SQL, sql } from 'drizzle-orm'

/** Days before and after a change whose visits are compared. */
const DAYS = sql.raw('28')

/** Visits from AI assistants in the 28 days before a change, and in the 28 after it. */
export type VisitsAround = { before: number; after: number }

/**
 * Returns an expression: the visits of an article's page around the day (UTC) of a change. Null unless the site counted all of
 * these days.
 */
export const visitsAround = (project: Column, article: Column, changedAt: Column): SQL<VisitsAround | null> => {
  const day = sql`(${changedAt} at time zone 'UTC')::date`
  const visits = (from: SQL, to: SQL): SQL => sql`(select coalesce(sum(v.count), 0)::int from traffic_counts v
    where v.article_id = ${article} and v.kind = 'visit' and v.day between ${day} + ${from} and ${day} + ${to})`
  return sql<VisitsAround | null>`case when (select count(*) from traffic_days t where t.project_id = ${project}
      and t.day between ${day} - ${DAYS} and ${day} + ${DAYS} and t.day <> ${day}) = 2 * ${DAYS}
    then json_build_object('before', ${visits(sql`-28`, sql`-1`)}, 'after', ${visits(sql`1`, sql`28`)}) end`
}
