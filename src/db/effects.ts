import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../runtime/ctx.ts'

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
