import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { enqueueWeekly } from './statements.ts'

/** Queues the weekly runs that are due, a batch a minute; returns how many. Reads one index if none is. */
export const enqueueWeeklyRuns = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, enqueueWeekly(now()))
  return Number(row?.queued ?? 0)
}
