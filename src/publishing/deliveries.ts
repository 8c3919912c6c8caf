import type { DeliveredArticle } from '../../schema/values/delivered-article.ts'
import { readPage } from '../accounts/projects/scope.ts'
import { owned } from '../platform/accounts/check-owner.ts'
import type { Ctx } from '../platform/runtime/ctx.ts'
import type { ListDeliveriesInput } from './operations.ts'
import { articleOwner, type DeliveryRow, deliveryById, listDeliveryRows } from './queries.ts'
import { withMarkdown } from './sent.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the account's deliveries, newest first. Throws 404 and 403 for another account's project or article. */
export const listDeliveries = (ctx: Ctx, input: ListDeliveriesInput) => {
  const { article_id: articleId } = input
  return readPage(
    ctx,
    input,
    PAGE,
    (owner, paging) => listDeliveryRows(ctx.db, owner, input, paging),
    articleId === undefined ? undefined : { what: 'article', owner: (owner) => articleOwner(ctx.db, owner, articleId) },
  )
}

/** Returns one delivery with its attempts and payload. Throws 404 and 403. */
export const getDelivery = async (ctx: Ctx, id: number) => {
  const rows = await ctx.read((owner) => deliveryById(ctx.db, owner, id))
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'delivery')
  return { ...found, payload: await withMarkdown(ctx, found.payload) }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

/** Returns a delivery as lists show it. `attempts` is the list of attempts and `attempt_count` their number. */
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

/** Returns a delivery in full, with the article's payload. */
export const deliveryDetail = (d: DeliveryRow & { payload: DeliveredArticle; contentHash: string }) => ({
  ...deliveryRow(d),
  payload: d.payload,
  content_hash: d.contentHash,
})
