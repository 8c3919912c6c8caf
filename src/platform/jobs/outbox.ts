import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { outbox } from '../../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { at } from '../db/instant.ts'
import type { Run } from '../runtime/ctx.ts'

const LEASE_MS = 120_000
/** Lease of a slow job. Work whose run died is late by this much; an alarm rings at 300 s. */
const SLOW_LEASE_MS = 220_000
/** A run in another Worker ends this much before its lease. */
const EARLIER_MS = 10_000

/** Returns until when a run that begins now holds its row. */
export const leaseOf = (now: Date, isSlow: boolean): Date =>
  new Date(now.getTime() + (isSlow ? SLOW_LEASE_MS : LEASE_MS))

/** Returns how long a run of a job in another Worker may take, ms. */
export const runMsOf = (isSlow: boolean): number => (isSlow ? SLOW_LEASE_MS : LEASE_MS) - EARLIER_MS

const open = and(isNull(outbox.doneAt), isNull(outbox.deadAt))

/**
 * Takes a row for one run. Returns no row if it is done, dead, called off, or held by another run. A run whose lease has ended by
 * itself is counted as lost. Jobs named in `slow` get the longer lease.
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
      job: outbox.job,
      leaseUntil: outbox.leaseUntil,
      payload: outbox.payload,
      attempts: outbox.attempts,
      lostRuns: outbox.lostRuns,
      createdAt: outbox.createdAt,
      requestId: outbox.requestId,
    })

/** An outbox row as an executor holds it. */
export type LeasedRow = Awaited<ReturnType<typeof leaseRow>>[number]

/** The row while this run has it. A run whose lease was taken over changes nothing. */
const heldBy = ({ id, attempts, leaseUntil }: Run) =>
  and(eq(outbox.id, id), open, eq(outbox.attempts, attempts), eq(outbox.leaseUntil, leaseUntil))

/** Returns the value of a row at the end of a run: one value, or another if the same work was asked for once more meanwhile. */
const unlessAskedAgain = (ended: SQL, again: SQL): SQL =>
  sql`case when ${outbox.offeredAt} is null then ${again} else ${ended} end`

/**
 * Ends a row, or frees it for another run. Returns true if it was freed.
 *
 * Work under its key that was asked for during the run (`enqueue` and `move` take the offer away) may have come after the run
 * had read its state. Then the row is freed.
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

export const markDone = (db: Db, run: Run, now: Date) => end(db, run, 'doneAt', now, null)

/**
 * Wakes the row again at `runAt`, or earlier where the same work was asked for meanwhile. Waiting is no failure: the count of failing
 * runs starts over unless `reason` says why.
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

/** Frees a row whose job wrote its next run itself. */
export const releaseRow = (db: Db, run: Run) =>
  db.update(outbox).set({ leaseUntil: null, attempts: 0, lostRuns: 0 }).where(heldBy(run))

/** Frees a row whose run failed and may be repeated. */
export const releaseFailed = (db: Db, run: Run, reason: string) =>
  db.update(outbox).set({ leaseUntil: null, lostRuns: 0, lastError: reason }).where(heldBy(run))

export const markDead = (db: Db, run: Run, now: Date, reason: string) => end(db, run, 'deadAt', now, reason)

/** True if work has ended and its payload has a field. */
export const hasPayloadField = (of: SQL, field: string): SQL =>
  sql`${of} and (${outbox.doneAt} is not null or ${outbox.deadAt} is not null) and jsonb_exists(${outbox.payload}, ${field}::text)`

/** Takes a field out of the payload of ended work; returns the rows that had it. */
export const removePayloadField = (db: Db, of: SQL, field: string) =>
  db
    .update(outbox)
    .set({ payload: sql`${outbox.payload} - ${field}::text` })
    .where(of)
    .returning({ id: outbox.id })

/** Writes another payload into a row while the run has it. */
export const notePayload = (db: Db, run: Run, payload: Record<string, unknown>) =>
  db.update(outbox).set({ payload }).where(heldBy(run))

/** Ends a row with another payload: what of it may be read later. */
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
/** Time for which an offer may stay without effect before it is repeated: a minute, doubled by each one, an hour at most. */
const PATIENCE = sql`least(interval '60 seconds' * power(2, greatest(unanswered_offers - 1, 0)), interval '1 hour')`

export type OfferedRow = {
  id: string
  run_at: string
  offers: number
  unanswered: number
  job: string
  account_id: number | null
  /** No run of it ever began. */
  fresh: boolean
}

/**
 * Marks rows for offering and hands them back: never offered, or offered and overdue with nobody holding them (the queue lost
 * the message, or its run died).
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

/** Gives offers back that the queue did not take. One that was refused many times waits as if it had been taken. */
export const returnOffers = (ids: number[]): SQL =>
  sql`update outbox set offered_at = null where id = any(${sql.param(ids)}::bigint[]) and unanswered_offers <= 3`

const KEPT = sql`interval '7 days'`

/** Forgets rows that were done a week ago, at most so many. */
export const dropDone = (now: Date, most: number): SQL =>
  sql`delete from outbox where id in (select id from outbox where done_at is not null and done_at < ${at(now)} - ${KEPT} limit ${most}::int)`

/** Returns the number of dead rows, and the seconds by which the oldest row without a lease is overdue; for alarms. */
export const workload = (now: Date): SQL =>
  sql`select (select count(*)::int from (select 1 from outbox where dead_at is not null limit 1000) d) as dead,
    (select coalesce(extract(epoch from ${at(now)} - min(run_at)), 0)::int from outbox
      where done_at is null and dead_at is null and run_at <= ${at(now)}) as overdue_s`
