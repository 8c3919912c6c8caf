import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { published } from '../published.ts'
import { type Answer, html, json } from '../receiver/answers.ts'
import { ROOT } from '../root.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

/** Keys that the stand-in accepts and signs with. They open nothing elsewhere. */
export const LOCAL_STRIPE = {
  secretKey: 'sk_test_local',
  webhookSecret: 'whsec_local_stripe',
  prices: { agentic: 'price_agentic', pro: 'price_pro', accelerator: 'price_accelerator' },
  yearly: { pro: 'price_pro_yearly' },
}

type Price = {
  id: string
  object: 'price'
  active: boolean
  product: string
  recurring: { interval: 'month' | 'year' }
}

const priceNamed = (id: string, product: string, interval: 'month' | 'year', active = true): Price => ({
  id,
  object: 'price',
  active,
  product,
  recurring: { interval },
})

/** Prices of the account. Those of last year are archived, and still valid on subscriptions. */
const PRICES: readonly Price[] = [
  ...Object.entries(LOCAL_STRIPE.prices).map(([plan, id]) => priceNamed(id, `prod_${plan}`, 'month')),
  priceNamed(LOCAL_STRIPE.yearly.pro, 'prod_pro', 'year'),
  priceNamed('price_pro_of_last_year', 'prod_pro', 'month', false),
  priceNamed('price_of_another_product', 'prod_other', 'month'),
]

const priceWith = (id: string): Price | undefined => PRICES.find((price) => price.id === id)

const SCHEMA = published('stripe')

type Item = { id: string; price: Price; quantity: number; current_period_end: number }
type Subscription = {
  id: string
  object: 'subscription'
  customer: string
  status: string
  cancel_at_period_end: boolean
  cancel_at: number | null
  created: number
  metadata: Record<string, string>
  items: { data: Item[] }
}
type Session = { id: string; form: URLSearchParams; kind: 'checkout' | 'portal' }
type Event = { id: string; type: string; created: number; data: { object: unknown } }

type State = {
  subscriptions: Map<string, Subscription>
  sessions: Map<string, Session>
  /** Answers by idempotency key, with the form they were given for. */
  kept: Map<string, { form: string; answer: Answer }>
  events: Event[]
  /** Changes that the portal allows; undefined if its settings were never saved. */
  portal: { canUpdate: boolean; updates: string[] } | undefined
  /** Addresses that receive events. */
  webhooks: { url: string; events: string[] }[]
  /** True while events are kept and not sent. */
  holdsEvents: boolean
}

export type RunningStripe = StandIn & { state: State }

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`
const refusal = (status: number, message: string, type = 'invalid_request_error'): Answer =>
  json(status, { error: { type, message } })
const inAMonth = (): number => Math.floor(Date.now() / 1000) + 30 * 86_400

/** Returns a header as Stripe makes it: HMAC-SHA256 over `t.body`. */
export const signatureOf = (body: string, secret = LOCAL_STRIPE.webhookSecret, atS = Math.floor(Date.now() / 1000)) =>
  `t=${atS},v1=${createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex')}`

const send = async (url: string, event: Event): Promise<number> => {
  const body = JSON.stringify(event)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signatureOf(body) },
    body,
  })
  await response.body?.cancel()
  return response.status
}

const checkoutOf = (state: State, form: URLSearchParams, url: string): Answer => {
  const price = form.get('line_items[0][price]') ?? ''
  if (form.get('mode') !== 'subscription' || !form.get('success_url')) return refusal(400, 'Missing required param.')
  const found = priceWith(price)
  if (!found) return refusal(400, `No such price: '${price}'`)
  if (!found.active) return refusal(400, `The price specified is inactive. This field only accepts active prices.`)
  // https://docs.stripe.com/tax/checkout/existing-customers, 2026-11-25
  if (
    form.get('automatic_tax[enabled]') === 'true' &&
    form.has('customer') &&
    form.get('customer_update[address]') !== 'auto'
  )
    return refusal(
      400,
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
    )
  const id = newId('cs_test')
  state.sessions.set(id, { id, form, kind: 'checkout' })
  return json(200, { id, object: 'checkout.session', url: `${url}/_pay?session=${id}`, status: 'open' })
}

const canChangeQuantity = ({ portal }: State): boolean =>
  portal?.canUpdate === true && portal.updates.includes('quantity')

/** Returns an answer about the account's prices, portal and webhooks; undefined for another path. */
const setUpOf = (state: State, path: string): Answer | undefined => {
  const listOf = (data: unknown[]) => json(200, { object: 'list', data, has_more: false })
  if (path === '/v1/billing_portal/configurations')
    return listOf(
      state.portal
        ? [
            {
              id: 'bpc_local',
              object: 'billing_portal.configuration',
              active: true,
              is_default: true,
              features: {
                subscription_update: {
                  enabled: state.portal.canUpdate,
                  default_allowed_updates: state.portal.updates,
                },
              },
            },
          ]
        : [],
    )
  if (path === '/v1/webhook_endpoints')
    return listOf(
      state.webhooks.map(({ url, events }) => ({
        object: 'webhook_endpoint',
        url,
        status: 'enabled',
        enabled_events: events,
      })),
    )
  const price = /^\/v1\/prices\/(\w+)$/.exec(path)?.[1]
  if (price === undefined) return undefined
  const found = priceWith(price)
  return found ? json(200, found) : refusal(404, `No such price: '${price}'`)
}

const portalOf = (state: State, form: URLSearchParams, url: string): Answer => {
  const customer = form.get('customer')
  if (![...state.subscriptions.values()].some((one) => one.customer === customer))
    return refusal(400, `No such customer: '${customer}'`)
  // https://docs.stripe.com/customer-management/integrate-customer-portal#configure
  if (!state.portal)
    return refusal(
      400,
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    )
  if (form.get('flow_data[type]') === 'subscription_update_confirm' && !canChangeQuantity(state))
    return refusal(
      400,
      'This subscription cannot be updated because the subscription update feature in the portal configuration is disabled.',
    )
  const id = newId('bps')
  state.sessions.set(id, { id, form, kind: 'portal' })
  return json(200, { id, object: 'billing_portal.session', url: `${url}/_pay?session=${id}` })
}

const eventOf = (state: State, type: string, object: unknown): Event => {
  const event = { id: newId('evt'), type, created: Math.floor(Date.now() / 1000), data: { object } }
  state.events.push(event)
  return event
}

/** Returns a creation time in seconds, later than all others. So two subscriptions within a second have an order. */
const createdNext = ({ subscriptions }: State): number =>
  Math.max(Math.floor(Date.now() / 1000), ...[...subscriptions.values()].map(({ created }) => created + 1))

/**
 * Carries out a payment, or a confirmation in the portal. Returns the resulting events, and the address the person is
 * sent to.
 */
const confirmed = (state: State, { form, kind }: Session): { events: Event[]; to: string } => {
  if (kind === 'portal') {
    const flow = 'flow_data[subscription_update_confirm]'
    const one = state.subscriptions.get(form.get(`${flow}[subscription]`) ?? '')
    const quantity = Number(form.get(`${flow}[items][0][quantity]`))
    const [item] = one?.items.data ?? []
    if (!one || !item) return { events: [], to: form.get('return_url') ?? '' }
    item.quantity = quantity
    const to = form.get('flow_data[after_completion][redirect][return_url]') ?? ''
    return { events: [eventOf(state, 'customer.subscription.updated', structuredClone(one))], to }
  }
  const price = priceWith(form.get('line_items[0][price]') ?? '')
  if (!price) return { events: [], to: form.get('cancel_url') ?? '' }
  const one: Subscription = {
    id: newId('sub'),
    object: 'subscription',
    customer: form.get('customer') ?? newId('cus'),
    status: 'active',
    cancel_at_period_end: false,
    cancel_at: null,
    created: createdNext(state),
    metadata: { account_id: form.get('subscription_data[metadata][account_id]') ?? '' },
    items: {
      data: [
        {
          id: newId('si'),
          price,
          quantity: Number(form.get('line_items[0][quantity]')),
          current_period_end: inAMonth(),
        },
      ],
    },
  }
  state.subscriptions.set(one.id, one)
  const session = {
    object: 'checkout.session',
    customer: one.customer,
    subscription: one.id,
    client_reference_id: form.get('client_reference_id'),
  }
  return {
    events: [
      eventOf(state, 'customer.subscription.created', structuredClone(one)),
      eventOf(state, 'checkout.session.completed', session),
    ],
    to: form.get('success_url') ?? '',
  }
}

const api = (state: State, request: StandInRequest, url: string): Answer => {
  const { method, path, headers, raw } = request
  if (headers.authorization !== `Bearer ${LOCAL_STRIPE.secretKey}`) return refusal(401, 'Invalid API Key provided')
  const text = raw.toString('utf8')
  const key = headers['idempotency-key']
  const before = typeof key === 'string' ? state.kept.get(key) : undefined
  if (before)
    return before.form === text
      ? before.answer
      : refusal(400, 'Keys for idempotent requests can only be used with the same parameters.', 'idempotency_error')
  const work = (): Answer => {
    const form = new URLSearchParams(text)
    if (method === 'POST' && path === '/v1/checkout/sessions') return checkoutOf(state, form, url)
    if (method === 'POST' && path === '/v1/billing_portal/sessions') return portalOf(state, form, url)
    const setUp = method === 'GET' ? setUpOf(state, path) : undefined
    if (setUp) return setUp
    const id = /^\/v1\/subscriptions\/(\w+)$/.exec(path)?.[1]
    const one = id === undefined ? undefined : state.subscriptions.get(id)
    if (!one) return refusal(404, `No such subscription: '${id}'`)
    if (method === 'DELETE') one.status = 'canceled'
    return json(200, one)
  }
  const answer = work()
  if (typeof key === 'string') state.kept.set(key, { form: text, answer })
  return answer
}

const styles = (): string => readFileSync(join(ROOT, 'functions/pages/assets/style.css'), 'utf8')

const payPage = (session: Session): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payment</title><style>${styles()}</style></head><body><main class="narrow"><h1>Payment, played on this machine</h1>
<p>No card is charged. ${session.kind === 'checkout' ? 'The subscription begins' : 'The change holds'} when you press the button.</p>
<form method="post"><button>Pay</button></form></main></body></html>`

/**
 * Starts a stand-in of Stripe: Checkout, the portal and subscriptions, a page for paying, and signed events to
 * `eventsUrl`.
 *
 * `/_events` changes a subscription (`{id, status?, quantity?, price?, cancelled?}`) or holds events back (`{hold}`), `/_faults`
 * makes it fail.
 */
export const startStripe = async (eventsUrl: () => string): Promise<RunningStripe> => {
  const state: State = {
    subscriptions: new Map(),
    sessions: new Map(),
    kept: new Map(),
    events: [],
    portal: { canUpdate: true, updates: ['quantity'] },
    webhooks: [],
    holdsEvents: false,
  }
  const url = () => standIn.url
  const deliver = (events: readonly Event[]): void => {
    if (!state.holdsEvents) for (const event of events) send(eventsUrl(), event).catch(() => {})
  }
  const pay = (request: StandInRequest): Answer => {
    const session = state.sessions.get(request.query.get('session') ?? '')
    if (!session) return html(404, 'There is no such session.')
    if (request.method === 'GET') return html(200, payPage(session))
    const { events, to } = confirmed(state, session)
    deliver(events)
    return json(303, {}, { location: to })
  }
  const change = ({ body }: StandInRequest): Answer => {
    const { id, status, quantity, price, cancelled, hold } = (body ?? {}) as {
      id?: string
      status?: string
      quantity?: number
      price?: string
      cancelled?: boolean
      hold?: boolean
    }
    if (hold !== undefined) state.holdsEvents = hold
    const one = state.subscriptions.get(id ?? '')
    if (!one) return json(200, { events: state.events })
    if (status !== undefined) one.status = status
    const [item] = one.items.data
    if (quantity !== undefined && item) item.quantity = quantity
    const other = priceWith(price ?? '')
    if (other && item) item.price = other
    // A subscription that Checkout began ends in the portal without `cancel_at_period_end`.
    if (cancelled !== undefined && item) one.cancel_at = cancelled ? item.current_period_end : null
    const type = status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated'
    const event = eventOf(state, type, structuredClone(one))
    deliver([event])
    return json(200, { event })
  }
  const standIn: StandIn = await startStandIn({
    published: {
      schema: SCHEMA,
      refused: ({ kind, path: [first = '', ...rest], message }, { method, path }) => {
        const param = `${first}${rest.map((part) => `[${part}]`).join('')}`
        if (kind === 'operation') return refusal(404, `Unrecognized request URL (${method}: ${path}).`)
        if (kind === 'unknown') return refusal(400, `Received unknown parameter: ${param}`)
        return refusal(400, kind === 'missing' ? `Missing required param: ${param}.` : `Invalid ${param}: ${message}`)
      },
    },
    posts: () => [...state.subscriptions.values()],
    answer: (request) => {
      if (request.path === '/_pay') return pay(request)
      if (request.path === '/_events') return change(request)
      return api(state, request, url())
    },
  })
  return { ...standIn, state }
}
