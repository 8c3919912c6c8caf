import * as z from 'zod/mini'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import { intParam, isoTime, text } from '../../platform/lib/fields.ts'

export const AuditLogQuery = z.object({
  action: z.optional(text(100, 1)),
  actor: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  ...pagingParams(),
})

export const EventsQuery = z.object({ after: z.optional(intParam(0)), limit: z.optional(lengthParam()) })

export type EventsInput = z.infer<typeof EventsQuery>
export type AuditLogInput = z.infer<typeof AuditLogQuery>
