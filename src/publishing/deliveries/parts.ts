import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries, deliveryAttempts } from '../../../schema/deliveries.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'
import type { Part } from '../../platform/db/part.ts'
import { update } from '../../platform/db/write-parts.ts'
import { deliverJob } from '../jobs.ts'

/** True if a delivery has not ended, as a condition. */
export const isOpen = (): SQL => oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)

/** True if nobody holds an open delivery at this instant. */
export const isFree = (now: Date): SQL =>
  sql`(${oneOf(deliveries.status, ['retrying', 'unknown'])} or (${oneOf(deliveries.status, ['sending'])} and ${deliveries.leaseUntil} <= ${now.toISOString()}::timestamptz))`

const idsOf = ({ c, rows }: Part<'id'>): SQL => sql`(select ${c.id} from ${rows})`

/** A part that ends attempts of deliveries which died: no one else will. */
const endLostAttempts = (of: Part<'id'>): Part =>
  update(
    'lost_attempts',
    deliveryAttempts,
    { status: 'failed', error: 'The attempt was interrupted; its outcome is not known.' },
    { where: sql`${inArray(deliveryAttempts.deliveryId, idsOf(of))} and ${eq(deliveryAttempts.status, 'sending')}` },
  )

/**
 * Parts that call off the open deliveries of articles because newer content goes out; replays go on. `calledOff` has a row
 * for each.
 */
export const replaceDeliveries = (articles: Part<'id'>, reason: string, now: Date) => {
  const calledOff = update(
    'called_off',
    deliveries,
    { status: 'superseded', error: reason, nextAttemptAt: null, leaseUntil: null, updatedAt: now },
    {
      where: sql`${and(inArray(deliveries.articleId, idsOf(articles)), isOpen(), isNull(deliveries.replayOf))}`,
      returning: { id: deliveries.id },
    },
  )
  const silenced = deliverJob.finish(calledOff, now, { name: 'silenced' })
  return { calledOff, parts: [calledOff, silenced, endLostAttempts(calledOff)] }
}
