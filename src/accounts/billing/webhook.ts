import { inArray, lt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { billingEvents } from '../../../schema/billing.ts'
import { base64, isHmacSha256 } from '../../platform/lib/crypto.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { PaidSubscription, Payments } from './port.ts'
import {
  accountOfCustomer,
  applySubscription,
  eventById,
  isLiveStatus,
  noteEvent,
  subscriptionOf,
} from './subscription.ts'

/** Oldest age of a signature, and most a clock may be ahead, s. */
const WINDOW_S = 300

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** True if a webhook was signed with this secret in the last five minutes: `t=…,v1=…` over `t.body` (https://docs.stripe.com/webhooks#verify-manually). */
const isSigned = async (secret: string, header: string, body: string, now: Date): Promise<boolean> => {
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2)
  if (time === undefined || Math.abs(now.getTime() / 1000 - Number(time)) > WINDOW_S) return false
  const key = Uint8Array.from(new TextEncoder().encode(secret))
  for (const part of parts.filter((one) => /^v1=[0-9a-f]{64}$/.test(one)).slice(0, 5))
    if (await isHmacSha256(key, `${time}.${body}`, base64(bytesOfHex(part.slice(3))))) return true
  return false
}

const Event = z.object({
  id: z.string().check(z.maxLength(255)),
  type: z.string().check(z.maxLength(255)),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})

/** Longest time for which the provider may repeat an event, with room to spare. */
const KEPT_MS = 30 * 86_400_000
/** Older events that each event removes at most. */
const DROPPED = 100

/** Answer to an event. Only `failed` is to be sent again. */
export type EventAnswer = { status: 200 | 400 | 500; said: string }

const textAt = (object: unknown, ...path: string[]): string | undefined => {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    object,
  )
  return typeof found === 'string' ? found : undefined
}

/** Returns the subscription an event is about. */
const subscriptionIn = ({ type, data: { object } }: z.infer<typeof Event>): string | undefined => {
  if (type.startsWith('customer.subscription.')) return textAt(object, 'id')
  if (type === 'checkout.session.completed') return textAt(object, 'subscription')
  if (type === 'invoice.paid' || type === 'invoice.payment_failed')
    return textAt(object, 'parent', 'subscription_details', 'subscription')
  return undefined
}

const parsed = (body: string) => {
  try {
    return Event.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}

type BillingDeps = Pick<Deps, 'db' | 'now' | 'log'> & { payments: Payments; webhookSecret: string }

/**
 * Of two subscriptions that are paid for at once, from two payment pages open beside each other, the later one stands, and the other
 * is ended at the provider. Whether `paid` is one that stands, or why that cannot be said now.
 *
 * An operator pays back the money for the other.
 */
const standsAlone = async (
  { db, payments, log }: BillingDeps,
  accountId: number,
  paid: PaidSubscription,
): Promise<boolean | { refused: string }> => {
  if (!isLiveStatus(paid.status)) return true
  const [known] = await subscriptionOf(db, accountId)
  const other = known?.subscriptionId
  if (!other || other === paid.id || !isLiveStatus(known.status)) return true
  const asked = await payments.subscription(other)
  if ('refused' in asked) return asked.isGone || asked
  if (!isLiveStatus(asked.ok.status)) return true
  const [earlier, later] = [asked.ok, paid].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  ) as [PaidSubscription, PaidSubscription]
  if (!(await payments.cancel(earlier.id))) return { refused: `The subscription ${earlier.id} could not be ended.` }
  log('error', 'billing.paid_twice', { account: accountId, ended: earlier.id, stands: later.id })
  return later === paid
}

/**
 * Takes an event of the payment provider: signed, at most five minutes old, carried out once. What it says of a subscription is not
 * believed but asked for, so that events may come twice and in any order.
 */
export const handleEvent = async (deps: BillingDeps, body: string, signature: string): Promise<EventAnswer> => {
  const { db, now, log, payments, webhookSecret } = deps
  if (!(await isSigned(webhookSecret, signature, body, now())))
    return { status: 400, said: 'The signature is wrong, or older than five minutes.' }
  const event = parsed(body)
  if (!event) return { status: 400, said: 'That is not an event.' }
  if ((await eventById(db, event.id)).length > 0) return { status: 200, said: 'It was carried out before.' }
  const id = subscriptionIn(event)
  const ignored = async (said: string): Promise<EventAnswer> => {
    await noteEvent(db, event, now())
    return { status: 200, said }
  }
  if (id === undefined) return await ignored('It changes nothing here.')
  const askedAt = now()
  const asked = await payments.subscription(id)
  if ('refused' in asked)
    return asked.isGone ? await ignored('There is no such subscription.') : { status: 500, said: asked.refused }
  const { plan: priced, accountId: named, ...paid } = asked.ok
  const accountId = named ?? (await accountOfCustomer(db, paid.customerId))[0]?.accountId
  if (accountId === undefined) return await ignored('It belongs to no account.')
  // One that ended gives nothing, whatever its price is called by now: the plan is that which it gave.
  const plan = priced ?? (isLiveStatus(paid.status) ? undefined : (await subscriptionOf(db, accountId))[0]?.plan)
  if (!plan && !isLiveStatus(paid.status)) return await ignored('It ended, and gave nothing here.')
  if (!plan) {
    log('error', 'billing.unknown_price', { account: accountId, subscription: paid.id })
    return { status: 500, said: 'Its price does not belong to a plan of this service.' }
  }
  const stands = await standsAlone(deps, accountId, asked.ok)
  if (typeof stands === 'object') return { status: 500, said: stands.refused }
  if (!stands) return await ignored('A later subscription stands, and this one was ended.')
  const isChanged = await applySubscription(db, event, { ...paid, plan, accountId }, { askedAt, now: now() })
  const old = db
    .select({ id: billingEvents.id })
    .from(billingEvents)
    .where(lt(billingEvents.receivedAt, new Date(now().getTime() - KEPT_MS)))
    .limit(DROPPED)
  await db.delete(billingEvents).where(inArray(billingEvents.id, old))
  log('info', 'billing.event', { event_type: event.type, account: accountId, changed: isChanged })
  return { status: 200, said: 'Carried out.' }
}
