import { dropInBatches } from '../../platform/db/batches.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { dropExpired } from './statements.ts'

/** Deletes answers of keyword services past their seven days, in batches; how many went. */
export const forgetKeywords = (deps: Pick<Deps, 'db' | 'now'>): Promise<number> =>
  dropInBatches(async (most) => (await deps.db.execute(dropExpired(deps.now(), most))).rowCount ?? 0)
