import * as z from 'zod/mini'
import { lengthOf, pagingParams } from '../../platform/db/paging.ts'
import type { Operations } from '../../platform/http/operation.ts'
import { intParam, isoTime, means, text } from '../../platform/lib/fields.ts'

const AuditLogQuery = z.object({
  action: means('Returns only this action, such as `article.publish`.', z.optional(text(100, 1)), 'all'),
  actor: means('Returns only actions by this actor: `key:7`, `operator`, `job:…`.', z.optional(text(100, 1)), 'all'),
  since: means(
    'Returns only actions at or after this time. Without an offset it is UTC.',
    z.optional(isoTime()),
    'all kept entries',
  ),
  ...pagingParams(),
})

const EventsQuery = z.object({
  after: means(
    'Returns only later events: `after` of the previous response.',
    z.optional(intParam(0)),
    'all kept events',
  ),
  since: means(
    'Returns only events at or after this time. Without an offset it is UTC.',
    z.optional(isoTime()),
    'all kept events',
  ),
  limit: lengthOf({ default: 50, max: 200 }),
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
      'Lists events, oldest first. They are of articles, approvals, deliveries, suggestions, integrations, posts, replies, campaigns and projects. Events are kept for 30 days. Send the `after` of a response with the next call to get each event once, without gaps. A `since` without an offset is UTC.',
    query: EventsQuery,
    errors: [],
  },
} as const satisfies Operations
