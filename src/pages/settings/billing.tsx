import { Hono } from 'hono/quick'
import { PLANS, type Plan } from '../../../schema/values/accounts.ts'
import {
  buyPlan,
  MOST_SLOTS,
  managePlan,
  type Offer,
  type Payments,
  readSubscription,
} from '../../accounts/billing/subscription.ts'
import { handleEvent } from '../../accounts/billing/webhook.ts'
import { PATHS } from '../../accounts/people/paths.ts'
import { readAccount } from '../../accounts/projects/read.ts'
import { PLAN_INCLUDES, PLAN_PRICES } from '../../platform/accounts/plans.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import { assetPath } from '../assets.ts'
import { ctxOf } from '../ctx.ts'
import { type Front, formOf, type PagesContext, type PagesEnv, show, signedIn } from '../front.tsx'
import type { Notice } from '../notice.ts'
import { Field, Moment, Select, Table } from '../parts.tsx'
import { dayIn, dayText } from '../zone.ts'

/** Dependencies of the billing pages. `payments` is undefined if payment is not set up. */
export type BillingFront = Front & { payments: Payments | undefined; webhookSecret: string }

type Subscription = Awaited<ReturnType<typeof readSubscription>>

/** Names of the plans for people. */
export const PLAN_NAMES: Record<Plan, string> = {
  agentic_free: 'Agentic, free',
  agentic: 'Agentic',
  pro: 'Pro',
  accelerator: 'Accelerator',
}

/** Script that keeps the sum below the form that of the chosen plan and number of sites. */
export const SUM_SCRIPT = `
const sum = document.getElementById('sum')
const prices = JSON.parse(sum.dataset.prices)
const { elements } = sum.closest('form')
const say = () => {
  const slots = Number(elements.slots.value)
  const price = prices[elements.plan.value]
  const sites = slots === 1 ? '1 site' : slots + ' sites'
  sum.textContent =
    !Number.isInteger(slots) || slots < 1
      ? ''
      : price === undefined
        ? sites + ', paid by the year. The payment page shows the amount.'
        : sites + ' × $' + price + ' = $' + (slots * price).toLocaleString('en-US') + ' a month'
}
sum.closest('form').addEventListener('input', say)
say()
`

/** Address of that script. */
export const SUM_JS = assetPath('sum', SUM_SCRIPT, 'js')

/** Renders the monthly price of the plan and number of sites that the form begins with. */
const Total = ({ offers, chosen, slots }: { offers: readonly Offer[]; chosen: string; slots: number }) => {
  const prices = Object.fromEntries(
    offers.flatMap((one) => (one.interval === 'month' ? [[optionOf(one), PLAN_PRICES[one.plan]] as const] : [])),
  )
  const price = prices[chosen]
  return (
    <p id="sum" class="hint" role="status" data-prices={JSON.stringify(prices)}>
      {price !== undefined &&
        `${slots === 1 ? '1 site' : `${slots} sites`} × $${price} = $${(slots * price).toLocaleString('en-US')} a month`}
    </p>
  )
}

/** Renders what each plan includes. `plan` is that of the account. */
export const PlanTable = ({ plan }: { plan: Plan | undefined }) => (
  <Table
    caption="What each plan includes; prices a month and site"
    heads={['Plan', 'Price', 'Written by the service', 'Article credits a month and site', 'Links received a month']}
    rows={PLANS.map((name) => [
      name === plan ? <strong>{PLAN_NAMES[name]} (yours)</strong> : PLAN_NAMES[name],
      PLAN_PRICES[name] === 0 ? 'free' : `$${PLAN_PRICES[name]}`,
      PLAN_INCLUDES[name].writer ? 'yes' : 'no',
      String(PLAN_INCLUDES[name].articleCredits),
      PLAN_INCLUDES[name].backlinksReceived === null ? 'no limit' : String(PLAN_INCLUDES[name].backlinksReceived),
    ])}
  />
)

const Slots = ({ value, error }: { value: number | string; error?: string | undefined }) => (
  <Field name="slots" label="Sites" value={String(value)} error={error} required maxlength={3} />
)

/** Submitted values, and their errors. */
type Sent = { sent?: Record<string, string>; wrong?: { slots?: string; plan?: string } }

/** Returns the value of an offer in the form: the plan, and `:year` if it is paid by the year. */
const optionOf = ({ plan, interval }: Offer): string => (interval === 'month' ? plan : `${plan}:${interval}`)

/** Returns the words for an offer. The amount of a yearly price is shown by the payment page. */
const wordsFor = ({ plan, interval }: Offer): string =>
  interval === 'month'
    ? `${PLAN_NAMES[plan]}, $${PLAN_PRICES[plan]} a month and site`
    : `${PLAN_NAMES[plan]}, paid by the year`

/** Renders the form to buy a plan. It starts with the plan and slots of the account. */
export const Buy = ({
  offers,
  plan,
  slots,
  nonce,
  sent = {},
  wrong = {},
}: {
  offers: readonly Offer[]
  plan: Plan
  slots: number
  nonce: string
} & Sent) => {
  const options = offers.map((offer) => [optionOf(offer), wordsFor(offer)] as const)
  const [chosen = ''] = options.find(([option]) => option === (sent.plan ?? plan)) ?? options[0] ?? []
  return (
    <form class="stack narrow" method="post" action={`${PATHS.billing}/checkout`}>
      <input type="hidden" name="nonce" value={nonce} />
      <Select name="plan" label="Plan" options={options} chosen={chosen} error={wrong.plan} />
      <Slots value={sent.slots ?? slots} error={wrong.slots} />
      <Total offers={offers} chosen={chosen} slots={slotsIn(sent.slots) ?? slots} />
      <button type="submit">Go on to payment</button>
    </form>
  )
}

const Portal = ({ label, isMain = false }: { label: string; isMain?: boolean }) => (
  <form method="post" action={`${PATHS.billing}/portal`}>
    <button class={isMain ? undefined : 'plain'} type="submit">
      {label}
    </button>
  </form>
)

/** Renders a failed payment. Plan and slots stay while the provider tries again, and end when it gives up. */
const PastDue = ({ isOwner }: { isOwner: boolean }) => (
  <div class="notice bad">
    <p>
      <strong>The last payment failed.</strong> Plan and places for sites stay for now: the card is tried again over the
      next days. If no payment succeeds the subscription ends, and with it the plan and its places for sites.
    </p>
    {isOwner ? <Portal label="Change the card or pay now" isMain /> : <p>Ask an owner to change the card.</p>}
  </div>
)

const Manage = ({ row, sent = {}, wrong = {} }: { row: NonNullable<Subscription> } & Sent) => (
  <>
    {row.status !== 'past_due' && (
      <p>
        {row.endsWithPeriod ? 'The subscription ends on ' : 'The subscription is renewed on '}
        <Moment at={row.periodEnd} />.
      </p>
    )}
    <form class="stack narrow" method="post" action={`${PATHS.billing}/slots`}>
      <Slots value={sent.slots ?? row.slots} error={wrong.slots} />
      <p class="hint">The next page shows the price of the subscription before you confirm.</p>
      <button type="submit">Change the number of sites</button>
    </form>
    <Portal label="Change plan, card, invoices, or cancel" />
  </>
)

/** Returns the notice for an account without a free slot; undefined if a slot is free. */
const fullNotice = ({ used, total }: { used: number; total: number }, mayBuy: boolean): Notice | undefined => {
  if (used < total) return undefined
  const none = `The account has no place for a site yet.${mayBuy ? ' Choose a plan below.' : ''}`
  const full = 'Every place for a site is in use. A new site needs another one, or archive one.'
  return { tone: 'plain', text: total === 0 ? none : full }
}

type Shown = Sent & { notice?: Notice; status?: 200 | 400 | 403 | 404 | 409 | 503 }

const page = async (c: PagesContext, front: BillingFront, { notice, status = 200, ...form }: Shown = {}) => {
  const { accountId, role, email } = c.get('person')
  const { payments } = front
  const [{ plan, article_credits, credits_refill_on, project_slots }, row] = await Promise.all([
    readAccount(ctxOf(c, front), { operations: [], pages: {} }),
    readSubscription(front.deps, accountId),
  ])
  const mayBuy = payments !== undefined && role === 'owner'
  const hasPlan = row?.isLive === true || project_slots.total > 0
  const paid: Notice | undefined =
    c.req.query('paid') === undefined
      ? undefined
      : { tone: 'good', text: 'Thank you. Plan and places for sites change within moments.' }
  return await show(c, front, {
    title: 'Plan and sites',
    menu: true,
    status,
    notice: notice ?? paid ?? fullNotice(project_slots, mayBuy),
    ...(payments ? { formTarget: payments.origins.join(' ') } : {}),
    ...(mayBuy && !row?.isLive ? { script: SUM_JS } : {}),
    body: (
      <>
        {payments && row?.status === 'past_due' && <PastDue isOwner={role === 'owner'} />}
        <dl>
          <dt>Plan</dt>
          <dd>{hasPlan ? PLAN_NAMES[plan] : 'none yet'}</dd>
          <dt>Sites</dt>
          <dd>
            {project_slots.used} of {project_slots.total} in use
          </dd>
          <dt>Article credits</dt>
          <dd>
            {article_credits}
            {credits_refill_on && `; filled up again on ${dayText(credits_refill_on, dayIn(front.deps.now(), 'UTC'))}`}
          </dd>
        </dl>
        <h2>Change the plan or add places for sites</h2>
        {!payments && (
          <p class="notice">
            Payment by card is not set up for this service. Write to those who run it, and name the account {email}:
            they change the plan and the places for sites, and your agent can then repeat its call.
          </p>
        )}
        {payments && role !== 'owner' && <p class="notice">Only owners change the plan.</p>}
        {mayBuy && row?.isLive && <Manage row={row} {...form} />}
        {mayBuy && !row?.isLive && (
          <Buy
            offers={payments.offers}
            plan={plan}
            slots={Math.min(MOST_SLOTS, Math.max(1, project_slots.total))}
            nonce={front.deps.newId()}
            {...form}
          />
        )}
        <h2>Plans</h2>
        <PlanTable plan={hasPlan ? plan : undefined} />
      </>
    ),
  })
}

const slotsIn = (text: string | undefined): number | undefined => {
  const slots = /^[1-9]\d{0,2}$/.test(text ?? '') ? Number(text) : 0
  return slots >= 1 && slots <= MOST_SLOTS ? slots : undefined
}

const BAD_SLOTS = { slots: `Must be a whole number from 1 to ${MOST_SLOTS}.` }

/** Adds the page of plan, slots and credits. `purchase_url` and `upgrade_url` of the API lead here. */
export const billingPages = (app: Hono<PagesEnv>, front: BillingFront): void => {
  const returnTo = `${front.deps.settings.publicUrl}${PATHS.billing}`
  /** Redirects an owner to the payment provider, or shows why that is not possible. */
  const on = async (c: PagesContext, run: (payments: Payments) => Promise<string>) => {
    const { payments } = front
    if (c.get('person').role !== 'owner')
      return await page(c, front, { status: 403, notice: { tone: 'bad', text: 'Only owners change the plan.' } })
    if (!payments) return await page(c, front, { status: 404, notice: { tone: 'bad', text: 'Payment is not set up.' } })
    try {
      return c.redirect(await run(payments), 303)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const status = error.code === 'provider_unavailable' ? 503 : error.code === 'not_found' ? 404 : 409
      return await page(c, front, { status, notice: { tone: 'bad', text: error.message } })
    }
  }
  app.get(PATHS.billing, signedIn(front), (c) => page(c, front))
  app.post(`${PATHS.billing}/checkout`, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const slots = slotsIn(sent.slots)
    const offer = front.payments?.offers.find((one) => optionOf(one) === sent.plan)
    const wrong = {
      ...(slots === undefined ? BAD_SLOTS : {}),
      ...(!offer ? { plan: 'Choose a plan.' } : {}),
    }
    if (slots === undefined || !offer) return await page(c, front, { status: 400, sent, wrong })
    const { email, accountId } = c.get('person')
    const isFirst = (await c.get('sites')).length === 0
    const paidTo = `${isFirst ? `${front.deps.settings.publicUrl}/setup` : returnTo}?paid=1`
    const key = `checkout:${accountId}:${optionOf(offer)}:${slots}:${(sent.nonce ?? '').slice(0, 64).replace(/[^\w-]/g, '')}`
    return await on(c, (payments) => buyPlan(ctxOf(c, front), payments, { email, offer, slots, returnTo, paidTo, key }))
  })
  app.post(`${PATHS.billing}/slots`, signedIn(front), async (c) => {
    const sent = await formOf(c)
    const slots = slotsIn(sent.slots)
    if (slots === undefined) return await page(c, front, { status: 400, sent, wrong: BAD_SLOTS })
    return await on(c, (payments) => managePlan(ctxOf(c, front), payments, { slots, returnTo }))
  })
  app.post(`${PATHS.billing}/portal`, signedIn(front), (c) =>
    on(c, (payments) => managePlan(ctxOf(c, front), payments, { returnTo })),
  )
}

const MAX_EVENT_BYTES = 512 * 1024

/** Returns the endpoint for events of the payment provider. Browsers do not use it. */
export const billingHook = ({ deps, payments, webhookSecret }: BillingFront) => {
  const app = new Hono()
  app.post(PATHS.stripeEvents, async (c) => {
    if (!payments || webhookSecret === '') return c.json({ error: 'Payment is not set up.' }, 404)
    if (!(Number(c.req.header('content-length')) <= MAX_EVENT_BYTES)) return c.json({ error: 'Too large.' }, 413)
    const { db, now, log } = deps
    const signature = c.req.header('stripe-signature') ?? ''
    try {
      const { status, said } = await handleEvent(
        { db, now, log, payments, webhookSecret },
        await c.req.text(),
        signature,
      )
      return c.json({ said }, status)
    } catch (error) {
      log('error', 'billing.event_failed', errorFields(error))
      return c.json({ error: 'It could not be carried out now. Send it again.' }, 500)
    }
  })
  return app
}
