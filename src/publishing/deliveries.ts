import { owned } from '../accounts/ownership.ts'
import { ApiError } from '../lib/errors.ts'
import { readPage } from '../projects/scope.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { PublishRequest, TargetFactory } from './port.ts'
import { noIntegration, publishArticle } from './publish.ts'
import { attemptsOf, deliveryById, deliveryToSend, listDeliveryRows } from './queries.ts'
import { leaseMs } from './rules.ts'
import type { ListDeliveriesInput } from './schemas.ts'
import { attempt, openTarget } from './send.ts'
import { storedRequest } from './snapshot.ts'
import { insertReplay } from './statements.ts'

const PAGE = { default: 50, max: 200 }

/** The account's deliveries, newest first. Throws 404 and 403 for a project that is not the account's. */
export const listDeliveries = (ctx: Ctx, input: ListDeliveriesInput) =>
  readPage(ctx, input, PAGE, (owner, paging) => listDeliveryRows(ctx.db, owner, input, paging))

/** One delivery with its attempts. Throws 404, 403. */
export const getDelivery = async (ctx: Ctx, id: number) => {
  const [rows, attempts] = await ctx.read((owner) => [deliveryById(ctx.db, owner, id), attemptsOf(ctx.db, id)])
  return { delivery: owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'delivery'), attempts }
}

/** The request for a CMS that made the post after the request was written: by its id it is found whatever its title is now. */
const ofPost = (request: PublishRequest, remoteId: string | null): PublishRequest =>
  remoteId === null ? request : { ...request, article: { ...request.article, external_id: remoteId } }

/**
 * Sends a finished delivery again as a new one with the same key and content. Where the article is not published yet this
 * is a publication of the article as it stands. Throws 400 without a target, 404, 403, 409 while the delivery is under way.
 */
export const replayDelivery = async (ctx: Ctx, targets: TargetFactory, id: number) => {
  const [rows] = await ctx.read((owner) => [deliveryToSend(ctx.db, owner, id)])
  const { delivery, target: row, article } = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'delivery')
  if (delivery.status === 'sending' || delivery.status === 'retrying' || delivery.status === 'unknown')
    throw new ApiError('delivery_in_progress', 'The delivery is still under way; replay it when it has ended.', {
      retry_after: 30,
    })
  if (article && article.status !== 'Published' && delivery.articleId !== null) {
    const { body } = await publishArticle(ctx, targets, delivery.articleId, delivery.live)
    return { replay_of: id, ...body }
  }
  const target = row && (await openTarget(ctx, targets, row))
  if (!row || !target) throw noIntegration(ctx, delivery.projectId)
  const stored = await storedRequest(delivery, delivery.eventType === 'update_articles', ctx.settings.publicUrl)
  const request = row.platform === 'webhook' ? stored : ofPost(stored, article?.remoteId ?? null)
  const lease = new Date(ctx.now().getTime() + leaseMs(row.platform))
  const common = { accountId: delivery.accountId, projectId: delivery.projectId, articleId: delivery.articleId }
  const [made] = await ctx.write<{ id: number }>(
    insertReplay(ctx, {
      ...common,
      integrationId: row.id,
      revision: delivery.revision,
      live: delivery.live,
      request,
      lease,
      replayOf: id,
    }),
  )
  const held = {
    ...common,
    deliveryId: Number(made?.id),
    number: 1,
    lookups: 0,
    platform: row.platform,
    integrationId: row.id,
    articleId: null,
    shownArticleId: delivery.articleId,
    due: false,
  }
  const { body } = await attempt(ctx, target, { ...held, live: delivery.live, request })
  return { replay_of: id, delivery_id: held.deliveryId, ...body }
}
