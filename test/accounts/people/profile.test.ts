import { describe, expect, inject, it } from 'vitest'
import { newProject } from '../../support/client.ts'
import {
  formOn,
  inviteTo,
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
const NEW_PASSWORD = 'a staple of another kind'

const signedInAs = async (email: string, password: string) => {
  const person = visitor(stack.url)
  const page = await person.post('/sign-in', { email, password })
  return { person, status: page.status }
}

const isSignedIn = async (person: Visitor) => new URL((await person.get('/settings')).url).pathname === '/settings'

describe('the profile', () => {
  it('gives a person a name that the others of the account see', async () => {
    const { api, person } = await newOwner(stack)
    const site = await newProject(api)
    const { person: editor, email } = await inviteTo(stack, person, 'editor', site)
    expect((await person.get('/settings/people')).text).toContain(email)
    const saved = await editor.post('/settings/profile', {
      name: '  Robin   Moss ',
      timezone: 'europe/paris',
      theme: 'dark',
    })
    expect(saved.text).toContain('Saved.')
    expect(formOn(saved, '/settings/profile')).toMatchObject({ name: 'Robin Moss', timezone: 'Europe/Paris' })
    expect(editor.cookies.get('galley_theme')).toBe('dark')
    const people = (await person.get('/settings/people')).text
    expect(people).toContain('Robin Moss')
    expect(people, 'the address tells two of one name apart').toContain(email)
    const log = (await person.get('/settings/audit?action=person.join')).text
    expect(log).toContain('Robin Moss')
    expect(log).not.toContain(email)
    // Pages about no site have the person's own clock.
    expect((await editor.get('/settings/sessions')).text).toContain('(Paris)')
    await editor.post('/settings/profile', { name: '' })
    expect((await person.get('/settings/audit?action=person.join')).text).toContain(email)
  })

  it('refuses an unknown time zone and a very long name, and changes nothing', async () => {
    const { person } = await signUp(stack)
    await person.post('/settings/profile', { name: 'Kim', timezone: 'Asia/Tokyo' })
    const wrong = await person.post('/settings/profile', { name: 'x'.repeat(101), timezone: 'Europe/Nowhere' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('No time zone has this name')])
    expect(wrong.text).toContain('A name has at most 100 characters.')
    expect(wrong.text, 'what was typed is kept').toContain('Europe/Nowhere')
    const now = formOn(await person.get('/settings/profile'), '/settings/profile')
    expect(now).toMatchObject({ name: 'Kim', timezone: 'Asia/Tokyo' })
  })
})

describe('a new password', () => {
  it('needs the present one, ends all other sessions, is announced by mail, and offers to end what its person made', async () => {
    const { person, email } = await signUp(stack)
    const { person: elsewhere } = await signedInAs(email, PASSWORD)
    const change = (password: string, wanted: string) =>
      person.post('/settings/profile/password', { password, new: wanted })
    const wrong = await change('not the one it is', NEW_PASSWORD)
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('The password is wrong')])
    const short = await change(PASSWORD, 'short')
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('10 to 200 characters')])
    expect(await isSignedIn(elsewhere)).toBe(true)

    await person.post('/settings/keys', { name: 'An old script', scope: 'write', days: '90' })
    const done = await change(PASSWORD, NEW_PASSWORD)
    expect(new URL(done.url).pathname).toBe('/settings/profile/made')
    expect(done.text).toContain('The new password is saved')
    expect(done.text).toContain('An old script')
    expect(formOn(done, '/reset/end')).toEqual({})
    expect([await isSignedIn(person), await isSignedIn(elsewhere)]).toEqual([true, false])
    expect((await mailTo(stack.mailUrl, email, /^Your password was changed/)).text).toContain('/reset')
    expect((await person.get('/settings/audit')).text).toContain('Changed their password')
    expect((await signedInAs(email, PASSWORD)).status).toBe(400)
    expect((await signedInAs(email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('a new address', () => {
  const ask = (person: Visitor, email: string) =>
    person.post('/settings/profile/address', { email, password: PASSWORD })

  it('is proved by a mailed link, announced to the old address, and changes the account’s address too', async () => {
    const { person, email } = await signUp(stack)
    const [wanted, guest] = [newEmail(), newEmail()]
    await person.post('/settings/people', { email: guest, role: 'member' })
    const unproved = await person.post('/settings/profile/address', { email: wanted, password: 'not the one it is' })
    expect([unproved.status, await mailsTo(stack.mailUrl, wanted)]).toEqual([400, []])
    expect((await ask(person, wanted)).text).toContain(`A link is on its way to ${wanted}`)
    expect((await mailTo(stack.mailUrl, email, /^Somebody asked to change your address/)).text).toContain(wanted)
    const link = linkIn(await mailTo(stack.mailUrl, wanted, /^Confirm your new address/))
    // A program that opens links in mails changes nothing, and neither does another person.
    const page = await person.get(link)
    expect((await person.get('/settings')).text).toContain(email)
    const other = await signUp(stack)
    expect((await other.person.get(link)).status).toBe(400)
    const fields = formOn(page, '/settings/profile/address/use')
    expect((await other.person.post('/settings/profile/address/use', fields)).text).toContain('Nothing was changed')

    expect((await person.post('/settings/profile/address/use', fields)).text).toContain('Your address is changed.')
    expect((await person.post('/settings/profile/address/use', fields)).text).toContain('Nothing was changed')
    const account = (await person.get('/settings')).text
    expect(account).toContain(wanted)
    expect(account, 'the account has the address too').not.toContain('Open an account of your own')
    expect(account).not.toContain(email)
    expect((await signedInAs(wanted, PASSWORD)).status).toBe(200)
    // The earlier invitation is still valid.
    const invited = await signInByMail(stack, guest)
    const invitation = await invited.visitor.get(linkIn(await mailTo(stack.mailUrl, guest, /^Invitation/)))
    expect([invitation.status, invitation.text]).toEqual([200, expect.stringContaining(wanted)])
    // The next owner of the old address has nothing of it.
    const heir = await signInByMail(stack, email)
    expect((await heir.visitor.get('/settings')).text).not.toContain(wanted)
  })

  it('of another person is refused; the page looks the same, and its owner gets a mail', async () => {
    const { person } = await signUp(stack)
    const taken = await signUp(stack)
    const before = await mailsTo(stack.mailUrl, taken.email)
    const free = newEmail()
    const [known, unknown] = [await ask(person, taken.email), await ask(person, free)]
    expect(known.text.replaceAll(taken.email, 'X')).toBe(unknown.text.replaceAll(free, 'X'))
    const told = await mailTo(stack.mailUrl, taken.email, /^You have an account/, before)
    expect(told.text).not.toContain('token=')
  })

  it('stays with another person who signs up with it before the confirmation', async () => {
    const { person, email } = await signUp(stack)
    const wanted = newEmail()
    await ask(person, wanted)
    const link = linkIn(await mailTo(stack.mailUrl, wanted, /^Confirm your new address/))
    const theirs = await signInByMail(stack, wanted)
    const fields = formOn(await person.get(link), '/settings/profile/address/use')
    expect((await person.post('/settings/profile/address/use', fields)).text).toContain(
      'somebody else uses the address',
    )
    expect((await person.get('/settings')).text).toContain(email)
    expect((await theirs.visitor.get('/settings')).text).toContain(wanted)
  })

  it('requested again ends the earlier link', async () => {
    const { person } = await signUp(stack)
    const [first, second] = [newEmail(), newEmail()]
    await ask(person, first)
    const link = linkIn(await mailTo(stack.mailUrl, first, /^Confirm your new address/))
    expect((await person.get(link)).status).toBe(200)
    await ask(person, second)
    await mailTo(stack.mailUrl, second, /^Confirm your new address/)
    expect((await person.get(link)).status).toBe(400)
  })
})
