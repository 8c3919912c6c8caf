import * as z from 'zod/mini'
import { DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import { pagingParams } from '../../platform/db/paging.ts'
import { intParam, label } from '../../platform/lib/fields.ts'

export const ListDeliveries = z.object({
  ...pagingParams(),
  project_id: z.optional(intParam(1)),
  article_id: z.optional(intParam(1)),
  status: z.optional(label(DELIVERY_STATUSES)),
})

/** Body of `POST /webhook-deliveries/:id/replay`. `force` sends content that is older than what readers see. */
export const ReplayDelivery = z.object({ force: z.optional(z.boolean()) })

export type ReplayDeliveryInput = z.infer<typeof ReplayDelivery>
export type ListDeliveriesInput = z.infer<typeof ListDeliveries>
