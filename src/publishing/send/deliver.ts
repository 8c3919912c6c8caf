import { isOpenStatus } from '../../../schema/values/publishing.ts'
import { obstacleReason } from '../../accounts/policy/read.ts'
import { askAgainAt, mayPassLater, type Obstacle } from '../../accounts/policy/rules.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { claimNextDue } from '../due.ts'
import { lookUpSync } from '../live/sync-look-up.ts'
import { followPull } from '../pulls/follow.ts'
import { deliveryToSend } from '../queries.ts'
import { GAVE_UP, openTarget, TARGET_GONE, TARGET_REPLACED } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import type { Attempt } from '../writes.ts'
import { claimReplay, claimTurn } from './claim.ts'
import { abandonDelivery, callOffDelivery } from './ends.ts'
import { stateAlone, storedRequest } from './prepare.ts'
import { publishByClock } from './publish.ts'
import { ASKED_FOR_MS, LOOK_UP_AGAIN_MS, leaseMs, nextClockAttempt, turnMs } from './rules.ts'
import { concludeByAsking, noAnswerReason, sendOnce } from './run.ts'

type Loaded = Awaited<ReturnType<typeof deliveryToSend>>[number]

/** True if the project now has another target than the delivery was made for. */
const isElsewhere = ({ delivery, target }: Loaded): boolean => target !== null && target.id !== delivery.integrationId

/**
 * Returns when the delivery may continue: at its next attempt, or when the lease of the current one ends. Undefined
 * means now.
 */
const notBefore = (found: Loaded, now: Date): Date | undefined => {
  const { delivery } = found
  // If the target was replaced, only an attempt that is still being sent is waited for.
  if (delivery.status !== 'sending' && isElsewhere(found)) return undefined
  const until = delivery.status === 'sending' ? delivery.leaseUntil : delivery.nextAttemptAt
  return until && until > now ? until : undefined
}

/** True if the clock took the article on its date. Its end then starts the project's next late article. */
const isOnDate = (article: Loaded['article']): boolean => article !== null && article.dueTakenAt !== null

/**
 * Claims a delivery for one attempt. Returns the attempt, the time to try again, or the policy's rule that forbids it
 * for good.
 *
 * A replay is not a publication, so it does not wait for the project's turn.
 */
const claim = async (
  ctx: Ctx,
  { delivery, article, target, isDraftAccepted }: Loaded,
): Promise<Attempt | Date | Obstacle> => {
  const now = ctx.now()
  const { id, accountId, projectId, articleId, revision, replayOf } = delivery
  const platform = target?.platform ?? 'webhook'
  const lease = new Date(now.getTime() + leaseMs(platform))
  const turnUntil = new Date(now.getTime() + turnMs(platform))
  const token = ctx.newId()
  const isPublished = article?.status === 'Published'
  const base = { accountId, projectId, target: platform, lease }
  const claimed =
    replayOf === null && articleId !== null
      ? await claimTurn(
          ctx,
          {
            ...base,
            articleId,
            token,
            turnUntil,
            readRevision: revision,
            onDate: false,
            byClock: true,
            isSettled: true,
          },
          { resumes: id },
        )
      : await claimReplay(ctx, { ...base, id })
  if (!claimed?.begun) {
    if (claimed?.rule)
      return mayPassLater(claimed.rule) ? askAgainAt(ctx.now(), ctx.settings.retryTimeScale) : claimed.rule
    if (!claimed || claimed.isTaken) return new Date(now.getTime() + LOOK_UP_AGAIN_MS)
    return nextClockAttempt(claimed.isBusy ? 'busy' : 'full', now, ctx.random())
  }
  const isAdopted = article?.origin === 'adopted'
  return {
    accountId,
    projectId,
    integrationId: delivery.integrationId,
    platform: target?.platform ?? '',
    articleId,
    replayOf,
    deliveryId: id,
    number: claimed.begun.attempts,
    lease,
    token,
    lookups: delivery.lookups,
    revision,
    live: delivery.live,
    request: await storedRequest(
      delivery,
      {
        updateOnly: isPublished || isAdopted,
        isChange: isPublished,
        isRepeat: !delivery.live && isDraftAccepted,
        isAdopted,
        generation: article?.generation ?? 0,
        ...(article ? stateAlone(article) : {}),
      },
      ctx,
    ),
    claimsNext: isOnDate(article),
  }
}

const ARCHIVED = 'The project was archived before this could be sent. Publish the article when it is active again.'

/** Fails a delivery for good, then claims the project's next late article if this one was on its date. */
const abandon = async (ctx: Ctx, { delivery, article }: Loaded, reason: string): Promise<JobResult> => {
  await abandonDelivery(ctx, delivery.id, reason)
  if (isOnDate(article)) ctx.defer(claimNextDue(ctx, delivery.projectId))
  return { kind: 'done' }
}

/** Publishes an article again because it or its target changed while its delivery waited. */
const publishAgain = async (ctx: Ctx, targets: TargetFactory, found: Loaded, articleId: number): Promise<JobResult> => {
  try {
    const result = await publishByClock(ctx, targets, articleId, found.delivery.live)
    const { status, createdAt, error } = found.delivery
    const isLate = ctx.now().getTime() - createdAt.getTime() > ASKED_FOR_MS / ctx.settings.retryTimeScale
    const isUnsure = status === 'unknown' && result.kind === 'later'
    return isUnsure && isLate ? await abandon(ctx, found, noAnswerReason(error ?? 'none.')) : result
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.retryable) return { kind: 'again', reason: error.code }
    return await abandon(ctx, found, error.message)
  }
}

/**
 * Continues a waiting delivery: a retry that is due, an unknown outcome, or an attempt that crashed.
 *
 * Asks the target first whether it has the post, if it can be asked. Never sends a delivery that was delivered or
 * replaced.
 */
export const deliverWaiting = async (ctx: Ctx, targets: TargetFactory, deliveryId: number): Promise<JobResult> => {
  const rows = await ctx.read((owner) => deliveryToSend(ctx.db, owner, deliveryId))
  const found = rows[0]
  if (!found || !isOpenStatus(found.delivery.status)) return { kind: 'done' }
  const pull = await followPull(ctx, targets, found)
  if (pull) return pull
  const later = notBefore(found, ctx.now())
  if (later) return { kind: 'later', at: later }
  const { delivery, article } = found
  if (delivery.projectStatus === 'Archived') return await abandon(ctx, found, ARCHIVED)
  const isSync =
    article?.status === 'Published' && delivery.eventType === 'update_articles' && delivery.replayOf === null
  if (isSync && delivery.articleId !== null) return await lookUpSync(ctx, targets, found, delivery.articleId)
  const isWaiting = article !== null && article.status !== 'Published' && delivery.replayOf === null
  const isElse = isElsewhere(found)
  if (isWaiting && delivery.articleId !== null && (isElse || article.revision !== delivery.revision))
    return await publishAgain(ctx, targets, found, delivery.articleId)
  if (isElse) {
    await callOffDelivery(ctx, deliveryId, TARGET_REPLACED)
    return { kind: 'done' }
  }
  const target = found.target && (await openTarget(ctx, targets, found.target))
  if (!target) {
    return await abandon(ctx, found, TARGET_GONE)
  }
  const attempt = await claim(ctx, found)
  if (attempt instanceof Date) return { kind: 'later', at: attempt }
  if (typeof attempt === 'string')
    return await abandon(ctx, found, await obstacleReason(ctx, delivery.projectId, attempt))
  const lastError = delivery.error ?? 'it was interrupted.'
  if (!(await concludeByAsking(ctx, target, attempt, lastError))) await sendOnce(ctx, target, attempt)
  return { kind: 'settled' }
}

/** Fails a delivery after its last job attempt, or because its account is closed. */
export const giveUpDelivery = async (ctx: Ctx, deliveryId: number, reason: string): Promise<void> => {
  await abandonDelivery(ctx, deliveryId, shownReason(reason, GAVE_UP))
}
