import { type Db, rowsOf } from '../../../platform/db/client.ts'
import { wakeScans } from './stranded-statements.ts'

/** No scan takes as long, even of 25 prompts with five samples. */
const LONG_MS = 3 * 3_600_000
const BATCH = 20

/** Scans that still run after hours get their jobs back: one whose jobs were lost would refuse every other for good. */
export const wakeStrandedScans = async ({ db, now }: { db: Db; now: () => Date }): Promise<number> => {
  const at = now()
  const [row] = await rowsOf<{ woken: number }>(db, wakeScans(new Date(at.getTime() - LONG_MS), at, BATCH))
  return row?.woken ?? 0
}
