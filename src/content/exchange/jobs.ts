import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/** One look: at which article, its number (from 0), and its earliest time (ms), since the queue may wake too soon. */
const Look = z.object({ article_id: id(), look: z.int().check(z.gte(0)), not_before: z.int() })
export type LookJob = z.infer<typeof Look>

/** Looks at a live page for its links to partners. */
export const verifyJob = defineJob({
  name: 'exchange.verify',
  worker: 'watch',
  payload: Look,
  key: 'verify',
  id: 'article_id',
})
