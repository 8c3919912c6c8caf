import { and, eq, type SQL } from 'drizzle-orm'
import { billingEvents, subscriptions } from '../../../schema/billing.ts'
import type { Db } from '../../platform/db/client.ts'

/** Selects the subscription of an account, if it meets a condition. */
export const subscriptionOf = (db: Db, accountId: number, where?: SQL) =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), where))

/** Returns the account of a customer. */
export const accountOfCustomer = (db: Db, customerId: string) =>
  db.select({ accountId: subscriptions.accountId }).from(subscriptions).where(eq(subscriptions.customerId, customerId))

export const eventById = (db: Db, id: string) =>
  db.select({ id: billingEvents.id }).from(billingEvents).where(eq(billingEvents.id, id))
