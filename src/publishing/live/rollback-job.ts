import * as z from 'zod/mini'
import { declareJob } from '../../jobs/declare.ts'
import { id, isoTime } from '../../lib/fields.ts'

/** Frees an article whose rollback died, when its lease has ended. */
export const lostRollbackJob = declareJob({
  name: 'publishing.rollback_lost',
  payload: z.object({ article_id: id(), lease: isoTime() }),
  key: 'rollback',
  id: 'article_id',
})
