import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { rowsIn } from '../support/client.ts'
import { formOn, linkIn, mailTo, newEmail, newOwner, signInByMail, visitor } from './browser.ts'

const stack = inject('stack')

const PASSWORD = 'correct horse battery'

const accountsOf = (email: string) =>
  rowsIn<{ id: number; plan: string; project_slots: number }>(
    stack,
    sql`select id, plan, project_slots from accounts where lower(email) = lower(${email})`,
  )

/** A person with a password and a confirmed address. */
const signUp = async () => {
  const email = newEmail()
  const person = visitor(stack.url)
  await person.post('/sign-up', { email, password: PASSWORD })
  const link = linkIn(await mailTo(stack.mailUrl, email, /^Confirm/))
  const page = await person.post('/verify', formOn(await person.get(link), '/verify'))
  return { person, email, page }
}

describe('signing up', () => {
  it('opens an account when the address is confirmed, and not before', async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    const sent = await person.post('/sign-up', { email, password: PASSWORD })
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining(`We have written to ${email}`)])
    expect((await person.post('/sign-in', { email, password: PASSWORD })).status).toBe(400)
    expect(await accountsOf(email)).toEqual([])

    const link = linkIn(await mailTo(stack.mailUrl, email, /^Confirm/))
    const settings = await person.post('/verify', formOn(await person.get(link), '/verify'))
    expect([new URL(settings.url).pathname, settings.text]).toEqual(['/settings', expect.stringContaining(email)])
    expect(await accountsOf(email)).toEqual([{ id: expect.any(Number), plan: 'agentic', project_slots: 0 }])
  })

  it('with an address that is known looks the same, and its owner is told', async () => {
    const { email } = await signUp()
    const [known, unknown] = await Promise.all(
      [email, newEmail()].map(async (address) => {
        const page = await visitor(stack.url).post('/sign-up', { email: address, password: 'another password' })
        return { status: page.status, text: page.text.replaceAll(address, 'X') }
      }),
    )
    expect(known).toEqual(unknown)
    await mailTo(stack.mailUrl, email, /^You have an account/)
    expect((await visitor(stack.url).post('/sign-in', { email, password: 'another password' })).status).toBe(400)
    expect((await visitor(stack.url).post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })

  it('an account that operators made is joined by who proves its address', async () => {
    const { api, email, page } = await newOwner(stack)
    expect(page.text).toMatch(new RegExp(`<dd>${api.accountId}</dd>`))
    expect(page.text).toContain('<dd>pro</dd>')
    expect(await accountsOf(email)).toHaveLength(1)
  })

  it('a password somebody set for an address they do not own is dropped when its owner comes', async () => {
    const email = newEmail()
    await visitor(stack.url).post('/sign-up', { email, password: 'attacker password' })
    await mailTo(stack.mailUrl, email, /^Confirm/)
    await signInByMail(stack, email)
    expect((await visitor(stack.url).post('/sign-in', { email, password: 'attacker password' })).status).toBe(400)
  })
})

describe('signing in', () => {
  it('with the password, or not with another; the two refusals are one page', async () => {
    const { email } = await signUp()
    const person = visitor(stack.url)
    const wrong = await person.post('/sign-in', { email, password: 'wrong password' })
    const nobody = await person.post('/sign-in', { email: newEmail(), password: 'wrong password' })
    const plain = (text: string) => text.replace(/value="[^"]*"/g, '')
    expect([wrong.status, nobody.status]).toEqual([400, 400])
    expect(plain(wrong.text)).toBe(plain(nobody.text))
    expect(new URL((await person.post('/sign-in', { email, password: PASSWORD })).url).pathname).toBe('/settings')
  })

  it('the cookie is httpOnly, and another with each sign-in', async () => {
    const { email, person } = await signUp()
    const before = [...person.cookies.values()]
    const answer = await person.post('/sign-in', { email, password: PASSWORD }, { follow: false })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect([...person.cookies.values()]).not.toEqual(before)
  })

  it('a cookie somebody brought along is no session after it', async () => {
    const { email } = await signUp()
    const victim = visitor(stack.url)
    victim.cookies.set('galley.session_token', 'fixed.value')
    await victim.post('/sign-in', { email, password: PASSWORD })
    const attacker = visitor(stack.url)
    attacker.cookies.set('galley.session_token', 'fixed.value')
    expect(new URL((await attacker.get('/settings')).url).pathname).toBe('/sign-in')
  })

  it('by a link in a mail: opening it does nothing, its button works once', async () => {
    const email = newEmail()
    const person = visitor(stack.url)
    await person.post('/sign-in/link', { email })
    const link = linkIn(await mailTo(stack.mailUrl, email, /^Sign in/))
    for (let scans = 0; scans < 3; scans += 1) expect((await visitor(stack.url).get(link)).status).toBe(200)
    const form = formOn(await person.get(link), '/sign-in/link/use')
    expect(new URL((await person.post('/sign-in/link/use', form)).url).pathname).toBe('/settings')
    const again = await visitor(stack.url).post('/sign-in/link/use', form)
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('was used before')])
  })

  it('leads back to the page that was asked for, and to no other site', async () => {
    const guest = visitor(stack.url)
    const asked = await guest.get('/settings?from=here')
    expect(new URL(asked.url).searchParams.get('next')).toBe('/settings?from=here')
    const { page } = await signInByMail(stack, newEmail(), '/settings?from=here')
    expect(page.url).toBe(`${stack.url}/settings?from=here`)
    const { email } = await signUp()
    for (const next of [
      'https://attacker.example',
      '//attacker.example',
      '/\\attacker.example',
      'javascript:alert(1)',
    ]) {
      const answer = await visitor(stack.url).post('/sign-in', { email, password: PASSWORD, next }, { follow: false })
      expect(answer.headers.get('location'), next).toBe('/settings')
    }
    const { email: another } = await signUp()
    for (const next of ['/.//attacker.example/x', '/a/..//attacker.example', '/..//', '/.///']) {
      const form = { email: another, password: PASSWORD, next }
      const answer = await visitor(stack.url).post('/sign-in', form, { follow: false })
      expect(answer.headers.get('location'), next).toBe('/settings')
    }
  })

  it('ends with signing out, at once', async () => {
    const { person } = await signUp()
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

describe('a forgotten password', () => {
  it('is set again by a mailed link, once, and every session ends', async () => {
    const { email, person } = await signUp()
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

  it('of nobody looks the same', async () => {
    const { email } = await signUp()
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

  it.each(FORMS)('%s is not taken from another site, nor without saying from where', async (path) => {
    const person = visitor(stack.url)
    for (const origin of ['https://attacker.example', 'null', `${stack.url}.attacker.example`, ''])
      expect((await person.post(path, { email: newEmail() }, { headers: { origin } })).status, origin).toBe(403)
  })

  it('are counted: five wrong passwords a minute for an address', async () => {
    const { email } = await signUp()
    const from = Date.now()
    const statuses: number[] = []
    // Where the tries lie on both sides of a full minute, those of the minute before leave the window one by one.
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

it('pages run no scripts, are framed by nobody and are not kept', async () => {
  const { headers } = await visitor(stack.url).get('/sign-in')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})
