import * as z from 'zod/mini'
import type { Plan } from '../../schema/values/accounts.ts'
import { inRequest, spentFields } from '../lib/request-scope.ts'
import { type Ctx, type Deps, guardDatabase, systemCtx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { Run } from '../runtime/run.ts'
import type { JobDefinition, JobResult, Registry } from './define.ts'
import { type LeasedRow, leaseRow, markDead, markDone, markLater, releaseFailed, releaseRow } from './outbox.ts'
import { runOnce } from './run-once.ts'

const Envelope = z.object({ outbox_id: z.int().check(z.gte(1)) })

/** What the queue is told: 200 leave it, 500 try again, 489 never again. */
export type Reply = { status: 200 | 489 | 500; body: Record<string, unknown> }

const LEASE_MS = 120_000
/** Failing runs after which a job is given up. */
const MAX_RUNS = 20
/** Runs that end without a word, as when they kill their process, after which a job is given up. */
const MAX_LOST_RUNS = 4
/** How often giving up itself is tried. */
const MAX_GIVE_UPS = 5
/** How long a row is kept for a Worker that knows its job, and how often it is looked at. */
const UNKNOWN_FOR_MS = 86_400_000
const UNKNOWN_AGAIN_MS = 600_000

/** Why a row is not run once more, judged before the run: a job that kills its process never gets to say so. */
const whyGivenUp = (row: LeasedRow): string | undefined => {
  if (row.attempts > MAX_RUNS) return `gave up after ${row.attempts - 1} runs`
  return row.lostRuns >= MAX_LOST_RUNS ? `gave up: ${row.lostRuns} runs ended without a word` : undefined
}

/** Tells those who wait for the work that it will not be done. Where that itself keeps failing the row is dead all the same. */
const giveUp = async (job: JobDefinition, ctx: Ctx, row: LeasedRow, reason: string): Promise<JobResult> => {
  try {
    await job.gaveUp(ctx, row.payload, reason)
  } catch (error) {
    ctx.log('error', 'job.give_up_failed', { job: row.job, outbox_id: row.id, ...errorFields(error) })
    if (row.attempts < MAX_RUNS + MAX_GIVE_UPS) return { kind: 'again', reason }
  }
  return { kind: 'never', reason }
}

/** A row that a newer Worker wrote waits for one; after a day it is dead. */
const waitForNewer = (ctx: Pick<Deps, 'now'>, row: LeasedRow, reason: string): JobResult =>
  ctx.now().getTime() - row.createdAt.getTime() < UNKNOWN_FOR_MS
    ? { kind: 'unknown', reason }
    : { kind: 'never', reason }

const runLeased = async (
  deps: Deps,
  registry: Registry,
  row: LeasedRow,
  run: Run,
  defer: (work: Promise<unknown>) => void,
): Promise<JobResult> => {
  const job = registry.get(row.job)
  if (!job) return waitForNewer(deps, row, `no job named ${row.job}`)
  if (row.accountId === null || row.plan === null) return { kind: 'never', reason: 'the account is gone' }
  const account = { id: row.accountId, plan: row.plan as Plan, projectSlots: 0 }
  const ctx: Ctx = { ...systemCtx(deps, `job:${row.job}`, account, defer), run }
  const why = whyGivenUp(row)
  if (why) return await giveUp(job, ctx, row, why)
  const result = await runOnce(job, ctx, row.payload)
  if (result.kind === 'again' && row.attempts >= MAX_RUNS)
    return await giveUp(job, ctx, row, `gave up after ${row.attempts} runs: ${result.reason}`)
  if (result.kind !== 'unknown') return result
  const waiting = waitForNewer(ctx, row, result.reason)
  return waiting.kind === 'never' ? await giveUp(job, ctx, row, result.reason) : waiting
}

/** Writes how a run ended into its row; nothing when another run has it by now. */
const settle = async (
  { db, now, log }: Deps,
  row: LeasedRow,
  run: Run,
  result: JobResult,
): Promise<Reply & { isAskedAgain?: boolean }> => {
  switch (result.kind) {
    case 'done': {
      const [ended] = await markDone(db, run, now())
      return { status: 200, body: { done: true }, isAskedAgain: ended?.isAskedAgain ?? false }
    }
    case 'settled':
      await releaseRow(db, run)
      return { status: 200, body: { done: true } }
    case 'later':
      await markLater(db, run, result.at)
      return { status: 200, body: { later: result.at.toISOString() } }
    case 'unknown': {
      const runAt = new Date(now().getTime() + UNKNOWN_AGAIN_MS)
      log('error', 'job.unknown', { job: row.job, outbox_id: row.id, reason: result.reason })
      await markLater(db, run, runAt, result.reason)
      return { status: 200, body: { later: runAt.toISOString(), reason: result.reason } }
    }
    case 'never': {
      log('error', 'job.dead', { job: row.job, outbox_id: row.id, reason: result.reason })
      const [ended] = await markDead(db, run, now(), result.reason)
      return { status: 489, body: { reason: result.reason }, isAskedAgain: ended?.isAskedAgain ?? false }
    }
    case 'again':
      await releaseFailed(db, run, result.reason)
      return { status: 500, body: { reason: result.reason } }
  }
}

/** The outbox row a message names; undefined when the message is none of ours. */
const rowNamedBy = (rawBody: string): number | undefined => {
  try {
    const envelope = Envelope.safeParse(JSON.parse(rawBody))
    return envelope.success ? envelope.data.outbox_id : undefined
  } catch {
    return undefined
  }
}

/** One run of a row that was leased, and what becomes of it. */
const runHeld = async (
  deps: Deps,
  registry: Registry,
  row: LeasedRow,
  leaseUntil: Date,
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  await deps.step('leased')
  const run = { id: row.id, attempts: row.attempts, leaseUntil }
  const result = await runLeased(deps, registry, row, run, defer)
  await deps.step('ran')
  deps.log('info', 'job.run', {
    job: row.job,
    outbox_id: row.id,
    outcome: result.kind,
    run: row.attempts,
    ...spentFields(),
  })
  const { isAskedAgain = false, ...reply } = await settle(deps, row, run, result)
  if (isAskedAgain || result.kind === 'settled' || result.kind === 'later') defer(deps.wakeQueue())
  return reply
}

/**
 * Runs the outbox row a message names. A message that is repeated, late or lost does no harm: the row is leased for one
 * run at a time and is gone when done. A payload that is no envelope is never worth a retry.
 */
export const execute = async (
  deps: Deps,
  registry: Registry,
  rawBody: string,
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  const id = rowNamedBy(rawBody)
  if (id === undefined) return { status: 489, body: { reason: 'the message is no envelope' } }
  const now = deps.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const [row] = await guardDatabase(Promise.resolve(leaseRow(deps.db, id, now, leaseUntil)))
  if (!row) return { status: 200, body: { nothing_to_do: true } }
  const held = () => runHeld(deps, registry, row, leaseUntil, defer)
  // Its log lines carry the id of the request that asked for the work.
  return await (row.requestId === null ? held() : inRequest(row.requestId, held))
}
