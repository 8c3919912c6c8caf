import * as z from 'zod/mini'
import { declareJob } from '../../jobs/declare.ts'
import { id, isoTime } from '../../lib/fields.ts'

/** Frees an article that was being taken down when the process died, when its lease has ended. */
export const lostUnpublishJob = declareJob({
  name: 'publishing.unpublish_lost',
  payload: z.object({ article_id: id(), lease: isoTime() }),
  key: 'unpublish',
  id: 'article_id',
})
