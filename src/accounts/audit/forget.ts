import { and, asc, inArray, lt } from 'drizzle-orm'
import { auditLog } from '../../../schema/kernel.ts'
import { dropInBatches } from '../../platform/db/batches.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'

const KEPT_DAYS = 400

/** Deletes what is older than 400 days, the oldest first, in batches; returns how many rows. */
export const forgetOldAudit = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const { id, at } = auditLog
  const isOld = lt(at, new Date(now().getTime() - KEPT_DAYS * 86_400_000))
  return await dropInBatches(async (most) => {
    const oldest = db.select({ id }).from(auditLog).orderBy(asc(id)).limit(most)
    const { rowCount } = await db.delete(auditLog).where(and(inArray(id, oldest), isOld))
    return rowCount
  })
}
