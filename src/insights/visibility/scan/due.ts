import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { accounts } from '../../../../schema/accounts.ts'
import { projects } from '../../../../schema/projects.ts'
import { visibilitySchedules as schedules } from '../../../../schema/visibility.ts'
import { at } from '../../../platform/db/instant.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type Deps, sendBatch } from '../../../platform/runtime/ctx.ts'
import { weeklyJob } from '../jobs.ts'

/** Projects that are taken in a minute: what a week holds is spread by the day each began. */
const BATCH = 50
const WEEK = sql`interval '7 days'`

/**
 * Queues the scans of projects whose week is over, the longest overdue first, and sets the next day of each; returns how many. Missed
 * weeks are not made up for. Archived projects and suspended accounts are passed over.
 */
export const enqueueDueScans = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const due = db
    .select({ id: schedules.projectId })
    .from(schedules)
    .where(lte(schedules.nextScanAt, runAt))
    .orderBy(asc(schedules.nextScanAt))
    .limit(BATCH)
    .for('no key update', { skipLocked: true })
  const overdue = sql`extract(epoch from ${at(runAt)} - ${schedules.nextScanAt})`
  const weeks = sql`(floor(${overdue} / extract(epoch from ${WEEK})) + 1)`
  const taken = db
    .update(schedules)
    .set({ nextScanAt: sql`${schedules.nextScanAt} + ${weeks} * ${WEEK}` })
    .where(sql`${schedules.projectId} = any(array${due})`)
    .returning({ projectId: schedules.projectId })
  const queued = enqueue(
    weeklyJob,
    { project_id: sql`${projects.id}` },
    {
      from: sql`taken join ${projects} on ${projects.id} = taken.project_id join ${accounts} on ${accounts.id} = ${projects.accountId}`,
      if: sql`${and(eq(projects.status, 'Active'), isNull(accounts.suspendedAt))}`,
      account: sql`${projects.accountId}`,
      runAt,
      open: 'keep',
    },
  )
  const [rows] = await sendBatch(db, [sql`with taken as ${taken} ${queued}`], {
    unaudited: 'the week’s turn; the scan it starts is audited',
  })
  return rows.length
}
