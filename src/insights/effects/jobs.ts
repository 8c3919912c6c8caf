import { and, asc, inArray, isNull, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { pageChanges } from '../../../schema/effects.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { nextTry } from './writes.ts'

/** Measures the effect of a change of a live page. A job that is given up is queued again the next day. */
export const measureJob = defineJob({
  name: 'effects.measure',
  worker: 'watch',
  payload: z.object({ change_id: id() }),
  key: 'effect',
  id: 'change_id',
})

const BATCH = 200

/**
 * Queues a batch of the measurements that are due; returns how many. Reads one index if none is due.
 *
 * Each measurement is due again a day later until it is done.
 */
export const enqueueDueEffects = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const { id, accountId, measureAt, measuredAt } = pageChanges
  const isDue = and(isNull(measuredAt), lte(measureAt, runAt))
  const due = await db.select({ id }).from(pageChanges).where(isDue).orderBy(asc(measureAt)).limit(BATCH)
  if (due.length === 0) return 0
  const ids = due.map((change) => change.id)
  const isTaken = sql`${and(inArray(id, ids), isDue)}`
  const work = { from: sql`${pageChanges}`, if: isTaken, account: sql`${accountId}`, runAt, open: 'keep' } as const
  const [queued] = await sendBatch(
    db,
    [
      enqueue(measureJob, { change_id: sql`${id}` }, work),
      db
        .update(pageChanges)
        .set({ measureAt: nextTry(runAt) })
        .where(isTaken),
    ],
    { unaudited: 'the service’s own clock' },
  )
  return queued.length
}
