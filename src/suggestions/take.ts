import { rowsOf } from '../db/client.ts'
import type { Deps } from '../runtime/ctx.ts'
import { isRunDay, lastRunBefore } from './calendar.ts'
import { takeWeekly } from './statements.ts'

/** Queues the weekly runs, from Monday 06:00 UTC on, a batch a minute; how many. Asks nothing on other days. */
export const takeWeeklyRuns = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  if (!isRunDay(now())) return 0
  const [row] = await rowsOf<{ queued: number }>(db, takeWeekly(now(), lastRunBefore(now())))
  return Number(row?.queued ?? 0)
}
