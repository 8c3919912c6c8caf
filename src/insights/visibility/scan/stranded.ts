import { and, lt, type SQL, sql } from 'drizzle-orm'
import { visibilityScans as scans } from '../../../../schema/visibility.ts'
import { type Db, rowsOf } from '../../../platform/db/client.ts'
import { read } from '../../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../../platform/db/statement.ts'
import { askEngines } from '../jobs.ts'

/** Queues scans again that began before an instant and still run, but have no job left. */
const wakeScans = (before: Date, now: Date, limit: number): SQL => {
  const old = read(
    'old',
    scans,
    { id: scans.id, accountId: scans.accountId },
    { where: and(sql`${scans.state} = 'running'`, lt(scans.startedAt, before)) as SQL, limit },
  )
  const jobs = askEngines(old, old.c.accountId, now)
  return statement({
    unaudited: 'work that was asked for when the scan began',
    parts: [old, jobs],
    answer: { woken: countOf(old) },
    answerFrom: ONE_ROW,
  })
}

/** No scan takes as long, even of 25 prompts with five samples. */
const LONG_MS = 3 * 3_600_000
const BATCH = 20

/** Scans that still run after hours get their jobs back: one whose jobs were lost would refuse every other for good. */
export const wakeStrandedScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const at = now()
  const [row] = await rowsOf<{ woken: number }>(db, wakeScans(new Date(at.getTime() - LONG_MS), at, BATCH))
  return row?.woken ?? 0
}
