import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import type { Parts } from '../../platform/db/statement.ts'
import { insert, update } from '../../platform/db/write-parts.ts'
import { deliverJob } from '../jobs.ts'
import type { Ending, HeldAttempt, NewAttempt } from './attempt.ts'

/** True if a delivery has not ended, as a condition. */
export const isOpen = (): SQL => oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)

/** True if nobody holds an open delivery at this instant. */
export const isFree = (now: Date): SQL =>
  sql`(${oneOf(deliveries.status, ['retrying', 'unknown'])} or (${oneOf(deliveries.status, ['sending'])} and ${deliveries.leaseUntil} <= ${now.toISOString()}::timestamptz))`

const idsOf = ({ c, rows }: Part<'id'>): SQL => sql`(select ${c.id} from ${rows})`

/** A delivery whose attempt begins in this statement. */
export type BegunDelivery = Part<'id' | 'attempts'>

const BEGUN = { id: deliveries.id, attempts: deliveries.attempts }

type NewDelivery = {
  articleId: SQL | number | null
  createdAt: Date
  from?: readonly AnyPart[]
  /** True if it makes the article public. */
  publishes?: boolean
}

/** A part that opens a delivery, its first attempt under way. */
export const openDelivery = (
  attempt: NewAttempt,
  { articleId, createdAt, from = [], publishes = false }: NewDelivery,
): BegunDelivery =>
  insert(
    'delivery',
    deliveries,
    {
      accountId: attempt.accountId,
      projectId: attempt.projectId,
      integrationId: attempt.integrationId,
      articleId,
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
    { from, returning: BEGUN },
  )

type Resuming = { id: number; lease: Date; now: Date; where: SQL; from?: readonly AnyPart[] }

/** A part that begins the next attempt at a delivery. */
export const resumeDelivery = ({ id, lease, now, where, from = [] }: Resuming): BegunDelivery =>
  update(
    'delivery',
    deliveries,
    {
      status: 'sending',
      attempts: sql`${deliveries.attempts} + 1`,
      leaseUntil: lease,
      nextAttemptAt: null,
      updatedAt: now,
    },
    { from, where: sql`${eq(deliveries.id, id)} and ${where}`, returning: BEGUN },
  )

/** A part that ends attempts of deliveries which died: no one else will. */
export const endLostAttempts = (of: Part<'id'>): Part =>
  update(
    'lost_attempts',
    deliveryAttempts,
    { status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' },
    { where: sql`${inArray(deliveryAttempts.deliveryId, idsOf(of))} and ${eq(deliveryAttempts.status, 'sending')}` },
  )

/** Parts that note the attempt which begins, and have the delivery looked at when its lease has ended without an end. */
export const beginAttempt = (delivery: BegunDelivery, accountId: number, lease: Date, now: Date): Parts => [
  insert(
    'attempt',
    deliveryAttempts,
    { deliveryId: delivery.c.id, number: delivery.c.attempts, status: 'sending', startedAt: now },
    { from: [delivery] },
  ),
  deliverJob.enqueue({
    from: delivery,
    account: accountId,
    payload: { delivery_id: delivery.c.id },
    runAt: lease,
    open: 'move',
    quietSince: now,
  }),
]

/**
 * Parts that call off the open deliveries of articles because newer content goes out; replays go on. `calledOff` has a row
 * for each.
 */
export const replaceDeliveries = (articles: Part<'id'>, reason: string, now: Date) => {
  const calledOff = update(
    'called_off',
    deliveries,
    { status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now },
    {
      where: sql`${and(inArray(deliveries.articleId, idsOf(articles)), isOpen(), isNull(deliveries.replayOf))}`,
      returning: { id: deliveries.id },
    },
  )
  const silenced = deliverJob.finish(calledOff, now, { name: 'silenced' })
  return { calledOff, parts: [calledOff, silenced, endLostAttempts(calledOff)] }
}

/** An ended delivery. No row: the attempt no longer held it. */
export type EndedDelivery = Part<'id' | 'articleId'>

/** A part that ends an attempt's hold on its delivery, if it still has it. `project` is the delivery's, locked before it. */
export const endDelivery = (attempt: HeldAttempt, ending: Ending, project: Part<'id'>, now: Date): EndedDelivery => {
  const wasLookup = ending.status === 'unknown' && ending.durationMs === null
  return update(
    'delivery',
    deliveries,
    {
      status: ending.status,
      error: ending.error,
      warnings: ending.warnings,
      nextAttemptAt: ending.nextAt,
      leaseUntil: null,
      ...(wasLookup ? { lookups: sql`${deliveries.lookups} + 1` } : {}),
      updatedAt: now,
    },
    {
      where: sql`${and(
        eq(deliveries.id, attempt.deliveryId),
        eq(deliveries.status, 'sending'),
        eq(deliveries.attempts, attempt.number),
        // An attempt that takes over has a later lease.
        lte(deliveries.leaseUntil, attempt.lease),
      )} and ${project.hasRows}`,
      returning: { id: deliveries.id, articleId: deliveries.articleId },
    },
  )
}

/** A part that writes how an attempt ended, if it still held the delivery. */
export const endNotedAttempt = ({ number }: HeldAttempt, delivery: EndedDelivery, ending: Ending): Part =>
  update(
    'ended_attempt',
    deliveryAttempts,
    {
      status: ending.status,
      error: ending.error,
      httpStatus: ending.answer.httpStatus ?? null,
      durationMs: ending.durationMs,
      responseExcerpt: ending.answer.excerpt ?? null,
    },
    { where: sql`${inArray(deliveryAttempts.deliveryId, idsOf(delivery))} and ${eq(deliveryAttempts.number, number)}` },
  )
