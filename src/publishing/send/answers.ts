import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { Attempt } from '../deliveries/writes.ts'
import type { Stands } from '../read/queries.ts'
import type { PublishOutcome } from '../target/publish-target.ts'
import { CALLER_WAITS_MS } from './rules.ts'

/** Answer of a publish call: 200 if the target has the article, 202 if it does not yet. */
export type PublishAnswer = { status: 200 | 202; body: Record<string, unknown> }

/** Returns the body for an article that is published. */
export const publishedBody = (articleId: number | null, url: string | null) => ({
  status: 'published',
  article_id: articleId,
  url,
  message: 'The article is published.',
})

/** Returns the warnings on what the target did in another way than asked. */
export const warningsOf = (notes: readonly string[] = []) => (notes.length > 0 ? { warnings: notes } : {})

/** Fields of an attempt that answers show. */
type Answered = { articleId: number | null; deliveryId: number; platform: string }
/** An attempt that may be the replay of another delivery. */
type Replayable = Answered & { replayOf?: number | null }

/** Returns the warning of a published article whose site told no address. */
export const noAddress = (articleId: number | null): string =>
  `The site told no address of the post. The service looks for it under the project's blog_root_url; until it is found there is no receipt, internal link or search data. POST /articles/${articleId}/address {"url": "…"} tells it.`

/** Returns the answer after the target took the article, live or as a draft. */
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

/** Consequence of an attempt that the target did not accept; `nextAt` null if nothing follows. */
export type Unaccepted = { status: 'retrying' | 'unknown' | 'failed'; error: string; nextAt: Date | null }

/** Returns the name answers give to the other side in `upstream`. */
export const upstreamName = (platform: string): string => (platform === 'webhook' ? 'receiver' : platform)

const ADVICE = {
  retrying: 'You need not do anything: the service tries again by itself.',
  unknown: 'Nothing is sent again until it is known whether the post exists.',
  failed: 'The service does not try again by itself. Fix the cause, then publish again.',
}

const adviceOn = (status: Unaccepted['status'], { deliveryId, replayOf }: Replayable): string =>
  status === 'failed' && replayOf
    ? `The service does not try again by itself. Fix the cause, then send it again with POST /webhook-deliveries/${deliveryId}/replay.`
    : ADVICE[status]

/** Returns the answer after an attempt that did not succeed. `next_attempt_at` only if there is one. */
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

/** Returns the answer after a target took the article and did not show it. The reason says what to do at the site. */
export const held = (
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
      'The site has the post and does not show it, so the article is not published. The service does not try again by itself.',
    ...warningsOf(notes),
  },
})

/** Returns a sentence on what a slow target has not done. */
const notAnswered = (platform: string): string => `${platform} has not answered within ${CALLER_WAITS_MS / 1000} s.`

const isBeingSent = (attempt: Answered, error: string, nextAt: Date | null): PublishAnswer => {
  const { status, body } = unaccepted(attempt, { status: 'unknown', error, nextAt }, undefined)
  const message = `The article is still being sent, and the service finds out by itself how that ends: GET /webhook-deliveries/${attempt.deliveryId} shows it.`
  return { status, body: { ...body, message } }
}

/** Returns the answer to a caller who is not kept waiting for a slow target; the attempt goes on without them until `lease` at most. */
const stillSending = (attempt: Answered & { lease: Date }): PublishAnswer =>
  isBeingSent(attempt, notAnswered(attempt.platform), attempt.lease)

const ON_ITS_WAY: readonly string[] = ['retrying', 'unknown'] satisfies Unaccepted['status'][]

const isOnItsWay = (status: string): status is 'retrying' | 'unknown' => ON_ITS_WAY.includes(status)

const DELETED = 'The article was deleted while it was being sent.'

const leftBehind = (outcome: PublishOutcome): string => {
  if (outcome.kind === 'refused') return 'The site did not take it, and nothing more is sent of it.'
  const took = outcome.kind === 'unknown' ? 'may have taken' : 'took'
  const url = outcome.kind === 'accepted' && outcome.url ? `: ${outcome.url}` : ''
  return `The site ${took} it all the same, so it may show a post that no article stands for${url}. Remove that at the site.`
}

const unfinished = (
  attempt: Replayable,
  status: Unaccepted['status'],
  error: string | null,
  nextAt: Date | null = null,
): PublishAnswer => unaccepted(attempt, { status, error: error ?? 'The article was not sent.', nextAt }, undefined)

const OVERTAKEN = 'The call was held up, and the article is being sent by another one.'

/**
 * Returns the answer for an attempt that was held up until another took its delivery over or called it off.
 *
 * It is the present state of the publication (`stands`; none if the account was erased), whatever this one (`outcome`) was
 * told.
 */
export const lateAnswer = (
  attempt: Replayable & { live: boolean },
  stands: Stands | undefined,
  outcome: PublishOutcome,
): PublishAnswer => {
  const { article = null, delivery } = stands ?? {}
  if (!delivery || (!article && !attempt.replayOf)) {
    const { status, body } = unfinished(attempt, 'failed', DELETED)
    return { status, body: { ...body, message: leftBehind(outcome) } }
  }
  if (delivery.status === 'delivered') return accepted(attempt, article?.url ?? undefined)
  if (delivery.status === 'sending') return isBeingSent(attempt, OVERTAKEN, null)
  if (isOnItsWay(delivery.status)) return unfinished(attempt, delivery.status, delivery.error, delivery.nextAttemptAt)
  if (!article || attempt.replayOf) return unfinished(attempt, 'failed', delivery.error)
  if (article.status === 'Published') return { status: 200, body: publishedBody(attempt.articleId, article.url) }
  if (article.publishState === 'publishing') return isBeingSent(attempt, OVERTAKEN, null)
  if (isOnItsWay(article.publishState)) return unfinished(attempt, article.publishState, article.publishError)
  return unfinished(attempt, 'failed', article.publishError ?? delivery.error)
}

/**
 * Returns the answer of an attempt under way, or 202 if the target takes longer than a caller waits.
 *
 * The attempt then continues after the answer. Should its process end first, its delivery is claimed again when the lease on
 * the article ends, and the target is asked. A webhook's own limit of 30 s comes soon enough.
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

/** Seconds after which a caller who did not wait may look again. */
const LOOK_AGAIN_S = 30

/** Returns the place at which such a caller sees the end of a change of a live post. */
export const goesOn = (id: number, what: string): string =>
  `${what}: PublishState in GET /articles/${id} is publishing until it ends, then idle, or failed with PublishError.`

/** Returns the fields of the answer for such a caller. */
export const lookAgain = (path: string) => ({
  retry_after: LOOK_AGAIN_S,
  next_calls: [{ method: 'GET', path, why: 'Shows how it ends.' }],
})

/** A session at Framer may take longer than work outlives its answer (30 s), and no change of a live post is begun again by itself. */
const isWaitedFor = (platform: string): boolean => platform === 'webhook' || platform === 'framer'

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Returns the end of a change of a live post, or `late` thrown when the CMS takes longer than a caller is kept waiting. The change then
 * goes on after the answer, and its article shows how it ended.
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
