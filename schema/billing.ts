import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { accounts } from './accounts.ts'
import { createdAt, instant, oneOf, updatedAt } from './columns.ts'
import { PLANS } from './values/accounts.ts'

/** Subscription of an account at Stripe. It determines the account's plan and slots. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    customerId: text('customer_id').notNull(),
    /** Null if the customer has not bought yet. */
    subscriptionId: text('subscription_id'),
    /** The only item of the subscription. Its quantity is the number of slots. */
    itemId: text('item_id'),
    /** Stripe's status: `active`, `past_due`, `canceled` and others. */
    status: text('status'),
    plan: text('plan', { enum: PLANS }),
    slots: integer('slots').notNull().default(0),
    periodEnd: instant('period_end'),
    endsWithPeriod: boolean('ends_with_period').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('subscriptions_customer_unique').on(t.customerId),
    uniqueIndex('subscriptions_subscription_unique').on(t.subscriptionId).where(sql`${t.subscriptionId} is not null`),
    check('subscriptions_plan_check', oneOf(t.plan, PLANS)),
    check('subscriptions_slots_check', sql`${t.slots} >= 0`),
  ],
)

/** Stripe events that were processed. A repeated event does nothing. */
export const billingEvents = pgTable(
  'billing_events',
  {
    id: text('id').primaryKey(),
    type: text('type').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [index('billing_events_received').on(t.receivedAt)],
)
