import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { remove } from '../../platform/db/write-parts.ts'

/** Deletes, of the oldest rows, a batch of those from before an instant. */
export const dropOldest = (before: Date, batch: number): SQL => {
  const { id, at } = auditLog
  const oldest = read('oldest', auditLog, { id, at }, { orderBy: asc(id), limit: batch })
  const isDropped = sql`${and(eq(id, oldest.c.id), lt(oldest.c.at, sql.param(before, at)))}`
  const dropped = remove('dropped', auditLog, { from: [oldest], where: isDropped, returning: { id } })
  return statement({
    unaudited: 'the log itself, past the time it is kept',
    parts: [oldest, dropped],
    answer: dropped.c,
  })
}
