import { and, eq, exists, type SQL } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { approvalOf, policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import { mayMove } from '../../content/articles/parts.ts'
import { holdArticle, isTakenWith, releaseArticle } from '../../content/articles/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import type { Ctx, Statement } from '../../platform/runtime/ctx.ts'
import type { lostRollbackJob, lostUnpublishJob } from '../jobs.ts'

/** A published article that is held for one change at its target until the lease ends. */
export type Hold = {
  articleId: number
  accountId: number
  projectId: number
  target: string
  lease: Date
  /** Thing that a person approves, if the change needs that. */
  subject?: string
}

/**
 * Holds a published article for a change at its target, with a row that frees it should this process die.
 *
 * Not held: `rule` of the policy forbids it, or something else holds it, or the move is not allowed any more.
 */
export const holdLive = async (
  ctx: Ctx,
  { articleId, accountId, projectId, target, lease, subject }: Hold,
  activity: 'rollback' | 'unpublish',
  lost: typeof lostRollbackJob | typeof lostUnpublishJob,
): Promise<{ isHeld: boolean; rule: PolicyRule | null }> => {
  const now = ctx.now()
  const token = ctx.newId()
  const outward = { activity, now, target, ...approvalOf(ctx, now, subject) }
  const mine = and(eq(articles.id, articleId), eq(articles.accountId, accountId))
  const holds = isTakenWith(token, articleId)
  const [asked, held] = await ctx.batch(
    [
      ruleOf(projectId, outward),
      holdArticle(ctx.db, { lease, token }, and(mine, mayMove(activity, now), policyAllows(projectId, outward)), {
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

/** Returns a hold as its end is written: the lock that comes first, and conditions that hold until the article is released. */
export const endOf = ({ db }: Ctx, { articleId, lease }: Pick<Hold, 'articleId' | 'lease'>) => {
  const held = and(
    eq(articles.id, articleId),
    eq(articles.publishState, 'publishing'),
    eq(articles.publishLeaseUntil, lease),
  )
  const lock = db.select({ id: articles.id }).from(articles).where(eq(articles.id, articleId)).for('no key update')
  return { lock, held, isHeld: exists(db.select({ id: articles.id }).from(articles).where(held)) }
}

/** Frees an article whose change died before it could tell how it ended. `also`: what follows from what may have been done. */
export const freeLost = async (
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
