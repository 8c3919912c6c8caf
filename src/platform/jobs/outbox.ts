import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { outbox } from '../../../schema/kernel.ts'
import { isServed } from '../accounts/parts.ts'
import type { Db } from '../db/client.ts'
import { at } from '../db/instant.ts'
import type { Run } from '../runtime/ctx.ts'

const LEASE_MS = 120_000
/** Lease of a slow job. If a run dies, its work is late by this much; the alarm for late work is at 300 s. */
const SLOW_LEASE_MS = 220_000

/** Returns when the lease of a run that begins now ends. */
export const leaseOf = (now: Date, isSlow: boolean): Date =>
  new Date(now.getTime() + (isSlow ? SLOW_LEASE_MS : LEASE_MS))

const open = and(isNull(outbox.doneAt), isNull(outbox.deadAt))

/**
 * Leases a row to one run. Returns no row if it is done, dead, canceled, or leased to another run.
 *
 * A run with an expired lease is counted as lost. Jobs named in `slow` get the longer lease.
 */
export const leaseRow = (db: Db, id: number, now: Date, slow: readonly string[]) =>
  db
    .update(outbox)
    .set({
      leaseUntil: sql`case when ${inArray(outbox.job, slow)} then ${at(leaseOf(now, true))} else ${at(leaseOf(now, false))} end`,
      offeredAt: sql`coalesce(${outbox.offeredAt}, ${at(now)})`,
      attempts: sql`${outbox.attempts} + 1`,
      unansweredOffers: 0,
      lostRuns: sql`${outbox.lostRuns} + case when ${outbox.leaseUntil} is null then 0 else 1 end`,
    })
    .where(and(eq(outbox.id, id), open, or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, now))))
    .returning({
      id: outbox.id,
      accountId: outbox.accountId,
      plan: sql<string | null>`(select ${accounts.plan} from ${accounts} where ${accounts.id} = ${outbox.accountId})`,
      isServed: sql<boolean>`${isServed(outbox.accountId)}`,
      job: outbox.job,
      leaseUntil: outbox.leaseUntil,
      payload: outbox.payload,
      attempts: outbox.attempts,
      lostRuns: outbox.lostRuns,
      createdAt: outbox.createdAt,
      requestId: outbox.requestId,
      causedBy: outbox.causedBy,
    })

/** An outbox row that is leased to a run. */
export type LeasedRow = Awaited<ReturnType<typeof leaseRow>>[number]

/** True for the row while this run has its lease. A run that lost its lease changes nothing. */
const heldBy = ({ id, attempts, leaseUntil }: Run) =>
  and(eq(outbox.id, id), open, eq(outbox.attempts, attempts), eq(outbox.leaseUntil, leaseUntil))

/** Returns `ended`, or `again` if the same work was enqueued during the run, as an SQL expression. */
const unlessAskedAgain = (ended: SQL, again: SQL): SQL =>
  sql`case when ${outbox.offeredAt} is null then ${again} else ${ended} end`

/**
 * Ends a row, or frees it for another run. Returns true if it was freed.
 *
 * `moveJob`, and `enqueue` with `open: 'move'`, clear the row's offer. If they do so during the run, it may have read its state
 * before that. So the row runs again.
 */
const end = (db: Db, run: Run, ended: 'doneAt' | 'deadAt', now: Date, lastError: string | null) =>
  db
    .update(outbox)
    .set({
      [ended]: unlessAskedAgain(at(now), sql`null`),
      leaseUntil: null,
      lastError,
      attempts: unlessAskedAgain(sql`${outbox.attempts}`, sql`0`),
      lostRuns: unlessAskedAgain(sql`${outbox.lostRuns}`, sql`0`),
    })
    .where(heldBy(run))
    .returning({ isAskedAgain: sql<boolean>`${outbox.offeredAt} is null` })

/** Ends a row whose work is done. See `end` for its result. */
export const markDone = (db: Db, run: Run, now: Date) => end(db, run, 'doneAt', now, null)

/**
 * Runs the row again at `runAt`, or earlier if the same work was enqueued during the run.
 *
 * Waiting is no failure: the count of failed runs starts over unless a `reason` is given.
 */
export const markLater = (db: Db, run: Run, runAt: Date, reason?: string) =>
  db
    .update(outbox)
    .set({
      runAt: unlessAskedAgain(at(runAt), sql`least(${outbox.runAt}, ${at(runAt)})`),
      leaseUntil: null,
      offeredAt: null,
      lostRuns: 0,
      ...(reason === undefined ? { attempts: 0 } : { lastError: reason }),
    })
    .where(heldBy(run))

/** Frees a row after its job wrote the next run into it. */
export const releaseRow = (db: Db, run: Run) =>
  db.update(outbox).set({ leaseUntil: null, attempts: 0, lostRuns: 0 }).where(heldBy(run))

/** Frees a row after a failed run, so that it can be retried. */
export const releaseFailed = (db: Db, run: Run, reason: string) =>
  db.update(outbox).set({ leaseUntil: null, lostRuns: 0, lastError: reason }).where(heldBy(run))

/** Ends a row whose work is given up, with the reason. See `end` for its result. */
export const markDead = (db: Db, run: Run, now: Date, reason: string) => end(db, run, 'deadAt', now, reason)

/** True if work has ended and its payload has a field. */
export const hasPayloadField = (of: SQL, field: string): SQL =>
  sql`${of} and (${outbox.doneAt} is not null or ${outbox.deadAt} is not null) and jsonb_exists(${outbox.payload}, ${field}::text)`

/** Removes a field from the payload of ended work. Returns the ids of the rows. */
export const removePayloadField = (db: Db, of: SQL, field: string) =>
  db
    .update(outbox)
    .set({ payload: sql`${outbox.payload} - ${field}::text` })
    .where(of)
    .returning({ id: outbox.id })

/** Replaces the payload of a row while this run has its lease. */
export const notePayload = (db: Db, run: Run, payload: Record<string, unknown>) =>
  db.update(outbox).set({ payload }).where(heldBy(run))

/** Ends a row and replaces its payload, for example to remove content that must not be kept. */
export const endWithPayload = (
  db: Db,
  run: Run,
  now: Date,
  payload: Record<string, unknown>,
  lastError: string | undefined,
) =>
  db
    .update(outbox)
    .set({ payload, doneAt: now, leaseUntil: null, lastError: lastError ?? null })
    .where(heldBy(run))

/** Time before its run at which a row is offered to the queue. */
const AHEAD = sql`interval '6 hours'`
/** Time before an offer without effect is repeated: a minute, doubled with each offer, an hour at most. */
const PATIENCE = sql`least(interval '60 seconds' * power(2, greatest(unanswered_offers - 1, 0)), interval '1 hour')`

/** Outbox row that is to be sent to the queue. `run_at`: seconds since 1970. */
export type OfferedRow = {
  id: string
  run_at: string
  offers: number
  unanswered: number
  job: string
  account_id: number | null
  /** True if it never began to run. */
  fresh: boolean
}

/**
 * Marks rows as offered and returns them: rows never offered, and offered rows that are overdue and not leased.
 *
 * For the second kind, the queue lost the message or the run died.
 */
export const claimOffers = (now: Date, limit: number): SQL =>
  sql`with due as (select id from outbox
      where done_at is null and dead_at is null and run_at <= ${at(now)} + ${AHEAD}
        and (lease_until is null or lease_until <= ${at(now)})
        and (offered_at is null or (offered_at <= ${at(now)} - ${PATIENCE} and run_at <= ${at(now)} - interval '60 seconds'))
      order by run_at limit ${limit} for update skip locked)
    update outbox o set offered_at = ${at(now)}, offers = offers + 1, unanswered_offers = unanswered_offers + 1 from due where o.id = due.id
    returning o.id, extract(epoch from o.run_at)::text as run_at, o.offers, o.unanswered_offers as unanswered,
      o.job, o.account_id, o.attempts = 0 and o.lease_until is null as fresh`

/** Undoes offers that the queue did not accept. After more than three, the row stays marked as offered, so that it waits longer. */
export const returnOffers = (ids: number[]): SQL =>
  sql`update outbox set offered_at = null where id = any(${sql.param(ids)}::bigint[]) and unanswered_offers <= 3`

/** Returns the number of dead rows, counted up to 1000, and by how many seconds the oldest unfinished row is overdue. For alarms. */
export const workload = (now: Date): SQL =>
  sql`select (select count(*)::int from (select 1 from outbox where dead_at is not null limit 1000) d) as dead,
    (select coalesce(extract(epoch from ${at(now)} - min(run_at)), 0)::int from outbox
      where done_at is null and dead_at is null and run_at <= ${at(now)}) as overdue_s`
