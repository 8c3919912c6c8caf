import { and, eq, exists, inArray, lt, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { billingEvents, subscriptions } from '../../../schema/billing.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { creditsOnPlan } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'
import type { PaidSubscription } from './port.ts'

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

/** States of a subscription that is paid for, or was until a moment ago and is being collected. */
const LIVE = ['active', 'trialing', 'past_due']

export const isLiveStatus = (status: string | null): boolean => LIVE.includes(status ?? '')

type Event = { id: string; type: string }

/** Records an event as carried out. */
export const noteEvent = (db: Db, { id, type }: Event, now: Date) =>
  db.insert(billingEvents).values({ id, type, receivedAt: now }).onConflictDoNothing({ target: billingEvents.id })

/**
 * Gives an account what its subscription pays for, once for each event; true if the account changed. `askedAt`: when the provider was
 * asked how it stands; what was asked before what is known already changes nothing, so that events may come in any order.
 *
 * A subscription that ended takes plan and slots away only where it was the one that gave them. The account is locked first: what an
 * event found must not be older than what the one before it left.
 */
export const applySubscription = async (
  db: Db,
  event: Event,
  paid: PaidSubscription & { plan: Plan; accountId: number },
  { askedAt, now }: { askedAt: Date; now: Date },
): Promise<boolean> => {
  const { accountId, customerId, itemId, status, plan, slots, periodEnd, endsWithPeriod } = paid
  const isLive = isLiveStatus(status)
  const isAccount = eq(accounts.id, accountId)
  const known = subscriptionOf(db, accountId)
  const isOurs = sql`${subscriptions.subscriptionId} is not distinct from ${paid.id}`
  const wasLive = sql`coalesce(${inArray(subscriptions.status, LIVE)}, false)`
  const isNews = or(
    and(isOurs, lt(subscriptions.updatedAt, askedAt)),
    and(not(isOurs), isLive ? undefined : not(wasLive)),
  )
  const applies = sql`${and(
    exists(db.select({ id: accounts.id }).from(accounts).where(isAccount)),
    notExists(eventById(db, event.id)),
    or(notExists(known), exists(subscriptionOf(db, accountId, isNews))),
  )}`
  const gave = exists(subscriptionOf(db, accountId, and(isOurs, wasLive)))
  const changes = sql`${and(applies, isLive ? undefined : gave)}`
  const given = isLive
    ? { plan, projectSlots: slots, ...creditsOnPlan(plan, not(gave)) }
    : { plan: 'agentic' as const, projectSlots: 0 }
  const saved = { customerId, subscriptionId: paid.id, itemId, status, plan, slots, periodEnd, endsWithPeriod }
  const [, , changed] = await sendBatch(db, [
    db.select({ id: accounts.id }).from(accounts).where(isAccount).for('no key update'),
    audit(
      { actor: () => 'billing', now: () => now },
      {
        account: accountId,
        action: 'account.subscription',
        on: ['account', accountId],
        detail: { status, plan: given.plan, slots: given.projectSlots },
        if: changes,
      },
    ),
    db
      .update(accounts)
      .set({ ...given, updatedAt: now })
      .where(and(isAccount, changes))
      .returning({ id: accounts.id }),
    insertWhere(
      subscriptions,
      { accountId, ...saved, createdAt: now, updatedAt: askedAt },
      { if: sql`${and(applies, notExists(known))}` },
    ),
    db
      .update(subscriptions)
      .set({ ...saved, updatedAt: askedAt })
      .where(and(eq(subscriptions.accountId, accountId), applies)),
    noteEvent(db, event, now),
  ])
  return changed.length > 0
}
