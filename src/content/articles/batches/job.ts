import * as z from 'zod/mini'
import { defineJob } from '../../../platform/jobs/job.ts'
import { id } from '../../../platform/lib/fields.ts'

/** Creates the articles of a batch. */
export const batchJob = defineJob({
  name: 'articles.batch',
  whenClosed: 'ends',
  payload: z.object({ batch_id: id() }),
  key: 'article_batch',
  id: 'batch_id',
})
