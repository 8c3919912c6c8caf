import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { hashPassword } from '../../../src/accounts/people/password.ts'
import { clientOf, rowsIn } from '../../support/client.ts'
import { ownFaults } from '../../support/faults.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import {
  choosePassword,
  formOn,
  linkIn,
  mailsTo,
  mailTo,
  newEmail,
  newOwner,
  signInByMail,
  signUp,
  type Visitor,
  visitor,
} from './browser.ts'

const stack = inject('stack')

const PASSWORD = 'correct horse battery'

const accountsOf = (email: string) =>
  rowsIn<{ id: number; plan: string; project_slots: number }>(
    stack,
    sql`select id, plan, project_slots from accounts where lower(email) = lower(${email})`,
  )

describe('signing up', () => {
  it('opens an account when the address is confirmed, and not before', async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    const sent = await person.post('/sign-up', { email })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining(`We have written to ${email}`)])
    expect((await person.post('/sign-in', { email, password: PASSWORD })).status).toBe(400)
    expect(await accountsOf(email)).toEqual([])

    const link = linkIn(await mailTo(stack.mailUrl, email, /^Confirm/))
    const short = await choosePassword(person, link, 'too short')
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('10 to 200 characters')])
    // A new person has no site, so the Overview asks for one.
    expect(new URL((await choosePassword(person, link, PASSWORD)).url).pathname).toBe('/setup')
    expect((await person.get('/settings')).text).toContain(email)
    expect(await accountsOf(email)).toEqual([{ id: expect.any(Number), plan: 'agentic', project_slots: 0 }])
  })

  it('with a known address looks the same, and its owner gets a mail', async () => {
    const { email } = await signUp(stack)
    const [known, unknown] = await Promise.all(
      [email, newEmail()].map(async (address) => {
        const page = await visitor(stack.url).post('/sign-up', { email: address })
        return { status: page.status, text: page.text.replaceAll(address, 'X') }
      }),
    )
    expect(known).toEqual(unknown)
    await mailTo(stack.mailUrl, email, /^You have an account/)
    expect((await visitor(stack.url).post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })

  it('the person who verifies its address joins an account that operators made', async () => {
    const { api, email, person } = await newOwner(stack)
    const page = await person.get('/settings')
    expect(page.text).toMatch(new RegExp(`<dd>${api.accountId}</dd>`))
    expect(page.text).toContain('<dd>Pro ')
    expect(await accountsOf(email)).toHaveLength(1)
  })
})

describe('an address that a outsider enters too', () => {
  const THEIRS = 'the password of a outsider'
  const mailOf = async (email: string, subject: RegExp, which: 'oldest' | 'newest') => {
    const found = (await mailsTo(stack.mailUrl, email)).filter((mail) => subject.test(mail.subject))
    const mail = found.at(which === 'newest' ? 0 : -1)
    if (!mail) throw new Error(`no mail to ${email}`)
    return linkIn(mail)
  }
  const mailsBecome = (email: string, count: number) =>
    vi.waitFor(async () => expect(await mailsTo(stack.mailUrl, email)).toHaveLength(count), { timeout: PATIENCE_MS })
  /** The outsider signs up, and signs in, which mails again: with a password in each form. */
  const outsiderTries = async (outsider: Visitor, email: string) => {
    const before = (await mailsTo(stack.mailUrl, email)).length
    await outsider.post('/sign-up', { email, password: THEIRS })
    await mailsBecome(email, before + 1)
    expect((await outsider.post('/sign-in', { email, password: THEIRS })).status).toBe(400)
    await mailsBecome(email, before + 2)
  }
  const useLink = async (owner: Visitor, link: string) =>
    await owner.post('/sign-in/link/use', formOn(await owner.get(link), '/sign-in/link/use'))

  type Activity = { asks: string; subject: RegExp; isLink?: boolean }
  const ACTIVITIES: Record<string, Activity> = {
    'signing up': { asks: '/sign-up', subject: /^Confirm/ },
    'a link to sign in': { asks: '/sign-in/link', subject: /^Sign in/, isLink: true },
    'a new password': { asks: '/reset', subject: /^(A new password|Confirm)/ },
  }
  type Case = { activity: string; first: 'outsider' | 'owner'; which: 'oldest' | 'newest' }
  const cases: Case[] = [
    { activity: 'signing up', first: 'outsider', which: 'oldest' },
    { activity: 'signing up', first: 'outsider', which: 'newest' },
    { activity: 'signing up', first: 'owner', which: 'oldest' },
    { activity: 'signing up', first: 'owner', which: 'newest' },
    { activity: 'a link to sign in', first: 'outsider', which: 'newest' },
    { activity: 'a link to sign in', first: 'owner', which: 'newest' },
    { activity: 'a new password', first: 'outsider', which: 'newest' },
    { activity: 'a new password', first: 'owner', which: 'oldest' },
  ]

  it.each(cases)('is the owner’s alone by $way, $first first, the $which mail', async ({ activity, first, which }) => {
    const { asks, subject, isLink } = ACTIVITIES[activity] as Activity
    const email = newEmail()
    const [outsider, owner] = [visitor(stack.url), visitor(stack.url)]
    const ownerAsks = async () => {
      const before = (await mailsTo(stack.mailUrl, email)).length
      await owner.post(asks, { email })
      // The password of an address that was never entered before cannot be reset.
      if (first === 'outsider' || asks !== '/reset') await mailsBecome(email, before + 1)
    }
    if (first === 'outsider') await outsiderTries(outsider, email)
    await ownerAsks()
    if (first === 'owner') await outsiderTries(outsider, email)

    const links = (await mailsTo(stack.mailUrl, email)).map(linkIn)
    const used = await mailOf(email, subject, which)
    const page = isLink ? await useLink(owner, used) : await choosePassword(owner, used, PASSWORD)
    expect(page.status).toBe(200)
    expect((await owner.get('/settings')).text).toContain(email)

    expect((await visitor(stack.url).post('/sign-in', { email, password: THEIRS })).status).toBe(400)
    expect(new URL((await outsider.get('/settings')).url).pathname).toBe('/sign-in')
    expect((await visitor(stack.url).post('/sign-in', { email, password: PASSWORD })).status).toBe(isLink ? 400 : 200)
    if (isLink) return
    for (const link of links) {
      const again =
        new URL(link).pathname === '/sign-in/link' ? useLink(owner, link) : choosePassword(owner, link, THEIRS)
      expect((await again).status, link).toBe(400)
    }
  })

  it('gets an owner from an invitation', async () => {
    const { person: inviting } = await newOwner(stack)
    const email = newEmail()
    const [outsider, owner] = [visitor(stack.url), visitor(stack.url)]
    await outsider.post('/sign-up', { email, password: THEIRS })
    const first = linkIn(await mailTo(stack.mailUrl, email, /^Confirm/))
    await inviting.post('/settings/people', { email, role: 'owner' })
    const invitation = new URL(linkIn(await mailTo(stack.mailUrl, email, /^Invitation/)))
    await owner.post('/sign-up', { email, next: invitation.pathname + invitation.search })
    await choosePassword(owner, first, PASSWORD)
    await owner.post('/invitation', formOn(await owner.get(invitation.href), '/invitation'))
    expect((await owner.get('/settings')).text).toContain('<dd>an owner')
    expect((await outsider.post('/sign-in', { email, password: THEIRS })).status).toBe(400)
    expect((await owner.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })

  it('with two mails used at once has one password', { tags: ['services'] }, async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    await person.post('/sign-up', { email })
    await mailsBecome(email, 1)
    await person.post('/sign-up', { email })
    await mailsBecome(email, 2)
    const links = (await mailsTo(stack.mailUrl, email)).map(linkIn)
    const pages = await Promise.all(
      links.map((link, n) => choosePassword(visitor(stack.url), link, `password number ${n}`)),
    )
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('keeps working with an unverified password of an earlier release, and with no other', async () => {
    const email = newEmail()
    const hash = await hashPassword(THEIRS)
    await rowsIn(
      stack,
      sql`with person as (insert into people (id, name, email) values (${email}, '', ${email}) returning id)
      insert into person_credentials (id, account_id, provider_id, user_id, password)
      select id, id, 'credential', id, ${hash} from person`,
    )
    expect((await visitor(stack.url).post('/sign-in', { email, password: THEIRS })).status).toBe(400)
    await signUp(stack, { email })
    expect((await visitor(stack.url).post('/sign-in', { email, password: THEIRS })).status).toBe(400)
    expect((await visitor(stack.url).post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })
})

describe('signing in', () => {
  it('with the password, or not with another; the two refusals are one page', async () => {
    const { email } = await signUp(stack)
    const person = visitor(stack.url)
    const wrong = await person.post('/sign-in', { email, password: 'wrong password' })
    const nobody = await person.post('/sign-in', { email: newEmail(), password: 'wrong password' })
    const plain = (text: string) => text.replace(/value="[^"]*"/g, '')
    expect([wrong.status, nobody.status]).toEqual([400, 400])
    expect(plain(wrong.text)).toBe(plain(nobody.text))
    expect(new URL((await person.post('/sign-in', { email, password: PASSWORD })).url).pathname).toBe('/setup')
  })

  it('the cookie is httpOnly, and another with each sign-in', async () => {
    const { email, person } = await signUp(stack)
    const before = [...person.cookies.values()]
    const answer = await person.post('/sign-in', { email, password: PASSWORD }, { follow: false })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect([...person.cookies.values()]).not.toEqual(before)
  })

  it('a cookie from before signing in is not a session after it', async () => {
    const { email } = await signUp(stack)
    const victim = visitor(stack.url)
    victim.cookies.set('galley.session_token', 'fixed.value')
    await victim.post('/sign-in', { email, password: PASSWORD })
    const attacker = visitor(stack.url)
    attacker.cookies.set('galley.session_token', 'fixed.value')
    expect(new URL((await attacker.get('/settings')).url).pathname).toBe('/sign-in')
  })

  it('with a mailed link: opening it does nothing, its button works once', async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    await person.post('/sign-in/link', { email })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^Sign in/))
    for (let scans = 0; scans < 3; scans += 1) expect((await visitor(stack.url).get(link)).status).toBe(200)
    const form = formOn(await person.get(link), '/sign-in/link/use')
    expect(new URL((await person.post('/sign-in/link/use', form)).url).pathname).toBe('/setup')
    const again = await visitor(stack.url).post('/sign-in/link/use', form)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('was used before')])
  })

  it('by the mailed page, which names the address, or says that the link is used up and offers another', async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    await person.post('/sign-up', { email })
    const first = await mailTo(stack.mailUrl, email, /^Confirm/)
    expect((await person.get(linkIn(first))).text).toContain(`<strong>${email}</strong>`)
    const used = new URL(linkIn(first))
    used.searchParams.set('token', 'of-long-ago')
    const ended = await person.get(used.href)
    expect([ended.status, ended.text]).toEqual([400, expect.stringContaining('was used before, or it is too old')])
    expect(ended.text).not.toContain('type="password"')
    await person.post('/sign-up', { ...formOn(ended, '/sign-up'), email })
    const second = await mailTo(stack.mailUrl, email, /^Confirm/, [first])
    await choosePassword(person, linkIn(second), PASSWORD)
    expect((await person.get(linkIn(second))).status).toBe(400)
  })

  it('returns to the requested page, and never to another site', async () => {
    const guest = visitor(stack.url)
    const asked = await guest.get('/settings?from=here')
    expect(new URL(asked.url).searchParams.get('next')).toBe('/settings?from=here')
    const { page } = await signInByMail(stack, newEmail(), '/settings?from=here')
    expect(page.url).toBe(`${stack.url}/settings?from=here`)
    const { email } = await signUp(stack)
    for (const next of [
      'https://attacker.example',
      '//attacker.example',
      '/\\attacker.example',
      'javascript:alert(1)',
    ]) {
      const answer = await visitor(stack.url).post('/sign-in', { email, password: PASSWORD, next }, { follow: false })
      expect(answer.headers.get('location'), next).toBe('/p')
    }
    const { email: another } = await signUp(stack)
    for (const next of ['/.//attacker.example/x', '/a/..//attacker.example', '/..//', '/.///']) {
      const form = { email: another, password: PASSWORD, next }
      const answer = await visitor(stack.url).post('/sign-in', form, { follow: false })
      expect(answer.headers.get('location'), next).toBe('/p')
    }
  })

  it('ends with signing out, at once', async () => {
    const { person } = await signUp(stack)
    const stolen = visitor(stack.url)
    for (const [name, value] of person.cookies) stolen.cookies.set(name, value)
    expect(new URL((await stolen.get('/settings')).url).pathname).toBe('/settings')
    await person.post('/sign-out', {})
    for (const one of [person, stolen]) expect(new URL((await one.get('/settings')).url).pathname).toBe('/sign-in')
  })

  it('a suspended account has no pages but one that says so', async () => {
    const { visitor: person, email } = await signInByMail(stack)
    await rowsIn(stack, sql`update accounts set suspended_at = now() where email = ${email}`)
    for (const page of [
      await person.get('/settings'),
      await person.get('/settings/sessions'),
      await person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30' }),
    ]) {
      expect([page.status, page.text.includes('Your account is not active')], page.url).toEqual([403, true])
      expect(page.text).toContain('action="/sign-out"')
    }
    await person.post('/sign-out', {})
    expect(new URL((await person.get('/settings')).url).pathname).toBe('/sign-in')
  })
})

it('no token of a mail is stored as it is, in any column of any table', async () => {
  const { person: inviting } = await newOwner(stack)
  const [email, invited] = [newEmail(), newEmail()]
  const asking = visitor(stack.url)
  for (const path of ['/sign-up', '/sign-in/link', '/reset']) await asking.post(path, { email })
  await inviting.post('/settings/people', { email: invited, role: 'member' })
  const sent = [/^Confirm/, /^Sign in/, /^A new password/].map((subject) => mailTo(stack.mailUrl, email, subject))
  const links = (await Promise.all([...sent, mailTo(stack.mailUrl, invited, /^Invitation/)])).map(linkIn)
  const tokens = links.map((link) => new URL(link).searchParams.get('token') ?? '')
  expect(tokens.filter((token) => token.length >= 24)).toHaveLength(4)
  const tables = await rowsIn<{ name: string }>(
    stack,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found = (text: string) =>
    rowsIn(
      stack,
      sql.join(
        tables.map(
          ({ name }) =>
            sql`(select ${name} as name from ${sql.identifier(name)} as t where strpos(t::text, ${text}) > 0 limit 1)`,
        ),
        sql` union all `,
      ),
    )
  expect(await found(email), 'the look-up finds what is stored').not.toEqual([])
  for (const token of tokens) expect(await found(token)).toEqual([])
})

describe('a mail that the provider refuses', () => {
  const faults = ownFaults(stack.mailUrl)
  afterAll(() => faults.clear())

  it('is shown on the next page, and is sent again from there once, as a mail of its own', async () => {
    const email = newEmail()
    await faults.set({ path: '/emails', body: email, status: 403 })
    const person = visitor(stack.url)
    expect((await person.post('/sign-up', { email })).text).toContain('href="/sign-in/mail"')
    const told = await vi.waitFor(
      async () => {
        const page = await person.get('/sign-in/mail')
        expect(page.text).toContain('The mail was not sent')
        return page
      },
      { timeout: PATIENCE_MS },
    )
    expect((await visitor(stack.url).get('/sign-in/mail')).status, 'another browser').toBe(404)
    await faults.clear()
    await person.post('/sign-in/mail', formOn(told, '/sign-in/mail'))
    const page = await choosePassword(person, linkIn(await mailTo(stack.mailUrl, email, /^Confirm/)), PASSWORD)
    expect(page.text).toContain(email)
    await vi.waitFor(async () => expect((await person.get('/sign-in/mail')).text).toContain('accepted for delivery'), {
      timeout: PATIENCE_MS,
    })
    await person.post('/sign-in/mail', {})
    expect(await mailsTo(stack.mailUrl, email)).toHaveLength(1)
  })

  it('is not shown for a new password, so that the page is the same for every address', async () => {
    const { email } = await signUp(stack)
    await faults.set({ path: '/emails', body: email, status: 403 })
    const asking = visitor(stack.url)
    const page = await asking.post('/reset', { email })
    expect([page.text.includes('Send it again'), page.text.includes('/sign-in/mail')]).toEqual([true, false])
    expect([...asking.cookies.keys()]).toEqual([])
  })
})

it('a mail survives a provider that is away, and arrives once', async () => {
  const faults = ownFaults(stack.mailUrl)
  const email = newEmail()
  await faults.set(
    { path: '/emails', body: email, drop: 'after', times: 1 },
    { path: '/emails', body: email, status: 500, times: 1 },
  )
  await visitor(stack.url).post('/sign-in/link', { email })
  await vi.waitFor(async () => expect(await faults.used()).toEqual([1, 1]), { timeout: PATIENCE_MS })
  await vi.waitFor(
    async () => {
      const rows = await rowsIn<{ payload: object }>(
        stack,
        sql`select payload from outbox where job = 'people.mail' and done_at is not null order by id desc limit 20`,
      )
      expect(rows.length).toBeGreaterThan(0)
    },
    { timeout: PATIENCE_MS },
  )
  expect(await mailsTo(stack.mailUrl, email)).toHaveLength(1)
  await faults.clear()
})

describe('a forgotten password', () => {
  it('is set again by a mailed link, once, and every session ends', async () => {
    const { email, person } = await signUp(stack)
    const asking = visitor(stack.url)
    await asking.post('/reset', { email })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^A new password/))
    const form = { ...formOn(await asking.get(link), '/reset/new'), password: 'a new long password' }
    expect((await asking.post('/reset/new', form)).text).toContain('The new password is saved')
    expect(new URL((await person.get('/settings')).url).pathname).toBe('/sign-in')
    expect((await asking.post('/reset/new', { ...form, password: 'yet another password' })).status).toBe(400)
    expect((await visitor(stack.url).post('/sign-in', { email, password: PASSWORD })).status).toBe(400)
    expect((await visitor(stack.url).post('/sign-in', { email, password: 'a new long password' })).status).toBe(200)
  })

  it('offers to end the keys, applications and invitations its person made, all at once', async () => {
    const { person, email } = await signUp(stack)
    const other = await newOwner(stack)
    const made = await person.post('/settings/keys', { name: 'An old script', scope: 'write', days: '90' })
    const api = clientOf(stack.url, /gly_live_\w{38}/.exec(made.text)?.[0] ?? '', 0)
    const invited = newEmail()
    await person.post('/settings/people', { email: invited, role: 'owner' })
    const invitation = linkIn(await mailTo(stack.mailUrl, invited, /^Invitation/))
    const again = visitor(stack.url)
    await again.post('/reset', { email })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^A new password/))
    const page = await choosePassword(again, link, 'a new long password')
    expect(page.text).toMatch(/An old script/)
    expect(page.text).toContain(invited)
    expect((await api.get('/projects')).status).toBe(200)
    await again.post('/reset/end', formOn(page, '/reset/end'))
    expect((await api.get('/projects')).status).toBe(401)
    expect((await visitor(stack.url).get(invitation)).status).toBe(404)
    expect((await other.api.get('/projects')).status, 'that of another').toBe(200)
    expect((await again.get('/settings')).text).toContain(email)
  })

  it('for an unknown address looks the same', async () => {
    const { email } = await signUp(stack)
    const [known, unknown] = await Promise.all(
      [email, newEmail()].map(async (address) => {
        const page = await visitor(stack.url).post('/reset', { email: address })
        return { status: page.status, text: page.text.replaceAll(address, 'X') }
      }),
    )
    expect(known).toEqual(unknown)
  })
})

describe('forms', () => {
  const FORMS = [
    '/sign-in',
    '/sign-in/link',
    '/sign-in/link/use',
    '/sign-up',
    '/sign-out',
    '/verify',
    '/reset',
    '/reset/new',
  ]

  it.each(FORMS)('%s is not accepted from another site, nor without an origin', async (path) => {
    const person = visitor(stack.url)
    for (const origin of ['https://attacker.example', 'null', `${stack.url}.attacker.example`, ''])
      expect((await person.post(path, { email: newEmail() }, { headers: { origin } })).status, origin).toBe(403)
  })

  it('are counted: five wrong passwords a minute for an address', async () => {
    const { email } = await signUp(stack)
    const from = Date.now()
    const statuses: number[] = []
    // If the tries are on both sides of a full minute, those of the first minute leave the window one by one.
    const most = () => 6 + Math.ceil((5 * (Date.now() - from)) / 60_000)
    while (!statuses.includes(429) && statuses.length <= most())
      statuses.push((await visitor(stack.url).post('/sign-in', { email, password: 'wrong password' })).status)
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400])
    expect(statuses.at(-1)).toBe(429)
  })

  it('that are too large are refused', async () => {
    expect((await visitor(stack.url).post('/sign-in', { email: 'x'.repeat(20_000) })).status).toBe(413)
  })

  it('show what was typed without letting it become markup', async () => {
    const page = await visitor(stack.url).post('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' })
    expect(page.status).toBe(400)
    expect(page.text).not.toContain('<script>')
  })
})

it('pages run no scripts, cannot be framed and are not cached', async () => {
  const { headers } = await visitor(stack.url).get('/sign-in')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
