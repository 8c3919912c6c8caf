import * as z from 'zod/mini'
import { declareJob } from '../../platform/jobs/declare.ts'
import { id } from '../../platform/lib/fields.ts'

/** Publishes an article whose date has come. */
export const publishDueJob = declareJob({
  name: 'publishing.publish_due',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'publish_due',
  id: 'article_id',
})

/** Publishes an article that failed for want of a target, now that its project has one. */
export const republishJob = declareJob({
  name: 'publishing.republish',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'republish',
  id: 'article_id',
})
