import type { integrations } from '../../schema/integrations.ts'
import type { PublishOutcome } from './port.ts'
import type { attemptsOf, DeliveryRow } from './queries.ts'

/** What a publish call answers: 200 when the target has the article, 202 when it does not yet. */
export type PublishAnswer = { status: 200 | 202; body: Record<string, unknown> }

export const publishedBody = (articleId: number | null, url: string | null) => ({
  status: 'published',
  article_id: articleId,
  url,
  message: 'The article is published.',
})

/** What the target took otherwise than asked. */
export const warningsOf = (notes: readonly string[] = []) => (notes.length > 0 ? { warnings: notes } : {})

/** The answer after the target took the article, live or as a draft. */
export const accepted = (
  articleId: number | null,
  deliveryId: number,
  live: boolean,
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

type Ending = { status: 'retrying' | 'unknown' | 'failed'; error: string; nextAt: Date | null }

/** Who is meant by `upstream`. */
export const upstreamName = (platform: string): string => (platform === 'webhook' ? 'receiver' : platform)

const ADVICE = {
  retrying: 'Nothing needs to be done: it is tried again by itself.',
  unknown: 'Nothing is sent again until it is known whether the post exists.',
  failed: 'It is not tried again by itself. Mend the cause, then publish again.',
}

/** The answer after an attempt that did not succeed. `next_attempt_at` only where there is one. */
export const unaccepted = (
  held: { shownArticleId: number | null; deliveryId: number; platform: string },
  ending: Ending,
  outcome: Exclude<PublishOutcome, { kind: 'accepted' }>,
): PublishAnswer => ({
  status: 202,
  body: {
    status: ending.status,
    article_id: held.shownArticleId,
    delivery_id: held.deliveryId,
    error: ending.error,
    message: ADVICE[ending.status],
    ...(ending.nextAt ? { next_attempt_at: ending.nextAt.toISOString() } : {}),
    ...(outcome.httpStatus === undefined
      ? {}
      : { upstream: { name: upstreamName(held.platform), status: outcome.httpStatus, message: ending.error } }),
  },
})

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** A delivery as lists show it. */
export const deliveryRow = (d: DeliveryRow) => ({
  id: d.id,
  project_id: d.projectId,
  integration_id: d.integrationId,
  article_id: d.articleId,
  event_type: d.eventType,
  status: d.status,
  idempotency_key: d.idempotencyKey,
  revision: d.revision,
  replay_of: d.replayOf,
  attempts: d.attempts,
  next_attempt_at: iso(d.nextAttemptAt),
  error: d.error,
  created_at: iso(d.createdAt),
  updated_at: iso(d.updatedAt),
})

type Attempt = Awaited<ReturnType<typeof attemptsOf>>[number]

/** A delivery in full: `attempts` is the list of them, `attempt_count` how many. */
export const deliveryDetail = (d: DeliveryRow, attempts: Attempt[]) => ({
  ...deliveryRow(d),
  attempt_count: d.attempts,
  attempts: attempts.map((a) => ({
    number: a.number,
    status: a.status,
    http_status: a.httpStatus,
    duration_ms: a.durationMs,
    error: a.error,
    response_excerpt: a.responseExcerpt,
    started_at: iso(a.startedAt),
  })),
})

type Integration = Omit<typeof integrations.$inferSelect, 'sealedSecrets'> & { businessName: string }

/** An integration as lists show it; never a secret. */
export const integrationRow = (i: Integration) => ({
  ID: i.id,
  Platform: i.platform,
  IntegrationName: i.name,
  Status: i.status,
  ProjectID: i.projectId,
  BusinessName: i.businessName,
  Url: i.url,
  LastUsedAt: iso(i.lastUsedAt),
  LastError: i.lastError,
  CreatedAt: iso(i.createdAt),
})
