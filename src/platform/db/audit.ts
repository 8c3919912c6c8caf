import { type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import { requestIdNow } from '../lib/request-scope.ts'
import type { AnyPart, Part } from './part.ts'
import { insert } from './write-parts.ts'

/** Actor of a change, and its time. `undoes`: ids of the entries that the change takes back. */
export type Acting = { actor: () => string; now: () => Date | SQL; undoes?: readonly number[] | undefined }

/** Audit entry of a change: `article.create` on `article:7`, one for each row of `of`. */
export type AuditEntry = {
  of: AnyPart
  account: SQL | number
  action: string
  /** The kind of thing and the expression for its id: `['article', made.c.id]`. */
  on: readonly [kind: string, id: SQL | number]
  detail?: Record<string, unknown> | SQL
  where?: SQL
  /** The part's name, where a statement has several. */
  name?: string
}

/** A part that writes an audit row for each row of a part. */
export const audit = (
  acting: Acting,
  { of, account, action, on, detail = {}, where, name = 'audited' }: AuditEntry,
): Part => {
  const [kind, id] = on
  const row = {
    accountId: account,
    actor: acting.actor(),
    action,
    subject: sql`${`${kind}:`}::text || ${id}`,
    detail,
    at: acting.now(),
    requestId: requestIdNow() ?? null,
    ...(acting.undoes ? { undoes: [...acting.undoes] } : {}),
  }
  return insert(name, auditLog, row, { from: [of], ...(where ? { where } : {}) })
}
