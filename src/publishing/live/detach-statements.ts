import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { remoteVersions } from '../../../schema/remote.ts'
import { releaseArticle } from '../../content/articles/parts.ts'
import { mayMove } from '../../content/articles/standing-parts.ts'
import { statusAfter } from '../../content/articles/transitions.ts'
import { noArticlePage } from '../../content/site/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { statement } from '../../platform/db/statement.ts'
import { remove } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Removes the post from the article, with the versions kept of it. No row: something holds it, or it is not published any more. */
export const detachPost = (
  ctx: Ctx,
  { articleId, accountId, slug }: { articleId: number; accountId: number; slug: string },
  answer: unknown,
): SQL => {
  const now = ctx.now()
  const article = releaseArticle('idle', null, {
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, accountId))} and ${mayMove('detach', now)}`,
    also: {
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
    },
  })
  const forgotten = remove('forgotten', remoteVersions, {
    from: [article],
    where: eq(remoteVersions.articleId, article.c.id),
  })
  return statement({
    parts: [article, forgotten, noArticlePage(article), ctx.keep.done(article, answer)],
    audit: audit(ctx, { of: article, account: accountId, action: 'article.detach', on: ['article', article.c.id] }),
    answer: { id: article.c.id },
  })
}
