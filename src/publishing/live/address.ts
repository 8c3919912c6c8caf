import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { standingPost } from '../read/queries.ts'
import { storeAddress } from './address-statements.ts'
import { lookFor } from './shows-article.ts'

const stillShown = (id: number, url: string): ApiError =>
  new ApiError('invalid_input', `url: the article is shown at ${url}, so its address stays.`, {
    details: [{ field: 'url', message: `is known already and shows the article: ${url}` }],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the address that is stored.' }],
  })

/**
 * Stores the address at which readers find a published article, unless the known one shows it. A new address that does not show
 * the article either is stored with a warning.
 *
 * Throws 400 (not published, the address is known), 404, 403, 409 while another change runs.
 */
export const addressArticle = async (ctx: Ctx, id: number, url: string) => {
  const [[row]] = await ctx.read((owner) => [standingPost(ctx.db, owner, id)])
  const { article } = owned(row && { row, mine: row.mine }, 'article')
  nextStatus('sync', article, ctx.now())
  const { url: known, title } = article
  const told = lookFor(ctx, url, title)
  const [before, after] = await Promise.all([known === null || known === url ? told : lookFor(ctx, known, title), told])
  if (known !== null && before.isShown) throw stillShown(id, known)
  const answer = {
    status: 'address_stored' as const,
    article_id: id,
    url,
    ...(after.isShown
      ? {}
      : { warnings: [`The address was stored, and does not show the article yet: ${after.reason}`] }),
  }
  const { accountId } = article
  const [stored] = await ctx.write(storeAddress(ctx, { articleId: id, accountId, known, url }, answer))
  if (!stored) throw refusal('sync_in_progress', 'sync', id)
  ctx.defer(ctx.wakeQueue())
  return answer
}
