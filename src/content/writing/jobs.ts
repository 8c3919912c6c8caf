import type { SQL } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Part } from '../../platform/db/part.ts'
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

/** A part that queues the writing of articles. */
export const queueWriting = (from: Part<'id' | 'accountId'>, now: Date): Part => {
  const payload: { article_id: SQL } = { article_id: from.c.id }
  return writeJob.enqueue({ from, account: from.c.accountId, payload, runAt: now, open: 'move' })
}
