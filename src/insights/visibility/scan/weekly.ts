import { NO_SPENDING } from '../../../platform/accounts/key-budget.ts'
import type { JobResult } from '../../../platform/jobs/handler.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { beginScan } from './begin.ts'
import { scanBasis } from './queries.ts'
import { newScan } from './start.ts'

const SAMPLES = 1

/** Starts the weekly scan of a project. Nothing to do where one runs, nothing can be asked, or the project is archived. */
export const scanWeekly = async (ctx: Ctx, projectId: number): Promise<JobResult> => {
  const [found] = await ctx.read(() => [scanBasis(ctx.db, projectId, ctx.now())])
  const [basis] = found.rows
  if (basis?.active && !basis.scanning)
    await beginScan(ctx, newScan(basis, projectId, 'weekly', SAMPLES), undefined, NO_SPENDING)
  return { kind: 'done' }
}
