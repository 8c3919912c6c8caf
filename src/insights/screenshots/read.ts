import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { answerOf } from './answer.ts'
import { shotById } from './queries.ts'

/** Returns the state of a screenshot. Throws 404, 403, and 422 for one that failed. */
export const readScreenshot = async (ctx: Ctx, shotId: string) => {
  const [[row]] = await ctx.read((owner) => [shotById(ctx.db, owner, shotId)] as const)
  return answerOf(ctx, owned(row && { row, mine: row.mine }, 'screenshot'))
}
