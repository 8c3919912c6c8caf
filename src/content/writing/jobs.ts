import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Writes one article, a step or several at a time; one writing of an article at once. */
export const writeJob = defineJob({
  name: 'writing.step',
  worker: 'jobs',
  pace: 'slow',
  payload: z.object({ article_id: id() }),
  key: 'write',
  id: 'article_id',
})
