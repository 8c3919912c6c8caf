import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { holdArticle, releaseArticle } from '../../content/articles/parts.ts'
import { mayMove } from '../../content/articles/standing-parts.ts'
import type { Part } from '../../platform/db/part.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { lostRollbackJob, lostUnpublishJob } from './lost-jobs.ts'

/** A published article that is held for one change at its target until the lease ends. */
export type Hold = { articleId: number; accountId: number; lease: Date }

/**
 * Holds a published article for a change at its target, with a row that frees it should this process die. No row: something
 * else holds it, or the move is not allowed any more.
 */
export const claimLive = (
  ctx: Ctx,
  { articleId, accountId, lease }: Hold,
  move: Parameters<typeof mayMove>[0],
  lost: typeof lostRollbackJob | typeof lostUnpublishJob,
): SQL => {
  const now = ctx.now()
  const article = holdArticle(lease, {
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, accountId))} and ${mayMove(move, now)}`,
    also: { publishError: null },
  })
  const freeing = lost.enqueue({
    from: article,
    account: accountId,
    payload: { article_id: article.c.id, lease: lease.toISOString() },
    runAt: lease,
    open: 'move',
    replacePayload: true,
    quietSince: now,
  })
  return statement({
    unaudited: 'what became of it is written to the audit log when it ends',
    parts: [article, freeing, ctx.keep.running([article], lease)],
    answer: { id: article.c.id },
  })
}

/** The article, if this hold still has it. */
export const isHeldBy = ({ articleId, lease }: Omit<Hold, 'accountId'>): SQL =>
  sql`${and(eq(articles.id, articleId), eq(articles.publishState, 'publishing'), eq(articles.publishLeaseUntil, lease))}`

/** Frees an article whose change died before it could tell how it ended. `also`: what follows from what may have been done. */
export const freeLost = (
  articleId: number,
  lease: Date,
  error: string,
  also: (article: Part<'id' | 'projectId'>) => Parts = () => [],
): SQL => {
  const article = releaseArticle('failed', error, { where: isHeldBy({ articleId, lease }) })
  return statement({
    unaudited: 'nobody did anything; the article shows that it is not known what the site has',
    parts: [article, also(article)],
    answer: { id: article.c.id },
  })
}
