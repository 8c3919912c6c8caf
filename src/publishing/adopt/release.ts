import { removeRow } from '../../content/articles/delete.ts'
import { getArticle } from '../../content/articles/read.ts'
import { detachCall, nextStatus, refusal } from '../../content/articles/refusals.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { callOffDeliveries } from '../writes.ts'

const notAdopted = (id: number): ApiError =>
  new ApiError('not_adopted', 'The service made this article, so it is not released. Nothing was changed.', {
    next_calls: [detachCall(id)],
  })

/**
 * Forgets an adopted article with its versions. Its post stays at the site as it is, and can be adopted again.
 *
 * Throws 404, 403, 400 for an article made here, and 409 while the article is being changed.
 */
export const releaseArticle = async (ctx: Ctx, id: number) => {
  const article = await getArticle(ctx, id)
  if (article.origin === 'own') throw notAdopted(id)
  nextStatus('release', article, ctx.now())
  const answer = {
    status: 'released' as const,
    article_id: id,
    url: article.url,
    message: 'The article is forgotten. Its post stays at the site as it is, and can be adopted again.',
  }
  const released = { move: 'release', kept: answer } as const
  if (!(await removeRow(ctx, article, released, callOffDeliveries))) throw refusal('sync_in_progress', 'release', id)
  return answer
}
