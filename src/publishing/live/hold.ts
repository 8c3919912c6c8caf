import { and, eq, exists, type SQL } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import type { Obstacle } from '../../accounts/policy/rules.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { holdArticle, isLastClaimedWith, releaseArticle } from '../../content/articles/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import type { lostRollbackJob, lostUnpublishJob } from '../jobs.ts'

/** Lease on a published article for one change at its target. */
export type Hold = {
  articleId: number
  accountId: number
  projectId: number
  target: string
  lease: Date
  /** Name of the change in approvals, if the policy may require one. */
  subject?: string
}

/**
 * Takes the lease on a published article for one change, and enqueues a job that releases it if this process crashes.
 *
 * If it is not held, `rule` of the policy forbids it, another call has the article, or its status no longer allows the
 * change.
 */
export const holdLive = async (
  ctx: Ctx,
  { articleId, accountId, projectId, target, lease, subject }: Hold,
  activity: 'rollback' | 'unpublish',
  lost: typeof lostRollbackJob | typeof lostUnpublishJob,
): Promise<{ isHeld: boolean; rule: Obstacle | null }> => {
  const now = ctx.now()
  const token = ctx.newId()
  const outward = { activity, now, target, ...approvalOf(ctx, now, subject) }
  const mine = and(eq(articles.id, articleId), eq(articles.accountId, accountId))
  const holds = isLastClaimedWith(token, articleId)
  const [asked, held] = await ctx.batch(
    [
      ruleOf(projectId, outward),
      holdArticle(ctx.db, { lease, token }, and(mine, isMoveAllowed(activity, now), policyAllows(projectId, outward)), {
        publishError: null,
      }),
      enqueue(
        lost,
        { article_id: articleId, lease: lease.toISOString() },
        { if: holds, account: accountId, runAt: lease, open: 'move', replacePayload: true, quietSince: now },
      ),
      ctx.keepRunning(lease, { if: holds }),
    ],
    { unaudited: 'what became of it is written to the audit log when it ends' },
  )
  return { isHeld: held.length > 0, rule: asked[0]?.rule ?? null }
}

/**
 * Returns the pieces of a hold's last batch: the lock, which comes first, and the condition that the hold still exists.
 */
export const endOf = ({ db }: Ctx, { articleId, lease }: Pick<Hold, 'articleId' | 'lease'>) => {
  const held = and(
    eq(articles.id, articleId),
    eq(articles.publishState, 'publishing'),
    eq(articles.publishLeaseUntil, lease),
  )
  const lock = db.select({ id: articles.id }).from(articles).where(eq(articles.id, articleId)).for('no key update')
  return { lock, held, isHeld: exists(db.select({ id: articles.id }).from(articles).where(held)) }
}

/**
 * Releases an article whose change crashed before it recorded its outcome. `also`: statements for what the change may
 * have done.
 */
export const releaseLost = async (
  ctx: Ctx,
  lost: Pick<Hold, 'articleId' | 'lease'>,
  error: string,
  also: (isHeld: SQL) => readonly Statement[] = () => [],
): Promise<void> => {
  const { lock, held, isHeld } = endOf(ctx, lost)
  await ctx.batch([lock, ...also(isHeld), releaseArticle(ctx.db, 'failed', error, held)], {
    unaudited: 'nobody did anything; the article shows that it is not known what the site has',
  })
}
