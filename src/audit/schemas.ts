import * as z from 'zod/mini'
import { pagingParams } from '../db/paging.ts'
import { isoTime, text } from '../lib/fields.ts'

export const AuditLogQuery = z.object({
  action: z.optional(text(100, 1)),
  actor: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  ...pagingParams(),
})

export type AuditLogInput = z.infer<typeof AuditLogQuery>
