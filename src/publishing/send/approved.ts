import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { giveUpCall, runApprovedCall } from '../../accounts/approvals/call.ts'
import { type Follow, isScheduledLater } from '../../accounts/approvals/decide.ts'
import { approvalToSend } from '../../accounts/approvals/read.ts'
import { isRefusedForNow } from '../../accounts/policy/read.ts'
import { askAgainAt } from '../../accounts/policy/rules.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { publishSuggestion } from '../../insights/suggestions/decide.ts'
import { at } from '../../platform/db/instant.ts'
import { routes } from '../../platform/http/route.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { postLeft } from '../../reach/social/jobs.ts'
import { changesOperations } from '../changes/operations.ts'
import { releaseChanges, revertChanges } from '../changes/release.ts'
import { sendRewrite } from '../live/rewrite.ts'
import { rollbackArticle } from '../live/rollback.ts'
import { syncArticle } from '../live/sync.ts'
import { unpublishArticle } from '../live/unpublish.ts'
import { publishingOperations } from '../operations.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { pastDateTaken } from './ends.ts'
import { publishByClock } from './publish.ts'
import { replayAnswer } from './replay.ts'

const PLANNED: (typeof ARTICLE_STATUSES)[number] = 'Planned'

/** Status of an article that is not sent: a draft, unless readers already see it. */
const draftUnlessLive = sql`case when ${articles.status} = ${'Published' satisfies (typeof ARTICLE_STATUSES)[number]} then ${articles.status} else ${'Draft' satisfies (typeof ARTICLE_STATUSES)[number]} end`

const WAITS = eq(articles.publishState, 'awaiting_approval')

/** Returns the condition that the article waits for one of these approvals. */
const waitsFor = (which: SQL): SQL =>
  sql`${WAITS} and ${articles.id} in (select ${approvals.articleId} from ${approvals} where ${which} and ${inArray(approvals.kind, ['publish', 'sync'])})`

/**
 * Returns the statements that apply a decision to the article and social post that waited for it.
 *
 * An approved article is released for its date if that is in the future; otherwise the approval's job sends it. One that
 * was not approved in time becomes a draft that keeps its date, so the clock does not send it later. One that was
 * returned becomes `failed` with the comment. A social post gets the reason too.
 */
export const followDecision: Follow = ({ db, now }, which, ended) => {
  if (ended.to === 'approved') {
    const goesOn = waitsFor(sql`${which} and ${isScheduledLater(now())}`)
    return [changeArticle(db, { publishState: 'idle', dueTakenAt: null }, goesOn)]
  }
  if (ended.to === 'expired') {
    const idle = { status: draftUnlessLive, publishState: 'idle', publishError: null, dueTakenAt: null } as const
    const changed = changeArticle(db, { ...idle, updatedAt: now() }, waitsFor(which))
    return [changed, postLeft(db, which, ended.error, now())]
  }
  const failed = {
    publishState: 'failed',
    publishError: ended.error,
    dueTakenAt: sql`case when ${articles.status} = ${PLANNED} then coalesce(${articles.dueTakenAt}, ${at(now())}) end`,
    updatedAt: now(),
  } as const
  return [changeArticle(db, failed, waitsFor(which)), postLeft(db, which, ended.error, now())]
}

/** Marks a waiting article as failed, with the reason why it could not be sent. */
const failWaiting = async (ctx: Ctx, articleId: number, reason: string): Promise<void> => {
  const now = ctx.now()
  const failed = {
    publishState: 'failed',
    publishError: reason,
    dueTakenAt: pastDateTaken(now),
    updatedAt: now,
  } as const
  const unaudited = 'the article shows it'
  await ctx.batch(
    { changeArticle: changeArticle(ctx.db, failed, and(eq(articles.id, articleId), WAITS)) },
    { unaudited },
  )
}

/** Returns the calls that this Worker runs once they are approved. */
const callsOf = (targets: TargetFactory) =>
  routes(
    {
      rollback: publishingOperations.rollback,
      unpublish: publishingOperations.unpublish,
      replay: publishingOperations.replay,
      release: changesOperations.release,
      revert: changesOperations.revert,
    },
    {
      rollback: (ctx, { params, body }) => rollbackArticle(ctx, targets, params.id, body),
      unpublish: (ctx, { params }) => unpublishArticle(ctx, targets, params.id),
      replay: (ctx, { params, body }) => replayAnswer(ctx, targets, params.id, body),
      release: (ctx, { params, body }) => releaseChanges(ctx, params.id, body),
      revert: (ctx, { params }) => revertChanges(ctx, params.id),
    },
  )

/**
 * Runs an approved call, or sends the approved article or change. Does nothing if the article no longer waits.
 *
 * If the article changed since the approval, a person is asked again.
 */
export const sendApproved = async (ctx: Ctx, targets: TargetFactory, approvalId: number): Promise<JobResult> => {
  const found = await approvalToSend(ctx, approvalId)
  if (found?.call) return await runApprovedCall(ctx, callsOf(targets), approvalId)
  if (!found || found.articleId === null) return { kind: 'done' }
  const { kind, articleId, subject } = found
  try {
    if (kind === 'suggestion') {
      await publishSuggestion(ctx, sendRewrite(targets), Number(subject.split(':')[1]))
      return { kind: 'done' }
    }
    if (kind === 'publish') return await publishByClock(ctx, targets, articleId, true)
    await syncArticle(ctx, targets, articleId, {})
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // An approved change is sent once a freeze or quiet hours are over.
    if (isRefusedForNow(error)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
    if (error.code !== 'sync_failed' && error.retryable) return { kind: 'again', reason: error.code }
    await failWaiting(ctx, articleId, error.message)
    return { kind: 'done' }
  }
}

const GAVE_UP = 'The article was approved, but could not be sent for a reason on our side. Publish it again.'

/** Ends an approved call, or marks the article as failed, after the job's last attempt or because its account is closed. */
export const giveUpApproved = async (ctx: Ctx, approvalId: number, reason: string): Promise<void> => {
  const found = await approvalToSend(ctx, approvalId)
  if (found?.call) return await giveUpCall(ctx, approvalId, reason)
  if (found?.articleId) await failWaiting(ctx, found.articleId, shownReason(reason, GAVE_UP))
}
