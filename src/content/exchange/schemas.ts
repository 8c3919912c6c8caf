import * as z from 'zod/mini'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import { intParam, text } from '../../platform/lib/fields.ts'

const project = () => ({ project_id: intParam(1) })

export const BacklinkTargetsQuery = z.object({ ...project(), keyword: text(500, 1) })
export const BacklinkStatusQuery = z.object(project())
export const BacklinksQuery = z.object({
  ...project(),
  earned_limit: z.optional(lengthParam()),
  earned_before_id: z.optional(intParam(1)),
  scheduled_limit: z.optional(lengthParam()),
  scheduled_before_id: z.optional(intParam(1)),
})
export const BacklinkLedgerQuery = z.object({ ...project(), ...pagingParams() })

export type BacklinkTargetsInput = z.infer<typeof BacklinkTargetsQuery>
export type BacklinksInput = z.infer<typeof BacklinksQuery>
export type BacklinkLedgerInput = z.infer<typeof BacklinkLedgerQuery>
