import { isArrived } from '../../../schema/values/publishing.ts'
import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { DeliveryState } from '../queries.ts'
import type { PublishOutcome } from '../target/publish-target.ts'
import type { Attempt } from '../writes.ts'
import { CALLER_WAITS_MS } from './rules.ts'

/** Answer of a publish call: 200 if the target has the article, otherwise 202. */
export type PublishAnswer = { status: 200 | 202; body: Record<string, unknown> }

/** Returns the answer's body for a published article. */
export const publishedBody = (articleId: number | null, url: string | null) => ({
  status: 'published',
  article_id: articleId,
  url,
  message: 'The article is published.',
})

/** Returns the `warnings` field, or no field if there are none. */
export const warningsOf = (notes: readonly string[] = []) => (notes.length > 0 ? { warnings: notes } : {})

/** Fields of an attempt that answers show. */
type Answered = { articleId: number | null; deliveryId: number; platform: string }
/** An attempt that may be the replay of another delivery. */
type Replayable = Answered & { replayOf?: number | null }

/** Returns the warning for a published article whose site returned no address. */
export const noAddress = (articleId: number | null): string =>
  `The site did not return the address of the post. The service looks for it under the project's blog_root_url; until it is found, there is no receipt, internal link or search data. Set it with POST /articles/${articleId}/address {"url": "…"}.`

/** Returns the answer for an article that the target accepted, live or as a draft. */
export const accepted = (
  { articleId, deliveryId, live }: Answered & { live: boolean },
  url: string | undefined,
  notes?: readonly string[],
): PublishAnswer => ({
  status: 200,
  body: live
    ? { ...publishedBody(articleId, url ?? null), ...warningsOf(notes) }
    : {
        status: 'sent_as_draft',
        article_id: articleId,
        delivery_id: deliveryId,
        url: url ?? null,
        message: 'The article was sent as a draft.',
        ...warningsOf(notes),
      },
})

/** Result of an attempt that the target did not accept. `nextAt` is null if nothing follows. */
export type Unaccepted = {
  status: 'retrying' | 'unknown' | 'awaiting_merge' | 'failed'
  error: string
  nextAt: Date | null
}

/** Returns the target's name for the `upstream` field of answers. */
export const upstreamName = (platform: string): string => (platform === 'webhook' ? 'receiver' : platform)

const ADVICE = {
  retrying: 'You need not do anything: the service tries again by itself.',
  unknown: 'Nothing is sent again until it is known whether the post exists.',
  awaiting_merge:
    'Nothing is published yet. Merging the pull request publishes it; closing it sends the article back with the comments.',
  failed: 'The service does not try again by itself. Fix the cause, then publish again.',
}

const adviceOn = (status: Unaccepted['status'], { deliveryId, replayOf }: Replayable): string =>
  status === 'failed' && replayOf
    ? `The service does not try again by itself. Fix the cause, then send it again with POST /webhook-deliveries/${deliveryId}/replay.`
    : ADVICE[status]

/**
 * Returns the answer for an attempt that the target did not accept. `next_attempt_at` is present only if one follows.
 */
export const unaccepted = (
  { articleId, deliveryId, platform, replayOf }: Replayable,
  { status, error, nextAt }: Unaccepted,
  httpStatus: number | undefined,
): PublishAnswer => ({
  status: 202,
  body: {
    status,
    article_id: articleId,
    delivery_id: deliveryId,
    error,
    message: adviceOn(status, { articleId, deliveryId, platform, replayOf }),
    ...(nextAt ? { next_attempt_at: nextAt.toISOString() } : {}),
    ...(httpStatus === undefined
      ? {}
      : { upstream: { name: upstreamName(platform), status: httpStatus, message: error } }),
  },
})

/** Returns the answer for a change that is in a pull request: that of `unaccepted`, with its address. */
export const answerProposed = (attempt: Replayable, judged: Unaccepted, url: string): PublishAnswer => {
  const { status, body } = unaccepted(attempt, judged, undefined)
  return { status, body: { ...body, pull_request: url } }
}

/**
 * Returns the answer for an article that the target stored but does not show. The reason says what to do at the site.
 */
export const answerHeld = (
  { articleId, deliveryId }: Answered,
  { reason, notes }: Extract<PublishOutcome, { kind: 'held' }>,
): PublishAnswer => ({
  status: 202,
  body: {
    status: 'held',
    article_id: articleId,
    delivery_id: deliveryId,
    error: reason,
    message:
      'The site has the post but does not show it, so the article is not published. The service does not try again by itself.',
    ...warningsOf(notes),
  },
})

/** Returns the sentence that a target has not answered in time. */
const notAnswered = (platform: string): string => `${platform} has not answered within ${CALLER_WAITS_MS / 1000} s.`

const isBeingSent = (attempt: Answered, error: string, nextAt: Date | null): PublishAnswer => {
  const { status, body } = unaccepted(attempt, { status: 'unknown', error, nextAt }, undefined)
  const message = `The article is still being sent, and the service checks the outcome by itself. GET /webhook-deliveries/${attempt.deliveryId} shows it.`
  return { status, body: { ...body, message } }
}

/**
 * Returns the answer for a caller that does not wait for a slow target. The attempt continues, until `lease` at most.
 */
const stillSending = (attempt: Answered & { lease: Date }): PublishAnswer =>
  isBeingSent(attempt, notAnswered(attempt.platform), attempt.lease)

const ON_ITS_WAY: readonly string[] = ['retrying', 'unknown', 'awaiting_merge'] satisfies Unaccepted['status'][]

const isOnItsWay = (status: string): status is 'retrying' | 'unknown' | 'awaiting_merge' => ON_ITS_WAY.includes(status)

const DELETED = 'The article was deleted while it was being sent.'

const leftBehind = (outcome: PublishOutcome): string => {
  if (outcome.kind === 'refused') return 'The site did not accept it, and nothing more is sent.'
  const took = outcome.kind === 'unknown' ? 'may have accepted' : 'accepted'
  const url = outcome.kind === 'accepted' && outcome.url ? `: ${outcome.url}` : ''
  return `The site ${took} it anyway, so it may show a post that has no article here${url}. Remove the post at the site.`
}

const unfinished = (
  attempt: Replayable,
  status: Unaccepted['status'],
  error: string | null,
  nextAt: Date | null = null,
): PublishAnswer => unaccepted(attempt, { status, error: error ?? 'The article was not sent.', nextAt }, undefined)

const OVERTAKEN = 'This call was delayed, and another one is sending the article.'

/**
 * Returns the answer for a late attempt: another attempt took its delivery over, or the delivery was called off.
 *
 * The answer shows the current state of the publication, `current`, not the outcome of this attempt. `current` is
 * undefined if the account was erased. `outcome` is used only if the article or its account is gone.
 */
export const lateAnswer = (
  attempt: Replayable & { live: boolean },
  current: DeliveryState | undefined,
  outcome: PublishOutcome,
): PublishAnswer => {
  const { article = null, delivery } = current ?? {}
  if (!delivery || (!article && !attempt.replayOf)) {
    const { status, body } = unfinished(attempt, 'failed', DELETED)
    return { status, body: { ...body, message: leftBehind(outcome) } }
  }
  if (isArrived(delivery.status)) return accepted(attempt, article?.url ?? undefined)
  if (delivery.status === 'sending') return isBeingSent(attempt, OVERTAKEN, null)
  if (isOnItsWay(delivery.status)) return unfinished(attempt, delivery.status, delivery.error, delivery.nextAttemptAt)
  if (!article || attempt.replayOf) return unfinished(attempt, 'failed', delivery.error)
  if (article.status === 'Published') return { status: 200, body: publishedBody(attempt.articleId, article.url) }
  if (article.publishState === 'publishing') return isBeingSent(attempt, OVERTAKEN, null)
  if (isOnItsWay(article.publishState)) return unfinished(attempt, article.publishState, article.publishError)
  return unfinished(attempt, 'failed', article.publishError ?? delivery.error)
}

/**
 * Returns the answer of a running attempt, or 202 if the target takes longer than a caller waits.
 *
 * The attempt then continues in the background. If its process ends first, its delivery is claimed again when the lease
 * ends, and the target is asked. A webhook is always waited for: its own limit is 30 s.
 */
export const answerInTime = async (
  ctx: Ctx,
  attempt: Attempt,
  sending: Promise<PublishAnswer>,
): Promise<PublishAnswer> => {
  if (attempt.platform === 'webhook') return await sending
  const answer = await Promise.race([sending, ctx.wait(CALLER_WAITS_MS)])
  if (answer) return answer
  ctx.defer(sending)
  return stillSending(attempt)
}

/** Returns the target's own retry delay as `retry_after`, if it gave one. */
const whenToRepeat = (outcome: NotDone): { retry_after?: number } =>
  outcome.kind === 'refused' && outcome.retryAfterS !== undefined ? { retry_after: Math.ceil(outcome.retryAfterS) } : {}

/** Outcome of a change of a live post that the target did not make, or may not have made. */
export type NotDone = Extract<PublishOutcome, { kind: 'refused' | 'unknown' | 'held' | 'proposed' }>

/**
 * Returns the error for a change of a live post that the target did not make, or may not have made.
 *
 * A repeat can help if the target refused and allows a retry, or if it can be asked. A webhook whose answer was lost
 * cannot be asked. `more`: fields of the change.
 */
export const liveFailure = (
  code: 'sync_failed' | 'rollback_failed' | 'unpublish_failed',
  { articleId, platform }: { articleId: number | null; platform: string },
  outcome: NotDone,
  more: ErrorExtras = {},
): ApiError => {
  const reason = storableText(outcome.reason)
  const retryable = outcome.kind === 'refused' ? outcome.retryable : platform !== 'webhook'
  return new ApiError(code, reason, {
    article_id: articleId,
    retryable,
    ...(retryable ? whenToRepeat(outcome) : {}),
    ...more,
    upstream: {
      name: upstreamName(platform),
      ...(outcome.httpStatus === undefined ? {} : { status: outcome.httpStatus }),
      message: reason,
    },
  })
}

/** Seconds after which a caller that did not wait should look again. */
const LOOK_AGAIN_S = 30

/** Returns the sentence that says where a caller can see how a change of a live post ends. */
export const continuesText = (id: number, what: string): string =>
  `${what}: PublishState in GET /articles/${id} is publishing until it ends, then idle, or failed with PublishError.`

/** Returns the answer's fields for a caller that did not wait: when and where to look again. */
export const continuesFields = (path: string) => ({
  retry_after: LOOK_AGAIN_S,
  next_calls: [{ method: 'GET', path, why: 'Shows the outcome.' }],
})

/** Returns the fields of an answer about a change of a live post whose end the service looks up. */
export const lookedUpFields = (articleId: number) => ({
  ...continuesFields(`/articles/${articleId}`),
  instructions_for_agent: `It is not known whether the change was made. The service asks the site: PublishState in GET /articles/${articleId} is unknown until it has the answer. Repeating the call does no harm.`,
})

/**
 * True for platforms whose answer is always waited for.
 *
 * A Framer session may take longer than work can continue after its answer (30 s). A change of a live post is not
 * repeated automatically, so it would be lost.
 */
const isWaitedFor = (platform: string): boolean => platform === 'webhook' || platform === 'framer'

/** Ignores an `ApiError`: nobody waits for it, and the article has the reason. Throws every other error. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Returns the result of a change of a live post. Throws `late` if the CMS takes longer than a caller waits.
 *
 * The change then continues in the background, and the article shows how it ended.
 */
export const changeInTime = async <T>(
  ctx: Ctx,
  platform: string,
  changing: Promise<T>,
  late: (reason: string) => ApiError,
): Promise<T> => {
  if (isWaitedFor(platform)) return await changing
  const ended = await Promise.race([changing.then((value) => ({ value })), ctx.wait(CALLER_WAITS_MS)])
  if (ended) return ended.value
  ctx.defer(changing.catch(unlessRefused))
  throw late(notAnswered(platform))
}
