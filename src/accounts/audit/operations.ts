import * as z from 'zod/mini'
import { lengthParam, pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, isoTime, text } from '../../platform/lib/fields.ts'

const AuditLogQuery = z.object({
  action: z.optional(text(100, 1)),
  actor: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  ...pagingParams(),
})

const EventsQuery = z.object({ after: z.optional(intParam(0)), limit: z.optional(lengthParam()) })

export type EventsInput = z.infer<typeof EventsQuery>
export type AuditLogInput = z.infer<typeof AuditLogQuery>

/** Endpoints of the audit log. */
export const auditOperations = {
  list: {
    id: 'audit_log.list',
    method: 'GET',
    path: '/audit-log',
    perMinute: 30,
    scope: 'read',
    summary:
      'What was changed in the account, by whom and when, newest first, kept for 400 days; refused sign-ins with a key of the account too, at most one an hour for each key. A `since` without an offset is UTC.',
    query: AuditLogQuery,
    errors: [],
  },
  events: {
    id: 'events.list',
    method: 'GET',
    path: '/events',
    perMinute: 30,
    scope: 'read',
    summary:
      'What happened to articles, approvals, deliveries, suggestions, integrations, posts, replies, campaigns and projects, oldest first, kept for 30 days. Send the `after` of an answer with the next call: each event is shown once, and none is skipped.',
    query: EventsQuery,
    errors: [],
  },
} as const satisfies Operations
