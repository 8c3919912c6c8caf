import { CALLER_WAITS_MS } from './rules.ts'

/** What a publish call answers: 200 when the target has the article, 202 when it does not yet. */
export type PublishAnswer = { status: 200 | 202; body: Record<string, unknown> }

export const publishedBody = (articleId: number | null, url: string | null) => ({
  status: 'published',
  article_id: articleId,
  url,
  message: 'The article is published.',
})

/** What the target did in another way than asked. */
export const warningsOf = (notes: readonly string[] = []) => (notes.length > 0 ? { warnings: notes } : {})

/** What answers say of an attempt. */
type Answered = { articleId: number | null; deliveryId: number; platform: string }
/** An attempt that may be the replay of another delivery. */
type Replayable = Answered & { replayOf?: number | null }

/** The answer after the target took the article, live or as a draft. */
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

/** What follows on an attempt the target did not accept; `nextAt` null when nothing does. */
export type Unaccepted = { status: 'retrying' | 'unknown' | 'failed'; error: string; nextAt: Date | null }

/** The name answers give to the other side in `upstream`. */
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

/** The answer after an attempt that did not succeed. `next_attempt_at` only where there is one. */
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

/** The answer of a publication whose article was deleted while its process was held up: the target took it all the same. */
export const takenAfterDeletion = ({ articleId, deliveryId }: Answered, url: string | undefined): PublishAnswer => ({
  status: 202,
  body: {
    status: 'failed',
    article_id: articleId,
    delivery_id: deliveryId,
    error: 'The article was deleted while it was being sent.',
    message: `The site took it all the same, so it may show a post that no article stands for${url ? `: ${url}` : ''}. Remove that at the site.`,
  },
})

/** What a slow target has not done, as a sentence. */
export const notAnswered = (platform: string): string =>
  `${platform} has not answered within ${CALLER_WAITS_MS / 1000} s.`

/** The answer to a caller who is not kept waiting for a slow target; the attempt goes on without them until `lease` at most. */
export const stillSending = (attempt: Answered & { lease: Date }): PublishAnswer => {
  const error = notAnswered(attempt.platform)
  const { status, body } = unaccepted(attempt, { status: 'unknown', error, nextAt: attempt.lease }, undefined)
  const message = `The article is still being sent, and the service finds out by itself how that ends: GET /webhook-deliveries/${attempt.deliveryId} shows it.`
  return { status, body: { ...body, message } }
}
