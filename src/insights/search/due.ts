import { dropInBatches } from '../../platform/db/batches.ts'
import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { enqueueDue, forgetAnswers } from './sync-statements.ts'

type SyncDeps = Pick<Deps, 'db' | 'now'>

/** Queues the daily syncs that are due; returns how many. Reads one index if none is. */
export const enqueueDueSyncs = async ({ db, now }: SyncDeps): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, enqueueDue(now()))
  return Number(row?.queued ?? 0)
}

/** Forgets kept answers that are past their hour, in batches; how many. */
export const forgetSearchAnswers = ({ db, now }: SyncDeps): Promise<number> =>
  dropInBatches(async (most) => {
    const [row] = await rowsOf<{ gone: number }>(db, forgetAnswers(now(), most))
    return Number(row?.gone ?? 0)
  })
