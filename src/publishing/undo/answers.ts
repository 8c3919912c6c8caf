import * as z from 'zod/mini'
import type { AnswersOf } from '../../platform/http/answers.ts'
import { body, count, id, instant } from '../../platform/lib/answer-fields.ts'
import type { undoOperations } from './operations.ts'

const entry = z.strictObject({
  id: id(),
  at: instant(),
  action: z.string(),
  subject: z.string(),
  article_id: z.nullable(id()),
  result: z.enum(['undone', 'not_undone']),
  message: z.string(),
  next_calls: z.optional(
    z.array(
      z.strictObject({
        method: z.string(),
        path: z.string(),
        body: z.optional(z.record(z.string(), z.unknown())),
        why: z.string(),
      }),
    ),
  ),
})

/** Fields of the answer of `POST /undo`. */
export const undoAnswers = {
  undo: {
    200: body({
      dry_run: z.boolean(),
      entries: z.array(entry),
      count: count(),
      undone: count(),
      not_undone: count(),
      limit: z.int().check(z.gte(1)),
      before_id: z.nullable(id()),
      message: z.string(),
    }),
  },
} satisfies AnswersOf<typeof undoOperations>
