import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** Writes one article, one or several steps per run. Each article has at most one such job. */
export const writeJob = defineJob({
  name: 'writing.step',
  pace: 'slow',
  whenClosed: 'ends',
  payload: z.object({ article_id: id() }),
  key: 'write',
  id: 'article_id',
})
