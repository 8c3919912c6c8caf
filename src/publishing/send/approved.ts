import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import { articles } from '../../../schema/articles.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { giveUpCall, runApprovedCall } from '../../accounts/approvals/call.ts'
import { type Follow, goesLater } from '../../accounts/approvals/decide.ts'
import { approvalToSend } from '../../accounts/approvals/read.ts'
import { isRefusedForNow } from '../../accounts/policy/refusal.ts'
import { askAgainAt } from '../../accounts/policy/rules.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { publishSuggestion } from '../../insights/suggestions/publish.ts'
import { at } from '../../platform/db/instant.ts'
import { routes } from '../../platform/http/route.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import { ApiError, ERROR_CODES } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { postLeft } from '../../reach/social/writes.ts'
import { rollbackArticle } from '../live/rollback.ts'
import { syncArticle } from '../live/sync.ts'
import { syncHere } from '../live/sync-wire.ts'
import { publishingOperations } from '../operations.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { pastDateTaken } from './ends.ts'
import { publishByClock } from './publish.ts'
import { replayAnswer } from './replay.ts'

const PLANNED: (typeof ARTICLE_STATUSES)[number] = 'Planned'

const WAITS = eq(articles.publishState, 'awaiting_approval')

/** Condition: the article waits for one of these questions. */
const waitsFor = (which: SQL): SQL =>
  sql`${WAITS} and ${articles.id} in (select ${approvals.articleId} from ${approvals} where ${which} and ${inArray(approvals.kind, ['publish', 'sync'])})`

/**
 * An article whose publication was approved goes on: on its date if that is still to come, else the job sends it. One that was
 * returned, or that nobody approved in time, has failed and shows why; the clock leaves it until it is changed.
 */
export const followDecision: Follow = ({ db, now }, which, ended) => {
  if (ended.to === 'approved') {
    const goesOn = waitsFor(sql`${which} and ${goesLater(now())}`)
    return [changeArticle(db, { publishState: 'idle', dueTakenAt: null }, goesOn)]
  }
  const failed = {
    publishState: 'failed',
    publishError: ended.error,
    dueTakenAt: sql`case when ${articles.status} = ${PLANNED} then coalesce(${articles.dueTakenAt}, ${at(now())}) end`,
    updatedAt: now(),
  } as const
  return [changeArticle(db, failed, waitsFor(which)), postLeft(db, which, ended.error, now())]
}

/** Notes on an article that waited why it could not be sent, or asked about again. */
const failWaiting = async (ctx: Ctx, articleId: number, reason: string): Promise<void> => {
  const now = ctx.now()
  const failed = {
    publishState: 'failed',
    publishError: reason,
    dueTakenAt: pastDateTaken(now),
    updatedAt: now,
  } as const
  const unaudited = 'the article shows it'
  await ctx.batch([changeArticle(ctx.db, failed, and(eq(articles.id, articleId), WAITS))], { unaudited })
}

/** Calls that this Worker carries out once they are approved. */
const callsOf = (targets: TargetFactory) =>
  routes(
    { rollback: publishingOperations.rollback, replay: publishingOperations.replay },
    {
      rollback: (ctx, { params, body }) => rollbackArticle(ctx, targets, params.id, body),
      replay: (ctx, { params, body }) => replayAnswer(ctx, targets, params.id, body),
    },
  )

/**
 * Sends what was approved of an article, in its project's turn. If it changed meanwhile, a person is asked about it as it is now. Does
 * nothing for an article that waits no more.
 */
export const sendApproved = async (ctx: Ctx, targets: TargetFactory, approvalId: number): Promise<JobResult> => {
  const found = await approvalToSend(ctx, approvalId)
  if (found?.call) return await runApprovedCall(ctx, callsOf(targets), approvalId)
  if (!found || found.articleId === null) return { kind: 'done' }
  const { kind, articleId, subject } = found
  try {
    if (kind === 'suggestion') {
      await publishSuggestion(ctx, syncHere(targets), Number(subject.split(':')[1]))
      return { kind: 'done' }
    }
    if (kind === 'publish') return await publishByClock(ctx, targets, articleId, true)
    await syncArticle(ctx, targets, articleId, {})
    return { kind: 'done' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // An approved change goes out once a freeze or quiet hours are over.
    if (isRefusedForNow(error)) return { kind: 'later', at: askAgainAt(ctx.now(), ctx.settings.retryTimeScale) }
    if (error.code !== 'sync_failed' && ERROR_CODES[error.code].retryable) return { kind: 'again', reason: error.code }
    await failWaiting(ctx, articleId, error.message)
    return { kind: 'done' }
  }
}

const GAVE_UP = 'It was approved and could not be sent for a reason on our side. Publish it again.'

/** Notes on the article why what was approved could not be sent. */
export const giveUpApproved = async (ctx: Ctx, approvalId: number): Promise<void> => {
  const found = await approvalToSend(ctx, approvalId)
  if (found?.call) return await giveUpCall(ctx, approvalId)
  if (found?.articleId) await failWaiting(ctx, found.articleId, GAVE_UP)
}
