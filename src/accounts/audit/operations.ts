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

const EventsQuery = z.object({
  after: z.optional(intParam(0)),
  since: z.optional(isoTime()),
  limit: z.optional(lengthParam()),
})

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
      'Lists changes in the account with actor and time, newest first. Includes refused calls with a key of the account, at most one per key and hour. Entries are kept for 400 days. A `since` without an offset is UTC.',
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
      'Lists events of articles, approvals, deliveries, suggestions, integrations, posts, replies, campaigns and projects, oldest first. Events are kept for 30 days. Send the `after` of a response with the next call to get each event once, without gaps. A `since` without an offset is UTC.',
    query: EventsQuery,
    errors: [],
  },
} as const satisfies Operations
