import { and, isNull, SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { outbox } from '../../../schema/kernel.ts'

/** Workers that run jobs. The jobs Worker leases every row and calls the others to run theirs. */
export type JobWorker = 'jobs' | 'background' | 'watch'

/**
 * Pace of a run, if it is unusual.
 *
 * `slow`: it may wait for an answer of an AI engine (125 s) or a picture (180 s), so its lease is longer. `quick`: it takes a
 * moment, so rows of one account share a message of the queue.
 */
export type Pace = 'slow' | 'quick'

/** A job by name, with the Worker that runs it. */
export type PlacedJob = { name: string; worker: JobWorker; pace?: Pace }

type Definition<S, W extends JobWorker> = {
  /** Name in the outbox and in logs. It must never change, because rows of an earlier release have it. */
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
  /** Returns the key of the work on one thing, as an SQL expression. */
  keyOf: (id: number | SQL) => SQL
  /** Returns when the unfinished work on one thing runs, as an SQL expression; null if there is none. */
  runAtOf: (id: number | SQL) => SQL
}

const isOpen = (): SQL => sql`${and(isNull(outbox.doneAt), isNull(outbox.deadAt))}`

/** Defines a job. The Worker named here adds its handler in `registry.ts`. */
export const defineJob = <S extends z.ZodMiniType, W extends JobWorker>({
  name,
  worker,
  pace,
  payload,
  key: prefix,
  id,
}: Definition<S, W>): Job<S, W> => {
  const keyOf = (of: number | SQL): SQL => sql`${`${prefix}:`}::text || ${of instanceof SQL ? of : sql`${of}::int`}`
  return {
    name,
    worker,
    pace,
    payload,
    id,
    keyOf,
    runAtOf: (of) => sql`(select ${outbox.runAt} from ${outbox} where ${outbox.key} = ${keyOf(of)} and ${isOpen()})`,
  }
}
