import { type Db, rowsOf } from '../../../platform/db/client.ts'
import { takeDue } from './due-statements.ts'

/** Projects that are taken in a minute: what a week holds is spread by the day each began. */
const BATCH = 50

/** Asks for the scans whose week is over; how many. */
export const takeDueScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, takeDue(now(), BATCH))
  return row?.queued ?? 0
}
