import * as z from 'zod/mini'
import type { Operations } from '../../platform/http/operation.ts'
import { id, isoTime, text } from '../../platform/lib/fields.ts'

/** Body of `POST /undo`. */
const Undo = z.object({
  key_id: z.optional(id()),
  request_id: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  dry_run: z.optional(z.boolean()),
  before_id: z.optional(id()),
  limit: z.optional(z.int().check(z.gte(1))),
})

export type UndoInput = z.infer<typeof Undo>

/** Operation that undoes changes of a key or a request. */
export const undoOperations = {
  undo: {
    id: 'undo',
    method: 'POST',
    path: '/undo',
    perMinute: 10,
    scope: 'write',
    scopeReason: 'a key undoes its own changes; with `admin`, those of any key of the account',
    summary:
      'Undoes changes of a key or a request where possible, newest first, and reports the result for each. Send `dry_run: true` first.',
    json: Undo,
    errors: ['not_found', 'forbidden', 'edit_conflict'],
  },
} as const satisfies Operations
