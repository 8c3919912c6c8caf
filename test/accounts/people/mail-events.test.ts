import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { LOCAL_MAIL, signedAs } from '../../../local/mail/server.ts'
import { newProject, rowsIn } from '../../support/client.ts'
import { newOwner } from './browser.ts'

const stack = inject('stack')

type Sent = { type: string; at?: string; data?: Record<string, unknown> }

const bodyOf = (email: string, { type, at = new Date().toISOString(), data }: Sent): string =>
  JSON.stringify({ type, created_at: at, data: { email_id: 'm1', from: LOCAL_MAIL.from, to: [email], ...data } })

const post = async (body: string, headers: Record<string, string>): Promise<number> =>
  (
    await fetch(`${stack.url}/mail/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  ).status

const tell = async (email: string, sent: Sent): Promise<void> => {
  const body = bodyOf(email, sent)
  expect(await post(body, signedAs(body))).toBe(200)
}

const owner = async () => {
  const { api, person } = await newOwner(stack)
  const [row] = await rowsIn<{ email: string }>(
    stack,
    sql`select p.email from people p join memberships m on m.person_id = p.id where m.account_id = ${api.accountId}::int`,
  )
  const email = row?.email ?? ''
  const fault = async () =>
    (
      await rowsIn<{ fault: string | null }>(stack, sql`select mail_fault as fault from people where email = ${email}`)
    )[0]?.fault
  return { api, person, email, fault }
}

describe('an event of the mail provider', () => {
  it('is refused if it is unsigned, signed with another secret, changed, or too old', async () => {
    const { email, fault } = await owner()
    const body = bodyOf(email, { type: 'email.bounced' })
    const other = `whsec_${Buffer.from('another').toString('base64')}`
    const old = Math.floor(Date.now() / 1000) - 301
    expect(await post(body, {})).toBe(400)
    expect(await post(body, signedAs(body, other))).toBe(400)
    expect(await post(body.replace('bounced', 'complained'), signedAs(body))).toBe(400)
    expect(await post(body, signedAs(body, LOCAL_MAIL.webhookSecret, old))).toBe(400)
    expect(await post(body, { ...signedAs(body), 'svix-id': 'msg_other' })).toBe(400)
    expect(await post('{', signedAs('{'))).toBe(400)
    expect(await fault()).toBeNull()
    // While the secret is rotated, the provider signs with both.
    const signed = signedAs(body)
    const both = `${signedAs(body, other)['svix-signature']} ${signed['svix-signature']}`
    expect(await post(body, { ...signed, 'svix-signature': both })).toBe(200)
    expect(await fault()).toBe('bounced')
  })

  const [early, late, later] = ['2026-11-28T10:00:00Z', '2026-11-28T11:00:00Z', '2026-11-28T12:00:00Z']
  it.each<[string, Sent[], string | null]>([
    ['a bounce', [{ type: 'email.bounced' }], 'bounced'],
    ['a complaint', [{ type: 'email.complained' }], 'complained'],
    ['a suppressed mail', [{ type: 'email.suppressed' }], 'suppressed'],
    ['a delay, which is not final', [{ type: 'email.delivery_delayed' }], null],
    ['an opened mail', [{ type: 'email.opened' }], null],
    ['a suppression after a complaint', [{ type: 'suppression.added', data: { origin: 'complaint' } }], 'complained'],
    ['a suppression by hand', [{ type: 'suppression.added', data: { origin: 'manual' } }], 'suppressed'],
    [
      'a bounce, and a suppression that was removed',
      [
        { type: 'email.bounced', at: early },
        { type: 'suppression.removed', at: late },
      ],
      null,
    ],
    [
      'a bounce that arrives after its end',
      [
        { type: 'suppression.removed', at: late },
        { type: 'email.bounced', at: early },
      ],
      null,
    ],
    [
      'a delivery after a bounce',
      [
        { type: 'email.bounced', at: early },
        { type: 'email.delivered', at: late },
      ],
      null,
    ],
    [
      'a delivery after a complaint',
      [
        { type: 'email.complained', at: early },
        { type: 'email.delivered', at: late },
      ],
      'complained',
    ],
    [
      'a new bounce after the end',
      [
        { type: 'email.bounced', at: early },
        { type: 'suppression.removed', at: late },
        { type: 'email.bounced', at: later },
      ],
      'bounced',
    ],
  ])('sets the state of the person by its own time: %s', async (_, events, expected) => {
    const { email, fault } = await owner()
    for (const event of events) await tell(email, event)
    // A repeated event changes nothing.
    await tell(email, events.at(-1) as Sent)
    expect(await fault()).toBe(expected)
  })

  it('of a suppression names the address in a field of its own, in any case of letters', async () => {
    const { email, fault } = await owner()
    await tell('x@elsewhere.example', {
      type: 'suppression.added',
      data: { to: undefined, email: email.toUpperCase() },
    })
    expect(await fault()).toBe('suppressed')
  })
})

it('the person, the page of people and the page of approvals show it until the address changes', async () => {
  const { api, person, email } = await owner()
  const project = await newProject(api)
  const pages = ['/settings', '/settings/people', `/p/${project}/approvals`]
  for (const path of pages) expect((await person.get(path)).text).not.toMatch(/do not (?:arrive|reach)|come back/)
  await tell(email, { type: 'email.bounced' })
  expect((await person.get('/settings')).text).toContain(`Mails to ${email} do not arrive`)
  expect((await person.get('/settings/people')).text).toContain('mails to this address come back')
  expect((await person.get(`/p/${project}/approvals`)).text).toContain('Mails about approvals do not reach')
  await rowsIn(stack, sql`update people set email = ${`new-${email}`} where email = ${email}`)
  expect((await person.get('/settings')).text).not.toContain('do not arrive')
})

it('the stand-in reports mails to the test addresses, as the provider does', async () => {
  const { api, person, email } = await owner()
  const bounced = `bounced+${email}`
  await rowsIn(stack, sql`update people set email = ${bounced} where email = ${email}`)
  await person.post('/sign-in/link', { email: bounced })
  await expect
    .poll(
      async () =>
        (
          await rowsIn<{ fault: string | null }>(
            stack,
            sql`select mail_fault as fault from people where email = ${bounced}`,
          )
        )[0]?.fault,
      {
        timeout: 20_000,
      },
    )
    .toBe('bounced')
  expect(api.accountId).toBeGreaterThan(0)
})
