import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import { SCAN_ASKED, scanJob } from '../../accounts/projects/jobs.ts'
import { SCAN_AGAIN_DAYS } from '../../accounts/projects/rules.ts'
import { changeScan } from '../../accounts/projects/writes.ts'
import type { Db } from '../../platform/db/client.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'

/** Sites that are taken in a minute, the longest overdue first. */
const BATCH = 20

/** Queues the scans of active projects whose last scan ended more than a week ago; returns how many. */
export const enqueueDueSiteScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const before = new Date(now().getTime() - SCAN_AGAIN_DAYS * 86_400_000)
  const isServed = sql`exists (select 1 from ${accounts} where ${and(eq(accounts.id, projects.accountId), isNull(accounts.suspendedAt))})`
  const isDue = and(
    lte(projects.siteScannedAt, before),
    eq(projects.status, 'Active'),
    inArray(projects.siteScanState, ['completed', 'failed']),
    isServed,
  )
  const found = db
    .select({ id: projects.id })
    .from(projects)
    .where(isDue)
    .orderBy(asc(projects.siteScannedAt))
    .limit(BATCH)
  const ids = (await found).map(({ id }) => id)
  if (ids.length === 0) return 0
  const due = sql`${and(inArray(projects.id, ids), isDue)}`
  const [, queued] = await sendBatch(
    db,
    [
      db.select({ id: projects.id }).from(projects).where(due).orderBy(asc(projects.id)).for('no key update'),
      enqueue(
        scanJob,
        { project_id: sql`${projects.id}` },
        { account: sql`${projects.accountId}`, from: sql`${projects}`, if: due, runAt: now(), open: 'keep' },
      ),
      changeScan(db, SCAN_ASKED, due),
    ],
    { unaudited: 'the week’s turn; the scan’s end is audited' },
  )
  return queued.length
}
