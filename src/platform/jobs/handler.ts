import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { ApiError } from '../lib/errors.ts'
import type { Ctx, Statement } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { Job, JobWorker, Pace } from './job.ts'

/** Work of the same kind and account that follows a run. Only for jobs of the jobs Worker. */
export type Next = {
  /** Leases it to the current run until an instant: a statement that returns `{ id, payload }` or no row. */
  held: (leaseUntil: Date) => SQL
  /** Takes it and leaves it to the queue, if the current run has reached its limits. */
  queued: () => Promise<void>
}

/**
 * Result of a job.
 * - `done`: finished; never run again. `next` runs at once in the same run. `last` are statements sent in one transaction with
 *   the end of the row. Both are only for jobs of the jobs Worker.
 * - `settled`: the job wrote its next run into its outbox row, or finished it there.
 * - `later`: the row runs again at `at`. This is no failure.
 * - `again`: failed, but a retry may succeed.
 * - `never`: cannot succeed; the row is kept as dead, with the reason.
 * - `unknown`: this Worker does not know the job or its payload; a newer one may.
 */
export type JobResult =
  | { kind: 'done'; next?: Next; last?: readonly Statement[] }
  | { kind: 'settled' }
  | { kind: 'later'; at: Date }
  | { kind: 'again'; reason: string }
  | { kind: 'never'; reason: string }
  | { kind: 'unknown'; reason: string }

type Work<P> = {
  run: (ctx: Ctx, payload: P) => Promise<JobResult>
  /** Called when the row is given up, so that the person who waits learns why. Absent if no person waits. */
  gaveUp?: (ctx: Ctx, payload: P, reason: string) => Promise<void>
}

/** A job with its functions. It checks its payload itself. */
export type Handler<W extends JobWorker = JobWorker> = Required<Work<unknown>> & {
  name: string
  worker: W
  pace: Pace | undefined
}

type Handled<S extends z.ZodMiniType, W extends JobWorker> = Pick<Job<S, W>, 'name' | 'worker' | 'pace' | 'payload'>

/** Adds the functions of a job to its definition, in the Worker that runs it. Workers that only enqueue import just the definition. */
export const handle = <S extends z.ZodMiniType, W extends JobWorker>(
  { name, worker, pace, payload }: Handled<S, W>,
  { run, gaveUp }: Work<z.infer<S>>,
): Handler<W> => ({
  name,
  worker,
  pace,
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
}

/** Returns the names of the jobs of one pace. */
export const namesAt = (pace: Pace, jobs: readonly { name: string; pace?: Pace | undefined }[]): string[] =>
  jobs.filter((job) => job.pace === pace).map(({ name }) => name)

/** Returns the registry of one Worker's handlers. Because of the type parameter, handlers of other Workers do not compile. */
export const registryOf = <W extends JobWorker>(handlers: readonly Handler<W>[]): Registry => {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  return { get: (name) => byName.get(name), slow: namesAt('slow', handlers) }
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
