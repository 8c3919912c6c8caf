import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { LOCAL_STRIPE, signatureOf } from '../../../local/stripe/server.ts'
import { applySubscription } from '../../../src/accounts/billing/subscription.ts'
import { tick } from '../../content/writing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { rowsIn, tell } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { manyKeys } from '../../support/keys.ts'
import { formOn, linkIn, mailTo, newOwner, signInByMail, type Visitor } from '../people/browser.ts'

const stack = inject('stack')
const faults = ownFaults(stack.stripeUrl)
const BILLING = '/settings/billing'
/** The lock by which a test knows that a subscription is being given. */
const GIVING = 41_907

type Stand = { plan: string; slots: number }

const owner = async () => {
  const { api: first, person } = await newOwner(stack, { plan: 'agentic', projects: 0 })
  // The test polls until an event has arrived, so it needs many keys.
  const api = manyKeys(stack, first)
  const stand = async (): Promise<Stand> => {
    const { plan, project_slots } = (await api.get('/account')).body as {
      plan: string
      project_slots: { total: number }
    }
    return { plan, slots: project_slots.total }
  }
  return { api, person, stand }
}

type Subscription = { id: string; status: string; metadata: { account_id: string } }

/** Returns the provider's subscriptions of an account, oldest first. */
const subscriptionsOf = async (accountId: number): Promise<Subscription[]> => {
  const all = (await (await fetch(`${stack.stripeUrl}/_posts`)).json()) as Subscription[]
  return all.filter((one) => one.metadata.account_id === String(accountId))
}

const subscriptionOf = async (accountId: number): Promise<string> => (await subscriptionsOf(accountId)).at(-1)?.id ?? ''

/** Sends a form of the page of the plan; the payment page it leads to. */
const openPayment = async (person: Visitor, action: string, fields: Record<string, string>): Promise<string> => {
  const page = await person.get(BILLING)
  const sent = await person.post(
    `${BILLING}/${action}`,
    { ...formOn(page, `${BILLING}/${action}`), ...fields },
    { follow: false },
  )
  expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringContaining(stack.stripeUrl)])
  return sent.headers.get('location') ?? ''
}

/** Presses the button at the payment provider. Returns the address to which the person is sent. */
const payAt = async (payment: string): Promise<string> =>
  (await fetch(payment, { method: 'POST', redirect: 'manual' })).headers.get('location') ?? ''

const pay = async (person: Visitor, action: string, fields: Record<string, string>) =>
  await person.get(await payAt(await openPayment(person, action, fields)))

const buy = async (person: Visitor, plan = 'pro', slots = '2') => await pay(person, 'checkout', { plan, slots })

const postEvent = async (event: object, signature?: string) => {
  const body = JSON.stringify(event)
  const response = await fetch(`${stack.url}/stripe/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature ?? signatureOf(body) },
    body,
  })
  return { status: response.status, text: await response.text() }
}

const eventAbout = (subscription: string, type = 'customer.subscription.updated') => ({
  id: `evt_${randomBytes(8).toString('hex')}`,
  type,
  data: { object: { id: subscription } },
})

beforeAll(() => tell(stack.stripeUrl, '/_events', { hold: false }))

describe('a plan', () => {
  it('is bought at the provider: plan, slots and credits follow from the subscription, and the same call succeeds', async () => {
    const { api, person, stand } = await owner()
    const project = { website_url: `https://${randomBytes(6).toString('hex')}.example` }
    const refused = await api.post('/projects', project)
    expect([refused.status, refused.body.purchase_url]).toEqual([402, `${stack.url}${BILLING}`])
    expect((await person.get(BILLING)).text).not.toContain('filled up on')
    const back = await buy(person)
    expect([back.url, back.text]).toEqual([`${stack.url}/setup?paid=1`, expect.stringContaining('Thank you.')])
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    expect((await person.get(BILLING)).text).toMatch(/; filled up again on \w{3} 1 \w{3}/)
    expect((await api.post('/projects', project)).status).toBe(201)
    expect((await person.get('/settings/audit')).text).toContain('account.subscription')
  })

  it('that is paid but not confirmed adds no site, and the page says so', async () => {
    const { api, person } = await owner()
    await tell(stack.stripeUrl, '/_events', { hold: true })
    const back = await buy(person)
    const site = { ...formOn(back, '/setup'), website_url: `${randomBytes(6).toString('hex')}.example` }
    const early = await person.post('/setup', site)
    await tell(stack.stripeUrl, '/_events', { hold: false })
    expect([early.status, early.text]).toEqual([400, expect.stringContaining('the payment is not confirmed yet')])
    expect((await api.get('/projects')).body.projects).toEqual([])
    await postEvent(eventAbout(await subscriptionOf(api.accountId)))
    expect((await person.post('/setup', { ...formOn(early, '/setup'), ...site })).url).toMatch(/\/p\/\d+\/setup$/)
  })

  it('and slots of an account are in the form; an account without slots is told so', async () => {
    const { person } = await newOwner(stack, { plan: 'pro', projects: 50 })
    const { text } = await person.get(BILLING)
    expect(text).toMatch(/<option value="pro" selected[^>]*>/)
    expect(text).toMatch(/name="slots" value="50"/)
    expect(text).not.toContain('project slot')
    const none = await owner()
    const said = (await none.person.get(BILLING)).text
    expect(said).toContain('The account has no place for a site yet. Choose a plan below.')
    expect(said).not.toContain('Every project slot is in use')
    expect(said).toMatch(/<option value="agentic" selected[^>]*>/)
    expect(said).toMatch(/name="slots" value="1"/)
  })

  it('gets more slots, and gives them back when it ends', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    await pay(person, 'slots', { slots: '5' })
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 5 })
    await tell(stack.stripeUrl, '/_events', { id: await subscriptionOf(api.accountId), cancelled: true })
    await expect.poll(async () => (await person.get(BILLING)).text).toContain('The subscription ends on')
    expect(await stand()).toEqual({ plan: 'pro', slots: 5 })
    await tell(stack.stripeUrl, '/_events', { id: await subscriptionOf(api.accountId), status: 'past_due' })
    await expect.poll(async () => (await person.get(BILLING)).text).toContain('The last payment failed')
    expect(await stand()).toEqual({ plan: 'pro', slots: 5 })
    const late = (await person.get(BILLING)).text
    expect(late).toMatch(
      /Plan and places for sites stay for now[\s\S]*action="\/settings\/billing\/portal"[\s\S]*Change the card[\s\S]*<dl>/,
    )
    expect(late).not.toContain('The subscription is renewed')
    await tell(stack.stripeUrl, '/_events', { id: await subscriptionOf(api.accountId), status: 'canceled' })
    await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
    expect((await person.get(BILLING)).text).toContain('Go on to payment')
  })

  it('fills up credits once a month if it is switched back and forth, and again if it is bought again', async () => {
    const { api, person, stand } = await owner()
    await buy(person, 'pro', '1')
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 1 })
    const id = await subscriptionOf(api.accountId)
    const credits = async () => ((await api.get('/account')).body as { article_credits: number }).article_credits
    const spend = (left: number) =>
      rowsIn(stack, sql`update accounts set article_credits = ${left}::int where id = ${api.accountId}::int`)
    const change = async (plan: keyof typeof LOCAL_STRIPE.prices) => {
      const item = { id: 'si_1', quantity: 1, price: { id: LOCAL_STRIPE.prices[plan] } }
      const answer = {
        ...{ id, status: 'active', customer: `cus_of_${id}`, cancel_at_period_end: false, created: 1 },
        ...{ metadata: { account_id: String(api.accountId) }, items: { data: [item] } },
      }
      await faults.set({ path: `/v1/subscriptions/${id}`, status: 200, answer })
      expect((await postEvent(eventAbout(id))).status).toBe(200)
      await faults.clear()
      expect(await stand()).toEqual({ plan, slots: 1 })
    }
    await api.post('/projects', { website_url: `https://${randomBytes(6).toString('hex')}.example` })
    expect(await credits()).toBe(30)
    await spend(10)
    await change('accelerator')
    expect(await credits()).toBe(90)
    await spend(5)
    await change('pro')
    expect(await credits()).toBe(5)
    await change('accelerator')
    expect(await credits()).toBe(5)
    await change('pro')
    const lastMonth = sql`update accounts set credits_filled_at = now() - interval '32 days' where id = ${api.accountId}::int`
    await rowsIn(stack, lastMonth)
    await tick(stack)
    expect(await credits()).toBe(30)
    await change('accelerator')
    expect(await credits()).toBe(90)
    await spend(5)
    await tell(stack.stripeUrl, '/_events', { id, status: 'canceled' })
    await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
    await buy(person, 'pro', '1')
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 1 })
    expect(await credits()).toBe(30)
  })

  it('the form begins with an offer and its sum, and shows those that were sent again', async () => {
    const { person } = await owner()
    expect((await person.get(BILLING)).text).toMatch(/id="sum"[^>]*>1 site × \$\d+ = \$\d+ a month</)
    const wrong = await person.post(`${BILLING}/checkout`, { plan: 'nothing', slots: '12' })
    expect([wrong.status, /id="sum"[^>]*>(12 sites × [^<]*)</.exec(wrong.text)?.[1]]).toEqual([
      400,
      expect.stringMatching(/^12 sites × \$(\d+) = \$[\d,]+ a month$/),
    ])
  })

  it('cannot be bought twice, by a person who is not an owner, or with an invalid number of slots', async () => {
    const { person, stand } = await owner()
    for (const slots of ['0', '101', 'x', '1.5'])
      expect((await person.post(`${BILLING}/checkout`, { plan: 'pro', slots })).status, slots).toBe(400)
    expect((await person.post(`${BILLING}/checkout`, { plan: 'agentic_free', slots: '1' })).status).toBe(400)
    expect((await person.post(`${BILLING}/portal`, {})).status).toBe(404)
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    expect((await person.post(`${BILLING}/checkout`, { plan: 'pro', slots: '1' })).status).toBe(409)

    const { visitor: member, email } = await signInByMail(stack)
    await person.post('/settings/people', { email, role: 'member' })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
    await member.post('/invitation', formOn(await member.get(link), '/invitation'))
    for (const action of ['portal', 'slots', 'checkout'])
      expect((await member.post(`${BILLING}/${action}`, { plan: 'pro', slots: '1' })).status, action).toBe(403)
  })

  it('paid on two open pages is paid for once: the later payment counts, the other ends', async () => {
    const { api, person, stand } = await owner()
    const pages = [
      await openPayment(person, 'checkout', { plan: 'pro', slots: '2' }),
      await openPayment(person, 'checkout', { plan: 'accelerator', slots: '3' }),
    ]
    const states = async () => (await subscriptionsOf(api.accountId)).map(({ status }) => status)
    await payAt(pages[0] ?? '')
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    await payAt(pages[1] ?? '')
    await expect.poll(stand).toEqual({ plan: 'accelerator', slots: 3 })
    expect(await states()).toEqual(['canceled', 'active'])
    // A late event about the earlier one, as if both were stored at the same time.
    const [first] = await subscriptionsOf(api.accountId)
    await tell(stack.stripeUrl, '/_events', { id: first?.id, status: 'active' })
    await expect.poll(states).toEqual(['canceled', 'active'])
    expect(await stand()).toEqual({ plan: 'accelerator', slots: 3 })
  })

  it.each([
    ['does not answer', { status: 500 }, /Nothing was changed\.</],
    [
      'refuses for good',
      { status: 400, answer: { error: { message: 'No such price' } } },
      /No such price\. Nothing was changed\. Repeating it does not help: the operator/,
    ],
  ])('if the provider %s, nothing changes and a page says so', async (_, fault, words) => {
    const { person, stand } = await owner()
    const rule = { path: '/v1/checkout/sessions', ...fault, times: 1 }
    const page = await person.get(BILLING)
    await faults.set(rule)
    const sent = await person.post(`${BILLING}/checkout`, {
      ...formOn(page, `${BILLING}/checkout`),
      plan: 'pro',
      slots: '1',
    })
    await faults.clear()
    expect([sent.status, sent.text]).toEqual([503, expect.stringMatching(words)])
    expect(await stand()).toEqual({ plan: 'agentic', slots: 0 })
  })
})

describe('an event', () => {
  it('is refused if it is unsigned, signed with another secret, changed, or too old', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const event = eventAbout(await subscriptionOf(api.accountId))
    const body = JSON.stringify(event)
    const now = Math.floor(Date.now() / 1000)
    const wrong = [
      '',
      't=1,v1=',
      signatureOf(body, 'whsec_other'),
      signatureOf(`${body} `),
      signatureOf(body, LOCAL_STRIPE.webhookSecret, now - 301),
      signatureOf(body, LOCAL_STRIPE.webhookSecret, now + 400),
    ]
    for (const signature of wrong) expect((await postEvent(event, signature)).status, signature).toBe(400)
    expect((await postEvent(event)).status).toBe(200)
  })

  it('sent twice is applied once, and late ones change nothing, because the state is read from the provider', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const id = await subscriptionOf(api.accountId)
    const late = { ...eventAbout(id, 'customer.subscription.deleted') }
    expect((await postEvent(late)).text).toContain('was processed')
    expect(await stand()).toEqual({ plan: 'pro', slots: 2 })
    expect((await postEvent(late)).text).toContain('already processed')
    const known = await rowsIn(stack, sql`select id from billing_events where id = ${late.id}`)
    expect(known).toHaveLength(1)
  })

  it('is sent again if it cannot be carried out now', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const event = eventAbout(await subscriptionOf(api.accountId))
    // More than one use: one of the purchase's two events may still be reading the subscription.
    await faults.set({ path: `/v1/subscriptions/${event.data.object.id}`, status: 500 })
    expect((await postEvent(event)).status).toBe(500)
    await faults.clear()
    expect((await postEvent(event)).text).toContain('was processed')
  })

  it('of another kind, or of an unknown customer, changes nothing', async () => {
    expect((await postEvent({ ...eventAbout('sub_nobody') })).text).toContain('no such subscription')
    expect((await postEvent({ ...eventAbout('x'), type: 'charge.refunded' })).text).toContain('has no effect')
    expect((await postEvent({ id: 'x' })).status).toBe(400)
  })

  it('of the end removes the plan, even if its price no longer belongs to a plan', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const id = await subscriptionOf(api.accountId)
    const item = { id: 'si_1', quantity: 2, price: { id: 'price_of_last_year' } }
    const now = (status: string) => ({
      id,
      status,
      customer: `cus_of_${id}`,
      cancel_at_period_end: false,
      created: 1,
      metadata: { account_id: String(api.accountId) },
      items: { data: [item] },
    })
    const path = `/v1/subscriptions/${id}`
    await faults.set({ path, status: 200, answer: now('active') })
    expect((await postEvent(eventAbout(id))).status).toBe(200)
    expect(await stand()).toEqual({ plan: 'pro', slots: 2 })
    await faults.set({ path, status: 200, answer: now('canceled') })
    expect((await postEvent(eventAbout(id, 'customer.subscription.deleted'))).status).toBe(200)
    await faults.clear()
    expect(await stand()).toEqual({ plan: 'agentic', slots: 0 })
  })

  it.each<[string, string, Stand]>([
    ['an archived price of the same product', 'price_pro_of_last_year', { plan: 'pro', slots: 3 }],
    ['the price of another plan', LOCAL_STRIPE.prices.accelerator, { plan: 'accelerator', slots: 3 }],
    ['a price of an unknown product: the plan stays', 'price_of_another_product', { plan: 'pro', slots: 3 }],
  ])('about a change to %s applies the rest', async (_, price, expected) => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const id = await subscriptionOf(api.accountId)
    await tell(stack.stripeUrl, '/_events', { hold: true })
    await tell(stack.stripeUrl, '/_events', { id, price, quantity: 3 })
    await tell(stack.stripeUrl, '/_events', { hold: false })
    expect((await postEvent(eventAbout(id))).status).toBe(200)
    expect(await stand()).toEqual(expected)
    await tell(stack.stripeUrl, '/_events', { id, status: 'canceled' })
    await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
  })

  it('about a yearly price gives its plan, and taxes are added for a known customer too', async () => {
    const { api, person, stand } = await owner()
    await buy(person, 'pro:year', '1')
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 1 })
    await tell(stack.stripeUrl, '/_events', { id: await subscriptionOf(api.accountId), status: 'canceled' })
    await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
    await buy(person, 'pro', '2')
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
  })

  it('removes no slots that operators gave', async () => {
    const { api, person, stand } = await owner()
    await buy(person)
    await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
    const first = await subscriptionOf(api.accountId)
    await tell(stack.stripeUrl, '/_events', { id: first, status: 'canceled' })
    await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
    await rowsIn(stack, sql`update accounts set plan = 'pro', project_slots = 7 where id = ${api.accountId}::int`)
    expect((await postEvent(eventAbout(first, 'customer.subscription.deleted'))).status).toBe(200)
    expect(await stand()).toEqual({ plan: 'pro', slots: 7 })
  })

  it.skipIf(!process.env.DATABASE_URL)(
    'of the end takes the plan away also while another gives it',
    { tags: ['services'] },
    async () => {
      const { api, person, stand } = await owner()
      await buy(person)
      await expect.poll(stand).toEqual({ plan: 'pro', slots: 2 })
      const id = await subscriptionOf(api.accountId)
      await tell(stack.stripeUrl, '/_events', { id, status: 'canceled' })
      await expect.poll(stand).toEqual({ plan: 'agentic', slots: 0 })
      await rowsIn(stack, sql`update subscriptions set status = 'incomplete' where account_id = ${api.accountId}::int`)
      // Does the work of the event before the end, and commits when the event of the end waits for it.
      const giving = rowsIn(
        stack,
        sql.raw(`do $$ begin
        update subscriptions set status = 'active' where account_id = ${api.accountId};
        update accounts set plan = 'pro', project_slots = 2 where id = ${api.accountId};
        perform pg_advisory_xact_lock(${GIVING}, ${api.accountId});
        while not exists (select from pg_locks where not granted and pg_blocking_pids(pid) @> array[pg_backend_pid()]) loop
          perform pg_sleep(0.01);
        end loop;
      end $$`),
      )
      const given = sql`select 1 from pg_locks where locktype = 'advisory' and classid = ${GIVING} and objid = ${api.accountId}
      and database = (select oid from pg_database where datname = current_database())`
      await expect.poll(() => rowsIn(stack, given)).toHaveLength(1)
      expect((await postEvent(eventAbout(id, 'customer.subscription.deleted'))).text).toContain('was processed')
      await giving
      expect(await stand()).toEqual({ plan: 'agentic', slots: 0 })
    },
  )
})

it('events that arrive at once, late, or about another subscription give nothing twice and take nothing away', async () => {
  const { api, stand } = await owner()
  const { db } = systemDeps(stack)
  const ours = { id: `sub_${api.accountId}`, customerId: `cus_${api.accountId}`, itemId: 'si_1', status: 'active' }
  const paid = {
    ...ours,
    slots: 2,
    periodEnd: null,
    endsWithPeriod: false,
    createdAt: new Date(),
    plan: 'pro' as const,
  }
  const apply = (event: string, changes: object, secondsAgo: number) =>
    applySubscription(
      db,
      { id: `evt_${api.accountId}_${event}`, type: 'customer.subscription.updated' },
      { ...paid, accountId: api.accountId, ...changes },
      { askedAt: new Date(Date.now() - secondsAgo * 1_000), now: new Date() },
    )
  expect(await apply('first', {}, 20)).toBe(true)
  // The same event again, which was read before the first run of it had ended.
  expect(await apply('first', { slots: 3 }, 10)).toBe(false)
  // A state that was read before the stored one.
  expect(await apply('late', { slots: 4 }, 30)).toBe(false)
  // The end of another subscription. It must not replace the live one, whose own end still counts.
  expect(await apply('other', { id: 'sub_other', status: 'canceled' }, 5)).toBe(false)
  expect(await stand()).toEqual({ plan: 'pro', slots: 2 })
  expect(await apply('end', { status: 'canceled' }, 0)).toBe(true)
  expect(await stand()).toEqual({ plan: 'agentic', slots: 0 })
})
