import { readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { articleOwner, deliveryById, listDeliveryRows } from './queries.ts'
import type { ListDeliveriesInput } from './schemas.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the account's deliveries, newest first. Throws 404 and 403 for a project or an article that is not the account's. */
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

/** Returns one delivery with its attempts and what was sent. Throws 404, 403. */
export const getDelivery = async (ctx: Ctx, id: number) => {
  const [rows] = await ctx.read((owner) => [deliveryById(ctx.db, owner, id)])
  return owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'delivery')
}
