import { sql } from 'drizzle-orm'
import type { Db } from '../db/client.ts'

/** The last day whose totals are kept; null before the first. */
export const lastDay = (db: Db, sourceId: number) =>
  db.execute<{ day: string | null }>(
    sql`select to_char(max(day), 'YYYY-MM-DD') as day from search_days where source_id = ${sourceId}::int`,
  )

/** The newest days whose pages are missing. */
export const daysWithoutPages = (db: Db, sourceId: number, limit: number) =>
  db.execute<{ day: string }>(
    sql`select to_char(day, 'YYYY-MM-DD') as day from search_days where source_id = ${sourceId}::int and pages_at is null
      order by day desc limit ${limit}::int`,
  )

/** The ends of the periods that are complete. */
export const completeWindows = (db: Db, sourceId: number) =>
  db.execute<{ ends_on: string }>(
    sql`select to_char(ends_on, 'YYYY-MM-DD') as ends_on from search_windows where source_id = ${sourceId}::int`,
  )
