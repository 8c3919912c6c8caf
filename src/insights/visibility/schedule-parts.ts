import { visibilitySchedules as schedules } from '../../../schema/visibility.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { insert } from '../../platform/db/write-parts.ts'

const WEEK_MS = 7 * 86_400_000

/** A part that has a project scanned every week from now on; one that is scheduled already keeps its day. */
export const scheduled = (of: AnyPart, accountId: number, projectId: number, now: Date): Part =>
  insert(
    'scheduled',
    schedules,
    { accountId, projectId, nextScanAt: new Date(now.getTime() + WEEK_MS) },
    { from: [of], limit: 1, onConflict: { columns: [schedules.projectId] } },
  )
