import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { ApiError } from '../lib/errors.ts'
import type { Ctx, Statement } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { Job, JobWorker, Pace } from './job.ts'

/** Work of the same kind and account that follows on a run, for jobs of the jobs Worker. */
export type Next = {
  /** Takes it for this run to go on with, leased until an instant: a statement that answers with `{ id, payload }` or nothing. */
  held: (leaseUntil: Date) => SQL
  /** Takes it and has the queue run it, where this run has gone on for long enough. */
  queued: () => Promise<void>
}

/**
 * Result of a job.
 * - `done`: finished; never run again. What follows on it is run in its place, at once. `last` are the job's last statements, which
 *   are sent with the end of its row, in one transaction; only for jobs of the jobs Worker.
 * - `settled`: the job wrote its own next run into its outbox row, or finished it there.
 * - `later`: nothing was done; wake it at `at`.
 * - `again`: failed, and may succeed when repeated; the queue retries.
 * - `never`: cannot succeed; kept as dead with the reason.
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
  /** Called once when the row is given up, so that the person who waits sees why. Absent if nobody waits. */
  gaveUp?: (ctx: Ctx, payload: P, reason: string) => Promise<void>
}

/** A job as its Worker runs it, with a payload that is not checked yet. */
export type Handler<W extends JobWorker = JobWorker> = Required<Work<unknown>> & {
  name: string
  worker: W
  pace: Pace | undefined
}

type Handled<S extends z.ZodMiniType, W extends JobWorker> = Pick<Job<S, W>, 'name' | 'worker' | 'pace' | 'payload'>

/** Adds to a job what it does, in the Worker that runs it. Workers that only enqueue import the definition alone. */
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
  /** Names of the jobs whose lease is a long one. */
  slow: readonly string[]
}

/** Returns the names of the jobs of one pace. */
export const namesAt = (pace: Pace, jobs: readonly { name: string; pace?: Pace | undefined }[]): string[] =>
  jobs.filter((job) => job.pace === pace).map(({ name }) => name)

/** Returns the registry of one Worker's handlers. The type parameter names the Worker, so that no other's handler fits. */
export const registryOf = <W extends JobWorker>(handlers: readonly Handler<W>[]): Registry => {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  return { get: (name) => byName.get(name), slow: namesAt('slow', handlers) }
}

/** Returns the result of a run that threw, or whose last write threw: a failure that may pass. */
export const failureOf = (job: string, { log, run }: Pick<Ctx, 'log' | 'run'>, error: unknown): JobResult => {
  if (error instanceof ApiError) return { kind: 'again', reason: error.code }
  log('error', 'job.failed', { job, outbox_id: run?.id, ...errorFields(error) })
  return { kind: 'again', reason: 'internal' }
}

/** Runs a job once. An error it throws is a failure that may pass. */
export const runOnce = async (job: Handler, ctx: Ctx, payload: unknown): Promise<JobResult> => {
  try {
    return await job.run(ctx, payload)
  } catch (error) {
    return failureOf(job.name, ctx, error)
  }
}
