import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id, isoTime } from '../../platform/lib/fields.ts'

const Lost = z.object({ article_id: id(), lease: isoTime() })

/** Frees an article whose rollback died, when its lease has ended. */
export const lostRollbackJob = declareJob({
  name: 'publishing.rollback_lost',
  payload: Lost,
  key: 'rollback',
  id: 'article_id',
})

/** Frees an article that was being taken down when the process died, when its lease has ended. */
export const lostUnpublishJob = declareJob({
  name: 'publishing.unpublish_lost',
  payload: Lost,
  key: 'unpublish',
  id: 'article_id',
})
