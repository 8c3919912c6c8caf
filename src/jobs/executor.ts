import * as z from 'zod/mini'
import type { Plan } from '../accounts/values.ts'
import { rowsOf } from '../db/client.ts'
import { ApiError } from '../lib/errors.ts'
import { type Ctx, type Deps, systemCtx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import type { JobDefinition, JobResult } from './define.ts'
import { type LeasedRow, leaseRow, markDead, markDone, markLater, releaseRow } from './outbox.ts'

const Envelope = z.object({ outbox_id: z.int().check(z.gte(1)) })

/** What the queue is told: 200 leave it, 500 try again, 489 never again. */
export type Reply = { status: 200 | 489 | 500; body: Record<string, unknown> }

const LEASE_MS = 120_000
const MAX_RUNS = 20

export type Registry = ReadonlyMap<string, JobDefinition>

const runLeased = async (
  deps: Deps,
  registry: Registry,
  row: LeasedRow,
  defer: (work: Promise<unknown>) => void,
): Promise<JobResult> => {
  const job = registry.get(row.job)
  if (!job) return { kind: 'never', reason: `no job named ${row.job}` }
  if (row.account_id === null || row.plan === null) return { kind: 'never', reason: 'the account is gone' }
  const account = { id: row.account_id, plan: row.plan as Plan, projectSlots: 0 }
  const ctx = systemCtx(deps, `job:${row.job}`, account, defer)
  try {
    const result = await job.run(ctx, row.payload)
    return result.kind === 'again' ? await orGiveUp(job, ctx, row, result.reason) : result
  } catch (error) {
    if (!(error instanceof ApiError))
      deps.log('error', 'job.failed', { job: row.job, outbox_id: row.id, ...errorFields(error) })
    const reason = error instanceof ApiError ? error.code : 'internal'
    return await orGiveUp(job, ctx, row, reason)
  }
}

/** Another run, unless too many have failed: then whoever waits for the work is told why, and the row is dead. */
const orGiveUp = async (job: JobDefinition, ctx: Ctx, row: LeasedRow, reason: string): Promise<JobResult> => {
  if (row.attempts < MAX_RUNS) return { kind: 'again', reason }
  await job.gaveUp?.(ctx, row.payload, reason)
  return { kind: 'never', reason: `gave up after ${row.attempts} runs: ${reason}` }
}

/** Writes how a run ended into its row. */
const settle = async (deps: Deps, row: LeasedRow, result: JobResult): Promise<Reply> => {
  const id = Number(row.id)
  const now = deps.now()
  switch (result.kind) {
    case 'done':
      await deps.db.execute(markDone(id, now))
      return { status: 200, body: { done: true } }
    case 'settled':
      await deps.db.execute(releaseRow(id, null))
      return { status: 200, body: { done: true } }
    case 'later':
      await deps.db.execute(markLater(id, result.at))
      return { status: 200, body: { later: result.at.toISOString() } }
    case 'never':
      await deps.db.execute(markDead(id, now, result.reason))
      return { status: 489, body: { reason: result.reason } }
    case 'again':
      await deps.db.execute(releaseRow(id, result.reason))
      return { status: 500, body: { reason: result.reason } }
  }
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
  let given: unknown
  try {
    given = JSON.parse(rawBody)
  } catch {
    return { status: 489, body: { reason: 'the message is not JSON' } }
  }
  const envelope = Envelope.safeParse(given)
  if (!envelope.success) return { status: 489, body: { reason: 'the message is no envelope' } }
  const [row] = await rowsOf<LeasedRow>(deps.db, leaseRow(envelope.data.outbox_id, deps.now(), LEASE_MS))
  if (!row) return { status: 200, body: { nothing_to_do: true } }
  await deps.step('leased')
  const result = await runLeased(deps, registry, row, defer)
  deps.log('info', 'job.run', { job: row.job, outbox_id: row.id, outcome: result.kind, run: row.attempts })
  const reply = await settle(deps, row, result)
  if (result.kind === 'settled' || result.kind === 'later') defer(deps.wakeQueue())
  return reply
}
