import * as z from 'zod/mini'
import { base64, isHmacSha256 } from '../../platform/lib/crypto.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import {
  accountOfCustomer,
  applySubscription,
  eventById,
  isLiveStatus,
  noteEvent,
  type PaidSubscription,
  type Payments,
  planOfAccount,
  subscriptionOf,
} from './subscription.ts'

/** Largest age of a signature, and largest time by which its clock may be ahead, in seconds. */
const WINDOW_S = 300

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/**
 * True if a webhook was signed with this secret in the last five minutes. The header is `t=…,v1=…`, a signature of `t.body`
 * (https://docs.stripe.com/webhooks#verify-manually).
 */
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

/** Answer to an event. Status 500 means that the provider must send the event again. */
export type EventAnswer = { status: 200 | 400 | 500; said: string }

const textAt = (object: unknown, ...path: string[]): string | undefined => {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    object,
  )
  return typeof found === 'string' ? found : undefined
}

/** Returns the id of the subscription of an event; undefined for events about other things. */
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
 * Ends the earlier of two live subscriptions of an account. Returns true if `paid` stays, or the reason why this cannot be decided
 * now.
 *
 * Two payment pages that are open at the same time can lead to two subscriptions. An operator pays back the money for the earlier.
 */
const endDuplicate = async (
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
 * Handles an event of the payment provider once, if it is signed and at most five minutes old.
 *
 * The state of the subscription is read from the provider, not from the event, so that events may come twice and in any order.
 */
export const handleEvent = async (deps: BillingDeps, body: string, signature: string): Promise<EventAnswer> => {
  const { db, now, log, payments, webhookSecret } = deps
  if (!(await isSigned(webhookSecret, signature, body, now())))
    return { status: 400, said: 'The signature is wrong, or older than five minutes.' }
  const event = parsed(body)
  if (!event) return { status: 400, said: 'The body is not an event.' }
  if ((await eventById(db, event.id)).length > 0) return { status: 200, said: 'The event was already processed.' }
  const id = subscriptionIn(event)
  const ignored = async (said: string): Promise<EventAnswer> => {
    await noteEvent(db, event, now())
    return { status: 200, said }
  }
  if (id === undefined) return await ignored('The event has no effect here.')
  const askedAt = now()
  const asked = await payments.subscription(id)
  if ('refused' in asked)
    return asked.isGone ? await ignored('There is no such subscription.') : { status: 500, said: asked.refused }
  const { plan: priced, accountId: named, ...paid } = asked.ok
  const accountId = named ?? (await accountOfCustomer(db, paid.customerId))[0]?.accountId
  if (accountId === undefined) return await ignored('The subscription belongs to no account.')
  // The stored plan stays with an unknown price. Status, slots and dates are applied.
  const plan = priced ?? (await planOfAccount(db, accountId))[0]?.plan
  if (!plan) return await ignored('There is no such account.')
  if (!priced && isLiveStatus(paid.status))
    log('error', 'billing.unknown_price', { account: accountId, subscription: paid.id, plan })
  const stays = await endDuplicate(deps, accountId, asked.ok)
  if (typeof stays === 'object') return { status: 500, said: stays.refused }
  if (!stays) return await ignored('The account has a later subscription, so this one was canceled.')
  const isChanged = await applySubscription(db, event, { ...paid, plan, accountId }, { askedAt, now: now() })
  log('info', 'billing.event', { event_type: event.type, account: accountId, changed: isChanged })
  return { status: 200, said: 'The event was processed.' }
}
