import * as z from 'zod/mini'
import { defineJob } from '../platform/jobs/job.ts'
import { id } from '../platform/lib/fields.ts'

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

/** Asks the site how a rollback or a take-down ended: after a lost answer, or when the lease of a crashed one ends. */
export const liveChangeJob = defineJob({
  name: 'publishing.live_change',
  worker: 'jobs',
  whenClosed: 'ends',
  payload: z.object({ article_id: id(), token: z.string() }),
  key: 'live_change',
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
