import { and, isNull, SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { outbox } from '../../../schema/kernel.ts'
import type { Step } from '../db/steps.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'

/** Path of the executor below PUBLIC_URL; QStash signs for the whole address. */
export const EXECUTOR_PATH = '/jobs/run'

/**
 * Pace of a run, if it is unusual.
 *
 * `slow`: it may wait for an answer of an AI engine (125 s) or a picture (180 s), so its lease is longer. `quick`: it takes a
 * moment, so rows of one account share a message of the queue.
 */
type Pace = 'slow' | 'quick'

/**
 * Fate of a job whose account was suspended or deleted.
 *
 * `ends`: it does not run, because it would send something outside or cost something. Otherwise, the reason why it runs.
 */
type WhenClosed = 'ends' | { runs: string }

/** Reason of work that ended because its account is suspended or deleted. */
export const ACCOUNT_CLOSED =
  'The account is not active, so this was not done. Repeat it when the account is active again.'

/** Returns the reason to show for work that was given up: that the account is closed, or the usual one. */
export const shownReason = (reason: string, usual: string): string =>
  reason === ACCOUNT_CLOSED ? ACCOUNT_CLOSED : usual

type Definition<S> = {
  /** Name in the outbox and in logs. It must never change, because rows of an earlier release have it. */
  name: string
  pace?: Pace
  whenClosed: WhenClosed
  payload: S
  /** Prefix of the id in the key: `scan` in `scan:12`. At most one unfinished row has a key. */
  key: string
  /** Field of the payload that is the id. */
  id: string
}

/** One kind of work: its name, its payload, and the key of its unfinished row. */
export type Job<S extends z.ZodMiniType> = {
  name: string
  pace: Pace | undefined
  whenClosed: WhenClosed
  payload: S
  /** Field of the payload that is the id of the thing. */
  id: string
  /** Returns the key of the work on one thing, as an SQL expression. */
  keyOf: (id: number | SQL) => SQL
  /** Returns when the unfinished work on one thing runs, as an SQL expression; null if there is none. */
  runAtOf: (id: number | SQL) => SQL
}

const isOpen = (): SQL => sql`${and(isNull(outbox.doneAt), isNull(outbox.deadAt))}`

/** Defines a job. The jobs Worker adds its handler. */
export const defineJob = <S extends z.ZodMiniType>({
  name,
  pace,
  whenClosed,
  payload,
  key: prefix,
  id,
}: Definition<S>): Job<S> => {
  const keyOf = (of: number | SQL): SQL => sql`${`${prefix}:`}::text || ${of instanceof SQL ? of : sql`${of}::int`}`
  return {
    name,
    pace,
    whenClosed,
    payload,
    id,
    keyOf,
    runAtOf: (of) => sql`(select ${outbox.runAt} from ${outbox} where ${outbox.key} = ${keyOf(of)} and ${isOpen()})`,
  }
}

/** Work of the same kind and account that follows a run. */
export type Next = {
  /** Leases it to the current run until an instant: a statement that returns `{ id, payload }` or no row. */
  held: (leaseUntil: Date) => SQL<{ id: string; payload: unknown }>
  /** Takes it and leaves it to the queue, if the current run has reached its limits. */
  queued: () => Promise<void>
}

/**
 * Result of a job.
 * - `done`: finished; never run again. `next` runs at once in the same run. `last` are statements sent in one transaction with
 *   the end of the row.
 * - `settled`: the job wrote its next run into its outbox row, or finished it there.
 * - `later`: the row runs again at `at`. This is no failure.
 * - `again`: failed, but a retry may succeed.
 * - `never`: cannot succeed; the row is kept as dead, with the reason.
 * - `unknown`: this Worker does not know the job or its payload; a newer one may.
 */
export type JobResult =
  | { kind: 'done'; next?: Next; last?: Step }
  | { kind: 'settled' }
  | { kind: 'later'; at: Date }
  | { kind: 'again'; reason: string }
  | { kind: 'never'; reason: string }
  | { kind: 'unknown'; reason: string }

type Work<P> = {
  run: (ctx: Ctx, payload: P) => Promise<JobResult>
  /**
   * Called when the row is given up, so that the person who waits learns why. Absent if no person waits. `reason` is
   * `ACCOUNT_CLOSED` if the account is closed.
   */
  gaveUp?: (ctx: Ctx, payload: P, reason: string) => Promise<void>
}

/** A job with its functions. It checks its payload itself. */
export type Handler = Required<Work<unknown>> & {
  name: string
  pace: Pace | undefined
  endsWhenClosed: boolean
}

type Handled<S extends z.ZodMiniType> = Pick<Job<S>, 'name' | 'pace' | 'whenClosed' | 'payload'>

/** Adds the functions of a job to its definition, in the jobs Worker. Workers that only enqueue import just the definition. */
export const handle = <S extends z.ZodMiniType>(
  { name, pace, whenClosed, payload }: Handled<S>,
  { run, gaveUp }: Work<z.infer<S>>,
): Handler => ({
  name,
  pace,
  endsWhenClosed: whenClosed === 'ends',
  run: async (ctx, given) => {
    const parsed = payload.safeParse(given)
    return parsed.success
      ? await run(ctx, parsed.data)
      : { kind: 'unknown', reason: 'the payload does not fit the job' }
  },
  gaveUp: async (ctx, given, reason) => {
    const parsed = payload.safeParse(given)
    if (parsed.success) await gaveUp?.(ctx, parsed.data, reason)
  },
})

/** Jobs that can be run, by name. */
export type Registry = {
  get: (name: string) => Handler | undefined
  /** Names of the jobs with the longer lease. */
  slow: readonly string[]
  /** Names of the jobs whose rows share a message. */
  quick: readonly string[]
}

const namesAt = (pace: Pace, jobs: readonly Handler[]): string[] =>
  jobs.filter((job) => job.pace === pace).map(({ name }) => name)

/** Returns the registry of handlers. Throws if a job has two. */
export const registryOf = (handlers: readonly Handler[]): Registry => {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  if (byName.size < handlers.length) throw new Error('A job has two handlers.')
  return { get: (name) => byName.get(name), slow: namesAt('slow', handlers), quick: namesAt('quick', handlers) }
}

/** Returns `again` for a run that threw, or that failed in its last write. Logs the error unless it is an `ApiError`. */
export const failureOf = (job: string, { log, run }: Pick<Ctx, 'log' | 'run'>, error: unknown): JobResult => {
  if (error instanceof ApiError) return { kind: 'again', reason: error.code }
  log('error', 'job.failed', { job, outbox_id: run?.id, ...errorFields(error) })
  return { kind: 'again', reason: 'internal' }
}

/** Runs a job once. If it throws, returns a failure that may be retried. */
export const runOnce = async (job: Handler, ctx: Ctx, payload: unknown): Promise<JobResult> => {
  try {
    return await job.run(ctx, payload)
  } catch (error) {
    return failureOf(job.name, ctx, error)
  }
}
