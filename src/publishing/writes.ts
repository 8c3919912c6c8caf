import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../schema/columns.ts'
import { deliveries, deliveryAttempts, sentArticle } from '../../schema/deliveries.ts'
import { type ArrivedStatus, OPEN_DELIVERY_STATUSES } from '../../schema/values/publishing.ts'
import type { Db } from '../platform/db/client.ts'
import { insertWhere } from '../platform/db/writes.ts'
import { enqueue, finishJob } from '../platform/jobs/enqueue.ts'
import { deliverJob } from './jobs.ts'
import type { PublishRequest, TargetAnswer } from './target/publish-target.ts'

/** One attempt to send an article to a target: the request, and the rows that its outcome is recorded in. */
export type Attempt = {
  accountId: number
  projectId: number
  /** The target. */
  integrationId: number
  platform: string
  /** The article; null if it was deleted since. */
  articleId: number | null
  /** The delivery that this one repeats. A replay does not change its article. */
  replayOf: number | null
  deliveryId: number
  /** Number of this attempt within its delivery, from 1. */
  number: number
  /** End of its lease on the delivery and the article. It cannot change rows that have a later lease. */
  lease: Date
  /** Unique to its claim, and written into the article. */
  token: string
  /** Number of earlier attempts that only asked whether the post exists. */
  lookups: number
  /** Revision of the article that is sent. */
  revision: number
  live: boolean
  request: PublishRequest
  /**
   * True if its end must claim the project's next late article. That is so if the clock took the article on its date,
   * but no job of the clock continues with the next one.
   */
  claimsNext: boolean
}

/** Attempt fields needed to record its outcome: its delivery and number, and the rows it has a lease on. */
export type HeldAttempt = Pick<Attempt, 'accountId' | 'projectId' | 'integrationId' | 'deliveryId' | 'number' | 'lease'>

/** An attempt that is not claimed yet. */
export type NewAttempt = Omit<Attempt, 'deliveryId' | 'number' | 'lookups'>

/** Outcome of an attempt as it is stored. */
export type Ending = {
  status: ArrivedStatus | 'retrying' | 'unknown' | 'awaiting_merge' | 'failed'
  error: string | null
  /** Time of the retry or look-up; null if it is over. */
  nextAt: Date | null
  /** Null if the target was only asked whether it has the post. */
  durationMs: number | null
  answer: TargetAnswer
  /** Sentences about what the target did differently than asked. */
  warnings: readonly string[]
}

/** Returns the condition that a delivery has not ended. */
export const isOpen = (): SQL => oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)

/** Returns the condition that a delivery is open and no attempt has a lease on it now. */
export const isFree = (now: Date): SQL =>
  sql`(${oneOf(deliveries.status, ['retrying', 'unknown', 'awaiting_merge'])} or (${oneOf(deliveries.status, ['sending'])} and ${deliveries.leaseUntil} <= ${now.toISOString()}::timestamptz))`

/** Returns the condition that a row of `deliveries` is the open delivery of an article. Replays do not count. */
export const isOpenOf = (articleId: number | null): SQL =>
  sql`(${deliveries.articleId} = ${articleId}::int and ${isOpen()} and ${isNull(deliveries.replayOf)})`

type NewDelivery = {
  /** Its id, if it was drawn before. */
  id?: number
  createdAt: Date
  /** True if it makes the article public. */
  publishes?: boolean
}

/** Returns the statement that opens a delivery with its first attempt running. */
export const openDelivery =
  (attempt: NewAttempt, { id, createdAt, publishes = false }: NewDelivery) =>
  (isMet: SQL) =>
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
        generation: attempt.request.generation,
        attempts: 1,
        leaseUntil: attempt.lease,
        createdAt,
        updatedAt: createdAt,
      },
      { if: isMet, returning: { id: deliveries.id, attempts: deliveries.attempts } },
    )

/**
 * Returns the statement that starts the next attempt of a delivery. Use `endLostAttempts` before `beginAttempt` records
 * it.
 */
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

/** Returns the statement that ends crashed attempts. Nothing else would end them. */
export const endLostAttempts = (db: Db, which: SQL | undefined) => {
  const ids = db.select({ id: deliveries.id }).from(deliveries).where(which)
  return db
    .update(deliveryAttempts)
    .set({ status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' })
    .where(and(inArray(deliveryAttempts.deliveryId, ids), eq(deliveryAttempts.status, 'sending')))
}

type Began = { accountId: number; lease: Date; now: Date }

/** Returns the statement that enqueues work for the end of the lease, in case the attempt crashes. */
const lookAtLease = (which: SQL, { accountId, lease, now }: Began) =>
  enqueue(
    deliverJob,
    { delivery_id: sql`${deliveries.id}` },
    { from: sql`${deliveries}`, if: which, account: accountId, runAt: lease, open: 'move', quietSince: now },
  )

/**
 * Returns the statements that record a started attempt and enqueue work for the end of its lease.
 *
 * `attempt` returns delivery and number of the attempt. `which` is a condition on `deliveries`.
 */
export const beginAttempt = (which: SQL, began: Began) => ({
  job: lookAtLease(which, began),
  attempt: insertWhere(
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
})

/** Returns the statements that call off an article's open delivery because newer content is sent. Replays continue. */
export const replaceDelivery = (db: Db, articleId: number | null, reason: string, now: Date) => (isMet: SQL) => {
  const which = and(isOpenOf(articleId), isMet)
  return {
    job: finishJob(db, deliverJob, sql`select ${deliveries.id} from ${deliveries} where ${which}`, {
      if: 'always',
      now,
    }),
    attempts: endLostAttempts(db, which),
    delivery: db
      .update(deliveries)
      .set({ status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now })
      .where(which),
  }
}

/** Returns the condition that an attempt still has its lease on a row of `deliveries`. */
export const isHeldBy = ({ deliveryId, number, lease }: HeldAttempt): SQL | undefined =>
  and(
    eq(deliveries.id, deliveryId),
    eq(deliveries.status, 'sending'),
    eq(deliveries.attempts, number),
    // If another attempt took over, the lease is later.
    lte(deliveries.leaseUntil, lease),
  )

/** Returns the statement that records an outcome in the delivery and ends the lease, if the attempt still has it. */
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

/** Returns the statement that records an outcome in the attempt's own row. */
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

/** Returns the statements that call off every open delivery of a deleted article, and keep the texts of the others while it is in the bin. */
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
    db
      .update(deliveries)
      .set({ payload: sentArticle() })
      .where(and(eq(deliveries.articleId, articleId), sql`${deliveries.payload} -> 'content_html' is null`, condition)),
  ]
}
