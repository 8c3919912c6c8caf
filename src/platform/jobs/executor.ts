import * as z from 'zod/mini'
import type { Plan } from '../../../schema/values/accounts.ts'
import { inRequest, requestIdNow, spentFields } from '../lib/request-scope.ts'
import { type Account, type Ctx, type Deps, guardDatabase, type Run, systemCtx } from '../runtime/ctx.ts'
import { errorFields } from '../runtime/log.ts'
import { ACCOUNT_CLOSED, type Handler, type JobResult, type Registry, runOnce } from './job.ts'
import { type LeasedRow, leaseOf, leaseRow, returnOffers } from './outbox.ts'
import { endAndLeaseNext, type Reply, type Settled, settle } from './settle.ts'

const RowId = z.int().check(z.gte(1))
const Envelope = z.object({ outbox_id: RowId, also: z._default(z.array(RowId), []) })

/** Failed runs after which a job is given up. */
const MAX_RUNS = 20
/** Runs that crashed without reporting, after which a job is given up. */
const MAX_LOST_RUNS = 4
/** Attempts at calling a job's `gaveUp`. */
const MAX_GIVE_UPS = 5
/** Limits, in time and rows, of a run that continues with the work that follows. The queue runs the rest. */
const GOES_ON_MS = 20_000
const GOES_ON_TIMES = 50
/** Longest time that new rows wait to be offered while a run continues, ms. */
const OFFERS_EVERY_MS = 5_000
/** Time that a row waits for a Worker that knows its job, ms. */
const UNKNOWN_FOR_MS = 86_400_000

/** Account for work that belongs to none, such as a mail. No row has its id. Rows of real accounts are deleted with them. */
const NOBODY: Account = { id: 0, plan: 'agentic', projectSlots: 0 }

/**
 * Returns why a row is not run again; undefined if it may run.
 *
 * Checked before the run, because a job that kills its process cannot report it.
 */
const whyGivenUp = (row: LeasedRow): string | undefined => {
  if (row.attempts > MAX_RUNS) return `gave up after ${row.attempts - 1} runs`
  return row.lostRuns >= MAX_LOST_RUNS ? `gave up: ${row.lostRuns} runs crashed without reporting` : undefined
}

/** Reports to the job that its work will not be done. If the report keeps failing, the row is marked dead anyway. */
const giveUp = async (job: Handler, ctx: Ctx, row: LeasedRow, reason: string): Promise<JobResult> => {
  try {
    await job.gaveUp(ctx, row.payload, reason)
  } catch (error) {
    ctx.log('error', 'job.give_up_failed', { job: row.job, outbox_id: row.id, ...errorFields(error) })
    if (row.attempts < MAX_RUNS + MAX_GIVE_UPS) return { kind: 'again', reason }
  }
  return { kind: 'never', reason }
}

/** Ends a row of a closed account, and reports that to the job. */
const endClosed = async (job: Handler, ctx: Ctx, row: LeasedRow): Promise<JobResult> => {
  const ended = await giveUp(job, ctx, row, ACCOUNT_CLOSED)
  return ended.kind === 'never' ? { kind: 'done' } : ended
}

/** Returns `unknown` for a row that a newer Worker wrote, and `never` once the row is a day old. */
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
  const account = row.accountId === null ? NOBODY : { id: row.accountId, plan: row.plan as Plan, projectSlots: 0 }
  const ctx: Ctx = { ...systemCtx(deps, `job:${row.job}`, account, defer), run }
  if (job.endsWhenClosed && !row.isServed) return await endClosed(job, ctx, row)
  const why = whyGivenUp(row)
  if (why) return await giveUp(job, ctx, row, why)
  const result = await runOnce(job, ctx, row.payload)
  if (result.kind === 'again' && row.attempts >= MAX_RUNS)
    return await giveUp(job, ctx, row, `gave up after ${row.attempts} runs: ${result.reason}`)
  if (result.kind !== 'unknown') return result
  const waiting = waitForNewer(ctx, row, result.reason)
  return waiting.kind === 'never' ? await giveUp(job, ctx, row, result.reason) : waiting
}

/** Returns the outbox rows that a message names; undefined if it is not one of our messages. */
const rowsNamedBy = (rawBody: string): { id: number; also: number[] } | undefined => {
  try {
    const envelope = Envelope.safeParse(JSON.parse(rawBody))
    return envelope.success ? { id: envelope.data.outbox_id, also: envelope.data.also } : undefined
  } catch {
    return undefined
  }
}

type Turn = {
  /** True if a message of the queue waits for the reply. */
  isAsked: boolean
  /** Returns the end of the next row's lease; undefined if the run has reached its limits. */
  goesOnUntil: () => Date | undefined
  defer: (work: Promise<unknown>) => void
}

/** Runs a leased row and settles it. */
const runHeld = async (
  deps: Deps,
  registry: Registry,
  row: LeasedRow,
  leaseUntil: Date,
  { isAsked, goesOnUntil, defer }: Turn,
): Promise<Settled> => {
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
  const next = result.kind === 'done' ? result.next : undefined
  const until = next && goesOnUntil()
  const settled =
    next && until ? await endAndLeaseNext(deps, row, run, next, until) : await settle(deps, row, run, result, isAsked)
  if (next && !until) defer(next.queued())
  const isWaiting = result.kind === 'settled' || result.kind === 'later' || (result.kind === 'again' && !isAsked)
  if (settled.isAskedAgain || isWaiting) defer(deps.wakeQueue())
  return settled
}

/** Returns a `wakeQueue` that collects calls, so that new rows are offered together between runs and at the end. */
const wakeTogether = ({ wakeQueue, now }: Deps, defer: (work: Promise<unknown>) => void) => {
  let isWanted = false
  let isOver = false
  let offeredAt = now().getTime()
  const offer = (): void => {
    if (isWanted) defer(wakeQueue())
    isWanted = false
    offeredAt = now().getTime()
  }
  return {
    wakeQueue: async (): Promise<void> => {
      if (isOver) return await wakeQueue()
      isWanted = true
      if (now().getTime() - offeredAt >= OFFERS_EVERY_MS) offer()
    },
    between: (): void => {
      if (now().getTime() - offeredAt >= OFFERS_EVERY_MS) offer()
    },
    end: (): void => {
      isOver = true
      offer()
    },
  }
}

/** Leases a row to a run that begins now. Returns undefined if it is done or another run has it. */
const leaseNow = async (
  deps: Deps,
  slow: readonly string[],
  id: number,
): Promise<{ row: LeasedRow; lease: Date } | undefined> => {
  const [row] = await guardDatabase(Promise.resolve(leaseRow(deps.db, id, deps.now(), slow)))
  return row?.leaseUntil ? { row, lease: row.leaseUntil } : undefined
}

/**
 * Runs a row and the work that follows, then the other rows of its message. Returns the reply for the first row.
 *
 * Rows that did not get their turn are offered again.
 */
const runInTurn = async (
  deps: Deps,
  registry: Registry,
  ids: { id: number; also: readonly number[] },
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  const startedAt = deps.now().getTime()
  const { wakeQueue, between, end } = wakeTogether(deps, defer)
  const run = (row: LeasedRow, lease: Date, turn: Turn): Promise<Settled> => {
    const held = () => runHeld({ ...deps, wakeQueue }, registry, row, lease, turn)
    // The run's log lines have the id of the request that enqueued the work, and its audit entries the actor who caused it.
    return inRequest(row.requestId ?? requestIdNow() ?? deps.newId(), held, row.causedBy ?? undefined)
  }
  try {
    const first = await leaseNow(deps, registry.slow, ids.id)
    let lease = first?.lease ?? deps.now()
    let times = 1
    const goesOnUntil = (): Date | undefined => {
      const now = deps.now()
      if (times >= GOES_ON_TIMES || now.getTime() - startedAt >= GOES_ON_MS) return undefined
      lease = leaseOf(now, false)
      return lease
    }
    const goOn = async (next: LeasedRow | undefined): Promise<void> => {
      for (let row = next; row; times += 1) {
        between()
        row = (await run(row, lease, { isAsked: false, goesOnUntil, defer })).next
      }
    }
    const { next, ...reply } = first
      ? await run(first.row, lease, { isAsked: true, goesOnUntil, defer })
      : { status: 200 as const, body: { nothing_to_do: true }, next: undefined }
    await goOn(next)
    for (const [n, id] of ids.also.entries()) {
      if (!goesOnUntil()) {
        await deps.db.execute(returnOffers(ids.also.slice(n)))
        await wakeQueue()
        break
      }
      const other = await leaseNow(deps, registry.slow, id)
      lease = other?.lease ?? lease
      await goOn(other?.row)
    }
    return { status: reply.status, body: reply.body }
  } finally {
    end()
  }
}

/**
 * Runs the outbox rows that a message names.
 *
 * Repeated and late messages do no harm: a row is leased to one run at a time and does not run after it is done. The sweep
 * replaces lost messages.
 *
 * A message that is no envelope gets 489, because a retry cannot help.
 */
export const execute = async (
  deps: Deps,
  registry: Registry,
  rawBody: string,
  defer: (work: Promise<unknown>) => void,
): Promise<Reply> => {
  const ids = rowsNamedBy(rawBody)
  if (!ids) return { status: 489, body: { reason: 'the message is not a job’s envelope' } }
  return await runInTurn(deps, registry, ids, defer)
}
