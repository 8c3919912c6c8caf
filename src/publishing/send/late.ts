import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import type { PublishState } from '../../../schema/values/articles.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { isNotHeld, statusAllows } from '../../content/articles/parts.ts'
import { isLastClaimedWith, releaseArticle } from '../../content/articles/writes.ts'
import { at } from '../../platform/db/instant.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { finishJob } from '../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { deliverJob } from '../jobs.ts'
import { deliveryState } from '../queries.ts'
import type { PublishOutcome } from '../target/publish-target.ts'
import { type Attempt, type Ending, endNotedAttempt } from '../writes.ts'
import { lateAnswer, type PublishAnswer } from './answers.ts'
import {
  ALL_PARTS,
  detailOf,
  lockDelivery,
  nowLive,
  publishStateAfter,
  type ReportedPost,
  takenArticle,
} from './ends.ts'

/** Waits for another attempt to release the article, ms. Their sum is the time a receiver has for its answer. */
const BUSY_WAITS_MS = [1_000, 4_000, 10_000, 15_000] as const

/** Result of a late attempt that the target accepted: how it is recorded, and the answer for its caller. */
type LateResult = { ending: Ending; taken: ReportedPost; answer: PublishAnswer }

/** Result of recording a late attempt. `isBusy`: it was not recorded, because another attempt has the article. */
type Recorded = { isRecorded: boolean; isBusy: boolean }

/**
 * Records that the target accepted an attempt that had lost its delivery. Does so only if the article is unpublished
 * and free.
 *
 * The accepted post is the current state then: the other attempt was refused, or waits for a retry.
 */
const recordLate = async (
  ctx: Ctx,
  attempt: Attempt,
  articleId: number,
  { ending, taken, answer }: LateResult,
): Promise<Recorded> => {
  const { db } = ctx
  const now = ctx.now()
  const token = ctx.newId()
  const { accountId, deliveryId, live, revision } = attempt
  const itsDelivery = and(eq(deliveries.id, deliveryId), eq(deliveries.articleId, articleId))
  // A waiting delivery with another version is sent later and then sets the article's state itself.
  const ownWaits = sql`exists (select 1 from ${deliveries} where ${itsDelivery} and ${oneOf(deliveries.status, ['retrying', 'unknown'])})`
  const isAtRest = sql`(${oneOf(articles.publishState, ['idle', 'failed'])} or (${oneOf(articles.publishState, ['retrying', 'unknown'])} and ${ownWaits}))`
  const isFree = and(eq(articles.id, articleId), statusAllows('publish'), isNull(articles.writingStartedAt), isAtRest)
  const isOurs = isLastClaimedWith(token, articleId)
  const { article, recorded } = await ctx.batch({
    project: lockProject(ctx.db, attempt.projectId),
    delivery: lockDelivery(ctx, deliveryId),
    article: sql<{
      isBusy: boolean
    }>`select not ${isNotHeld(now)} as "isBusy" from ${articles} where ${articles.id} = ${articleId}::int for no key update`,
    recorded: releaseArticle(db, 'idle', null, isFree, {
      ...takenArticle(attempt, taken, now),
      ...publishStateAfter(sql`${revision}::int`),
      publishToken: token,
    }),
    ...when(isOurs, {
      endNotedAttempt: (isMet) => endNotedAttempt(db, attempt, ending, isMet),
      endedDeliverJob: finishJob(db, deliverJob, deliveryId, { now }),
      nowLive: live && ((isMet) => nowLive(ctx, attempt, taken.url, { if: isMet, now })),
      kept: ctx.keepDone(answer.body, { status: answer.status }),
      audit: audit(ctx, {
        account: accountId,
        action: live ? 'article.publish' : 'article.send_as_draft',
        on: ['delivery', deliveryId],
        detail: detailOf(attempt, ending),
      }),
      changedDeliveries: (isMet) =>
        db
          .update(deliveries)
          .set({
            status: ending.status,
            error: null,
            warnings: ending.warnings,
            nextAttemptAt: null,
            leaseUntil: null,
            updatedAt: now,
          })
          .where(and(itsDelivery, isMet)),
    }),
  })
  return { isRecorded: recorded.length > 0, isBusy: article[0]?.isBusy ?? false }
}

/** Records a late attempt, waiting while another attempt has the article. Returns true if it was recorded. */
const isRecorded = async (ctx: Ctx, attempt: Attempt, late: LateResult): Promise<boolean> => {
  const { articleId } = attempt
  if (articleId === null || attempt.replayOf !== null) return false
  const record = () => recordLate(ctx, attempt, articleId, late)
  let recorded = await record()
  for (const waitMs of BUSY_WAITS_MS) {
    if (!recorded.isBusy) break
    await ctx.wait(waitMs)
    recorded = await record()
  }
  if (recorded.isRecorded) ctx.defer(ctx.wakeQueue())
  return recorded.isRecorded
}

const AT_REST: PublishState = 'idle'

/**
 * Marks an article as `failed` if readers may see an older version of it.
 *
 * That is so if the late attempt was answered (`answeredAt`) after a newer one had started.
 */
export const noteOlderVersion = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: PublishOutcome,
  answeredAt: Date,
): Promise<void> => {
  const { articleId } = attempt
  if (articleId === null || attempt.replayOf !== null || outcome.kind === 'refused') return
  const isOvertaken = sql`exists (select 1 from deliveries newer join delivery_attempts sent on sent.delivery_id = newer.id
    where newer.article_id = ${articleId}::int and newer.id > ${attempt.deliveryId}::int and newer.replay_of is null
      and sent.started_at <= ${at(answeredAt)})`
  const told = releaseArticle(
    ctx.db,
    'failed',
    `A process that was held up sent an older version after the newer one, so the site may show the older one. Send the saved version with POST /articles/${articleId}/sync.`,
    and(
      eq(articles.id, articleId),
      eq(articles.publishState, AT_REST),
      ne(articles.revision, attempt.revision),
      statusAllows('sync'),
      isOvertaken,
    ),
    { siteLacks: ALL_PARTS },
  )
  await ctx.batch(
    { told },
    { unaudited: 'what reached the target is on the deliveries; nothing was changed by anybody' },
  )
}

/**
 * `answeredAt`: when the target answered; undefined if it was only asked. `taken`: undefined if it accepted nothing.
 */
type LateEnd = { answeredAt: Date | undefined; taken?: LateResult }

/**
 * Ends an attempt that lost its delivery to another attempt, or whose delivery was called off. Returns the answer for
 * its caller.
 *
 * If the target accepted it, that is recorded unless the article was published since. The answer shows the article's
 * state after that.
 */
export const endLate = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: PublishOutcome,
  { answeredAt, taken }: LateEnd,
): Promise<PublishAnswer> => {
  if (taken && (await isRecorded(ctx, attempt, taken))) return taken.answer
  if (answeredAt) await noteOlderVersion(ctx, attempt, outcome, answeredAt)
  const [current] = await ctx.read(() => deliveryState(ctx.db, attempt.deliveryId))
  return lateAnswer(attempt, current, outcome)
}
