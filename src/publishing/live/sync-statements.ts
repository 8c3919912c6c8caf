import { and, eq, exists, isNull, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { ARRIVED_STATUSES, isArrived } from '../../../schema/values/publishing.ts'
import type { Asked, Proposal } from '../../accounts/approvals/rules.ts'
import { askStatements, inTurn, isApproved, settleApprovals } from '../../accounts/approvals/writes.ts'
import { policyAllows, ruleOf } from '../../accounts/policy/parts.ts'
import type { Assessment } from '../../content/articles/assess.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import {
  type ArticleChanges,
  changeArticle,
  holdArticle,
  isLastClaimedWith,
  keepRevision,
} from '../../content/articles/writes.ts'
import { pageChanged } from '../../insights/effects/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { checkLivePage, keepLivePage } from '../live-page.ts'
import { isComingDown, keptPost } from '../remote.ts'
import { endOf, isLiveBy, releaseClaim, wasStillClaimed } from '../send/ends.ts'
import {
  type Attempt,
  beginAttempt,
  type Ending,
  isOpenOf,
  type NewAttempt,
  openDelivery,
  replaceDelivery,
} from '../writes.ts'
import { forget } from './hold.ts'

/** Changes that a sync saves, and the version of the article that they were made from. */
export type Saving = {
  articleId: number
  readRevision: number
  /** `updatedAt` of the version that the caller named; undefined if the caller named none. */
  readAt?: Date | undefined
  /** Time of the save, as shown in answers. */
  savedAt: Date
  edits: ArticleChanges
  /** Parts that the site lacks until they are sent: these edits, and earlier ones. */
  unsent: readonly string[]
  /** Parts that the update sends. */
  sends: readonly string[]
  assessment: Pick<Assessment, 'changes' | 'writes' | 'locks' | 'isCurrent'>
  /** Content that the policy may require a person to approve. */
  proposal: Proposal
}

/** Returns the condition that the article is as it was read and may be changed at its site now. */
const isAsRead = ({ readRevision, readAt, assessment }: Saving, now: Date): SQL =>
  sql`${and(
    eq(articles.revision, readRevision),
    readAt && eq(articles.updatedAt, readAt),
    assessment.isCurrent,
  )} and ${isMoveAllowed('sync', now)} and not ${isComingDown}`

/** Returns the columns to save: the edits, and the values computed from them. */
const savedAs = ({ readRevision, savedAt, edits, unsent, assessment }: Saving, revision: number) => ({
  ...edits,
  ...assessment.changes,
  siteLacks: [...unsent],
  revision,
  publishError: null,
  ...(revision === readRevision ? {} : { updatedAt: savedAt }),
})

/**
 * Saves edits of a published article as a new revision and opens the delivery that sends them. Calls off the delivery
 * of a crashed sync.
 *
 * `isApprovedElse`: condition that a person approved the change with others.
 *
 * Returns no `begun` if `rule` of the policy forbids it, another sync has the article, or it changed since it was read.
 * The same happens if the partner links that the answer names are no longer available.
 */
export const claimSync = async (ctx: Ctx, attempt: NewAttempt, saving: Saving, isApprovedElse = sql`false`) => {
  const { db } = ctx
  const now = ctx.now()
  const { accountId, projectId, revision, lease, token, platform } = attempt
  const { articleId, readRevision, unsent, sends, assessment, proposal } = saving
  const itself = and(eq(articles.id, articleId), eq(articles.accountId, proposal.accountId))
  const edits = { ...savedAs(saving, revision), siteLacks: [...new Set([...unsent, ...sends])] }
  const outward = {
    activity: 'sync',
    now,
    target: platform,
    articleId,
    isApproved: sql`(${isApproved(ctx, proposal)} or ${isApprovedElse})`,
  } as const
  const { rule, begun } = await ctx.batch(
    {
      partners: assessment.locks,
      article: db.select({ id: articles.id }).from(articles).where(itself).for('update'),
      rule: ruleOf(projectId, outward),
      claim: holdArticle(db, { lease, token }, and(itself, isAsRead(saving, now), policyAllows(projectId, outward))),
      ...when(isLastClaimedWith(token, articleId), {
        approval: settleApprovals(ctx, proposal),
        revision: revision !== readRevision && ((isMet) => keepRevision({ if: sql`${itself} and ${isMet}` })),
        changed: (isMet) => changeArticle(db, edits, and(itself, isMet)),
        replaced: replaceDelivery(db, articleId, 'Replaced by a later sync.', now),
        opened: openDelivery(attempt, { createdAt: now }),
        links: (isMet) => assessment.writes(articleId, isMet),
        running: ctx.keepRunning(lease),
        begun: (isMet) => beginAttempt(sql`${isOpenOf(articleId)} and ${isMet}`, { accountId, lease, now }),
      }),
    },
    { unaudited: 'what a sync did is written to the audit log when it ends' },
  )
  return { begun: begun.attempt[0], rule: rule[0]?.rule ?? null }
}

/**
 * Asks a person to approve a change of a live article. Returns the question; undefined if `claimSync` would not start
 * either.
 *
 * The edits are saved here and wait. The rewrite of a suggestion stays with the suggestion until it is approved.
 */
export const askToSync = (ctx: Ctx, saving: Saving, revision: number): Promise<Asked | undefined> => {
  const { articleId, readRevision, assessment, proposal } = saving
  const { db } = ctx
  const itself = and(eq(articles.id, articleId), eq(articles.accountId, proposal.accountId))
  const mayWait = and(itself, isAsRead(saving, ctx.now()))
  const { statement: decided, isMet: mayAsk } = decideOnce(
    exists(db.select({ id: articles.id }).from(articles).where(mayWait)),
  )
  const isHeld = sql`${and(itself, mayAsk)}`
  const edits = { publishState: 'awaiting_approval' as const, ...savedAs(saving, revision) }
  const saved = {
    revision: revision !== readRevision && keepRevision({ if: isHeld }),
    links: assessment.writes(articleId, mayAsk),
    article: changeArticle(db, edits, isHeld),
  }
  return inTurn(ctx, async () => {
    const { asked } = await ctx.batch({
      partners: assessment.locks,
      article: db.select({ id: articles.id }).from(articles).where(itself).for('update'),
      decided,
      saved: proposal.kind === 'sync' && saved,
      asked: askStatements(ctx, proposal, mayAsk),
    })
    return asked.question[0]
  })
}

/** Selects the newest delivered publication of an article. A receiver that lost the post can be sent it again. */
const newestPublication = (articleId: number | null) =>
  sql<{ id: number | null }>`select max(${deliveries.id}) as id from ${deliveries} where ${and(
    sql`${deliveries.articleId} = ${articleId}::int`,
    eq(deliveries.eventType, 'publish_articles'),
    oneOf(deliveries.status, ARRIVED_STATUSES),
    isNull(deliveries.replayOf),
  )}`

/**
 * Records the outcome of a sync. The article stays published with its new content saved, whatever the outcome. It is
 * `unknown` if the site is asked how the sync ended.
 *
 * For a failed sync it also returns the id of the article's newest publication.
 */
export const endSync = async (
  ctx: Ctx,
  attempt: Attempt,
  ending: Ending,
  {
    url,
    remoteId,
    lacks,
  }: { url?: string | undefined; remoteId?: string | undefined; lacks: readonly string[] | undefined },
  answer: object,
) => {
  const now = ctx.now()
  const { accountId, articleId, deliveryId } = attempt
  const succeeded = isArrived(ending.status)
  const isProposed = ending.status === 'awaiting_merge'
  const { isHeld, locks, last } = endOf(ctx, attempt, ending)
  const live = succeeded && articleId !== null && { ...attempt, articleId }
  const ifLive = { if: sql`${isHeld} and ${isLiveBy(attempt)}`, now }
  const { publication, ended } = await ctx.batch({
    publication: !succeeded && newestPublication(articleId),
    locks,
    releaseClaim: releaseClaim(ctx, attempt, {
      state: succeeded ? 'idle' : isProposed ? 'awaiting_merge' : ending.nextAt ? 'unknown' : 'failed',
      error: ending.error,
      move: 'sync',
      // If the site returns no address, the article keeps the known data of its post.
      also: {
        ...(lacks ? { siteLacks: [...lacks] } : {}),
        ...(succeeded && url !== undefined ? keptPost(attempt.integrationId, { url, remoteId }) : {}),
        ...(succeeded ? { receipt: null } : {}),
      },
      if: isHeld,
    }),
    livePage: live && keepLivePage(ctx.db, live, url, ifLive),
    checkLivePage: live && checkLivePage(live, url, ifLive),
    pageChanged: live && pageChanged(live, ifLive),
    forgotten: live && forget(ctx, live.articleId, ifLive),
    ...when(isHeld, {
      kept: succeeded ? ctx.keepDone(answer) : isProposed ? ctx.keepDone(answer, { status: 202 }) : ctx.keepDropped(),
      audit: audit(ctx, {
        account: accountId,
        action: succeeded
          ? 'article.sync'
          : isProposed
            ? 'article.propose'
            : ending.nextAt
              ? 'delivery.attempt_failed'
              : 'article.sync_failed',
        on: ['delivery', deliveryId],
        ...(ending.status === 'unclear' || (ending.nextAt && !isProposed)
          ? { detail: { outcome: ending.status } }
          : {}),
      }),
    }),
    ended: last,
  })
  return { wasHeld: wasStillClaimed(ended), publication: publication?.[0]?.id }
}
