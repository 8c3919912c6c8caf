import type { Deps } from '../runtime/ctx.ts'
import { dropOldest } from './statements.ts'

const KEPT_DAYS = 400
const BATCH = 1_000
const MAX_BATCHES = 20

/** Deletes what is older than 400 days, in batches, so that no statement holds many rows; how many went. The rest follows in the next run. */
export const forgetOldAudit = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(deps.now().getTime() - KEPT_DAYS * 86_400_000)
  let forgot = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = (await deps.db.execute(dropOldest(before, BATCH))).rowCount ?? 0
    forgot += gone
    if (gone < BATCH) break
  }
  return forgot
}
