import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../../schema/accounts.ts'
import { projects } from '../../../../schema/projects.ts'
import { visibilitySchedules as schedules } from '../../../../schema/visibility.ts'
import { at } from '../../../platform/db/instant.ts'
import { readDue, select } from '../../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../../platform/db/statement.ts'
import { update } from '../../../platform/db/write-parts.ts'
import { weeklyJob } from '../jobs.ts'

const WEEK = sql`interval '7 days'`

/**
 * Queues the scans of at most `limit` projects whose week is over, the longest overdue first, and sets the next day of each. Missed
 * weeks are not made up for. Archived projects and suspended accounts are passed over.
 */
export const enqueueDue = (now: Date, limit: number): SQL => {
  const due = readDue(
    schedules,
    schedules.nextScanAt,
    { projectId: schedules.projectId, nextScanAt: schedules.nextScanAt },
    { now, limit },
  )
  const weeks = sql`(floor(extract(epoch from ${at(now)} - ${due.c.nextScanAt}) / extract(epoch from ${WEEK})) + 1)`
  const moved = update(
    'moved',
    schedules,
    { nextScanAt: sql`${due.c.nextScanAt} + ${weeks} * ${WEEK}` },
    {
      from: [due],
      where: eq(schedules.projectId, due.c.projectId),
      returning: { projectId: schedules.projectId },
    },
  )
  const wanted = select(
    'wanted',
    { projectId: projects.id, accountId: projects.accountId },
    sql`from ${moved.rows}, ${projects}, ${accounts} where ${and(
      sql`${projects.id} = ${moved.c.projectId}`,
      sql`${accounts.id} = ${projects.accountId}`,
      eq(projects.status, 'Active'),
      isNull(accounts.suspendedAt),
    )}`,
    { materialized: true },
  )
  const queued = weeklyJob.enqueue({
    from: wanted,
    account: wanted.c.accountId,
    payload: { project_id: wanted.c.projectId },
    runAt: now,
    open: 'keep',
  })
  return statement({
    unaudited: 'the week’s turn; the scan it starts is audited',
    parts: [due, moved, wanted, queued],
    answer: { taken: countOf(moved), queued: countOf(queued) },
    answerFrom: ONE_ROW,
  })
}
