import { ApiError, type ErrorExtras } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

const unarchiving = (projectId: number): ErrorExtras => ({
  next_calls: [
    {
      method: 'POST',
      path: `/projects/${projectId}/unarchive`,
      why: 'Makes the project active again. It takes a slot.',
    },
  ],
})

/** Returns the 404 for a call that needs an active project, if the project is archived. It names the call that restores it. */
export const notActive = (projectId: number): ApiError =>
  new ApiError(
    'not_found',
    `The project is archived. POST /projects/${projectId}/unarchive brings it back.`,
    unarchiving(projectId),
  )

/** Throws `project_archived` if the project is archived, since nothing of such a project is published. */
export const refuseArchived = (projectId: number, status: string): void => {
  if (status !== 'Archived') return
  throw new ApiError(
    'project_archived',
    'The project is archived, so nothing of it is published. Nothing was sent.',
    unarchiving(projectId),
  )
}

/** Returns the 402 for an account without a free project slot, with the address to buy one. */
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
