import { type Db, rowsOf } from '../../../platform/db/client.ts'
import { enqueueDue } from './due-statements.ts'

/** Projects that are taken in a minute: what a week holds is spread by the day each began. */
const BATCH = 50

/** Queues the scans whose week is over; returns how many. */
export const enqueueDueScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, enqueueDue(now(), BATCH))
  return row?.queued ?? 0
}
