import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { deleteArticle } from './queries.ts'
import { getArticle } from './read.ts'
import { refuseUneditable } from './refusals.ts'

/** Removes a Draft or Planned article with its revisions. Throws 400 when published, 404, 403, 409. */
export const removeArticle = async (ctx: Ctx, id: number) => {
  refuseUneditable(await getArticle(ctx, id), ctx.now(), 'deleted')
  const account = await ctx.account()
  const [gone] = await ctx.write(deleteArticle(ctx, account.id, id))
  if (!gone) {
    refuseUneditable(await getArticle(ctx, id), ctx.now(), 'deleted')
    throw new ApiError(
      'edit_conflict',
      'The article was changed by someone else at the same moment. Repeat the call.',
      { retry_after: 1 },
    )
  }
  return { article_id: id, deleted: true, message: 'Article deleted.' }
}
