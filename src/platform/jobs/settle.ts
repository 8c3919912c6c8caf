import type { Step } from '../db/steps.ts'
import { type Deps, type Run, sendBatch } from '../runtime/ctx.ts'
import { failureOf, type JobResult, type Next } from './job.ts'
import { type LeasedRow, markDead, markDone, markLater, releaseFailed, releaseRow } from './outbox.ts'

/** Reply to the queue. 200: handled. 500: retry. 489: never retry. */
export type Reply = { status: 200 | 489 | 500; body: Record<string, unknown> }

/** Delay before failed work is retried if no message of the queue is for it, ms. */
const AGAIN_AFTER_MS = 10_000
/** Delay before a row is tried again whose job this Worker does not know, ms. */
const UNKNOWN_AGAIN_MS = 600_000

const UNAUDITED = 'no caller or person acts when a job ends'

/** Result of a run: the reply to its message, and the row that the run continues with. */
export type Settled = Reply & { isAskedAgain?: boolean; next?: LeasedRow | undefined }

/** Ends a row and leases the work that follows to this run, in one transaction. */
export const endAndLeaseNext = async (
  { db, now }: Deps,
  row: LeasedRow,
  run: Run,
  next: Next,
  leaseUntil: Date,
): Promise<Settled> => {
  const {
    ended: [ended],
    taken: [taken],
  } = await sendBatch(db, { ended: markDone(db, run, now()), taken: next.held(leaseUntil) }, { unaudited: UNAUDITED })
  return {
    status: 200,
    body: { done: true },
    isAskedAgain: ended?.isAskedAgain ?? false,
    next: taken && {
      ...row,
      id: Number(taken.id),
      payload: taken.payload as LeasedRow['payload'],
      attempts: 1,
      lostRuns: 0,
      createdAt: now(),
      causedBy: null,
    },
  }
}

/** Ends a row and runs the job's last statements, in one transaction. Returns true if the work was enqueued again during the run. */
const endWith = async ({ db, now }: Deps, run: Run, last?: Step): Promise<boolean> => {
  const { ended } = await sendBatch(db, { last, ended: markDone(db, run, now()) }, { unaudited: UNAUDITED })
  return ended[0]?.isAskedAgain ?? false
}

/**
 * Records in the row how a run ended; changes nothing if another run has the row.
 *
 * `isAsked`: true if a message of the queue waits for the reply.
 */
export const settle = async (
  deps: Deps,
  row: LeasedRow,
  run: Run,
  result: JobResult,
  isAsked: boolean,
): Promise<Settled> => {
  const { db, now, log } = deps
  switch (result.kind) {
    case 'done':
      try {
        return { status: 200, body: { done: true }, isAskedAgain: await endWith(deps, run, result.last) }
      } catch (error) {
        if (!result.last) throw error
        return await settle(deps, row, run, failureOf(row.job, { log, run }, error), isAsked)
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
      if (isAsked) await releaseFailed(db, run, result.reason)
      else await markLater(db, run, new Date(now().getTime() + AGAIN_AFTER_MS), result.reason)
      return { status: 500, body: { reason: result.reason } }
  }
}
