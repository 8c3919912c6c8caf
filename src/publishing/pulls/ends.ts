import { and, eq, exists, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { DeliveryStatus } from '../../../schema/values/publishing.ts'
import { endTurn, lockProject } from '../../accounts/projects/writes.ts'
import { statusAllows } from '../../content/articles/parts.ts'
import { releaseArticle } from '../../content/articles/writes.ts'
import { pageChanged } from '../../insights/effects/writes.ts'
import { publishMerged } from '../../insights/suggestions/proposed.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { deliverJob } from '../jobs.ts'
import { forget } from '../live/hold.ts'
import { checkLivePage, keepLivePage } from '../live-page.ts'
import type { deliveryToSend } from '../queries.ts'
import { isLiveBy, lockDelivery, nowLive, pastDateTaken, publishStateAfter, takenArticle } from '../send/ends.ts'

/** Delivery whose change is in a pull request, with its article. */
export type Proposed = Pick<Awaited<ReturnType<typeof deliveryToSend>>[number], 'delivery' | 'article'> & {
  articleId: number
}

/** Returns the pieces of a delivery's last batch: its locks, and the conditions that it still waits to be merged. */
const pieces = ({ db }: Ctx, { delivery, articleId }: Proposed) => {
  const { id, projectId } = delivery
  const itself = and(eq(deliveries.id, id), eq(deliveries.status, 'awaiting_merge'))
  const isWaiting = exists(db.select({ id: deliveries.id }).from(deliveries).where(itself))
  return {
    locks: { project: lockProject(db, projectId), delivery: lockDelivery({ db } as Ctx, id) },
    itself,
    isWaiting,
    article: and(eq(articles.id, articleId), eq(articles.publishState, 'awaiting_merge'), isWaiting),
  }
}

/** Returns the statements that end a delivery that waits to be merged. They come last. */
const ended = (ctx: Ctx, { delivery: { id, projectId } }: Proposed, status: DeliveryStatus, error: string | null) => {
  const { db } = ctx
  const now = ctx.now()
  const itself = and(eq(deliveries.id, id), eq(deliveries.status, 'awaiting_merge'))
  return {
    ...when(exists(db.select({ id: deliveries.id }).from(deliveries).where(itself)), {
      turn: endTurn(db, projectId, id),
      job: finishJob(db, deliverJob, id, { now }),
    }),
    delivery: db
      .update(deliveries)
      .set({ status, error, nextAttemptAt: null, updatedAt: now })
      .where(itself)
      .returning({ id: deliveries.id }),
  }
}

/**
 * Records that the pull request of a delivery was merged: the article is published, or the change of a published one arrived.
 *
 * Does nothing if that is recorded already. `rewrites`: suggestions that the change published.
 */
export const endMerged = async (
  ctx: Ctx,
  proposed: Proposed,
  post: { url?: string | undefined; remoteId?: string | undefined },
  rewrites: readonly number[] = [],
): Promise<void> => {
  const { db } = ctx
  const now = ctx.now()
  const token = ctx.newId()
  const { delivery, articleId } = proposed
  const { id, accountId, projectId, integrationId, revision, live, payload } = delivery
  const { locks, isWaiting, article } = pieces(ctx, proposed)
  const isSync = proposed.article?.status === 'Published'
  const publishedAt = payload.published_at === undefined ? null : new Date(payload.published_at)
  const after = { ...publishStateAfter(sql`${revision}::int`), publishToken: token }
  const of = { articleId, accountId, projectId, revision }
  const ifLive = { if: sql`${isWaiting} and ${isLiveBy({ articleId, token })}`, now }
  await ctx.batch({
    locks,
    release: isSync
      ? releaseArticle(db, 'idle', null, and(article, statusAllows('sync')), { receipt: null, ...after })
      : releaseArticle(db, 'idle', null, and(article, statusAllows('publish')), {
          ...takenArticle({ live, integrationId }, { publishedAt, ...post }, now),
          ...after,
        }),
    nowLive: !isSync && live && nowLive(ctx, of, post.url, ifLive),
    synced: isSync && {
      page: keepLivePage(db, of, post.url, ifLive),
      check: checkLivePage(of, post.url, ifLive),
      changed: pageChanged(of, ifLive),
      forgotten: forget(ctx, articleId, ifLive),
      rewrites: publishMerged(ctx, rewrites, articleId, accountId, isWaiting),
    },
    audit: audit(ctx, {
      account: accountId,
      action: isSync ? 'article.sync' : live ? 'article.publish' : 'article.send_as_draft',
      on: ['delivery', id],
      if: isWaiting,
    }),
    ended: ended(ctx, proposed, 'delivered', null),
  })
  ctx.defer(ctx.wakeQueue())
}

/** Records that the pull request of a delivery ends without its change. The article keeps its text. */
export const endUnmerged = async (ctx: Ctx, proposed: Proposed, error: string): Promise<void> => {
  const now = ctx.now()
  const { delivery } = proposed
  const { locks, isWaiting, article } = pieces(ctx, proposed)
  const isSync = proposed.article?.status === 'Published'
  await ctx.batch({
    locks,
    release: releaseArticle(ctx.db, 'failed', error, article, { updatedAt: now, dueTakenAt: pastDateTaken(now) }),
    audit: audit(ctx, {
      account: delivery.accountId,
      action: isSync ? 'article.sync_failed' : 'delivery.attempt_failed',
      on: ['delivery', delivery.id],
      detail: { attempt: delivery.attempts, outcome: 'failed' },
      if: isWaiting,
    }),
    ended: ended(ctx, proposed, 'failed', error),
  })
}

/** Records that somebody took an article back before it was merged. It becomes a draft that keeps its date. */
export const endWithdrawn = async (ctx: Ctx, proposed: Proposed, answer: object): Promise<boolean> => {
  const { delivery, articleId } = proposed
  const { locks, isWaiting, article } = pieces(ctx, proposed)
  const { ended: last } = await ctx.batch({
    locks,
    release: releaseArticle(ctx.db, 'idle', null, and(article, statusAllows('publish')), {
      status: 'Draft',
      dueTakenAt: null,
      updatedAt: ctx.now(),
    }),
    ...when(isWaiting, {
      kept: ctx.keepDone(answer),
      audit: audit(ctx, { account: delivery.accountId, action: 'article.unpublish', on: ['article', articleId] }),
    }),
    ended: ended(ctx, proposed, 'superseded', 'The article was taken back before the pull request was merged.'),
  })
  return last.delivery.length > 0
}

/** Records when a pull request is looked at next. */
export const lookAgainAt = async (ctx: Ctx, { delivery: { id } }: Proposed, at: Date): Promise<void> => {
  const itself = and(eq(deliveries.id, id), eq(deliveries.status, 'awaiting_merge'))
  await ctx.batch(
    { delivery: ctx.db.update(deliveries).set({ nextAttemptAt: at }).where(itself) },
    { unaudited: 'nothing happened yet' },
  )
}
