import { type SQL, sql } from 'drizzle-orm'
import { oneOf } from '../../../schema/columns.ts'
import { deliveries } from '../../../schema/deliveries.ts'
import { OPEN_DELIVERY_STATUSES } from '../../../schema/values/publishing.ts'

/** True if a delivery has not ended, as a condition. */
export const isOpen = (): SQL => oneOf(deliveries.status, OPEN_DELIVERY_STATUSES)

/** True if nobody holds an open delivery at this instant. */
export const isFree = (now: Date): SQL =>
  sql`(${oneOf(deliveries.status, ['retrying', 'unknown'])} or (${oneOf(deliveries.status, ['sending'])} and ${deliveries.leaseUntil} <= ${now.toISOString()}::timestamptz))`
