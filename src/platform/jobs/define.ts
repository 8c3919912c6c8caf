import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Ctx } from '../runtime/ctx.ts'

/** Work of the same kind and account that follows on a run, for jobs of the jobs Worker. */
export type Next = {
  /** Takes it for this run to go on with, leased until an instant: a statement that answers with `{ id, payload }` or nothing. */
  held: (leaseUntil: Date) => SQL
  /** Takes it and has the queue run it, where this run has gone on for long enough. */
  queued: () => Promise<void>
}

/**
 * How a job ended.
 * - `done`: finished; never run again. What follows on it is run in its place, at once. `last` is the job's last write, which is
 *   sent with the end of its row, in one transaction; only for jobs of the jobs Worker.
 * - `settled`: the job wrote its own next run into its outbox row, or finished it there.
 * - `later`: nothing was done; wake it at `at`.
 * - `again`: failed, and may succeed when repeated; the queue retries.
 * - `never`: cannot succeed; kept as dead with the reason.
 * - `unknown`: this Worker does not know the job or its payload; a newer one may.
 */
export type JobResult =
  | { kind: 'done'; next?: Next; last?: SQL }
  | { kind: 'settled' }
  | { kind: 'later'; at: Date }
  | { kind: 'again'; reason: string }
  | { kind: 'never'; reason: string }
  | { kind: 'unknown'; reason: string }

/** One kind of work: its name in the outbox, the shape of its payload, and what it does. */
export type JobDefinition = {
  name: string
  run: (ctx: Ctx, payload: unknown) => Promise<JobResult>
  /** Called once when the row is given up, so that what waited for it shows why. */
  gaveUp: (ctx: Ctx, payload: unknown, reason: string) => Promise<void>
}

/** What a job is declared with: `declareJob` makes one. */
type Declared<S extends z.ZodMiniType> = { name: string; payload: S }

/** Says what a declared job does, and what happens when it is given up after too many failing runs. */
export const defineJob = <S extends z.ZodMiniType>(
  { name, payload }: Declared<S>,
  run: (ctx: Ctx, payload: z.infer<S>) => Promise<JobResult>,
  gaveUp: (ctx: Ctx, payload: z.infer<S>, reason: string) => Promise<void>,
): JobDefinition => ({
  name,
  gaveUp: async (ctx, given, reason) => {
    const parsed = payload.safeParse(given)
    if (parsed.success) await gaveUp(ctx, parsed.data, reason)
  },
  run: async (ctx, given) => {
    const parsed = payload.safeParse(given)
    return parsed.success
      ? await run(ctx, parsed.data)
      : { kind: 'unknown', reason: 'the payload does not fit the job' }
  },
})

/** The jobs of one Worker by name. */
export type Registry = { get: (name: string) => JobDefinition | undefined }

/** A registry of these jobs. */
export const registryOf = (jobs: readonly JobDefinition[]): Registry => new Map(jobs.map((job) => [job.name, job]))
