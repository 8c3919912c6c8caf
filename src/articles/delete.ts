import type { Part } from '../db/part.ts'
import type { Parts } from '../db/statement.ts'
import { articleLocks } from '../exchange/locks.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { getArticle } from './read.ts'
import { nextStatus, refusal } from './refusals.ts'
import { deleteArticle } from './statements.ts'

/**
 * Removes a Draft or Planned article with its revisions. `callOff`: parts that call off what was to be sent of it. Throws 400
 * when published, 404, 403, 409.
 */
export const removeArticle = async (ctx: Ctx, id: number, callOff: (gone: Part<'id'>) => Parts) => {
  nextStatus('delete', await getArticle(ctx, id), ctx.now())
  const account = await ctx.account()
  const [gone] = await ctx.write(deleteArticle(ctx, account.id, id, callOff), articleLocks(id))
  if (!gone) {
    nextStatus('delete', await getArticle(ctx, id), ctx.now())
    throw refusal('edit_conflict', 'delete', id)
  }
  return { article_id: id, deleted: true, message: 'Article deleted.' }
}
