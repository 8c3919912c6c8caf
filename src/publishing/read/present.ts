import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { DeliveryRow } from './queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** Returns a delivery as lists show it: `attempts` is the list of them, `attempt_count` how many there were. */
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
  resolved_by: d.resolvedBy,
  attempt_count: d.attempts,
  attempts: d.attemptList.map((a) => ({ ...a, started_at: new Date(a.started_at).toISOString() })),
  next_attempt_at: iso(d.nextAttemptAt),
  error: d.error,
  warnings: [...d.warnings],
  created_at: iso(d.createdAt),
  updated_at: iso(d.updatedAt),
})

/** Returns a delivery in full, with the article as it was sent. */
export const deliveryDetail = (d: DeliveryRow & { payload: DeliveredArticle }) => ({
  ...deliveryRow(d),
  payload: d.payload,
})
