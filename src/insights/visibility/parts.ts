import { sql } from 'drizzle-orm'
import { literals } from '../../../schema/columns.ts'
import type { BingKind } from '../../../schema/values/bing.ts'
import type { Db } from '../../platform/db/client.ts'

const PAGES = literals(['pages'] satisfies BingKind[])

/** Most scans in one report: the newest. */
const MAX_SCANS = 10

/** Completed scan: its day (UTC), its number of answers, and the pages it cited whose address contains the path of an article. */
type CitingScan = { day: string; answers: number; pages: { url: string; citations: number }[] }

/** Imported report of Bing by page, and those of its pages whose address contains the path of an article. */
type BingCited = { from: string; to: string; pages: { url: string; citations: number }[] }

const PATH_OF = sql`regexp_replace(a.url, '^[a-z]+://[^/]+|/?([?#].*)?$', '', 'g')`

/** Selects the newest imported report of Bing on the pages of an article's project. Empty for an article without an address. */
export const bingCitations = (db: Db, articleId: number) =>
  db.execute<BingCited>(sql`
    select to_char(b.from_day, 'YYYY-MM-DD') as "from", to_char(b.to_day, 'YYYY-MM-DD') as "to",
      coalesce((select jsonb_agg(jsonb_build_object('url', r ->> 'name', 'citations', (r ->> 'citations')::int))
        from jsonb_array_elements(b.rows) r where strpos(r ->> 'name', ${PATH_OF}) > 0), '[]') as pages
    from articles a join lateral (select from_day, to_day, rows from bing_reports
      where project_id = a.project_id and kind in ${PAGES} order by to_day desc, from_day desc limit 1) b on true
    where a.id = ${articleId}::int and a.url is not null`)

/** Selects the newest completed scans of an article's project from a day on, oldest first. Empty for an article without an address. */
export const citingScans = (db: Db, articleId: number, from: string) =>
  db.execute<CitingScan>(sql`
    select to_char(s.finished_at at time zone 'UTC', 'YYYY-MM-DD') as day, s.answers,
      coalesce((select jsonb_agg(jsonb_build_object('url', p ->> 'url', 'citations', (p ->> 'citations')::int))
        from jsonb_array_elements(s.views -> 'pages') p where strpos(p ->> 'url', ${PATH_OF}) > 0), '[]') as pages
    from articles a join lateral (
      select id, finished_at, answers, views from visibility_scans
      where project_id = a.project_id and state = 'completed' and finished_at >= ${from}::date
      order by id desc limit ${MAX_SCANS}::int) s on true
    where a.id = ${articleId}::int and a.url is not null order by s.id`)
