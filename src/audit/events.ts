import { and, asc, eq, gt, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../schema/kernel.ts'
import { at } from '../db/instant.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { EventsInput } from './schemas.ts'

const KEPT_DAYS = 30
const DAY_MS = 86_400_000
const PAGE = { default: 50, max: 200 }

/** The first words of actions that the feed tells of. Keys, people and the account stay in the audit log. */
const KINDS = ['article', 'delivery', 'suggestion', 'integration', 'social', 'profile', 'crowdwork', 'project']

/** The article that an entry is about, directly or by its delivery; null if it is about neither. */
const articleOf = sql<number | null>`case split_part(${auditLog.subject}, ':', 1)
  when 'article' then split_part(${auditLog.subject}, ':', 2)::int
  when 'delivery' then (select d.article_id from deliveries d where d.id = split_part(${auditLog.subject}, ':', 2)::int) end`

/**
 * Condition: no transaction that began to write before this row was written is still open. Such a transaction could bring a row
 * with a smaller id, which a caller whose cursor is past it would never see.
 */
const isSettled = sql`age(${auditLog}.xmin) > age(pg_snapshot_xmin(pg_current_snapshot())::xid)`

/** Condition: the row is not older than the oldest that is kept, which is found by its time and compared by its id. */
const isKept = (owner: SQL, since: Date): SQL =>
  sql`${auditLog.id} >= (select first.id from audit_log first where first.account_id = ${owner} and first.at >= ${at(since)}
    order by first.at, first.id limit 1)`

/** Lists what happened in the account since a cursor, oldest first. */
export const listEvents = async (ctx: Ctx, { after = 0, limit: asked = PAGE.default }: EventsInput) => {
  const limit = Math.min(asked, PAGE.max)
  const since = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  const [found] = await ctx.read((owner) => [
    ctx.db
      .select({
        id: auditLog.id,
        at: auditLog.at,
        type: auditLog.action,
        actor: auditLog.actor,
        subject: auditLog.subject,
        article_id: articleOf,
        detail: auditLog.detail,
      })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.accountId, owner),
          gt(auditLog.id, after),
          inArray(sql`split_part(${auditLog.action}, '.', 1)`, KINDS),
          gte(auditLog.at, since),
          isKept(owner, since),
          isSettled,
        ),
      )
      .orderBy(asc(auditLog.id))
      .limit(limit + 1),
  ])
  const shown = found.slice(0, limit)
  return {
    events: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
    count: shown.length,
    limit,
    after: shown.at(-1)?.id ?? after,
    more: found.length > limit,
  }
}
