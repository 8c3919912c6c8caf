import { and, eq, isNull, SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { outbox } from '../../../schema/kernel.ts'
import type { AnyPart, Part } from '../db/part.ts'
import { excluded, insert, update } from '../db/write-parts.ts'
import { requestIdNow } from '../lib/request-scope.ts'

/** Payload of a job in a statement: values, or expressions over the parts before. */
type Given<P> = { [Key in keyof P]: P[Key] | SQL }

type Enqueue<P> = {
  /** A row is written for each row of this part. */
  from: AnyPart
  /** Owner of the work. */
  account: SQL | number
  payload: Given<P>
  runAt: Date | SQL
  /** Action if unfinished work with this key exists already: leave it as it is, or move it to `runAt`. */
  open: 'keep' | 'move'
  /** Also gives work that is moved the new payload. */
  replacePayload?: boolean
  /** Wakes nobody now: the sweep offers the row when it is overdue. For work that only follows when its holder died. */
  quietSince?: Date
  where?: SQL
  /** Follows the id in the key, where several rows of work on one thing may stand side by side. */
  apart?: string
  name?: string
}

type Change = { where?: SQL; name?: string; from?: readonly AnyPart[] }

/** Workers that run jobs. The jobs Worker leases every row, and has the others run theirs. */
export type JobWorker = 'jobs' | 'background' | 'watch'

/**
 * Pace of a run, if it is unusual.
 *
 * `slow`: it may wait for an answer of an AI engine (125 s) or a picture (180 s), so its lease is longer. `quick`: a moment, so
 * rows of one account share a message of the queue.
 */
export type Pace = 'slow' | 'quick'

/** A job by name, with the Worker that runs it. */
export type PlacedJob = { name: string; worker: JobWorker; pace?: Pace }

type Definition<S, W extends JobWorker> = {
  /** Name in the outbox and in the queue's messages. It never changes, because rows of the release before have it. */
  name: string
  worker: W
  pace?: Pace
  payload: S
  /** Prefix of the id in the key: `scan` in `scan:12`. At most one unfinished row has a key. */
  key: string
  /** Field of the payload that is the id. */
  id: string
}

/** One kind of work: its name, its payload, the Worker that runs it, and the key of its unfinished row. */
export type Job<S extends z.ZodMiniType, W extends JobWorker = JobWorker> = {
  name: string
  worker: W
  pace: Pace | undefined
  payload: S
  /** Field of the payload that is the id of the thing. */
  id: string
  /** The key of the work on one thing, as a text or as an expression over its id. */
  keyOf: (id: number | SQL) => SQL
  /** Returns the time of the unfinished work on one thing, as an expression; null if there is none. */
  runAtOf: (id: number | SQL) => SQL
  /** A part that asks for the work. The only way into the outbox. */
  enqueue: (work: Enqueue<z.input<S>>) => Part
  /** The same as work that this run goes on with itself, leased until an instant: a row for each that was written. */
  enqueueHeld: (work: Enqueue<z.input<S>>, leaseUntil: Date) => Part<'id' | 'payload'>
  /** A part that moves unfinished work to an instant, with another payload where one is given. */
  move: (id: number | SQL, runAt: Date, change?: Change & { payload?: z.input<S> }) => Part<'id'>
  /** A part that ends unfinished work on one thing, or on those of a part: it will not run again. */
  finish: (of: number | Part<'id'>, now: Date, change?: Change) => Part<'id'>
}

const isOpen = (): SQL => sql`${and(isNull(outbox.doneAt), isNull(outbox.deadAt))}`

const jsonOf = (payload: Record<string, unknown>): SQL | Record<string, unknown> => {
  const entries = Object.entries(payload).filter(([, value]) => value !== undefined)
  if (!entries.some(([, value]) => value instanceof SQL)) return Object.fromEntries(entries)
  const pairs = entries.map(
    ([name, value]) => sql`${name}::text, ${value instanceof SQL ? value : sql`${JSON.stringify(value)}::jsonb`}`,
  )
  return sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`
}

/** Defines a job. The Worker named here adds what it does, in its `registry.ts`. */
export const defineJob = <S extends z.ZodMiniType, W extends JobWorker>({
  name,
  worker,
  pace,
  payload,
  key: prefix,
  id,
}: Definition<S, W>): Job<S, W> => {
  const keyOf = (of: number | SQL): SQL => sql`${`${prefix}:`}::text || ${of instanceof SQL ? of : sql`${of}::int`}`
  const isKeyOf = (of: number | Part<'id'>): SQL =>
    typeof of === 'number'
      ? sql`${outbox.key} = ${keyOf(of)}`
      : sql`${outbox.key} in (select ${keyOf(of.c.id)} from ${of.rows})`
  const rowOf = (work: Enqueue<z.input<S>>) => {
    const given = work.payload as Record<string, unknown>
    const of = keyOf(given[id] as number | SQL)
    return {
      accountId: work.account,
      job: name,
      key: work.apart === undefined ? of : sql`${of} || ${`:${work.apart}`}::text`,
      payload: jsonOf(given),
      runAt: work.runAt,
      requestId: requestIdNow() ?? null,
      ...(work.quietSince ? { offeredAt: work.quietSince } : {}),
    }
  }
  const unfinished = () => ({ columns: [outbox.key], where: isOpen() })
  const part = (verb: string) => `${verb}_${name.replaceAll('.', '_')}`
  return {
    name,
    worker,
    pace,
    payload,
    id,
    keyOf,
    runAtOf: (of) => sql`(select ${outbox.runAt} from ${outbox} where ${outbox.key} = ${keyOf(of)} and ${isOpen()})`,
    enqueue: (work) => {
      const set = {
        runAt: excluded(outbox.runAt),
        offeredAt: excluded(outbox.offeredAt),
        ...(work.replacePayload ? { payload: excluded(outbox.payload) } : {}),
      }
      return insert(work.name ?? part('queued'), outbox, rowOf(work), {
        from: [work.from],
        ...(work.where ? { where: work.where } : {}),
        onConflict: work.open === 'move' ? { ...unfinished(), set } : unfinished(),
      })
    },
    enqueueHeld: (work, leaseUntil) =>
      insert(
        work.name ?? part('held'),
        outbox,
        { ...rowOf(work), leaseUntil, offeredAt: work.runAt, attempts: 1 },
        { from: [work.from], onConflict: unfinished(), returning: { id: outbox.id, payload: outbox.payload } },
      ),
    move: (of, runAt, { payload: next, where, name: named, from } = {}) =>
      update(
        named ?? part('moved'),
        outbox,
        { runAt, offeredAt: null, ...(next === undefined ? {} : { payload: next as Record<string, unknown> }) },
        {
          where: sql`${and(eq(outbox.key, keyOf(of)), isOpen(), where)}`,
          returning: { id: outbox.id },
          ...(from ? { from } : {}),
        },
      ),
    finish: (of, now, { where, name: named, from } = {}) =>
      update(
        named ?? part('finished'),
        outbox,
        { doneAt: now, leaseUntil: null },
        {
          where: sql`${and(isKeyOf(of), isOpen(), where)}`,
          returning: { id: outbox.id },
          ...(from ? { from } : {}),
        },
      ),
  }
}
