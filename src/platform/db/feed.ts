import { type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'

/**
 * Order in which feeds read the audit log. An id is drawn before its row becomes visible, so a reader that continues by id alone
 * misses a row with a smaller id. Transactions that have ended write no more rows: behind them nothing appears.
 */
export const inFeedOrder = sql`${auditLog.tx}, ${auditLog.id}`

/** Condition: the entry's transaction, and every transaction with a smaller number, has ended. */
export const isSettled = sql`${auditLog.tx} < pg_snapshot_xmin(pg_current_snapshot())`

/** Returns the place of an entry in the order of feeds. If the entry is gone, that of the one with the next smaller id. */
const placeOf = (entryId: SQL, owner: SQL | undefined): SQL => {
  const before = sql`audit_log placed where placed.id <= ${entryId}${owner ? sql` and placed.account_id = ${owner}` : sql``} order by placed.id desc limit 1`
  return sql`coalesce((select placed.tx from ${before}), '0'::xid8), coalesce((select placed.id from ${before}), 0)`
}

/** Condition: the entry is behind another one in a feed: that of an account, or without `owner` that of all accounts. */
export const isBehind = (entryId: SQL, owner?: SQL): SQL => sql`(${inFeedOrder}) > (${placeOf(entryId, owner)})`
