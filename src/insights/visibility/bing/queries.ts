import { sql } from 'drizzle-orm'
import type { BingKind, BingRow } from '../../../../schema/values/bing.ts'
import type { Db } from '../../../platform/db/client.ts'

/** Most files that are kept of a kind: the newest periods. */
export const KEPT = 60

/** An imported file. `rows`: the newest file of its kind has them, the most cited first, or by day; others have null. */
type Imported = {
  kind: BingKind
  from: string
  to: string
  imported_at: string
  citations: number
  count: number
  rows: BingRow[] | null
}

/** Selects the imported files of a project, the newest period first; the first of each kind with its rows. */
export const importedOf = (db: Db, projectId: number, limit: number) =>
  db.execute<Imported>(sql`
    select kind, to_char(from_day, 'YYYY-MM-DD') as "from", to_char(to_day, 'YYYY-MM-DD') as "to",
      to_char(imported_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as imported_at, citations,
      jsonb_array_length(rows) as count,
      case when n = 1 then (select jsonb_agg(r) from (select r from jsonb_array_elements(rows) r
        order by case when kind = 'days' then r ->> 'name' end desc, (r ->> 'citations')::int desc, r ->> 'name'
        limit case when kind = 'days' then 400 else ${limit}::int end) listed) end as rows
    from (select *, row_number() over (partition by kind order by to_day desc, from_day desc) as n
      from bing_reports where project_id = ${projectId}::int) b
    order by to_day desc, from_day desc, kind`)
