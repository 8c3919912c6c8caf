import * as z from 'zod/mini'
import { type AnswersOf, body, count, id, instant, means, selfExplanatory } from '../../platform/http/answers.ts'
import type { undoOperations } from '../operations.ts'

const entry = z.strictObject({
  id: means('ID of the entry in the audit log.', id()),
  at: means('Time of the change.', instant()),
  action: means('Action, such as `article.update`.', z.string()),
  subject: means('Kind and ID of the changed object, such as `article:7`.', z.string()),
  article_id: means('ID of the article. Null if the change is not about an article.', z.nullable(id())),
  result: means(
    '`undone`: the change was undone now or before. With `dry_run`: it can be undone.',
    z.enum(['undone', 'not_undone']),
  ),
  message: means(
    'Result for the change, with the restored fields and values, or the reason why it was not undone.',
    z.string(),
  ),
  restored: means(
    'Fields of the article that have their values from before the change again. Absent if there are none.',
    z.optional(z.array(z.string())),
  ),
  next_calls: means(
    'Calls to make instead.',
    z.optional(
      z.array(
        z.strictObject({
          method: selfExplanatory(z.string()),
          path: selfExplanatory(z.string()),
          body: selfExplanatory(z.optional(z.record(z.string(), z.unknown()))),
          why: selfExplanatory(z.string()),
        }),
      ),
    ),
  ),
})

/** Answer of `POST /undo`. */
export const undoAnswers = {
  undo: {
    200: body({
      dry_run: means('True: nothing was changed.', z.boolean()),
      entries: means('Changes by the key or the request, newest first.', z.array(entry)),
      count: means('Number of rows in this response.', count()),
      undone: means('Number of these changes that are undone.', count()),
      not_undone: means('Number of these changes that are not undone.', count()),
      limit: means('Maximum number of rows in this response.', z.int().check(z.gte(1))),
      before_id: means('Value of `before_id` for older changes. Null if there are none.', z.nullable(id())),
      message: means(
        'Result for the change, with the restored fields and values, or the reason why it was not undone.',
        z.string(),
      ),
    }),
  },
} satisfies AnswersOf<typeof undoOperations>
