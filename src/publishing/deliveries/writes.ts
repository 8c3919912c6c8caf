import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import type { Db } from '../../platform/db/client.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../platform/jobs/enqueue.ts'
import { deliverJob } from '../jobs.ts'
import type { PublishRequest, TargetAnswer } from '../target/publish-target.ts'

/** One attempt to put an article at a target: what it sends, and the rows its end is written to. */
export type Attempt = {
  accountId: number
  projectId: number
  /** The target it goes to. */
  integrationId: number
  platform: string
  /** The article that is sent; null when it was deleted since. */
  articleId: number | null
  /** The delivery this one repeats. A replay leaves its article as it is. */
  replayOf: number | null
  deliveryId: number
  /** Number of the attempt of the delivery, from 1. */
  number: number
  /** Until when it holds delivery and article. Its end changes nothing that is held until later. */
  lease: Date
  /** Written by its claim into the article, and by no other. */
  token: string
  /** Number of the attempts before that only asked if the post exists. */
  lookups: number
  /** The article's revision that is sent. */
  revision: number
  live: boolean
  request: PublishRequest
  /** True if its end takes the project's next late article: the clock sent this one, in no job that goes on with the next. */
  claimsNext: boolean
}

/** Attempt fields needed to record its outcome: its delivery and number, and the rows it has a lease on. */
export type HeldAttempt = Pick<Attempt, 'accountId' | 'projectId' | 'integrationId' | 'deliveryId' | 'number' | 'lease'>

/** An attempt before it is claimed. */
export type NewAttempt = Omit<Attempt, 'deliveryId' | 'number' | 'lookups'>

/** Recorded end of an attempt. */
export type Ending = {
  status: 'delivered' | 'retrying' | 'unknown' | 'failed'
  error: string | null
  /** Time at which it is tried or asked again; null when that is over. */
  nextAt: Date | null
  /** Null when the target was only asked whether it has the post. */
  durationMs: number | null
  answer: TargetAnswer
  /** Sentences on what the target did in another way than asked. */
  warnings: readonly string[]
}

/** True if a delivery has not ended, as a condition. */
export const isOpen = (): SQL => oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)

/** True if nobody holds an open delivery at this instant. */
export const isFree = (now: Date): SQL =>
  sql`(${oneOf(deliveries.status, ['retrying', 'unknown'])} or (${oneOf(deliveries.status, ['sending'])} and ${deliveries.leaseUntil} <= ${now.toISOString()}::timestamptz))`

/** Condition on a row of `deliveries`: it is the open delivery of an article. A replay is none. */
export const isOpenOf = (articleId: number | null): SQL =>
  sql`(${deliveries.articleId} = ${articleId}::int and ${isOpen()} and ${isNull(deliveries.replayOf)})`

type NewDelivery = {
  /** Its id, if that was drawn before. */
  id?: number
  createdAt: Date
  /** True if it makes the article public. */
  publishes?: boolean
  if: SQL
}

/** Opens a delivery, its first attempt under way. */
export const openDelivery = (attempt: NewAttempt, { id, createdAt, publishes = false, if: condition }: NewDelivery) =>
  insertWhere(
    deliveries,
    {
      id,
      accountId: attempt.accountId,
      projectId: attempt.projectId,
      integrationId: attempt.integrationId,
      articleId: attempt.articleId,
      eventType: attempt.request.event,
      status: 'sending',
      idempotencyKey: attempt.request.key,
      revision: attempt.revision,
      live: attempt.live,
      payload: attempt.request.article,
      replayOf: attempt.replayOf,
      publishes,
      attempts: 1,
      leaseUntil: attempt.lease,
      createdAt,
      updatedAt: createdAt,
    },
    { if: condition, returning: { id: deliveries.id, attempts: deliveries.attempts } },
  )

/** Begins the next attempt at a delivery. The attempts before it are ended first. */
export const resumeDelivery = (db: Db, which: SQL | undefined, lease: Date, now: Date) =>
  db
    .update(deliveries)
    .set({
      status: 'sending',
      attempts: sql`${deliveries.attempts} + 1`,
      leaseUntil: lease,
      nextAttemptAt: null,
      updatedAt: now,
    })
    .where(which)
    .returning({ id: deliveries.id, attempts: deliveries.attempts })

/** Ends attempts of deliveries which died: no one else will. */
export const endLostAttempts = (db: Db, which: SQL | undefined) => {
  const ids = db.select({ id: deliveries.id }).from(deliveries).where(which)
  return db
    .update(deliveryAttempts)
    .set({ status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' })
    .where(and(inArray(deliveryAttempts.deliveryId, ids), eq(deliveryAttempts.status, 'sending')))
}

type Began = { accountId: number; lease: Date; now: Date }

/** Has a delivery that is being sent looked at when its lease has ended without an end. */
const lookAtLease = (which: SQL, { accountId, lease, now }: Began) =>
  enqueue(
    deliverJob,
    { delivery_id: sql`${deliveries.id}` },
    { from: sql`${deliveries}`, if: which, account: accountId, runAt: lease, open: 'move', quietSince: now },
  )

/**
 * Notes the attempt that begins, whose delivery and number it returns last, and has the delivery looked at when its lease has ended without an end. `which`: a condition on the row
 * of `deliveries`.
 */
export const beginAttempt = (which: SQL, began: Began) => [
  lookAtLease(which, began),
  insertWhere(
    deliveryAttempts,
    {
      deliveryId: sql`${deliveries.id}`,
      number: sql`${deliveries.attempts}`,
      status: 'sending',
      startedAt: began.now,
    },
    {
      from: sql`${deliveries}`,
      if: which,
      returning: { id: deliveryAttempts.deliveryId, attempts: deliveryAttempts.number },
    },
  ),
]

/** Calls off the open delivery of an article because newer content goes out; replays go on. */
export const replaceDelivery = (
  db: Db,
  articleId: number | null,
  reason: string,
  { if: condition, now }: { if: SQL; now: Date },
) => {
  const which = and(isOpenOf(articleId), condition)
  return [
    finishJob(db, deliverJob, sql`select ${deliveries.id} from ${deliveries} where ${which}`, { if: 'always', now }),
    endLostAttempts(db, which),
    db
      .update(deliveries)
      .set({ status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
      .where(which),
  ]
}

/** Condition on a row of `deliveries`: an attempt still holds it. */
export const isHeldBy = ({ deliveryId, number, lease }: HeldAttempt): SQL | undefined =>
  and(
    eq(deliveries.id, deliveryId),
    eq(deliveries.status, 'sending'),
    eq(deliveries.attempts, number),
    // An attempt that takes over has a later lease.
    lte(deliveries.leaseUntil, lease),
  )

/** Ends an attempt's hold on its delivery, if it still has it. */
export const endDelivery = (db: Db, attempt: HeldAttempt, ending: Ending, now: Date) => {
  const wasLookup = ending.status === 'unknown' && ending.durationMs === null
  return db
    .update(deliveries)
    .set({
      status: ending.status,
      error: ending.error,
      warnings: ending.warnings,
      nextAttemptAt: ending.nextAt,
      leaseUntil: null,
      ...(wasLookup ? { lookups: sql`${deliveries.lookups} + 1` } : {}),
      updatedAt: now,
    })
    .where(isHeldBy(attempt))
    .returning({ id: deliveries.id })
}

/** Writes how an attempt ended. */
export const endNotedAttempt = (db: Db, { deliveryId, number }: HeldAttempt, ending: Ending, condition: SQL) =>
  db
    .update(deliveryAttempts)
    .set({
      status: ending.status,
      error: ending.error,
      httpStatus: ending.answer.httpStatus ?? null,
      durationMs: ending.durationMs,
      responseExcerpt: ending.answer.excerpt ?? null,
    })
    .where(and(eq(deliveryAttempts.deliveryId, deliveryId), eq(deliveryAttempts.number, number), condition))

/** Calls off every open delivery of an article that is deleted. */
export const callOffDeliveries = (db: Db, articleId: number, { if: condition }: { if: SQL }) => {
  const open = and(eq(deliveries.articleId, articleId), isOpen(), condition)
  const ofOpen = inArray(deliveryAttempts.deliveryId, db.select({ id: deliveries.id }).from(deliveries).where(open))
  return [
    db
      .update(deliveryAttempts)
      .set({ status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' })
      .where(and(ofOpen, eq(deliveryAttempts.status, 'sending'))),
    db
      .update(deliveries)
      .set({ status: 'superseded', error: 'The article was deleted.', nextAttemptAt: null, leaseUntil: null })
      .where(open),
  ]
}
