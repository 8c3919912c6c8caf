import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { pageChanges } from '../../../schema/effects.ts'
import type { PageEffect } from '../../../schema/values/effects.ts'
import { readDue } from '../../platform/db/read-parts.ts'
import { countOf, ONE_ROW, statement } from '../../platform/db/statement.ts'
import { update } from '../../platform/db/write-parts.ts'
import { nextTry } from './calendar.ts'
import { measureJob } from './jobs.ts'

const BATCH = 200

/** Queues a batch of the measurements that are due. Each is queued again a day later until it is done. */
export const enqueueDue = (now: Date): SQL => {
  const due = readDue(
    pageChanges,
    pageChanges.measureAt,
    { id: pageChanges.id },
    { now, limit: BATCH, where: isNull(pageChanges.measuredAt) },
  )
  const taken = update(
    'taken',
    pageChanges,
    { measureAt: nextTry(now) },
    {
      from: [due],
      where: eq(pageChanges.id, due.c.id),
      returning: { id: pageChanges.id, accountId: pageChanges.accountId },
    },
  )
  const queued = measureJob.enqueue({
    from: taken,
    account: taken.c.accountId,
    payload: { change_id: taken.c.id },
    runAt: now,
    open: 'keep',
  })
  return statement({
    unaudited: 'the service’s own clock',
    parts: [due, taken, queued],
    answer: { queued: countOf(queued) },
    answerFrom: ONE_ROW,
  })
}

/** Keeps what a change did. */
export const saveEffect = (id: number, effect: PageEffect, now: Date): SQL => {
  const saved = update(
    'saved',
    pageChanges,
    { effect, measuredAt: now },
    { where: sql`${and(eq(pageChanges.id, id), isNull(pageChanges.measuredAt))}`, returning: { id: pageChanges.id } },
  )
  return statement({ unaudited: 'a measurement changes nothing', parts: [saved], answer: { id: saved.c.id } })
}
