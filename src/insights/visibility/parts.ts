import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'

/** Most scans in one report: the newest. */
const MAX_SCANS = 10

/** Completed scan: its day (UTC), its number of answers, and the pages it cited whose address contains the path of an article. */
type CitingScan = { day: string; answers: number; pages: { url: string; citations: number }[] }

/** Selects the newest completed scans of an article's project from a day on, oldest first. Empty for an article without an address. */
export const citingScans = (db: Db, articleId: number, from: string) => {
  const path = sql`regexp_replace(a.url, '^[a-z]+://[^/]+|/?([?#].*)?$', '', 'g')`
  return db.execute<CitingScan>(sql`
    select to_char(s.finished_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.answers,
      coalesce((select jsonb_agg(jsonb_build_object('url', p ->> 'url', 'citations', (p ->> 'citations')::int))
        from jsonb_array_elements(s.views -> 'pages') p where strpos(p ->> 'url', ${path}) > 0), '[]') as pages
    from articles a join lateral (
      select id, finished_at, answers, views from visibility_scans
      where project_id = a.project_id and state = 'completed' and finished_at >= ${from}::date
      order by id desc limit ${MAX_SCANS}::int) s on true
    where a.id = ${articleId}::int and a.url is not null order by s.id`)
}
