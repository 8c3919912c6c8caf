import { type SQL, sql } from 'drizzle-orm'

const at = (instant: Date) => sql`${instant.toISOString()}::timestamptz`

/** An outbox row as an executor holds it. */
export type LeasedRow = {
  id: string
  account_id: number | null
  plan: string | null
  job: string
  payload: unknown
  attempts: number
}

/** Takes a row for one run. No row: done, dead, called off, or in other hands. */
export const leaseRow = (id: number, now: Date, leaseMs: number): SQL =>
  sql`update outbox o set lease_until = ${at(new Date(now.getTime() + leaseMs))}, attempts = attempts + 1
    where id = ${id} and done_at is null and dead_at is null and (lease_until is null or lease_until <= ${at(now)})
    returning id, account_id, (select plan from accounts where accounts.id = o.account_id) as plan, job, payload, attempts`

export const markDone = (id: number, now: Date): SQL =>
  sql`update outbox set done_at = ${at(now)}, lease_until = null, last_error = null where id = ${id} and done_at is null`

/** A run that ended as it should starts the count of failing ones anew: a row that waits long is not given up for that. */
export const markLater = (id: number, runAt: Date): SQL =>
  sql`update outbox set run_at = ${at(runAt)}, lease_until = null, offered_at = null, attempts = 0 where id = ${id} and done_at is null`

/** Frees a row whose job wrote its next run (no reason), or whose run failed in passing. */
export const releaseRow = (id: number, reason: string | null): SQL =>
  sql`update outbox set lease_until = null, last_error = coalesce(${reason}, last_error), attempts = case when ${reason}::text is null then 0 else attempts end
    where id = ${id} and done_at is null`

export const markDead = (id: number, now: Date, reason: string): SQL =>
  sql`update outbox set dead_at = ${at(now)}, lease_until = null, last_error = ${reason} where id = ${id} and done_at is null`

/** How far ahead a row is handed to the queue, and how long an offer may stay without effect before it is made again. */
const AHEAD = sql`interval '6 hours'`
const PATIENCE = sql`interval '60 seconds'`

export type OfferedRow = { id: string; run_at: string; offers: number }

/**
 * Marks rows for offering and hands them back: never offered, or offered and overdue by a minute with nobody holding them
 * (the queue lost the message, or its run died).
 */
export const takeOffers = (now: Date, limit: number): SQL =>
  sql`with due as (select id from outbox
      where done_at is null and dead_at is null and run_at <= ${at(now)} + ${AHEAD}
        and (lease_until is null or lease_until <= ${at(now)})
        and (offered_at is null or (offered_at <= ${at(now)} - ${PATIENCE} and run_at <= ${at(now)} - ${PATIENCE}))
      order by run_at limit ${limit} for update skip locked)
    update outbox o set offered_at = ${at(now)}, offers = offers + 1 from due where o.id = due.id
    returning o.id, extract(epoch from o.run_at)::text as run_at, o.offers`

/** Gives offers back that the queue did not take. */
export const returnOffers = (ids: number[]): SQL =>
  sql`update outbox set offered_at = null where id = any(${sql.param(ids)}::bigint[])`

const KEPT = sql`interval '7 days'`

/** Forgets rows that were done a week ago. */
export const dropDone = (now: Date): SQL =>
  sql`delete from outbox where id in (select id from outbox where done_at is not null and done_at < ${at(now)} - ${KEPT} limit 5000)`
