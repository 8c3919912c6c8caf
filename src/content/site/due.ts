import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import { queueScan, SCAN_ASKED } from '../../accounts/projects/jobs.ts'
import { changeScan } from '../../accounts/projects/parts.ts'
import { SCAN_AGAIN_DAYS } from '../../accounts/projects/rules.ts'
import { type Db, rowsOf } from '../../platform/db/client.ts'
import { readDue } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'

/** Sites that are taken in a minute, the longest overdue first. */
const BATCH = 20

/** Queues the scans of active projects whose last scan ended more than a week ago; returns how many. */
export const enqueueDueSiteScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const before = new Date(now().getTime() - SCAN_AGAIN_DAYS * 86_400_000)
  const isServed = sql`exists (select 1 from ${accounts} where ${and(eq(accounts.id, projects.accountId), isNull(accounts.suspendedAt))})`
  const due = readDue(
    projects,
    projects.siteScannedAt,
    { id: projects.id, accountId: projects.accountId },
    {
      now: before,
      limit: BATCH,
      where: sql`${and(eq(projects.status, 'Active'), inArray(projects.siteScanState, ['completed', 'failed']), isServed)}`,
    },
  )
  const asked = changeScan('asked', {
    changes: SCAN_ASKED,
    from: [due],
    where: eq(projects.id, due.c.id),
    returning: { id: projects.id, accountId: projects.accountId },
  })
  const queued = queueScan({ from: asked, account: asked.c.accountId, now: now() })
  const taken = statement({
    unaudited: 'the week’s turn; the scan’s end is audited',
    parts: [due, asked, queued],
    answer: { queued: countOf(queued) },
    answerFrom: ONE_ROW,
  })
  const [row] = await rowsOf<{ queued: number }>(db, taken)
  return row?.queued ?? 0
}
