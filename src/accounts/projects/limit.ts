import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Returns the refusal when every paid project slot is taken: 402 with where to buy one. */
export const limitReached = (ctx: Ctx, used: number, total: number): ApiError => {
  const purchaseUrl = `${ctx.settings.publicUrl}/settings/billing`
  return new ApiError(
    'project_limit_reached',
    `The account has no free project slot: ${used} of ${total} are in use.`,
    {
      active_projects: used,
      project_quantity: total,
      purchase_url: purchaseUrl,
      instructions_for_agent: `Tell the user that the account has no free project slot and that one can be bought at ${purchaseUrl}. After the purchase send the same request again.`,
    },
  )
}
