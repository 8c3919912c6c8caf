import { sql } from 'drizzle-orm'
import { visibilitySchedules as schedules } from '../../../schema/visibility.ts'
import { type If, insertWhere } from '../../platform/db/writes.ts'

const WEEK_MS = 7 * 86_400_000

/** Has a project scanned every week from now on; one that is scheduled already keeps its day. */
export const schedule = (accountId: number, projectId: number, now: Date, condition: If) =>
  insertWhere(
    schedules,
    { accountId, projectId, nextScanAt: new Date(now.getTime() + WEEK_MS) },
    { if: condition, onConflict: sql`(project_id) do nothing` },
  )
