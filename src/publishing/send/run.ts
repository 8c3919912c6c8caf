import type { ArrivedStatus } from '../../../schema/values/publishing.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { claimNextDue } from '../due.ts'
import { LOOK_AT_PULL_MS } from '../pulls/rules.ts'
import { keepingOf } from '../remote.ts'
import type { PublishOutcome, PublishTarget, TargetAnswer } from '../target/publish-target.ts'
import type { Attempt, Ending } from '../writes.ts'
import {
  accepted,
  answerHeld,
  answerProposed,
  noAddress,
  type PublishAnswer,
  type Unaccepted,
  unaccepted,
} from './answers.ts'
import { endAccepted, endUnaccepted } from './ends.ts'
import { endLate } from './late.ts'
import { askAfterSendMs, askAgainMs, isOutOfSends, LOOK_UP_AGAIN_MS, nextAttempt } from './rules.ts'

/** Any outcome except an acceptance. */
type NotAccepted = Exclude<PublishOutcome, { kind: 'accepted' }>

/** Returns the fields of an outcome that are stored with the attempt. */
export const targetAnswer = ({ httpStatus, excerpt }: PublishOutcome): TargetAnswer => ({
  ...(httpStatus === undefined ? {} : { httpStatus }),
  ...(excerpt === undefined ? {} : { excerpt }),
})

/** Returns the status of a delivery that its target accepted. */
export const arrivedStatus = ({ isUnclear }: Extract<PublishOutcome, { kind: 'accepted' }>): ArrivedStatus =>
  isUnclear ? 'unclear' : 'delivered'

/** Returns when to ask a target again that could not say whether it has a post. */
export const lookUpAgainAt = (ctx: Ctx, waitMs: number = LOOK_UP_AGAIN_MS): Date =>
  new Date(ctx.now().getTime() + waitMs / ctx.settings.retryTimeScale)

/**
 * Returns the error of a delivery that is given up because its target did not say for a day whether it has the post.
 */
export const noAnswerReason = (reason: string): string =>
  `The service asked the site for a day whether it has the post, without a clear answer. Check the site. Publishing again asks it first, before anything is sent. Its last answer: ${reason}`

/** Returns what follows an unknown outcome: another look-up, or a failure after the last one. */
const judgeUnknown = (ctx: Ctx, attempt: Attempt, error: string, wasAsked: boolean): Unaccepted => {
  const waitMs = wasAsked ? askAgainMs(attempt.lookups + 1) : askAfterSendMs(attempt.number - attempt.lookups)
  return waitMs === undefined
    ? { status: 'failed', error: noAnswerReason(error), nextAt: null }
    : { status: 'unknown', error, nextAt: lookUpAgainAt(ctx, waitMs) }
}

/** Returns what follows an outcome that is not an acceptance: a retry, a look-up, or a failure. */
const judge = (ctx: Ctx, attempt: Attempt, outcome: NotAccepted, wasAsked: boolean): Unaccepted => {
  const error = storableText(outcome.reason)
  if (outcome.kind === 'held') return { status: 'failed', error, nextAt: null }
  if (outcome.kind === 'proposed')
    return { status: 'awaiting_merge', error, nextAt: lookUpAgainAt(ctx, LOOK_AT_PULL_MS) }
  if (outcome.kind === 'unknown') return judgeUnknown(ctx, attempt, error, wasAsked)
  // A draft that goes live is an update for its target, but it is retried like a publication.
  const event = attempt.replayOf === null ? 'publish_articles' : attempt.request.event
  const nextAt = outcome.retryable
    ? nextAttempt(event, attempt.number - attempt.lookups, {
        now: ctx.now(),
        random: ctx.random(),
        scale: ctx.settings.retryTimeScale,
        retryAfterS: outcome.retryAfterS,
      })
    : undefined
  return nextAt ? { status: 'retrying', error, nextAt } : { status: 'failed', error, nextAt: null }
}

/** Time and duration (ms) of the target's answer; empty if the target was only asked whether it has the post. */
type Times = { answeredAt: Date | undefined; durationMs: number | null }

const ASKED: Times = { answeredAt: undefined, durationMs: null }

/**
 * Starts the work that follows an attempt: claims the project's next late article, or offers new outbox rows to the
 * queue.
 */
const wakeWhatFollows = (ctx: Ctx, attempt: Attempt, hasNewWork: boolean): void => {
  if (attempt.claimsNext) ctx.defer(claimNextDue(ctx, attempt.projectId))
  else if (hasNewWork) ctx.defer(ctx.wakeQueue())
}

const concludeAccepted = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: Extract<PublishOutcome, { kind: 'accepted' }>,
  { durationMs, answeredAt }: Times,
): Promise<PublishAnswer> => {
  const { article } = attempt.request
  const url = outcome.url ?? article.url
  const isLost = attempt.live && attempt.replayOf === null && url === undefined
  // The target's own notes win, because they may doubt that there is a post at all.
  const notes = outcome.notes ?? (isLost ? [noAddress(attempt.articleId)] : [])
  const answer = accepted(attempt, url, notes)
  const publishedAt = article.published_at === undefined ? null : new Date(article.published_at)
  const taken = { publishedAt, url, remoteId: outcome.remoteId }
  const ending: Ending = {
    status: arrivedStatus(outcome),
    error: null,
    nextAt: null,
    durationMs,
    answer: targetAnswer(outcome),
    warnings: notes,
  }
  const wasHeld = await endAccepted(ctx, attempt, ending, taken, answer)
  wakeWhatFollows(ctx, attempt, true)
  return wasHeld ? answer : await endLate(ctx, attempt, outcome, { answeredAt, taken: { ending, taken, answer } })
}

const concludeUnaccepted = async (
  ctx: Ctx,
  attempt: Attempt,
  outcome: NotAccepted,
  { durationMs, answeredAt }: Times,
): Promise<PublishAnswer> => {
  const judged = judge(ctx, attempt, outcome, durationMs === null)
  const isHeldThere = outcome.kind === 'held'
  const isProposed = outcome.kind === 'proposed'
  const answer = isHeldThere
    ? answerHeld(attempt, outcome)
    : isProposed
      ? answerProposed(attempt, judged, outcome.url)
      : unaccepted(attempt, judged, outcome.httpStatus)
  const warnings = ((isHeldThere || isProposed) && outcome.notes) || []
  const ending = { ...judged, durationMs, answer: targetAnswer(outcome), warnings }
  const wasHeld = await endUnaccepted(ctx, attempt, ending, answer, isHeldThere ? outcome.remoteId : undefined)
  wakeWhatFollows(ctx, attempt, judged.nextAt !== null)
  return wasHeld ? answer : await endLate(ctx, attempt, outcome, { answeredAt })
}

/** Records the outcome of an attempt and returns the answer for its caller. */
const conclude = async (ctx: Ctx, attempt: Attempt, outcome: PublishOutcome, times: Times): Promise<PublishAnswer> =>
  outcome.kind === 'accepted'
    ? await concludeAccepted(ctx, attempt, outcome, times)
    : await concludeUnaccepted(ctx, attempt, outcome, times)

/** Sends a claimed delivery once, records the outcome and returns the answer for the caller. */
export const sendOnce = async (ctx: Ctx, target: PublishTarget, attempt: Attempt): Promise<PublishAnswer> => {
  await ctx.step('claimed')
  const startedAt = ctx.now().getTime()
  const outcome = await target.deliver(attempt.request, keepingOf(ctx, attempt.integrationId, attempt.articleId))
  const answeredAt = ctx.now()
  await ctx.step('answered')
  const answer = await conclude(ctx, attempt, outcome, { answeredAt, durationMs: answeredAt.getTime() - startedAt })
  await ctx.step('concluded')
  return answer
}

/**
 * Returns the error of a delivery that was sent too often. `isThere`: the target has the post, but not as it was sent.
 */
const spentReason = (sends: number, isThere: boolean, lastError: string): string => {
  const state = isThere ? 'has it, but not as it was sent' : 'does not have it'
  return `The article was sent ${sends} times without a usable answer, and the site reports that it ${state}. The last attempt: ${lastError}`
}

/**
 * Asks the target whether it has the post already. If it has, or cannot say, records that and returns the answer.
 *
 * Returns undefined if the article can be sent: the post is not there, or the target cannot be asked.
 *
 * `lastError` is the error of the attempt before. With it the sends are counted, and a delivery that was sent too often
 * fails.
 */
export const concludeByAsking = async (
  ctx: Ctx,
  target: PublishTarget,
  attempt: Attempt,
  lastError?: string,
): Promise<PublishAnswer | undefined> => {
  if (!target.find) return undefined
  const known = await target.find(attempt.request)
  if (known.kind === 'absent') {
    const sends = attempt.number - 1 - attempt.lookups
    if (lastError === undefined || !isOutOfSends(sends)) return undefined
    const reason = spentReason(sends, known.remoteId !== undefined, lastError)
    return await conclude(ctx, attempt, { kind: 'refused', reason, retryable: false }, ASKED)
  }
  if (known.kind === 'found') return await conclude(ctx, attempt, { ...known, kind: 'accepted' }, ASKED)
  return await conclude(ctx, attempt, { kind: 'unknown', reason: known.reason }, ASKED)
}
