import { dropInBatches } from '../../platform/db/batches.ts'
import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { forgetAnswers, takeDue } from './sync-statements.ts'

type Means = Pick<Deps, 'db' | 'now'>

/** Asks for the daily syncs that are due; how many. Reads one index when none is. */
export const takeDueSyncs = async ({ db, now }: Means): Promise<number> => {
  const [row] = await rowsOf<{ queued: number }>(db, takeDue(now()))
  return Number(row?.queued ?? 0)
}

/** Forgets kept answers that are past their hour, in batches; how many. */
export const forgetSearchAnswers = ({ db, now }: Means): Promise<number> =>
  dropInBatches(async (most) => {
    const [row] = await rowsOf<{ gone: number }>(db, forgetAnswers(now(), most))
    return Number(row?.gone ?? 0)
  })
