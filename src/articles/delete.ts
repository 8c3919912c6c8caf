import { articleLocks } from '../exchange/save-statements.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { deleteArticle } from './queries.ts'
import { getArticle } from './read.ts'
import { nextStatus, refusal } from './refusals.ts'

/** Removes a Draft or Planned article with its revisions. Throws 400 when published, 404, 403, 409. */
export const removeArticle = async (ctx: Ctx, id: number) => {
  nextStatus('delete', await getArticle(ctx, id), ctx.now())
  const account = await ctx.account()
  const [gone] = await ctx.write(deleteArticle(ctx, account.id, id), articleLocks(id))
  if (!gone) {
    nextStatus('delete', await getArticle(ctx, id), ctx.now())
    throw refusal('edit_conflict', 'delete', id)
  }
  return { article_id: id, deleted: true, message: 'Article deleted.' }
}
