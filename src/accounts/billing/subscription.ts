import { and, eq, exists, inArray, lt, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { billingEvents, subscriptions } from '../../../schema/billing.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { creditsOnPlan } from '../../platform/accounts/parts.ts'
import type { Db } from '../../platform/db/client.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { withStop } from '../../platform/lib/text.ts'
import { type Ctx, sendBatch } from '../../platform/runtime/ctx.ts'

/** Current state of a subscription at the provider. */
export type PaidSubscription = {
  id: string
  customerId: string
  status: string
  /** Its only item. The quantity of the item is the number of slots. */
  itemId: string
  /** Undefined if the price is on sale for no plan, and is of the product of none. */
  plan: Plan | undefined
  slots: number
  /** Date of the next renewal, or of the end if `endsWithPeriod`. */
  periodEnd: Date | null
  endsWithPeriod: boolean
  createdAt: Date
  /** The account it was bought for. */
  accountId: number | undefined
}

/**
 * Result of a request to the provider, or the reason for its refusal, for people to read. `isGone` is true if the provider does not
 * know the object. `lasts` is true if the request stays refused until the operator of the service fixes the cause.
 */
export type Asked<T> = { ok: T } | { refused: string; isGone: boolean; lasts: boolean }

/** Plan on sale, paid each month or each year. */
export type Offer = { plan: Plan; interval: 'month' | 'year' }

/** Payment provider. */
export type Payments = {
  /** Offers that can be bought: at least one if payment is set up. */
  offers: readonly Offer[]
  /** Origins of the provider's pages that people are sent to. */
  origins: readonly string[]
  /** Returns the address where a person buys a plan. After paying they go to `paidTo`. The same `key` gives the same address. */
  checkout: (of: {
    accountId: number
    email: string
    customerId: string | undefined
    offer: Offer
    slots: number
    returnTo: string
    paidTo: string
    key: string
  }) => Promise<Asked<string>>
  /** Returns the address where a person manages plan, cards and invoices; with `slots`, where they confirm that number of slots. */
  portal: (of: {
    customerId: string
    returnTo: string
    slots?: { subscriptionId: string; itemId: string; count: number }
  }) => Promise<Asked<string>>
  subscription: (id: string) => Promise<Asked<PaidSubscription>>
  /** Ends a subscription at once. Returns true also if it had ended before. */
  cancel: (id: string) => Promise<boolean>
}

/** Returns a query for the subscription of an account, if it meets a condition. */
export const subscriptionOf = (db: Db, accountId: number, where?: SQL) =>
  db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), where))

/** Returns the account of a customer. */
export const accountOfCustomer = (db: Db, customerId: string) =>
  db.select({ accountId: subscriptions.accountId }).from(subscriptions).where(eq(subscriptions.customerId, customerId))

/** Returns a query for the plan of an account. */
export const planOfAccount = (db: Db, accountId: number) =>
  db.select({ plan: accounts.plan }).from(accounts).where(eq(accounts.id, accountId))

/** Selects an event that was already handled. */
export const eventById = (db: Db, id: string) =>
  db.select({ id: billingEvents.id }).from(billingEvents).where(eq(billingEvents.id, id))

/** Statuses of a subscription that is paid, on trial, or whose overdue payment is still being collected. */
const LIVE = ['active', 'trialing', 'past_due']

/** True if a subscription with this status gives its plan. */
export const isLiveStatus = (status: string | null): boolean => LIVE.includes(status ?? '')

type Event = { id: string; type: string }

/** Records an event as handled. */
export const noteEvent = (db: Db, { id, type }: Event, now: Date) =>
  db.insert(billingEvents).values({ id, type, receivedAt: now }).onConflictDoNothing({ target: billingEvents.id })

/**
 * Gives an account the plan and slots of its subscription, once for each event. Returns true if the account changed.
 *
 * `askedAt` is when the subscription was read from the provider. A state older than the stored one changes nothing, so that events
 * may come in any order. A subscription that has ended removes plan and slots only if it was the one that gave them. The account is
 * locked first, so that each event sees the result of the one before.
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
  const { changed } = await sendBatch(db, {
    account: db.select({ id: accounts.id }).from(accounts).where(isAccount).for('no key update'),
    audit: audit(
      { actor: () => 'billing', now: () => now },
      {
        account: accountId,
        action: 'account.subscription',
        on: ['account', accountId],
        detail: { status, plan: given.plan, slots: given.projectSlots },
        if: changes,
      },
    ),
    changed: db
      .update(accounts)
      .set({ ...given, updatedAt: now })
      .where(and(isAccount, changes))
      .returning({ id: accounts.id }),
    subscriptions: insertWhere(
      subscriptions,
      { accountId, ...saved, createdAt: now, updatedAt: askedAt },
      { if: sql`${and(applies, notExists(known))}` },
    ),
    changedSubscriptions: db
      .update(subscriptions)
      .set({ ...saved, updatedAt: askedAt })
      .where(and(eq(subscriptions.accountId, accountId), applies)),
    noteEvent: noteEvent(db, event, now),
  })
  return changed.length > 0
}

export const MOST_SLOTS = 100

/** Returns the account's subscription, if it ever had one; `isLive` is true while it is paid for. */
export const readSubscription = async (ctx: Pick<Ctx, 'db'>, accountId: number) => {
  const [row] = await subscriptionOf(ctx.db, accountId)
  return row && { ...row, isLive: isLiveStatus(row.status) }
}

const addressIn = (asked: Asked<string>): string => {
  if ('ok' in asked) return asked.ok
  const { refused, lasts } = asked
  const toDo = lasts ? ' Repeating it does not help: the operator of this service has to fix that.' : ''
  throw new ApiError(
    'provider_unavailable',
    `Payment cannot be opened: ${withStop(refused)} Nothing was changed.${toDo}`,
    lasts ? { retryable: false } : { retry_after: 30 },
  )
}

type Buying = Pick<Parameters<Payments['checkout']>[0], 'email' | 'offer' | 'slots' | 'returnTo' | 'paidTo' | 'key'>

/** Returns the address where a person buys a plan with a number of slots. Throws if the account has a live subscription, and 503. */
export const buyPlan = async (ctx: Ctx, payments: Payments, buying: Buying) => {
  const { id: accountId } = await ctx.account()
  const before = await readSubscription(ctx, accountId)
  if (before?.isLive)
    throw new ApiError('edit_conflict', 'There is a subscription already. Change its plan and slots instead.')
  const customerId = before?.customerId
  return addressIn(await payments.checkout({ ...buying, accountId, customerId }))
}

/**
 * Returns the address where a person changes the subscription; with `slots`, where they confirm that number of slots. Throws if
 * there is no live subscription, and 503.
 */
export const managePlan = async (
  ctx: Ctx,
  payments: Payments,
  { slots, returnTo }: { slots?: number; returnTo: string },
) => {
  const { id: accountId } = await ctx.account()
  const row = await readSubscription(ctx, accountId)
  if (!row?.isLive || !row.subscriptionId || !row.itemId)
    throw new ApiError('not_found', 'There is no subscription to change. Choose a plan first.')
  const { customerId, subscriptionId, itemId } = row
  const change = slots === undefined ? {} : { slots: { subscriptionId, itemId, count: slots } }
  return addressIn(await payments.portal({ customerId, returnTo, ...change }))
}

/** Ends the account's live subscription at once. Throws if the provider does not confirm it. */
export const endSubscription = async (ctx: Ctx, payments: Payments, accountId: number): Promise<void> => {
  const row = await readSubscription(ctx, accountId)
  if (!row?.isLive || !row.subscriptionId) return
  if (!(await payments.cancel(row.subscriptionId))) throw new Error('the subscription could not be ended')
}
