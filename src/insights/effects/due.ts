import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { enqueueDue } from './statements.ts'

/** Queues the measurements that are due; returns how many. Reads one index if none is. */
export const enqueueDueEffects = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, enqueueDue(now()))
  return Number(row?.queued ?? 0)
}
