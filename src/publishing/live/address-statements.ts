import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { changeArticle } from '../../content/articles/parts.ts'
import { mayMove, statusAllows } from '../../content/articles/standing-parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkLivePage } from '../jobs.ts'
import { articleLives } from '../send/end-parts.ts'

type Address = { articleId: number; accountId: number; known: string | null; url: string }

/** Stores an address that a caller sent. No row: the article is held, or has another address by now. */
export const storeAddress = (ctx: Ctx, { articleId, accountId, known, url }: Address, answer: unknown): SQL => {
  const now = ctx.now()
  const article = changeArticle(
    'addressed',
    { url, receipt: null, updatedAt: now },
    {
      where: sql`${and(
        eq(articles.id, articleId),
        eq(articles.accountId, accountId),
        known === null ? isNull(articles.url) : eq(articles.url, known),
      )} and ${mayMove('sync', now)}`,
    },
  )
  return statement({
    parts: [
      article,
      articleLives(article, accountId, url, now),
      checkLivePage(article, accountId, now),
      ctx.keep.done(article, answer),
    ],
    audit: audit(ctx, { of: article, account: accountId, action: 'article.address', on: ['article', article.c.id] }),
    answer: { id: article.c.id },
  })
}

/** Stores an address the service found, with what its page shows, unless the article has one by now. */
export const storeFoundAddress = (
  articleId: number,
  accountId: number,
  url: string,
  receipt: Record<string, unknown>,
  now: Date,
): SQL => {
  const article = changeArticle(
    'found',
    { url, receipt },
    { where: sql`${and(eq(articles.id, articleId), isNull(articles.url), statusAllows('sync'))}` },
  )
  return statement({
    unaudited: 'nobody did anything; the page was found where the blog has it',
    parts: [article, articleLives(article, accountId, url, now)],
    answer: { id: article.c.id },
  })
}
