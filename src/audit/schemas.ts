import * as z from 'zod/mini'
import { isoTime, text } from '../lib/fields.ts'
import { pagingParams } from '../lib/paging.ts'

export const AuditLogQuery = z.object({
  action: z.optional(text(100, 1)),
  actor: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  ...pagingParams(),
})

export type AuditLogInput = z.infer<typeof AuditLogQuery>
