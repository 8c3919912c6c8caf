import { and, eq, exists } from 'drizzle-orm'
import { deliveries } from '../../../schema/deliveries.ts'
import type { DeliveryStatus } from '../../../schema/values/publishing.ts'
import { audit } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { getDelivery } from '../deliveries.ts'
import { lockDelivery } from './ends.ts'

const UNCLEAR: DeliveryStatus = 'unclear'
const DELIVERED: DeliveryStatus = 'delivered'

/**
 * Marks a delivery with an unclear answer as delivered, because a person saw the post. Nothing is sent.
 *
 * Throws 404 and 403, and 409 if its answer was not unclear.
 */
export const confirmDelivery = async (ctx: Ctx, id: number): Promise<void> => {
  const { accountId } = await getDelivery(ctx, id)
  const itself = and(eq(deliveries.id, id), eq(deliveries.status, UNCLEAR))
  const isUnclear = exists(ctx.db.select({ id: deliveries.id }).from(deliveries).where(itself))
  const { confirmed } = await ctx.batch({
    delivery: lockDelivery(ctx, id),
    audit: audit(ctx, { account: accountId, action: 'delivery.confirm', on: ['delivery', id], if: isUnclear }),
    confirmed: ctx.db
      .update(deliveries)
      .set({ status: DELIVERED, updatedAt: ctx.now() })
      .where(itself)
      .returning({ id: deliveries.id }),
  })
  if (confirmed.length === 0)
    throw new ApiError('superseded', 'The answer to this delivery is not unclear, so nothing was changed.')
}
