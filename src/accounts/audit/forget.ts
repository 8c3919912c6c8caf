import { and, asc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import { dropInBatches } from '../../platform/db/batches.ts'
import { read } from '../../platform/db/read-parts.ts'
import { statement } from '../../platform/db/statement.ts'
import { remove } from '../../platform/db/write-parts.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

/** Deletes, of the oldest rows, a batch of those from before an instant. */
const dropOldest = (before: Date, batch: number): SQL => {
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

const KEPT_DAYS = 400

/** Deletes what is older than 400 days, in batches; how many went. */
export const forgetOldAudit = async (deps: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const before = new Date(deps.now().getTime() - KEPT_DAYS * 86_400_000)
  return await dropInBatches(async (most) => (await deps.db.execute(dropOldest(before, most))).rowCount ?? 0)
}
