import { describe, expect, inject, it } from 'vitest'
import { signInByPasskey, signInOptions } from '../../../src/accounts/people/passkeys.ts'
import { systemDeps } from '../../publishing/system.ts'
import { choosePassword, formOn, linkIn, mailTo, signInByMail, signUp, sure, type Visitor, visitor } from './browser.ts'
import { type Device, type Lies, newDevice, optionsOn } from './device.ts'

const stack = inject('stack')
const PASSWORD = 'correct horse battery'
const REFUSED = 'The passkey was not accepted, and nothing was changed.'

/** Asks for a passkey to be added, and returns the page that asks the browser. */
const askToAdd = (person: Visitor, name = 'My phone') => person.post('/settings/passkeys', { name, password: PASSWORD })

const add = async (person: Visitor, device: Device, lies: Lies = {}) => {
  const page = await askToAdd(person)
  const fields = formOn(page, '/settings/passkeys/add')
  return await person.post('/settings/passkeys/add', { ...fields, response: device.create(optionsOn(page), lies) })
}

const signIn = async (device: Device, lies: Lies = {}, person = visitor(stack.url), next?: string) => {
  const page = await person.get(`/sign-in/passkey${next === undefined ? '' : `?next=${next}`}`)
  const response = device.get(optionsOn(page), lies)
  return {
    person,
    response,
    page: await person.post('/sign-in/passkey', { ...formOn(page, '/sign-in/passkey'), response }),
  }
}

const withPasskey = async (lies: Lies = {}) => {
  const made = await signUp(stack)
  const device = newDevice(stack.url)
  expect((await add(made.person, device, lies)).text).toContain('The passkey is added.')
  return { ...made, device }
}

describe('a passkey', () => {
  it('is added after the password, signs its person in without an address, and is refused once it is removed', async () => {
    const { person, email } = await signUp(stack)
    const byPassword = visitor(stack.url)
    await byPassword.post('/sign-in', { email, password: PASSWORD })
    const unproved = await byPassword.post('/settings/passkeys', { name: 'My phone' })
    expect([unproved.status, unproved.text]).toEqual([403, expect.stringContaining('Confirm that it is you')])
    expect((await person.post('/settings/passkeys', { name: ' ', password: PASSWORD })).status).toBe(400)
    const device = newDevice(stack.url)
    expect((await add(person, device)).text).toContain('The passkey is added.')
    await mailTo(stack.mailUrl, email, /^A passkey was added/)
    expect((await person.get('/settings/audit')).text).toContain('Added a passkey')

    const elsewhere = await signIn(device, {}, visitor(stack.url), '/settings/sessions')
    expect([elsewhere.page.status, new URL(elsewhere.page.url).pathname]).toEqual([200, '/settings/sessions'])
    expect(elsewhere.page.text).toContain(email)
    const list = await elsewhere.person.get('/settings/passkeys')
    expect(list.text).toContain('My phone')
    expect(list.text).not.toContain('never')
    await elsewhere.person.post('/sign-out', {})
    expect(new URL((await elsewhere.person.get('/settings')).url).pathname, 'such a session ends like others').toBe(
      '/sign-in',
    )

    const gone = await sure(person, '/settings/passkeys/remove', { passkey: device.id })
    expect(gone.text).toContain('The passkey is removed.')
    expect((await person.get('/settings/audit')).text).toContain('Removed a passkey')
    await mailTo(stack.mailUrl, email, /^A passkey was removed/)
    const refused = await signIn(device)
    expect([refused.page.status, refused.page.text]).toEqual([400, expect.stringContaining(REFUSED)])
  })

  it('signs in with a challenge of the last five minutes only', async () => {
    const { device } = await withPasskey()
    const deps = systemDeps(stack)
    const signsIn = async (minutesAgo: number) => {
      const options = await signInOptions({ ...deps, now: () => new Date(Date.now() - minutesAgo * 60_000) })
      const answer = device.get({ challenge: options.challenge, rpId: options.rpId ?? '' })
      return (await signInByPasskey(deps, answer, { ipAddress: null, userAgent: null })) !== undefined
    }
    expect([await signsIn(4), await signsIn(6)]).toEqual([true, false])
  })

  it('of another person is neither shown nor removed', async () => {
    const { device } = await withPasskey()
    const { person } = await signUp(stack)
    expect((await person.get('/settings/passkeys')).text).toContain('You have no passkeys yet')
    const other = await sure(person, '/settings/passkeys/remove', { passkey: device.id })
    expect(other.text).toContain('you have no such passkey')
    expect((await signIn(device)).page.status).toBe(200)
  })

  it('ends when a new password is chosen through a mailed link', async () => {
    const { email, device } = await withPasskey()
    const asking = visitor(stack.url)
    await asking.post('/reset', { email })
    await choosePassword(asking, linkIn(await mailTo(stack.mailUrl, email, /^A new password/)), 'a new long password')
    expect((await signIn(device)).page.text).toContain(REFUSED)
  })

  it('is added after a fresh link by mail too', async () => {
    const { visitor: person } = await signInByMail(stack)
    const page = await person.post('/settings/passkeys', { name: 'A laptop' })
    const response = newDevice(stack.url).create(optionsOn(page))
    expect((await person.post('/settings/passkeys/add', { name: 'A laptop', response })).text).toContain('is added')
  })
})

describe('signing in is refused', () => {
  it.each<[string, Lies]>([
    ['from another origin', { origin: 'https://attacker.example' }],
    ['for another host', { rpId: 'attacker.example' }],
    ['with a challenge that is not ours', { challenge: Buffer.from('1.AAAA.BBBB.bound').toString('base64url') }],
    ['from a device that did not check who holds it', { flags: 0x01 }],
    ['as a person whose passkey it is not', { userHandle: Buffer.from('somebody-else').toString('base64url') }],
    ['from a copy of the device, which counted less', { counter: 1 }],
    ['with a passkey nobody has', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s', async (_, lies) => {
    const { device } = await withPasskey()
    const { person, page } = await signIn(device, lies)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(REFUSED)])
    expect(new URL((await person.get('/settings')).url).pathname).toBe('/sign-in')
    expect((await signIn(device, { counter: 9 })).page.status, 'the passkey itself still works').toBe(200)
  })

  it('with an answer that was used, or was given to another question', async () => {
    // Many devices do not count uses. Then only the challenge shows that an answer is repeated.
    const { device, person } = await withPasskey({ counter: 0 })
    const { response, page } = await signIn(device, { counter: 0 })
    expect(page.status).toBe(200)
    const again = await visitor(stack.url).post('/sign-in/passkey', { response })
    expect([again.status, again.text]).toEqual([400, expect.stringContaining(REFUSED)])
    const { challenge, rp } = optionsOn(await askToAdd(person))
    const other = device.get({ challenge, rpId: rp.id })
    expect((await visitor(stack.url).post('/sign-in/passkey', { response: other })).status).toBe(400)
  })

  it('with the passkey of one person signed by that of another', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()]
    expect((await signIn(one.device, { id: other.device.id })).page.text).toContain(REFUSED)
  })

  it.each(['', '{}', 'null', '[1]', '{"id":"a","response":{"clientDataJSON":"%%"}}', '{"id":{"a":1},"response":{}}'])(
    'with %s',
    async (response) => {
      const page = await visitor(stack.url).post('/sign-in/passkey', { response })
      expect([page.status, page.text]).toEqual([400, expect.stringContaining(REFUSED)])
    },
  )

  it('after too many tries', async () => {
    const person = visitor(stack.url)
    const tries = await Promise.all(
      Array.from({ length: 24 }, () => person.post('/sign-in/passkey', { response: '{}' })),
    )
    expect(tries.map(({ status }) => status)).toContain(429)
  })
})

describe('adding is refused', () => {
  it.each<[string, Lies]>([
    ['from another origin', { origin: 'https://attacker.example' }],
    ['with a challenge that is not ours', { challenge: Buffer.from('made up').toString('base64url') }],
    ['from a device that did not check who holds it', { flags: 0x41 }],
  ])('%s', async (_, lies) => {
    const { person } = await signUp(stack)
    expect((await add(person, newDevice(stack.url), lies)).text).toContain('The passkey was not added')
    expect((await person.get('/settings/passkeys')).text).toContain('You have no passkeys yet')
  })

  it('an answer is refused a second time, and from another person', async () => {
    const { person } = await signUp(stack)
    const other = await signUp(stack)
    const page = await askToAdd(person)
    const response = newDevice(stack.url).create(optionsOn(page))
    const send = (who: Visitor) => who.post('/settings/passkeys/add', { name: 'Mine', response })
    expect((await send(other.person)).text).toContain('The passkey was not added')
    expect((await send(person)).text).toContain('The passkey is added.')
    expect((await send(person)).text).toContain('The passkey was not added')
    const second = newDevice(stack.url).create(optionsOn(page))
    expect((await person.post('/settings/passkeys/add', { name: 'Two', response: second })).text).toContain('not added')
  })
})
