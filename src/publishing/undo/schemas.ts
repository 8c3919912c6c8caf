import * as z from 'zod/mini'
import { id, isoTime, text } from '../../platform/lib/fields.ts'

/** Body of `POST /undo`. */
export const Undo = z.object({
  key_id: z.optional(id()),
  request_id: z.optional(text(100, 1)),
  since: z.optional(isoTime()),
  dry_run: z.optional(z.boolean()),
  before_id: z.optional(id()),
  limit: z.optional(z.int().check(z.gte(1))),
})

export type UndoInput = z.infer<typeof Undo>
