import { rowsOf } from '../../platform/db/client.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { claimToWrite } from './claim-statements.ts'

/**
 * Claims planned articles whose date is near for the writer, each once and never one that an agent claimed; `only` just one of
 * them. How many were taken, and how many the account had no credit for.
 */
export const claimArticlesToWrite = async (
  deps: Pick<Deps, 'db' | 'now'>,
  only: number | null = null,
): Promise<{ taken: number; unpaid: number }> => {
  const [row] = await rowsOf<{ taken: number; unpaid: number }>(deps.db, claimToWrite(deps.now(), only))
  return { taken: Number(row?.taken ?? 0), unpaid: Number(row?.unpaid ?? 0) }
}
