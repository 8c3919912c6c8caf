import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Part } from '../platform/db/part.ts'
import { defineJob } from '../platform/jobs/job.ts'
import { id, isoTime } from '../platform/lib/fields.ts'

/** Continues a delivery that waits: at its next attempt, or when the lease of an attempt that died has ended. */
export const deliverJob = defineJob({
  name: 'publishing.deliver',
  worker: 'jobs',
  payload: z.object({ delivery_id: id() }),
  key: 'deliver',
  id: 'delivery_id',
})

/** Publishes an article at its date. */
export const publishDueJob = defineJob({
  name: 'publishing.publish_due',
  worker: 'jobs',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'publish_due',
  id: 'article_id',
})

/** Publishes an article that failed for want of a target, now that its project has one. Given up, the article keeps its reason. */
export const republishJob = defineJob({
  name: 'publishing.republish',
  worker: 'jobs',
  payload: z.object({ article_id: id(), live: z.boolean() }),
  key: 'republish',
  id: 'article_id',
})

const Lost = z.object({ article_id: id(), lease: isoTime() })

/** Frees an article whose rollback died, when its lease has ended. */
export const lostRollbackJob = defineJob({
  name: 'publishing.rollback_lost',
  worker: 'jobs',
  payload: Lost,
  key: 'rollback',
  id: 'article_id',
})

/** Frees an article whose unpublishing died, when its lease has ended. */
export const lostUnpublishJob = defineJob({
  name: 'publishing.unpublish_lost',
  worker: 'jobs',
  payload: Lost,
  key: 'unpublish',
  id: 'article_id',
})

/** Looks at the live page of an article that was published or rolled back. */
export const receiptJob = defineJob({
  name: 'publishing.receipt',
  worker: 'jobs',
  pace: 'quick',
  payload: z.object({ article_id: id() }),
  key: 'receipt',
  id: 'article_id',
})

/** Delay from publication to the check of the live page, ms. */
const RECEIPT_AFTER_MS = 5_000

/** A part that has the live pages of articles checked in a moment. An article without an address is looked for in its blog. */
export const checkLivePage = (live: Part<'id' | 'projectId' | 'url'>, accountId: number | SQL, now: Date): Part =>
  receiptJob.enqueue({
    from: live,
    account: accountId,
    payload: { article_id: live.c.id },
    runAt: new Date(now.getTime() + RECEIPT_AFTER_MS),
    open: 'keep',
    where: sql`(${live.c.url} is not null or exists (select 1 from projects where projects.id = ${live.c.projectId} and projects.blog_root_url <> ''))`,
  })
