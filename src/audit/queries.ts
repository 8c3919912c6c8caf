import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { at } from '../db/instant.ts'
import type { Paging } from '../lib/paging.ts'

export type AuditFilter = { action: string | undefined; actor: string | undefined; since: Date | undefined }

/** Newer than the account's last row before an instant: ids rise with time, so that only rows to be shown are read. */
const newerThan = (owner: SQL, since: Date): SQL =>
  sql`${auditLog.id} > coalesce((select b.id from audit_log b where b.account_id = ${owner} and b.at < ${at(since)}
    order by b.id desc limit 1), 0)`

/** The account's audit rows, newest first, one more than the page shows. */
export const auditRows = (db: Db, owner: SQL, { action, actor, since }: AuditFilter, paging: Paging) =>
  db
    .select({
      id: auditLog.id,
      at: auditLog.at,
      actor: auditLog.actor,
      action: auditLog.action,
      subject: auditLog.subject,
      detail: auditLog.detail,
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, owner),
        action === undefined ? undefined : eq(auditLog.action, action),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        since === undefined ? undefined : newerThan(owner, since),
        paging.beforeId === undefined ? undefined : lt(auditLog.id, paging.beforeId),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(paging.limit + 1)
    .offset(paging.offset)
