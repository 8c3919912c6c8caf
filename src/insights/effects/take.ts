import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { takeDue } from './statements.ts'

/** Asks for the measurements that are due; how many. Reads one index when none is. */
export const takeDueEffects = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, takeDue(now()))
  return Number(row?.queued ?? 0)
}
