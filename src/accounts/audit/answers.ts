import * as z from 'zod/mini'
import { type AnswersOf, body, count, id, instant, page } from '../../platform/http/answers.ts'
import type { auditOperations } from './operations.ts'

const entry = z.strictObject({
  id: id(),
  at: instant(),
  actor: z.string(),
  actor_name: z.nullable(z.string()),
  action: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.unknown()),
  request_id: z.nullable(z.string()),
})

const event = z.strictObject({
  id: id(),
  at: instant(),
  type: z.string(),
  actor: z.string(),
  actor_name: z.nullable(z.string()),
  subject: z.string(),
  article_id: z.nullable(id()),
  detail: z.record(z.string(), z.unknown()),
})

/** Fields of the answers of the audit log and the feed of events. */
export const auditAnswers = {
  list: { 200: page({ entries: z.array(entry) }) },
  events: {
    200: body({
      events: z.array(event),
      count: count(),
      limit: z.int().check(z.gte(1)),
      after: count(),
      more: z.boolean(),
    }),
  },
} satisfies AnswersOf<typeof auditOperations>
