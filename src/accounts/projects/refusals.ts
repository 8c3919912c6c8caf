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

/** Only active projects count as there, where something is to be done with one; an archived one is told how to come back. */
export const notActive = (projectId: number): ApiError =>
  new ApiError(
    'not_found',
    `The project is archived. POST /projects/${projectId}/unarchive brings it back.`,
    unarchiving(projectId),
  )

/** Refuses to publish anything of an archived project. Throws 409 `project_archived`. */
export const refuseArchived = (projectId: number, status: string): void => {
  if (status !== 'Archived') return
  throw new ApiError(
    'project_archived',
    'The project is archived, so nothing of it is published. Nothing was sent.',
    unarchiving(projectId),
  )
}

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
