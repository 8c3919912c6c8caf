import { and, eq, exists, isNull, ne, not, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/neon-http'
import { alias } from 'drizzle-orm/pg-core'
import { outbox } from '../../../schema/kernel.ts'
import type { SqlRunner } from '../db/client.ts'
import { withAudit } from '../db/writes.ts'

/** Only builds statements; the operator's runner sends them. */
const db = drizzle.mock()

/** Work in the outbox as an operator sees it. Times are as PostgreSQL writes them. */
export type JobRow = {
  id: string
  account_id: number | null
  job: string
  key: string
  payload: Record<string, unknown>
  state: 'waiting' | 'running' | 'overdue' | 'dead' | 'done'
  attempts: number
  lost_runs: number
  offers: number
  unanswered_offers: number
  run_at: string
  last_error: string | null
}

const { doneAt, deadAt, leaseUntil, runAt } = outbox
const STATE =
  sql`case when ${doneAt} is not null then 'done' when ${deadAt} is not null then 'dead' when ${leaseUntil} > now() then 'running'
  when ${runAt} < now() - interval '2 minutes' then 'overdue' else 'waiting' end`.as('state')
const JOB = {
  id: outbox.id,
  account_id: outbox.accountId,
  job: outbox.job,
  key: outbox.key,
  payload: outbox.payload,
  state: STATE,
  attempts: outbox.attempts,
  lost_runs: outbox.lostRuns,
  offers: outbox.offers,
  unanswered_offers: outbox.unansweredOffers,
  run_at: outbox.runAt,
  last_error: outbox.lastError,
}
const JOBS = db.select(JOB).from(outbox).getSQL()
const isFree = sql`(${leaseUntil} is null or ${leaseUntil} <= now())`

/** Returns dead work, newest first, and work overdue by two minutes. At most `limit` rows of each. */
export const listDeadAndLate = (run: SqlRunner, limit: number): Promise<JobRow[]> =>
  run<JobRow>(sql`(${JOBS} where ${deadAt} is not null order by ${deadAt} desc limit ${limit}::int)
    union all
    (${JOBS} where ${isNull(doneAt)} and ${isNull(deadAt)} and ${runAt} < now() - interval '2 minutes' and ${isFree}
      order by ${runAt} limit ${limit}::int)`)

/** Returns one row of the outbox. Throws if it does not exist. */
export const showJob = async (run: SqlRunner, id: number): Promise<JobRow> => {
  const [row] = await run<JobRow>(sql`${JOBS} where ${outbox.id} = ${id}::bigint`)
  if (!row) throw new Error(`There is no job ${id}.`)
  return row
}

const other = alias(outbox, 'other')

/** Retries dead or waiting work at once, with its counts at zero. Throws if it is done, running, or replaced by newer work. */
export const retryJob = async (run: SqlRunner, id: number): Promise<JobRow> => {
  const isReplaced = exists(
    db
      .select({ id: other.id })
      .from(other)
      .where(and(eq(other.key, outbox.key), ne(other.id, outbox.id), isNull(other.doneAt), isNull(other.deadAt))),
  )
  const ready = { deadAt: null, runAt: sql`now()`, offeredAt: null, attempts: 0, lostRuns: 0, unansweredOffers: 0 }
  const retried = db
    .update(outbox)
    .set(ready)
    .where(and(eq(outbox.id, id), isNull(doneAt), isFree, not(isReplaced)))
    .returning(JOB)
  const operator = { actor: () => 'operator', now: () => sql`now()` }
  const entry = { account: sql`made.account_id`, action: 'job.retry', on: ['job', sql`made.id`] } as const
  const [row] = await run<JobRow>(withAudit(operator, retried, entry))
  if (row) return row
  const { state: now } = await showJob(run, id)
  throw new Error(
    now === 'done' || now === 'running'
      ? `Job ${id} is ${now}; there is nothing to retry.`
      : `Newer work of the same kind took the place of job ${id}; there is nothing to retry.`,
  )
}
