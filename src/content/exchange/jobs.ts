import * as z from 'zod/mini'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'

/**
 * Payload of a check: the article, the check's number (from 0), and its earliest time (ms), because the queue may call too
 * soon.
 */
const Look = z.object({ article_id: id(), look: z.int().check(z.gte(0)), not_before: z.int() })
export type LookJob = z.infer<typeof Look>

/** Checks a live page for its links to partners. */
export const verifyJob = defineJob({
  name: 'exchange.verify',
  whenClosed: 'ends',
  payload: Look,
  key: 'verify',
  id: 'article_id',
})
