import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { supersedeApprovals } from '../../accounts/approvals/writes.ts'
import type { Db } from '../../platform/db/client.ts'
import { type Statement, when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { checkUnchanged, etagOf } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { articleLocks, removeLinks } from '../exchange/writes.ts'
import { keepInBin } from './bin.ts'
import { isMoveAllowed } from './parts.ts'
import { canUnpublish } from './queries.ts'
import { type ArticleDetail, getArticleWith } from './read.ts'
import { nextStatus, publishedHere, refusal } from './refusals.ts'

/** True if the site of an article's post is connected, and can take the post down. The caller checks the owner. */
export const canBeTakenDown = async (db: Db, id: number): Promise<boolean> =>
  (await canUnpublish(db, id)).rows[0]?.takes_down === true

/** Returns an article that may be deleted. Throws 404, 403, 412, or the state table's refusal. */
const removable = async (ctx: Ctx, id: number): Promise<ArticleDetail> => {
  const { article, results: site } = await getArticleWith(ctx, id, canUnpublish(ctx.db, id))
  checkUnchanged(ctx.ifMatch, etagOf(article.updatedAt, article.revision))
  if (article.status === 'Published') throw publishedHere(id, site.rows[0]?.takes_down === true)
  if (article.publishState === 'awaiting_merge')
    throw new ApiError(
      'publish_in_progress',
      'The article is in an open pull request. Close that first; then the article can be deleted.',
      {
        next_calls: [{ method: 'POST', path: `/articles/${id}/unpublish`, why: 'Closes the pull request.' }],
      },
    )
  nextStatus('delete', article, ctx.now())
  return article
}

export type CallOff = (db: Db, articleId: number, options: { if: SQL }) => Statement[]

/** Returns the note on what the site may still show of a deleted article. */
const leftAtSite = ({ url, publishState }: ArticleDetail): string => {
  if (url !== null) return ` What the site has of it stays there: ${url}.`
  return publishState === 'idle' || publishState === 'failed'
    ? ''
    : ' A publication of it had begun: the site may show a post, which is to be removed there.'
}

/** Removal of an article: its move in the state table, a further condition, and the answer to keep. */
type Removal = { move: 'delete' | 'release'; also?: SQL | undefined; kept?: object }

/**
 * Removes an article with its revisions; an own one is kept in the bin. Returns false if the move is not allowed.
 *
 * `callOff` returns the statements that cancel its open deliveries.
 */
export const removeRow = async (
  ctx: Ctx,
  { id, title, origin }: Pick<ArticleDetail, 'id' | 'title' | 'origin'>,
  { move, also, kept }: Removal,
  callOff: CallOff,
): Promise<boolean> => {
  const account = await ctx.account()
  const own = and(eq(articles.id, id), eq(articles.accountId, account.id))
  const canGo = and(own, isMoveAllowed(move, ctx.now()), also)
  const condition = sql`exists (select 1 from ${articles} where ${canGo})`
  const { gone } = await ctx.batch({
    partners: articleLocks(id),
    article: ctx.db.select({ id: articles.id }).from(articles).where(own).for('update'),
    ...when(condition, {
      links: (isMet) => removeLinks(id, isMet, ctx.now()),
      questions: (isMet) => supersedeApprovals(ctx, id, account.id, { if: isMet, asksAgain: false }),
      deliveries: (isMet) => callOff(ctx.db, id, { if: isMet }),
      // The post of an adopted article stays at its site, from where it can be adopted again.
      bin: origin === 'own' && keepInBin(ctx, id),
      kept: kept && ctx.keepAnswer(kept),
      audit: audit(ctx, { account: account.id, action: `article.${move}`, on: ['article', id], detail: { title } }),
    }),
    gone: ctx.db.delete(articles).where(canGo).returning({ id: articles.id }),
  })
  return gone.length > 0
}

/**
 * Moves a Draft or Planned article with its revisions to the bin, which the API does not show. Throws 400 if it is published, 404, 403, 412, 409.
 *
 * `callOff` returns the statements that cancel its open deliveries.
 */
export const removeArticle = async (ctx: Ctx, id: number, callOff: CallOff) => {
  const article = await removable(ctx, id)
  const also = ctx.ifMatch ? eq(articles.updatedAt, article.updatedAt) : undefined
  const isGone = await removeRow(ctx, article, { move: 'delete', also }, callOff)
  if (!isGone) {
    await removable(ctx, id)
    throw refusal('edit_conflict', 'delete', id)
  }
  return { article_id: id, deleted: true, message: `Article deleted.${leftAtSite(article)}` }
}
