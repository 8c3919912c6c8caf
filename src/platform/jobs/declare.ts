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
  /** Whose work it is. */
  account: SQL | number
  payload: Given<P>
  runAt: Date | SQL
  /** When unfinished work with this key is there already: leave it as it is, or move it to `runAt`. */
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

/** One kind of work, as those who ask for it know it: a name, a payload, and the key that unfinished work is known by. */
export type Job<S extends z.ZodMiniType> = {
  name: string
  payload: S
  /** The key of the work on one thing, as a text or as an expression over its id. */
  keyOf: (id: number | SQL) => SQL
  /** When unfinished work on one thing is to run, as an expression; null where there is none. */
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

type Declared<S> = {
  name: string
  payload: S
  /** What stands before the id in the key: `scan` in `scan:12`. */
  key: string
  /** The field of the payload that is the id. */
  id: string
}

/** Declares a job for those who ask for it; what it does is said by `defineJob`. At most one unfinished row has a key. */
export const declareJob = <S extends z.ZodMiniType>({ name, payload, key: prefix, id }: Declared<S>): Job<S> => {
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
    payload,
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
