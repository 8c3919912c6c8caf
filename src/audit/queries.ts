import { and, desc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm'
import { auditLog } from '../../schema/kernel.ts'
import type { Db } from '../db/client.ts'
import { newestIds, type Paging } from '../db/paging.ts'

export type AuditFilter = { action: string | undefined; actor: string | undefined; since: Date | undefined }

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
        // Ids rise with time: what is too old stands at the end of the page, and all that follows is older.
        since === undefined ? undefined : gte(auditLog.at, since),
      ),
    )
    .orderBy(desc(auditLog.id))
