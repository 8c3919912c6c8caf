import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import type { Db } from '../../platform/db/client.ts'
import { isOpen } from './writes.ts'

/** Calls off every open delivery of an article that is deleted. */
export const callOffDeliveries = (db: Db, articleId: number, { if: condition }: { if: SQL }) => {
  const open = and(eq(deliveries.articleId, articleId), isOpen(), condition)
  const ofOpen = inArray(deliveryAttempts.deliveryId, db.select({ id: deliveries.id }).from(deliveries).where(open))
  return [
    db
      .update(deliveryAttempts)
      .set({ status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' })
      .where(and(ofOpen, eq(deliveryAttempts.status, 'sending'))),
    db
      .update(deliveries)
      .set({ status: 'superseded', error: 'The article was deleted.', nextAttemptAt: null, leaseUntil: null })
      .where(open),
  ]
}
