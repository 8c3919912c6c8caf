import { and, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { billingEvents, subscriptions } from '../../../schema/billing.ts'
import type { Plan } from '../../../schema/values/accounts.ts'
import { creditsOnPlan } from '../../platform/accounts/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import { read } from '../../platform/db/read-parts.ts'
import { ONE_ROW, statement } from '../../platform/db/statement.ts'
import { insert, overwritten, remove, update } from '../../platform/db/write-parts.ts'
import type { PaidSubscription } from './port.ts'

/** States of a subscription that is paid for, or was until a moment ago and is being collected. */
const LIVE = ['active', 'trialing', 'past_due']

export const isLiveStatus = (status: string | null): boolean => LIVE.includes(status ?? '')

type Event = { id: string; type: string }

const recorded = ({ id, type }: Event, now: Date) =>
  insert('event', billingEvents, { id, type, receivedAt: now }, { onConflict: { columns: [billingEvents.id] } })

/** Records an event that changes nothing. */
export const noteEvent = (event: Event, now: Date): SQL => {
  const noted = recorded(event, now)
  return statement({ unaudited: 'an event that changes nothing', parts: [noted], answer: noted.c })
}

/**
 * Gives an account what its subscription pays for, once for each event. `askedAt`: when the provider was asked how it stands; what was
 * asked before what is known already changes nothing, so that events may come in any order.
 *
 * A subscription that ended takes plan and slots away only where it was the one that gave them. Run it with the account held: what an
 * event found must not be older than what the one before it left.
 */
export const applySubscription = (
  event: Event,
  paid: PaidSubscription & { plan: Plan; accountId: number },
  { askedAt, now }: { askedAt: Date; now: Date },
): SQL => {
  const isLive = isLiveStatus(paid.status)
  const noted = recorded(event, now)
  const wasLive = sql`coalesce(${inArray(subscriptions.status, LIVE)}, false)`
  const before = read(
    'before',
    subscriptions,
    { id: subscriptions.subscriptionId, wasLive },
    { where: eq(subscriptions.accountId, paid.accountId) },
  )
  const { customerId, subscriptionId, itemId, status, plan, slots, periodEnd, endsWithPeriod, updatedAt } =
    subscriptions
  const isOurs = eq(subscriptions.subscriptionId, paid.id)
  const saved = insert(
    'saved',
    subscriptions,
    {
      accountId: paid.accountId,
      customerId: paid.customerId,
      subscriptionId: paid.id,
      itemId: paid.itemId,
      status: paid.status,
      plan: paid.plan,
      slots: paid.slots,
      periodEnd: paid.periodEnd,
      endsWithPeriod: paid.endsWithPeriod,
      createdAt: now,
      updatedAt: askedAt,
    },
    {
      from: [noted],
      where: sql`exists (select 1 from ${accounts} where ${eq(accounts.id, paid.accountId)})`,
      onConflict: {
        columns: [subscriptions.accountId],
        set: overwritten({
          customerId,
          subscriptionId,
          itemId,
          status,
          plan,
          slots,
          periodEnd,
          endsWithPeriod,
          updatedAt,
        }),
        setWhere: sql`${or(
          and(isOurs, lt(subscriptions.updatedAt, askedAt)),
          and(sql`not coalesce(${isOurs}, false)`, isLive ? undefined : sql`not ${wasLive}`),
        )}`,
      },
      returning: { accountId: subscriptions.accountId },
    },
  )
  const gave = sql`(select coalesce(bool_or(${before.c.id} = ${paid.id} and ${before.c.wasLive}), false) from ${before.rows})`
  const given = isLive
    ? { plan: paid.plan, projectSlots: paid.slots, ...creditsOnPlan(paid.plan, sql`not ${gave}`) }
    : { plan: 'agentic' as const, projectSlots: 0 }
  const changed = update(
    'changed',
    accounts,
    { ...given, updatedAt: now },
    {
      from: [saved],
      where: sql`${eq(accounts.id, saved.c.accountId)} and ${isLive ? sql`true` : gave}`,
      returning: { id: accounts.id },
    },
  )
  const acting = { actor: () => 'billing', now: () => now }
  return statement({
    parts: [noted, before, saved, changed],
    audit: audit(acting, {
      of: changed,
      account: changed.c.id,
      action: 'account.subscription',
      on: ['account', changed.c.id],
      detail: { status: paid.status, plan: given.plan, slots: given.projectSlots },
    }),
    answer: { changed: changed.hasRows },
    answerFrom: ONE_ROW,
  })
}

/** Forgets events the provider repeats no more. */
export const dropEvents = (before: Date, limit: number): SQL => {
  const old = read(
    'old',
    billingEvents,
    { id: billingEvents.id },
    { where: lt(billingEvents.receivedAt, before), limit },
  )
  const gone = remove('gone', billingEvents, { from: [old], where: eq(billingEvents.id, old.c.id) })
  return statement({ unaudited: 'events that come no more', parts: [old, gone], answer: gone.c })
}
