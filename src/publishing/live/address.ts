import { and, eq, exists, isNull, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { remoteVersions } from '../../../schema/remote.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { changeArticle, releaseArticle } from '../../content/articles/writes.ts'
import { noArticlePage } from '../../content/site/writes.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { cutSlug, MAX_SLUG } from '../../platform/lib/slug.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkLivePage, keepLivePage, lookFor } from '../live-page.ts'
import { postState } from '../queries.ts'

/** Returns the error for a new address if the known one shows the article. */
const stillShown = (id: number, url: string): ApiError =>
  new ApiError('invalid_input', `url: the article is shown at ${url}, so its address was not changed.`, {
    details: [{ field: 'url', message: `is already known and shows the article: ${url}` }],
    next_calls: [{ method: 'GET', path: `/articles/${id}`, why: 'Shows the address that is stored.' }],
  })

/**
 * Stores the public address of a published article, unless the known address shows the article.
 *
 * If the new address does not show the article either, it is stored with a warning. Throws 400 (not published, address
 * known), 404, 403, and 409 while another change runs.
 */
export const addressArticle = async (ctx: Ctx, id: number, url: string) => {
  const [row] = await ctx.read((owner) => postState(ctx.db, owner, id))
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
      : { warnings: [`The address was stored, but does not show the article yet: ${after.reason}`] }),
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
  const { stored } = await ctx.batch({
    article: ctx.db.select({ id: articles.id }).from(articles).where(mine).for('no key update'),
    ...when(canStore, {
      checkLivePage: (isMet) => checkLivePage({ articleId: id, accountId }, url, { if: isMet, now }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: 'article.address', on: ['article', id] }),
      keepLivePage: (isMet) => keepLivePage(ctx.db, { articleId: id, accountId }, url, { if: isMet, now }),
    }),
    stored: changeArticle(ctx.db, { url, receipt: null, updatedAt: now }, isAsRead),
  })
  if (stored.length === 0) throw refusal('sync_in_progress', 'sync', id)
  ctx.defer(ctx.wakeQueue())
  return answer
}

/**
 * Returns candidate slugs for the next post at a CMS: with a number, then also with the article's id.
 *
 * The old post keeps its own slug.
 */
const nextSlugs = (id: number, slug: string, generation: number): string[] => {
  const base = generation > 0 ? slug.replace(/-\d+$/, '') : slug
  const end = `-${generation + 2}`
  return [`${cutSlug(base, MAX_SLUG - 6)}${end}`, `${cutSlug(base, MAX_SLUG - 18)}-${id}${end}`]
}

/** True if the post's site is a webhook, or unknown. */
const isReceiver = (site: string | null): boolean => site === null || site.startsWith('webhook ')

/**
 * Removes the post's data and kept versions from the article. Returns false if another call has it or it is not
 * published.
 */
const detach = async (
  ctx: Ctx,
  { id, accountId, slug }: { id: number; accountId: number; slug: string },
  answer: object,
): Promise<boolean> => {
  const now = ctx.now()
  const mine = and(eq(articles.id, id), eq(articles.accountId, accountId))
  const canDetach = and(mine, isMoveAllowed('detach', now))
  const condition = exists(ctx.db.select({ id: articles.id }).from(articles).where(canDetach))
  const { detached } = await ctx.batch({
    article: ctx.db.select({ id: articles.id }).from(articles).where(mine).for('no key update'),
    ...when(condition, {
      deletedRemoteVersions: (isMet) =>
        ctx.db.delete(remoteVersions).where(and(eq(remoteVersions.articleId, id), isMet)),
      noArticlePage: (isMet) => noArticlePage(ctx.db, id, { if: isMet }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, { account: accountId, action: 'article.detach', on: ['article', id] }),
    }),
    detached: releaseArticle(ctx.db, 'idle', null, canDetach, {
      status: statusAfter('detach'),
      slug,
      generation: sql`${articles.generation} + 1`,
      remoteId: null,
      remoteSite: null,
      url: null,
      sentAsDraftAt: null,
      dueTakenAt: null,
      receipt: null,
      updatedAt: now,
    }),
  })
  return detached.length > 0
}

const SAME_ID =
  'The next publication goes out under the same article id. A receiver that knows posts by it may change the post it has instead of making another.'

/**
 * Makes a published article a draft without a post. The post stays at the site, and the next publication makes a new
 * one.
 *
 * At a CMS the new post gets a new slug. Throws 400 (not published), 404, 403, and 409 while another change runs.
 */
export const detachArticle = async (ctx: Ctx, id: number) => {
  const [row] = await ctx.read((owner) => postState(ctx.db, owner, id))
  const { article } = owned(row && { row, mine: row.mine }, 'article')
  nextStatus('detach', article, ctx.now())
  const stays = isReceiver(article.remoteSite)
  const slugs = stays ? [article.slug] : nextSlugs(id, article.slug, article.generation)
  const answerOf = (slug: string) => ({
    status: 'detached' as const,
    article_id: id,
    slug,
    message: `The article is a draft again and may be deleted. Its post stays at the site${article.url === null ? '' : `: ${article.url}`}.`,
    ...(stays ? { warnings: [SAME_ID] } : {}),
  })
  for (const [n, slug] of slugs.entries()) {
    const answer = answerOf(slug)
    const isDetached = await detach(ctx, { id, accountId: article.accountId, slug }, answer).catch((error: unknown) => {
      if (n === slugs.length - 1 || violatedUnique(error) !== 'articles_slug_unique') throw error
      return undefined
    })
    if (isDetached) return answer
    if (isDetached === false) break
  }
  throw refusal('sync_in_progress', 'detach', id)
}
