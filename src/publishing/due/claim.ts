import type { Next } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { claimDue, leaseNextDue } from './late.ts'

/** Claims the project's next due article after one is done, and offers its job to the queue. */
export const claimNextDue = async (ctx: Ctx, projectId: number): Promise<void> => {
  await claimDue(ctx.db, ctx.now(), projectId)
  await ctx.wakeQueue()
}

/** Returns the project's next article whose date has come, as what follows on the run that published the one before. */
export const nextLate = (ctx: Ctx, projectId: number): Next => ({
  held: (leaseUntil) => leaseNextDue(ctx.now(), projectId, leaseUntil),
  queued: () => claimNextDue(ctx, projectId),
})
