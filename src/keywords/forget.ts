import type { Deps } from '../runtime/ctx.ts'
import { dropExpired } from './statements.ts'

const BATCH = 1_000
const MAX_BATCHES = 20

/** Deletes answers of keyword services past their seven days, in batches; how many went. The rest follows in the next run. */
export const forgetKeywords = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  let forgot = 0
  for (let n = 0; n < MAX_BATCHES; n += 1) {
    const gone = (await deps.db.execute(dropExpired(deps.now(), BATCH))).rowCount ?? 0
    forgot += gone
    if (gone < BATCH) break
  }
  return forgot
}
