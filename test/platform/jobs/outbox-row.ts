import { sql } from 'drizzle-orm'
import { rowsIn, type Target } from '../../support/client.ts'

export type OutboxRow = {
  attempts: number
  done: boolean
  dead: boolean
  leased: boolean
  last_error: string | null
  run_at: string
}

/** Returns the id of a new outbox row far in the future, so that no sweep of this stack offers it. */
export const newOutboxRow = async (
  target: Target,
  accountId: number,
  job = 'test.job',
  payload: unknown = { n: 1 },
): Promise<number> => {
  const [row] = await rowsIn<{ id: string }>(
    target,
    sql`insert into outbox (account_id, job, key, payload, run_at)
      values (${accountId}::int, ${job}, ${crypto.randomUUID()}, ${JSON.stringify(payload)}::jsonb, now() + interval '30 days') returning id`,
  )
  return Number(row?.id)
}

/** Reads an outbox row. Throws if there is none. */
export const outboxRow = async (target: Target, id: number): Promise<OutboxRow> => {
  const [row] = await rowsIn<OutboxRow>(
    target,
    sql`select attempts, done_at is not null as done, dead_at is not null as dead, lease_until is not null as leased, last_error, run_at
      from outbox where id = ${id}`,
  )
  if (!row) throw new Error('no such row')
  return row
}
