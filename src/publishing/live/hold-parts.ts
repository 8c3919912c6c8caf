import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import type { PolicyRule } from '../../../schema/values/policy.ts'
import { approvalOf, policyGate } from '../../accounts/policy/parts.ts'
import { holdArticle, releaseArticle } from '../../content/articles/parts.ts'
import { mayMove } from '../../content/articles/standing-parts.ts'
import type { Part } from '../../platform/db/part.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
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

/** The hold, if it was taken, and the rule of the policy that forbids it. */
export type HoldRow = { id: number | null; rule: PolicyRule | null }

/**
 * Holds a published article for a change at its target, with a row that frees it should this process die. No id: a rule of the
 * policy forbids it, something else holds it, or the move is not allowed any more.
 */
export const claimLive = (
  ctx: Ctx,
  { articleId, accountId, projectId, target, lease, subject }: Hold,
  activity: 'rollback' | 'unpublish',
  lost: typeof lostRollbackJob | typeof lostUnpublishJob,
): SQL => {
  const now = ctx.now()
  const gate = policyGate(projectId, { activity, now, target, ...approvalOf(ctx, now, subject) })
  const article = holdArticle(lease, {
    from: [gate.allowed],
    where: sql`${and(eq(articles.id, articleId), eq(articles.accountId, accountId))} and ${mayMove(activity, now)}`,
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
    parts: [gate.parts, article, freeing, ctx.keep.running([article], lease)],
    answer: { id: article.c.id, rule: gate.rule },
    answerFrom: gate.answerBeside(article),
  })
}

/** The article, if this hold still has it. */
export const isHeldBy = ({ articleId, lease }: Pick<Hold, 'articleId' | 'lease'>): SQL =>
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
