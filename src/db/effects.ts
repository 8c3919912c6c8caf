import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../runtime/ctx.ts'

/** A job to be left in the statement that makes it necessary. */
export type OutboxEntry = { job: string; key: SQL; payload: SQL; runAt: Date }

/** A CTE that writes one outbox row per row of the CTE `from`; an unfinished row of the same key is left as it is. */
export const enqueueCte = (name: string, from: SQL, accountId: SQL, entry: OutboxEntry): SQL =>
  sql`, ${sql.raw(name)} as (
    insert into outbox (account_id, job, key, payload, run_at)
    select ${accountId}, ${entry.job}, ${entry.key}, ${entry.payload}, ${entry.runAt.toISOString()}::timestamptz from ${from}
    on conflict (key) where done_at is null and dead_at is null do nothing returning id)`

/** A CTE that writes an audit row per row of `from`. `subject` may use its columns. */
export const auditCte = (
  ctx: Pick<Ctx, 'actor' | 'now'>,
  from: SQL,
  accountId: SQL,
  action: string,
  subject: SQL,
  detail: Record<string, unknown> = {},
): SQL =>
  sql`, audited as (
    insert into audit_log (account_id, actor, action, subject, detail, at)
    select ${accountId}, ${ctx.actor()}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb, ${ctx.now().toISOString()}::timestamptz
    from ${from} returning id)`
