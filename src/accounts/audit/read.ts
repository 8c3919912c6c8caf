import { pageOf, pagingOf } from '../../platform/db/paging.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { auditRows } from './queries.ts'
import type { AuditLogInput } from './schemas.ts'

const PAGE = { default: 50, max: 200 }

/** Returns the audit log of the account, newest first. */
export const listAuditLog = async (ctx: Ctx, input: AuditLogInput) => {
  const paging = pagingOf(input, PAGE)
  const since = input.since === undefined ? undefined : instantOf(input.since, 'UTC')
  const filter = { action: input.action, actor: input.actor, since }
  const [found] = await ctx.read((owner) => [auditRows(ctx.db, owner, filter, paging)])
  const { rows, page } = pageOf(found, paging)
  return { entries: rows.map((row) => ({ ...row, at: row.at.toISOString() })), ...page }
}
