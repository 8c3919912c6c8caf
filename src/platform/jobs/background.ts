import * as z from 'zod/mini'
import { PLANS } from '../../../schema/values/accounts.ts'
import { causeNow, requestIdHeader, setCause } from '../lib/request-scope.ts'
import { type Account, type Ctx, type Deps, type Run, systemCtx } from '../runtime/ctx.ts'
import type { JobWorker, PlacedJob } from './job.ts'
import { type Handler, type JobResult, namesAt, type Registry, runOnce } from './job.ts'
import { runMsOf } from './outbox.ts'

type Binding = { fetch: typeof fetch }

const Result = z.union([
  z.object({ kind: z.enum(['done', 'settled']) }),
  z.object({
    kind: z.literal('later'),
    at: z.pipe(
      z.iso.datetime(),
      z.transform((at: string) => new Date(at)),
    ),
  }),
  z.object({ kind: z.enum(['again', 'never', 'unknown']), reason: z.string() }),
])

const Asked = z.object({
  job: z.string(),
  payload: z.unknown(),
  account: z.object({ id: z.int(), plan: z.enum(PLANS) }),
  run: z.optional(
    z.object({
      id: z.int(),
      attempts: z.int(),
      leaseUntil: z.pipe(
        z.iso.datetime(),
        z.transform((at: string) => new Date(at)),
      ),
    }),
  ),
  /** Actor who caused the work. */
  causedBy: z.optional(z.string()),
  /** Reason for giving up the row, if it is given up. */
  gaveUp: z.optional(z.string()),
})

/** Request of the jobs Worker to another one: run a leased row, or give one up. */
type Asking = {
  job: string
  payload: unknown
  account: Pick<Account, 'id' | 'plan'>
  run?: Run
  causedBy?: string
  gaveUp?: string
}

/**
 * Returns the handler of a job that another Worker runs.
 *
 * This Worker leases, judges and settles the rows; the other one only does the work. If it does not answer in time, the run has
 * failed.
 */
const inBackground = (binding: Binding, { name, worker, pace, endsWhenClosed }: PlacedJob): Handler => {
  const ask = async (ctx: Ctx, payload: unknown, gaveUp?: string): Promise<JobResult> => {
    const { id, plan } = await ctx.account()
    const causedBy = causeNow()
    const asking: Asking = {
      job: name,
      payload,
      account: { id, plan },
      ...(ctx.run ? { run: ctx.run } : {}),
      ...(causedBy === undefined ? {} : { causedBy }),
      ...(gaveUp === undefined ? {} : { gaveUp }),
    }
    const response = await binding.fetch('http://background/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...requestIdHeader() },
      body: JSON.stringify(asking),
      signal: AbortSignal.timeout(runMsOf(pace === 'slow')),
    })
    const answer = response.ok ? Result.safeParse(await response.json()) : undefined
    // Offer the jobs that the run enqueued: the other Worker cannot call this one.
    ctx.defer(ctx.wakeQueue())
    return answer?.success ? (answer.data as JobResult) : { kind: 'again', reason: `answered ${response.status}` }
  }
  return {
    name,
    worker,
    pace,
    endsWhenClosed,
    run: (ctx, payload) => ask(ctx, payload),
    gaveUp: async (ctx, payload, reason) => {
      const { kind } = await ask(ctx, payload, reason)
      if (kind !== 'done') throw new Error(`giving up answered ${kind}`)
    },
  }
}

/** Returns a registry of this Worker's own jobs and of those that other Workers run, which it calls through their bindings. */
export const withBackground = (
  own: Registry,
  jobs: readonly PlacedJob[],
  bindings: Record<Exclude<JobWorker, 'jobs'>, Binding>,
): Registry => {
  const others = new Map(
    jobs.flatMap((job) =>
      job.worker === 'jobs' ? [] : [[job.name, inBackground(bindings[job.worker], job)] as const],
    ),
  )
  return { get: (name) => own.get(name) ?? others.get(name), slow: namesAt('slow', jobs) }
}

/** Handles a request of `withBackground`: runs one job of the registry, or gives it up. */
export const answerRun = async (
  deps: Deps,
  registry: Registry,
  body: unknown,
  defer: (work: Promise<unknown>) => void,
): Promise<JobResult> => {
  const { job: name, payload, account, run, causedBy, gaveUp } = Asked.parse(body)
  setCause(causedBy)
  const job = registry.get(name)
  if (!job) return gaveUp === undefined ? { kind: 'unknown', reason: `no job named ${name}` } : { kind: 'done' }
  const ctx: Ctx = {
    ...systemCtx(deps, `job:${name}`, { ...account, projectSlots: 0 }, defer),
    ...(run ? { run } : {}),
  }
  if (gaveUp === undefined) return await runOnce(job, ctx, payload)
  await job.gaveUp(ctx, payload, gaveUp)
  return { kind: 'done' }
}
