import { rowsOf } from '../../db/client.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { takeDue } from './statements.ts'

/** Takes the project's next article whose date has come, now that one is done, and offers what was written to the queue. */
export const takeNextDue = async (ctx: Ctx, projectId: number): Promise<void> => {
  await rowsOf(ctx.db, takeDue(ctx.now(), projectId))
  await ctx.wakeQueue()
}
