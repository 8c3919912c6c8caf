import { and, eq, isNull, SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { outbox } from '../../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import type { Guarded } from '../db/steps.ts'
import { guarded, type If, insertWhere } from '../db/writes.ts'
import { causeNow, requestIdNow } from '../lib/request-scope.ts'
import type { Job } from './job.ts'

type AnyJob = Pick<Job<z.ZodMiniType>, 'name' | 'id' | 'keyOf' | 'payload'>
type PayloadOf<J extends AnyJob> = z.input<J['payload']>
/** Payload of a job: values, or expressions over the rows of `from`. */
type Given<P> = { [Key in keyof P]: P[Key] | SQL }

type Enqueue = {
  /** Owner of the work. */
  account: SQL | number
  runAt: Date | SQL
  /** Row source after `from`: work is enqueued for each of its rows. Without it, once. */
  from?: SQL
  /** Action if unfinished work with this key exists: leave it unchanged, or move it to `runAt`. */
  open: 'keep' | 'move'
  /** Also replaces the payload of moved work. */
  replacePayload?: boolean
  /**
   * Marks the row as offered at this time, so that only the sweep offers it, once overdue. For work needed only if another
   * process dies.
   */
  quietSince?: Date
  /** Suffix of the key, if several rows of work on one thing may exist at a time. */
  apart?: string | SQL
  /** True if the clock causes the work, whoever's request notices that it is due. */
  isByClock?: boolean
  /** Leases the row to the current run until then. The run does the work itself. */
  leaseUntil?: Date
}

const isOpen = (): SQL => sql`${isNull(outbox.doneAt)} and ${isNull(outbox.deadAt)}`

const payloadOf = (payload: Record<string, unknown>): SQL | Record<string, unknown> => {
  const entries = Object.entries(payload).filter(([, value]) => value !== undefined)
  if (!entries.some(([, value]) => value instanceof SQL)) return Object.fromEntries(entries)
  const pairs = entries.map(
    ([name, value]) => sql`${name}::text, ${value instanceof SQL ? value : sql`${JSON.stringify(value)}::jsonb`}`,
  )
  return sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`
}

const enqueueIf = <J extends AnyJob>(job: J, payload: Given<PayloadOf<J>>, work: Enqueue, condition: If) => {
  const given = payload as Record<string, unknown>
  const key = job.keyOf(given[job.id] as number | SQL)
  const target = sql`(${sql.identifier(outbox.key.name)}) where ${isOpen()}`
  const moved = sql`run_at = excluded.run_at, offered_at = excluded.offered_at, caused_by = excluded.caused_by${work.replacePayload ? sql`, payload = excluded.payload` : sql``}`
  return insertWhere(
    outbox,
    {
      accountId: work.account,
      job: job.name,
      key: work.apart === undefined ? key : sql`${key} || ':' || ${work.apart}::text`,
      payload: payloadOf(given),
      runAt: work.runAt,
      causedBy: work.isByClock ? null : (causeNow() ?? null),
      requestId: requestIdNow() ?? null,
      ...(work.quietSince ? { offeredAt: work.quietSince } : {}),
      ...(work.leaseUntil ? { leaseUntil: work.leaseUntil, offeredAt: work.runAt, attempts: 1 } : {}),
    },
    {
      if: condition,
      ...(work.from ? { from: work.from } : {}),
      onConflict: sql`${target} do ${work.open === 'move' ? sql`update set ${moved}` : sql`nothing`}`,
      returning: { id: outbox.id, payload: outbox.payload },
    },
  )
}

type Enqueued = ReturnType<typeof enqueueIf>

/**
 * Enqueues a job: inserts its outbox row, or one for each row of `from`. Returns the id and payload of each new or moved row.
 *
 * Domains schedule work with `enqueue`, move it with `moveJob`, and cancel it with `finishJob`. Without `if` they are for `when`.
 */
export function enqueue<J extends AnyJob>(job: J, payload: Given<PayloadOf<J>>, work: Enqueue & { if: If }): Enqueued
export function enqueue<J extends AnyJob>(job: J, payload: Given<PayloadOf<J>>, work: Enqueue): Guarded<Enqueued>
export function enqueue<J extends AnyJob>(
  job: J,
  payload: Given<PayloadOf<J>>,
  { if: condition, ...work }: Enqueue & { if?: If },
) {
  return guarded(condition, (isMet) => enqueueIf(job, payload, work, isMet))
}

const whichOf = (job: AnyJob, of: number | SQL): SQL =>
  typeof of === 'number'
    ? eq(outbox.key, job.keyOf(of))
    : sql`${outbox.key} in (select ${job.keyOf(sql`ids.id`)} from (${of}) as ids)`

type Change = Partial<typeof outbox.$inferInsert>

const changeOpen = (db: Db, job: AnyJob, of: number | SQL, changes: Change, condition: If) =>
  db
    .update(outbox)
    .set(changes)
    .where(and(whichOf(job, of), isOpen(), condition === 'always' ? undefined : condition))
    .returning({ id: outbox.id })

type Changed = ReturnType<typeof changeOpen>
type Move<J extends AnyJob> = { runAt: Date; payload?: PayloadOf<J> }

/**
 * Moves unfinished work to another time, with another payload if one is given.
 *
 * `of`: the id of one thing, or a query that selects several as `id`.
 */
export function moveJob<J extends AnyJob>(db: Db, job: J, of: number | SQL, move: Move<J> & { if: If }): Changed
export function moveJob<J extends AnyJob>(db: Db, job: J, of: number | SQL, move: Move<J>): Guarded<Changed>
export function moveJob<J extends AnyJob>(
  db: Db,
  job: J,
  of: number | SQL,
  { if: condition, runAt, payload }: Move<J> & { if?: If },
) {
  const changes = {
    runAt,
    offeredAt: null,
    ...(payload === undefined ? {} : { payload: payload as Change['payload'] }),
  }
  return guarded(condition, (isMet) => changeOpen(db, job, of, changes as Change, isMet))
}

/** Ends unfinished work, so that it does not run again. `of`: as in `moveJob`. */
export function finishJob(db: Db, job: AnyJob, of: number | SQL, ended: { if: If; now: Date }): Changed
export function finishJob(db: Db, job: AnyJob, of: number | SQL, ended: { now: Date }): Guarded<Changed>
export function finishJob(db: Db, job: AnyJob, of: number | SQL, { if: condition, now }: { if?: If; now: Date }) {
  return guarded(condition, (isMet) => changeOpen(db, job, of, { doneAt: now, leaseUntil: null }, isMet))
}
