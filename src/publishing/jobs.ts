import * as z from 'zod/mini'
import { defineJob } from '../platform/jobs/job.ts'
import { id, isoTime } from '../platform/lib/fields.ts'

/** Continues a waiting delivery: at its next attempt, or when the lease of a crashed attempt ends. */
export const deliverJob = defineJob({
  name: 'publishing.deliver',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: z.object({ delivery_id: id() }),
  key: 'deliver',
  id: 'delivery_id',
})

/** Publishes an article on its date. */
export const publishDueJob = defineJob({
  name: 'publishing.publish_due',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'publish_due',
  id: 'article_id',
})

/**
 * Publishes an article that failed because its project had no target, after one was connected. If the job gives up, the
 * article keeps its error.
 */
export const republishJob = defineJob({
  name: 'publishing.republish',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'republish',
  id: 'article_id',
})

const Lost = z.object({ article_id: id(), lease: isoTime() })

/** Releases an article whose rollback crashed, when its lease ends. */
export const lostRollbackJob = defineJob({
  name: 'publishing.rollback_lost',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: Lost,
  key: 'rollback',
  id: 'article_id',
})

/** Releases an article whose unpublishing crashed, when its lease ends. */
export const lostUnpublishJob = defineJob({
  name: 'publishing.unpublish_lost',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: Lost,
  key: 'unpublish',
  id: 'article_id',
})

/** Checks the live page of an article that was published or rolled back. */
export const receiptJob = defineJob({
  name: 'publishing.receipt',
  worker: 'jobs',
  pace: 'quick',
  whenClosed: 'ends',
  payload: z.object({ article_id: id() }),
  key: 'receipt',
  id: 'article_id',
})
