import { and, eq, exists, isNull } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkLivePage, keepLivePage, lookFor } from '../live-page.ts'
import { postState } from '../read/queries.ts'

/** Returns the error for a new address if the known one shows the article. */
const stillShown = (id: number, url: string): ApiError =>
  new ApiError('invalid_input', `url: the article is shown at ${url}, so its address stays.`, {
    details: [{ field: 'url', message: `is known already and shows the article: ${url}` }],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the address that is stored.' }],
  })

/**
 * Stores the public address of a published article, unless the known address shows the article.
 *
 * If the new address does not show the article either, it is stored with a warning. Throws 400 (not published, address
 * known), 404, 403, and 409 while another change runs.
 */
export const addressArticle = async (ctx: Ctx, id: number, url: string) => {
  const [[row]] = await ctx.read((owner) => [postState(ctx.db, owner, id)])
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
  const now = ctx.now()
  const mine = and(eq(articles.id, id), eq(articles.accountId, accountId))
  const isAsRead = and(
    mine,
    known === null ? isNull(articles.url) : eq(articles.url, known),
    isMoveAllowed('sync', now),
  )
  const canStore = exists(ctx.db.select({ id: articles.id }).from(articles).where(isAsRead))
  const results = await ctx.batch([
    ctx.db.select({ id: articles.id }).from(articles).where(mine).for('no key update'),
    checkLivePage({ articleId: id, accountId }, url, { if: canStore, now }),
    ctx.keepAnswer(answer, { if: canStore }),
    audit(ctx, { account: accountId, action: 'article.address', on: ['article', id], if: canStore }),
    ...keepLivePage(ctx.db, { articleId: id, accountId }, url, { if: canStore, now }),
    changeArticle(ctx.db, { url, receipt: null, updatedAt: now }, isAsRead),
  ])
  const stored = results.at(-1) as unknown[]
  if (stored.length === 0) throw refusal('sync_in_progress', 'sync', id)
  ctx.defer(ctx.wakeQueue())
  return answer
}
