import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { newestIds, type Paging, pageOf, pagingOf } from '../../platform/db/paging.ts'
import { instantOf } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { AuditLogInput, EventsInput } from './schemas.ts'

type AuditFilter = { action: string | undefined; actor: string | undefined; since: Date | undefined }

/** Returns the account's audit rows, newest first, one more than the page shows. */
export const auditRows = (db: Db, owner: SQL, { action, actor, since }: AuditFilter, paging: Paging) =>
  db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actor: auditLog.actor,
      action: auditLog.action,
      subject: auditLog.subject,
      detail: auditLog.detail,
      request_id: auditLog.requestId,
    })
    .from(auditLog)
    .where(
      and(
        inArray(
          auditLog.id,
          newestIds(
            auditLog,
            [
              eq(auditLog.accountId, owner),
              action === undefined ? undefined : eq(auditLog.action, action),
              actor === undefined ? undefined : eq(auditLog.actor, actor),
              paging.beforeId === undefined ? undefined : lt(auditLog.id, paging.beforeId),
            ],
            paging,
          ),
        ),
        // Ids rise with time: what is too old is at the end of the page, and all that follows is older.
        since === undefined ? undefined : gte(auditLog.at, since),
      ),
    )
    .orderBy(desc(auditLog.id))

/** The first words of actions that the feed tells of. Keys, people and the account stay in the audit log. */
const KINDS = [
  'article',
  'approval',
  'delivery',
  'suggestion',
  'integration',
  'social',
  'profile',
  'crowdwork',
  'project',
]

/** The article that an entry is about, directly or by its delivery or approval; null if it is about neither. */
const articleOf = sql<number | null>`case split_part(${auditLog.subject}, ':', 1)
  when 'article' then split_part(${auditLog.subject}, ':', 2)::int
  when 'approval' then (${auditLog.detail} ->> 'article_id')::int
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

/** Returns events of the account after a cursor, oldest first, one more than the page shows. */
export const eventRows = (db: Db, owner: SQL, since: Date, { after, limit }: { after: number; limit: number }) =>
  db
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
        isKept(owner, since),
        // One expression: by three conditions the planner expects few rows, and then reads and sorts all of the account.
        sql`case when ${and(inArray(sql`split_part(${auditLog.action}, '.', 1)`, KINDS), gte(auditLog.at, since), isSettled)}
          then true else false end`,
      ),
    )
    .orderBy(asc(auditLog.id))
    .limit(limit + 1)

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

const KEPT_DAYS = 30
const DAY_MS = 86_400_000
const EVENTS_PAGE = { default: 50, max: 200 }

/** Lists what happened in the account since a cursor, oldest first. */
export const listEvents = async (ctx: Ctx, { after = 0, limit: asked = EVENTS_PAGE.default }: EventsInput) => {
  const limit = Math.min(asked, EVENTS_PAGE.max)
  const since = new Date(ctx.now().getTime() - KEPT_DAYS * DAY_MS)
  const [found] = await ctx.read((owner) => [eventRows(ctx.db, owner, since, { after, limit })])
  const shown = found.slice(0, limit)
  return {
    events: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
    count: shown.length,
    limit,
    after: shown.at(-1)?.id ?? after,
    more: found.length > limit,
  }
}
