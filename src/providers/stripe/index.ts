import * as z from 'zod/mini'
import type { Plan } from '../../../schema/values/accounts.ts'
import type { Asked, Offer, PaidSubscription, Payments } from '../../accounts/billing/subscription.ts'
import { foreignJson } from '../../platform/lib/foreign-answers.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import type { StripeSettings } from '../../platform/runtime/provider-env.ts'

const VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 1_000_000

const Address = z.object({ url: z.url() })
const Subscription = z.object({
  id: z.string(),
  customer: z.string(),
  status: z.string(),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.nullish(z.int()),
  created: z.int(),
  metadata: z.record(z.string(), z.string()),
  items: z.object({
    data: z
      .array(
        z.object({
          id: z.string(),
          quantity: z.optional(z.int()),
          current_period_end: z.optional(z.int()),
          price: z.object({ id: z.string(), product: z.optional(z.string()) }),
        }),
      )
      .check(z.minLength(1)),
  }),
})
const Price = z.object({ product: z.string() })
const Refusal = z.object({ error: z.object({ message: z.optional(z.string()), code: z.optional(z.string()) }) })

/** True if Stripe would refuse the same request again. A conflict of two requests (409) or too many requests (429) can pass. */
const isLasting = (status: number): boolean => status >= 400 && status < 500 && status !== 409 && status !== 429

type Fields = { [name: string]: string | number | boolean | undefined | Fields | readonly Fields[] }

/** Returns fields in Stripe's form encoding: `line_items[0][price]=…`. */
const encoded = (fields: Fields): string => {
  const form = new URLSearchParams()
  const add = (name: string, value: Fields[string]): void => {
    if (value === undefined) return
    if (Array.isArray(value)) for (const [n, one] of value.entries()) add(`${name}[${n}]`, one)
    else if (typeof value === 'object') for (const [key, one] of Object.entries(value)) add(`${name}[${key}]`, one)
    else form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return form.toString()
}

/** Returns a client of Stripe's API with plain requests (https://docs.stripe.com/api). Its SDK is many times larger than the used part. */
export const stripe = (
  { apiUrl, secretKey, prices, addsTax }: StripeSettings,
  { outbound }: Pick<Deps, 'outbound'>,
): Payments => {
  const onSale = (['month', 'year'] as const).flatMap((interval) =>
    Object.entries(prices[interval]).map(([plan, price]) => ({ plan: plan as Plan, interval, price })),
  )
  const isReal = apiUrl === 'https://api.stripe.com'

  const call = async <S extends z.ZodMiniType>(
    schema: S,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { fields, key }: { fields?: Fields; key?: string } = {},
  ): Promise<Asked<z.infer<S>>> => {
    const answer = await outbound({
      url: `${apiUrl}/v1${path}`,
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        'stripe-version': VERSION,
        ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(fields ? { body: encoded(fields) } : {}),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    })
    if (answer.kind !== 'answered') return { refused: 'Stripe does not answer.', isGone: false, lasts: false }
    const body = foreignJson(answer.body)
    if (answer.status < 200 || answer.status >= 300) {
      const refusal = Refusal.safeParse(body).data?.error
      const message =
        answer.status < 500 && refusal?.message ? refusal.message.slice(0, 300) : `Stripe answered ${answer.status}.`
      return { refused: message, isGone: answer.status === 404, lasts: isLasting(answer.status) }
    }
    const parsed = schema.safeParse(body)
    return parsed.success
      ? { ok: parsed.data }
      : { refused: 'Stripe answered something else.', isGone: false, lasts: false }
  }

  /** Returns the product of each price on sale. A price that was deleted has none. */
  const productsOnSale = async (): Promise<Asked<{ plan: Plan; product: string | undefined }[]>> => {
    const asked = await Promise.all(
      onSale.map(async ({ plan, price }) => ({
        plan,
        found: await call(Price, 'GET', `/prices/${encodeURIComponent(price)}`),
      })),
    )
    for (const { found } of asked) if ('refused' in found && !found.isGone) return found
    return { ok: asked.map(({ plan, found }) => ({ plan, product: 'ok' in found ? found.ok.product : undefined })) }
  }

  /**
   * Returns the plan of a price: the one that it is on sale for, or else the one whose price has the same product.
   *
   * A price cannot change, so a new amount is a new price of the product, and subscribers keep the old one
   * (https://docs.stripe.com/products-prices/manage-prices, 2026-11-25). Undefined if no plan, or several, have the product.
   */
  const planOf = async ({
    id,
    product,
  }: {
    id: string
    product?: string | undefined
  }): Promise<Asked<Plan | undefined>> => {
    const offered = onSale.find(({ price }) => price === id)
    if (offered || product === undefined) return { ok: offered?.plan }
    const products = await productsOnSale()
    if ('refused' in products) return products
    const plans = new Set(products.ok.flatMap((one) => (one.product === product ? [one.plan] : [])))
    return { ok: plans.size === 1 ? [...plans][0] : undefined }
  }

  const paid = (
    { id, customer, status, cancel_at_period_end, cancel_at, created, metadata, items }: z.infer<typeof Subscription>,
    plan: Plan | undefined,
  ): PaidSubscription => {
    const item = items.data[0]
    const account = Number(metadata.account_id)
    // The portal ends a subscription by setting `cancel_at` only (https://docs.stripe.com/billing/subscriptions/billing-mode/compare).
    const until = cancel_at ?? item?.current_period_end
    return {
      id,
      customerId: customer,
      status,
      itemId: item?.id ?? '',
      plan,
      slots: item?.quantity ?? 1,
      periodEnd: until === undefined ? null : new Date(until * 1000),
      endsWithPeriod: cancel_at_period_end || typeof cancel_at === 'number',
      createdAt: new Date(created * 1000),
      accountId: Number.isInteger(account) && account > 0 ? account : undefined,
    }
  }

  const urlOf = (asked: Asked<z.infer<typeof Address>>): Asked<string> => ('ok' in asked ? { ok: asked.ok.url } : asked)

  const priceOf = ({ plan, interval }: Offer): string | undefined => prices[interval][plan]

  return {
    offers: onSale.map(({ plan, interval }) => ({ plan, interval })),
    origins: isReal ? ['https://checkout.stripe.com', 'https://billing.stripe.com'] : [new URL(apiUrl).origin],
    checkout: async ({ accountId, email, customerId, offer, slots, returnTo, paidTo, key }) => {
      const metadata = { account_id: String(accountId) }
      const fields: Fields = {
        mode: 'subscription',
        line_items: [{ price: priceOf(offer), quantity: slots }],
        ...(customerId === undefined ? { customer_email: email } : { customer: customerId }),
        client_reference_id: String(accountId),
        metadata,
        subscription_data: { metadata },
        ...(addsTax ? { automatic_tax: { enabled: true } } : {}),
        // Stripe refuses taxes for a customer whose address the page may not store (customer_tax_location_invalid).
        ...(addsTax && customerId !== undefined ? { customer_update: { address: 'auto' } } : {}),
        success_url: paidTo,
        cancel_url: returnTo,
      }
      return urlOf(await call(Address, 'POST', '/checkout/sessions', { fields, key }))
    },
    portal: async ({ customerId, returnTo, slots }) => {
      const flow = slots && {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: slots.subscriptionId,
          items: [{ id: slots.itemId, quantity: slots.count }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: `${returnTo}?paid=1` } },
      }
      const fields: Fields = { customer: customerId, return_url: returnTo, flow_data: flow }
      return urlOf(await call(Address, 'POST', '/billing_portal/sessions', { fields }))
    },
    subscription: async (id) => {
      const asked = await call(Subscription, 'GET', `/subscriptions/${encodeURIComponent(id)}`)
      if ('refused' in asked) return asked
      const [item] = asked.ok.items.data
      const plan = item ? await planOf(item.price) : { ok: undefined }
      return 'ok' in plan ? { ok: paid(asked.ok, plan.ok) } : plan
    },
    cancel: async (id) => {
      const asked = await call(z.object({ status: z.string() }), 'DELETE', `/subscriptions/${encodeURIComponent(id)}`)
      return 'ok' in asked || asked.isGone
    },
  }
}
