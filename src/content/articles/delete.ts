import type { Part } from '../../platform/db/part.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { checkUnchanged, etagOf } from '../../platform/lib/etag.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { articleLocks } from '../exchange/locks.ts'
import type { ArticleDetail } from './present.ts'
import { canUnpublish } from './queries.ts'
import { getArticleWith } from './read.ts'
import { nextStatus, publishedHere, refusal } from './refusals.ts'
import { deleteArticle } from './statements.ts'

/** The article, which may be removed. Throws 404, 403, 412, and what the state table says. */
const removable = async (ctx: Ctx, id: number): Promise<ArticleDetail> => {
  const [article, [site]] = await getArticleWith(ctx, id, [canUnpublish(ctx.db, id)])
  checkUnchanged(ctx.ifMatch, etagOf(article.updatedAt, article.revision))
  if (article.status === 'Published') throw publishedHere(id, site?.rows[0]?.takes_down === true)
  nextStatus('delete', article, ctx.now())
  return article
}

/** Returns the note on what a site may show of an article that is deleted here. */
const leftAtSite = ({ url, publishState }: ArticleDetail): string => {
  if (url !== null) return ` What the site has of it stays there: ${url}.`
  return publishState === 'idle' || publishState === 'failed'
    ? ''
    : ' A publication of it had begun: the site may show a post, which is to be removed there.'
}

/**
 * Removes a Draft or Planned article with its revisions. `callOff`: parts that call off what was to be sent of it. Throws 400
 * when published, 404, 403, 412, 409.
 */
export const removeArticle = async (ctx: Ctx, id: number, callOff: (gone: Part<'id'>) => Parts) => {
  const article = await removable(ctx, id)
  const account = await ctx.account()
  const seen = ctx.ifMatch ? article.updatedAt : undefined
  const [gone] = await ctx.write(deleteArticle(ctx, account.id, id, seen, callOff), articleLocks(id))
  if (!gone) {
    await removable(ctx, id)
    throw refusal('edit_conflict', 'delete', id)
  }
  return { article_id: id, deleted: true, message: `Article deleted.${leftAtSite(article)}` }
}
