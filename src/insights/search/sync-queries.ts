import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'

/** Returns the last day whose totals are kept, and the last that has any impression; null before the first. */
export const keptDays = (db: Db, sourceId: number) =>
  db.execute<{ day: string | null; shown: string | null }>(sql`
    select to_char(max(day), 'YYYY-MM-DD') as day,
      (select to_char(day, 'YYYY-MM-DD') from search_days where source_id = ${sourceId}::int and impressions > 0
        order by day desc limit 1) as shown
    from search_days where source_id = ${sourceId}::int`)

/** Returns the newest days whose pages are missing. */
export const daysWithoutPages = (db: Db, sourceId: number, limit: number) =>
  db.execute<{ day: string }>(
    sql`select to_char(day, 'YYYY-MM-DD') as day from search_days where source_id = ${sourceId}::int and pages_at is null
      order by day desc limit ${limit}::int`,
  )

/** Returns the ends of the periods that are complete. */
export const completeWindows = (db: Db, sourceId: number) =>
  db.execute<{ ends_on: string }>(
    sql`select to_char(ends_on, 'YYYY-MM-DD') as ends_on from search_windows where source_id = ${sourceId}::int`,
  )
