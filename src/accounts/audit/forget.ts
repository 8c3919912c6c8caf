import { dropInBatches } from '../../platform/db/batches.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { dropOldest } from './statements.ts'

const KEPT_DAYS = 400

/** Deletes what is older than 400 days, in batches; how many went. */
export const forgetOldAudit = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(deps.now().getTime() - KEPT_DAYS * 86_400_000)
  return await dropInBatches(async (most) => (await deps.db.execute(dropOldest(before, most))).rowCount ?? 0)
}
