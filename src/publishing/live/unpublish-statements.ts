import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { holdArticle, releaseArticle } from '../../articles/parts.ts'
import { mayMove } from '../../articles/standing-parts.ts'
import { statusAfter } from '../../articles/transitions.ts'
import { audit } from '../../db/audit.ts'
import { statement } from '../../db/statement.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { noArticlePage } from '../../site/parts.ts'
import { noteUse } from '../connect/parts.ts'
import { lostUnpublishJob } from './unpublish-job.ts'

/** A published article that is held, until the lease ends, to be taken down. */
export type Unpublish = { articleId: number; accountId: number; lease: Date }

/** Holds a published article to take it down. No row: something else holds it, or it is not published any more. */
export const claimUnpublish = (ctx: Ctx, { articleId, accountId, lease }: Unpublish): SQL => {
  const now = ctx.now()
  const article = holdArticle(lease, {
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, accountId))} and ${mayMove('unpublish', now)}`,
    also: { publishError: null },
  })
  const freeing = lostUnpublishJob.enqueue({
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

/** The article, if this call still holds it. */
const isHeldBy = ({ articleId, lease }: Pick<Unpublish, 'articleId' | 'lease'>): SQL =>
  sql`${and(eq(articles.id, articleId), eq(articles.publishState, 'publishing'), eq(articles.publishLeaseUntil, lease))}`

/** Readers do not see the post. `isThere`: the target still has it, as a draft. */
type TakenDown = { integrationId: number; isThere: boolean }

/** The article is a draft again. Slug and remote id stay where the post is still there, so that it is published in place. */
export const finishUnpublish = (ctx: Ctx, unpublish: Unpublish, taken: TakenDown, answer: unknown): SQL => {
  const now = ctx.now()
  const article = releaseArticle('idle', null, {
    where: isHeldBy(unpublish),
    also: {
      status: statusAfter('unpublish'),
      sentAsDraftAt: taken.isThere ? now : null,
      ...(taken.isThere ? {} : { remoteId: null, url: null }),
      dueTakenAt: null,
      receipt: null,
      updatedAt: now,
    },
  })
  return statement({
    parts: [
      article,
      noArticlePage(article),
      noteUse(taken.integrationId, null, article, now),
      lostUnpublishJob.finish(article, now),
      ctx.keep.done(article, answer),
    ],
    audit: audit(ctx, {
      of: article,
      account: unpublish.accountId,
      action: 'article.unpublish',
      on: ['article', article.c.id],
    }),
    answer: { id: article.c.id },
  })
}

/** It was not taken down, or that is not known: the article stays published, with the reason. */
export const finishRefusedUnpublish = (
  ctx: Ctx,
  unpublish: Unpublish,
  { integrationId, error }: { integrationId: number; error: string },
): SQL => {
  const now = ctx.now()
  const article = releaseArticle('failed', error, { where: isHeldBy(unpublish) })
  return statement({
    parts: [
      article,
      noteUse(integrationId, error, article, now),
      lostUnpublishJob.finish(article, now),
      ctx.keep.dropped(article),
    ],
    audit: audit(ctx, {
      of: article,
      account: unpublish.accountId,
      action: 'article.unpublish_failed',
      on: ['article', article.c.id],
    }),
    answer: { id: article.c.id },
  })
}

/** Frees an article that was being taken down when the process died. */
export const freeLostUnpublish = (articleId: number, lease: Date, error: string): SQL => {
  const article = releaseArticle('failed', error, { where: isHeldBy({ articleId, lease }) })
  return statement({
    unaudited: 'nobody did anything; the article shows that it is not known what the site has',
    parts: [article],
    answer: { id: article.c.id },
  })
}
