import * as z from 'zod/mini'
import { type AnswersOf, body, count, id, instant, means, page, selfExplanatory } from '../../platform/http/answers.ts'
import type { auditOperations } from './operations.ts'

const entry = z.strictObject({
  id: means('ID of the entry. Send it as `before_id` for older entries.', id()),
  at: means('Time of the action.', instant()),
  actor: means(
    'Actor: `key:7`, `person:3`, `editor:3` (a person who works in one project), `operator`, `job:…`, `cron:minute`, `oauth`, `billing`. `caller`: a refused key.',
    z.string(),
  ),
  actor_name: means('Name of the key that acted. Null for other actors.', z.nullable(z.string())),
  action: means(
    'Action, such as `article.create`. `sign_in.refused`: a call with a revoked, expired or suspended key.',
    z.string(),
  ),
  subject: means('Kind and ID of the affected object, such as `article:7`.', z.string()),
  detail: means('Details. The fields depend on `action`; often there are none.', z.record(z.string(), z.unknown())),
  request_id: means('ID of the request, the `X-Request-Id` of its response. Null if unknown.', z.nullable(z.string())),
})

/** Event of the feed. */
const event = z.strictObject({
  id: means('ID of the event. Do not sort by it: a later event may have a smaller one.', id()),
  at: selfExplanatory(instant()),
  type: means(
    'Type of the event: `article.publish`, `delivery.attempt_failed`, `suggestion.ready`. More types may be added.',
    z.string(),
  ),
  actor: means('Actor that caused it: `key:7`, `person:…`, `job:…`, `cron:minute`, `operator`.', z.string()),
  actor_name: means('Name of the key that acted. Null for other actors.', z.nullable(z.string())),
  subject: means('Affected object: `article:7`, `delivery:9`.', z.string()),
  project_id: means(
    'ID of the project. Null if the event is of no project, or its subject was deleted.',
    z.nullable(id()),
  ),
  article_id: means(
    'ID of the article. Null if the event is not about an article, and for a delivery whose article was deleted.',
    z.nullable(id()),
  ),
  detail: means('Details, depending on the type. May be empty.', z.record(z.string(), z.unknown())),
})

/** Fields of the answers of the audit log and the feed of events. */
export const auditAnswers = {
  list: { 200: page({ entries: means('Entries, newest first, kept for 400 days.', z.array(entry)) }) },
  events: {
    200: body({
      events: means('Events, oldest first.', z.array(event)),
      count: means('Number of rows in this response.', count()),
      limit: means('Maximum number of rows in this response.', z.int().check(z.gte(1))),
      after: means('Value of `after` for the next call, even if this response has no events.', count()),
      more: means('True: call again now. False: there are no more events yet.', z.boolean()),
    }),
  },
} satisfies AnswersOf<typeof auditOperations>
