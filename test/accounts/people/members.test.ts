import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { grantAccess } from '../../../src/accounts/oauth/grants.ts'
import { createKey } from '../../../src/accounts/people/keys.ts'
import { deleteAccount, keepAccount } from '../../../src/accounts/people/leaving/delete.ts'
import { askExport } from '../../../src/accounts/people/leaving/export.ts'
import { invite, setRole, withdraw } from '../../../src/accounts/people/members.ts'
import type { Ctx } from '../../../src/platform/runtime/ctx.ts'
import { systemFor } from '../../publishing/system.ts'
import { clientOf, newAccount, rowsIn } from '../../support/client.ts'
import { withTokens } from '../oauth/flow.ts'
import {
  choosePassword,
  formOn,
  linkIn,
  mailTo,
  newEmail,
  type Shown,
  signInByMail,
  sure,
  type Visitor,
  visitor,
} from './browser.ts'

const stack = inject('stack')
const PEOPLE = '/settings/people'

const owner = async () => {
  const { visitor: person, email } = await signInByMail(stack)
  return { person, email, account: accountOn(await person.get('/settings')) }
}

const accountOn = (page: Shown): number =>
  Number(/<dt>Account ID, for questions to support<\/dt><dd>(\d+)</.exec(page.text)?.[1])
const roleOn = (page: Shown): string | undefined => /<dt>You are<\/dt><dd>an? (\w+)/.exec(page.text)?.[1]

/** Returns the id of a person on the page of people, by address. */
const personOn = (page: Shown, email: string): string => {
  const row =
    page.text
      .split('<tr>')
      .slice(1)
      .find((one) => one.includes(email)) ?? ''
  return /name="person" value="([^"]+)"/.exec(row)?.[1] ?? ''
}

const invitationTo = async (from: Visitor, email: string, role = 'member') => {
  expect((await from.post(PEOPLE, { email, role })).status).toBe(200)
  return linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
}

const accept = async (person: Visitor, link: string) =>
  await person.post('/invitation', formOn(await person.get(link), '/invitation'))

/** Returns a person with an account of their own who joined another one. */
const memberOf = async (from: Visitor, role = 'member') => {
  const { visitor: person, email } = await signInByMail(stack)
  await accept(person, await invitationTo(from, email, role))
  return { person, email }
}

describe('the name of an account', () => {
  it('is chosen by its owners, and shown in invitations, the list of accounts and the deletion', async () => {
    const one = await owner()
    expect((await one.person.post('/settings/name', { name: '  Pedal \n &amp; Spoke ' })).text).toContain(
      'The name is saved.',
    )
    const email = newEmail()
    const link = await invitationTo(one.person, email)
    expect((await visitor(stack.url).get(link)).text).toContain('to work in the account Pedal &amp;amp; Spoke at')
    const member = await memberOf(one.person)
    expect((await member.person.get('/settings')).text).toContain('<span>Pedal &amp;amp; Spoke</span>')
    expect((await member.person.post('/settings/name', { name: 'Mine now' })).status).toBe(403)
    const long = await one.person.post('/settings/name', { name: 'x'.repeat(101) })
    expect(long.text).toContain('at most 100 characters')
    const deletion = (account: string) => one.person.post('/settings/leaving/delete', { account })
    expect((await deletion(one.email)).text).toContain('Type Pedal &amp;amp; Spoke to confirm')
    expect((await deletion('Pedal &amp; Spoke')).text).toContain('The account is erased on')
  })
})

describe('an invitation', () => {
  it('is accepted after signing up with the invited address, which opens no other account', async () => {
    const one = await owner()
    const email = newEmail()
    const link = await invitationTo(one.person, email)
    const guest = visitor(stack.url)
    const asked = await guest.get(link)
    expect(asked.text).toContain(`${one.email} invites ${email}`)
    const next = new URL(link).pathname + new URL(link).search
    await guest.post('/sign-up', { email, next })
    const confirm = linkIn(await mailTo(stack.mailUrl, email, /^Confirm/))
    const back = await choosePassword(guest, confirm, 'correct horse battery')
    expect(back.url).toBe(link)
    // The account has no site yet, so its Overview asks for one.
    const after = await guest.post('/invitation', formOn(back, '/invitation'))
    expect(new URL(after.url).pathname).toBe('/setup')
    const settings = await guest.get('/settings')
    expect([accountOn(settings), roleOn(settings)]).toEqual([one.account, 'member'])
    const own = await rowsIn(stack, sql`select id from accounts where email = ${email}`)
    expect(own).toEqual([])
  })

  it('works once, only for its recipient, and not after it was withdrawn or is too old', async () => {
    const one = await owner()
    const email = newEmail()
    const link = await invitationTo(one.person, email)
    const { visitor: thief } = await signInByMail(stack)
    const page = await thief.get('/settings')
    expect((await thief.get(link)).text).toContain('You are signed in as')
    const token = new URL(link).searchParams.get('token') ?? ''
    expect((await thief.post('/invitation', { token })).status).toBe(404)
    expect(accountOn(await thief.get('/settings'))).toBe(accountOn(page))
    expect((await visitor(stack.url).get(link)).text).not.toContain('action="/invitation"')

    const { visitor: guest } = await signInByMail(stack, email)
    expect((await accept(guest, link)).status).toBe(200)
    expect((await guest.post('/invitation', { token })).status).toBe(404)

    const second = newEmail()
    const withdrawn = await invitationTo(one.person, second)
    const id = /name="id" value="(\d+)"/.exec((await one.person.get(PEOPLE)).text)?.[1] ?? ''
    expect((await sure(one.person, `${PEOPLE}/withdraw`, { id })).text).toContain('is withdrawn')
    expect((await visitor(stack.url).get(withdrawn)).status).toBe(404)

    const third = newEmail()
    const old = await invitationTo(one.person, third)
    await rowsIn(stack, sql`update invitations set expires_at = now() where email = ${third}`)
    expect((await visitor(stack.url).get(old)).status).toBe(404)
  })

  it('sent again replaces the one before', async () => {
    const one = await owner()
    const email = newEmail()
    const first = await invitationTo(one.person, email)
    const before = (await rowsIn<{ id: number }>(stack, sql`select id from invitations where email = ${email}`))[0]?.id
    await one.person.post(PEOPLE, { email, role: 'owner' })
    expect(await rowsIn(stack, sql`select id, role from invitations where email = ${email}`)).toEqual([
      { id: before, role: 'owner' },
    ])
    expect((await visitor(stack.url).get(first)).status).toBe(404)
  })

  it('ends when its maker is removed, leaves, or becomes a member', async () => {
    const one = await owner()
    const idOf = async (email: string) => personOn(await one.person.get(PEOPLE), email)
    const endings = [
      async ({ email }: { email: string }) => sure(one.person, `${PEOPLE}/remove`, { person: await idOf(email) }),
      async (two: { person: Visitor; email: string }) =>
        sure(two.person, `${PEOPLE}/remove`, { person: await idOf(two.email) }),
      async ({ email }: { email: string }) =>
        one.person.post(`${PEOPLE}/role`, { person: await idOf(email), role: 'member' }),
    ]
    for (const end of endings) {
      const two = await memberOf(one.person, 'owner')
      const [invited, kept] = [newEmail(), newEmail()]
      const [link, other] = [await invitationTo(two.person, invited, 'owner'), await invitationTo(one.person, kept)]
      const { visitor: guest } = await signInByMail(stack, invited)
      expect((await end(two)).status).toBe(200)
      expect(await rowsIn(stack, sql`select 1 from invitations where email = ${invited}`)).toEqual([])
      expect((await guest.post('/invitation', { token: new URL(link).searchParams.get('token') ?? '' })).status).toBe(
        404,
      )
      expect((await visitor(stack.url).get(other)).status, 'that of another').toBe(200)
    }
    expect((await one.person.get('/settings/audit')).text).toMatch(/person\.withdraw_invitation/)
  })

  it('from an earlier release is refused after the person who made it is no longer an owner', async () => {
    const one = await owner()
    const email = newEmail()
    const link = await invitationTo(one.person, email, 'owner')
    await rowsIn(stack, sql`update invitations set invited_by = 'gone@people.example' where email = ${email}`)
    const { visitor: guest } = await signInByMail(stack, email)
    expect((await guest.get(link)).status).toBe(404)
    expect((await guest.post('/invitation', { token: new URL(link).searchParams.get('token') ?? '' })).status).toBe(404)
    expect((await one.person.get(PEOPLE)).text).not.toContain(email)
  })

  it('is not sent to a member, nor to an invalid address', async () => {
    const one = await owner()
    expect((await one.person.post(PEOPLE, { email: one.email, role: 'member' })).status).toBe(400)
    const wrong = await one.person.post(PEOPLE, { email: 'nobody', role: 'member' })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('id="field-email-error"')])
    expect((await one.person.post(PEOPLE, { email: newEmail(), role: 'king' })).status).toBe(400)
  })
})

describe('roles', () => {
  it('a member works there, and changes neither people nor roles', async () => {
    const one = await owner()
    const member = await memberOf(one.person)
    const key = await member.person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30' })
    expect(key.status).toBe(200)
    const me = personOn(await member.person.get(PEOPLE), member.email)
    const owners = personOn(await one.person.get(PEOPLE), one.email)
    const refusals = [
      await member.person.post(PEOPLE, { email: newEmail(), role: 'member' }),
      await member.person.post(`${PEOPLE}/role`, { person: me, role: 'owner' }),
      await member.person.post(`${PEOPLE}/remove`, { person: owners }),
      await member.person.post(`${PEOPLE}/withdraw`, { id: '1' }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(roleOn(await member.person.get('/settings'))).toBe('member')
  })

  it('the last owner stays one, and stays', async () => {
    const one = await owner()
    const member = await memberOf(one.person)
    const me = personOn(await one.person.get(PEOPLE), one.email)
    expect((await one.person.post(`${PEOPLE}/role`, { person: me, role: 'member' })).status).toBe(409)
    expect((await sure(one.person, `${PEOPLE}/remove`, { person: me })).status).toBe(409)
    const other = personOn(await one.person.get(PEOPLE), member.email)
    expect((await one.person.post(`${PEOPLE}/role`, { person: other, role: 'owner' })).status).toBe(200)
    expect((await one.person.post(`${PEOPLE}/role`, { person: me, role: 'member' })).status).toBe(200)
    expect([roleOn(await one.person.get('/settings')), roleOn(await member.person.get('/settings'))]).toEqual([
      'member',
      'owner',
    ])
  })

  it('two owners who demote each other at once leave one', { tags: ['services'] }, async () => {
    const one = await owner()
    const two = await memberOf(one.person, 'owner')
    const page = await one.person.get(PEOPLE)
    const [first, second] = [personOn(page, one.email), personOn(page, two.email)]
    const done = await Promise.all([
      one.person.post(`${PEOPLE}/role`, { person: second, role: 'member' }),
      two.person.post(`${PEOPLE}/role`, { person: first, role: 'member' }),
    ])
    const owners = await rowsIn(
      stack,
      sql`select 1 from memberships where account_id = ${one.account}::int and role = 'owner'`,
    )
    expect(owners).toHaveLength(1)
    expect(done.map(({ status }) => status).sort()).not.toEqual([200, 200])
  })

  it('people who leave lose their keys and applications, and return to their own account', async () => {
    const one = await owner()
    const member = await memberOf(one.person)
    const secret = /gly_live_\w{38}/.exec(
      (await member.person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30' })).text,
    )?.[0]
    const api = clientOf(stack.url, secret ?? '', one.account)
    expect((await api.get('/projects')).status).toBe(200)
    const id = personOn(await one.person.get(PEOPLE), member.email)
    const removed = await sure(one.person, `${PEOPLE}/remove`, { person: id })
    expect(removed.text).toContain('Removed.')
    expect((await api.get('/projects')).status).toBe(401)
    const after = await member.person.get('/settings')
    expect([accountOn(after) === one.account, roleOn(after)]).toEqual([false, 'owner'])
    expect((await one.person.get('/settings/audit')).text).toMatch(/person\.leave/)
  })

  it('people who are removed while they make a key, authorize an application or act as an owner change nothing', async () => {
    const one = await owner()
    /** Returns a second owner, who is removed before the first write of their action. */
    const leavingOwner = async () => {
      const { person, email } = await memberOf(one.person, 'owner')
      const id = personOn(await one.person.get(PEOPLE), email)
      const takeOut = async () =>
        expect((await sure(one.person, `${PEOPLE}/remove`, { person: id })).text).toContain('Removed.')
      const job = systemFor(stack, one.account)
      const late: Ctx = {
        ...job,
        batch: async (statements, options) => {
          await takeOut()
          return await job.batch(statements, options)
        },
      }
      const by = {
        id,
        email,
        role: 'owner' as const,
        projectId: null,
        accountId: one.account,
        plan: 'pro' as const,
        projectSlots: 1,
        eraseAt: null,
        name: '',
        zone: null,
        mailFault: null,
      }
      return { person, by, late, takeOut }
    }
    const maker = await leavingOwner()
    const key = { name: 'Mine', scopes: ['write'] as const, expiresAt: null }
    await expect(createKey(maker.late, maker.by.id, key)).rejects.toMatchObject({ code: 'forbidden' })
    const inviter = await leavingOwner()
    const invited = { email: newEmail(), role: 'owner' as const, projectId: null }
    await expect(invite(inviter.late, inviter.by, invited)).rejects.toMatchObject({ code: 'forbidden' })
    const withdrawing = await leavingOwner()
    const waiting = newEmail()
    expect((await one.person.post(PEOPLE, { email: waiting, role: 'member' })).status).toBe(200)
    const [{ id: waitingId } = { id: 0 }] = await rowsIn<{ id: number }>(
      stack,
      sql`select id from invitations where email = ${waiting}`,
    )
    await expect(withdraw(withdrawing.late, withdrawing.by, Number(waitingId))).rejects.toMatchObject({
      code: 'forbidden',
    })
    const copying = await leavingOwner()
    await expect(askExport(copying.late, copying.by)).rejects.toMatchObject({ code: 'forbidden' })
    const deleting = await leavingOwner()
    await expect(deleteAccount(deleting.late, deleting.by)).rejects.toMatchObject({ code: 'forbidden' })
    const promoter = await leavingOwner()
    const other = await memberOf(one.person)
    const otherId = personOn(await one.person.get(PEOPLE), other.email)
    await expect(
      setRole(promoter.late, promoter.by, otherId, { role: 'owner', projectId: null }),
    ).rejects.toMatchObject({ code: 'edit_conflict' })
    const connecting = await leavingOwner()
    const ended: string[] = []
    const api = {
      completeAuthorization: async () => {
        await connecting.takeOut()
        return { redirectTo: `https://app.example/back?code=${connecting.by.id}:grant-${connecting.by.id}:secret` }
      },
      revokeGrant: async (grantId: string) => {
        ended.push(grantId)
      },
    }
    const client = { id: 'app', name: 'App', redirectHost: 'app.example' }
    const request = { scope: [] } as unknown as Parameters<typeof grantAccess>[1]
    const { db, now } = connecting.late
    const oauth = { api } as unknown as Parameters<typeof grantAccess>[0]['oauth']
    await expect(
      grantAccess({ oauth, db, now }, request, { person: connecting.by, client, scope: 'write' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    expect(ended).toEqual([`grant-${connecting.by.id}`])
    const open = sql`select 1 from api_keys where account_id = ${one.account}::int and revoked_at is null`
    expect(await rowsIn(stack, open)).toEqual([])
    const people = await one.person.get(PEOPLE)
    expect([people.text.includes(invited.email), people.text.includes(waiting)]).toEqual([false, true])
    expect((await one.person.get('/settings/leaving')).text).toContain('No copy was asked for.')
    const keeping = await leavingOwner()
    await one.person.post('/settings/leaving/delete', { account: one.email })
    await expect(keepAccount(keeping.late, keeping.by)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await one.person.get('/settings/leaving')).text).toContain('The account is erased on')
    expect(roleOn(await other.person.get('/settings'))).toBe('member')
  })

  it('the founder leaves: the account gets the address of another owner, and is not joined again', async () => {
    const one = await owner()
    const email = newEmail()
    const link = await invitationTo(one.person, email, 'owner')
    const { visitor: heir } = await signInByMail(stack, email, new URL(link).pathname + new URL(link).search)
    await accept(heir, link)
    const me = personOn(await one.person.get(PEOPLE), one.email)
    const after = await sure(one.person, `${PEOPLE}/remove`, { person: me })
    expect(accountOn(after)).not.toBe(one.account)
    expect(accountOn(await heir.get('/settings'))).toBe(one.account)
    expect(await rowsIn(stack, sql`select email from accounts where id = ${one.account}::int`)).toEqual([{ email }])
  })
})

describe('several accounts', () => {
  it('a person changes between theirs, and into no other', async () => {
    const [one, outsider] = [await owner(), await owner()]
    const member = await memberOf(one.person)
    const page = await member.person.get('/settings')
    const own = /name="account" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    expect(accountOn(page)).toBe(one.account)
    expect(accountOn(await member.person.post('/settings/accounts', { account: own }))).toBe(Number(own))
    const back = await member.person.post('/settings/accounts', { account: String(one.account) })
    expect(accountOn(back)).toBe(one.account)
    const theirs = await member.person.post('/settings/accounts', { account: String(outsider.account) })
    expect(theirs.status).toBe(404)
    expect(accountOn(await member.person.get('/settings'))).toBe(one.account)
  })

  it('a person who was only invited may open an account of their own', async () => {
    const api = await newAccount(stack)
    const [{ email } = { email: '' }] = await rowsIn<{ email: string }>(
      stack,
      sql`select email from accounts where id = ${api.accountId}::int`,
    )
    const one = await owner()
    const link = await invitationTo(one.person, email)
    const { visitor: guest } = await signInByMail(stack, email, new URL(link).pathname + new URL(link).search)
    await accept(guest, link)
    expect(accountOn(await guest.get('/settings'))).toBe(one.account)
    expect(accountOn(await guest.post('/settings/accounts/own', {}))).toBe(api.accountId)
  })

  it('a suspended account is skipped if the person has another', async () => {
    const one = await owner()
    const member = await memberOf(one.person)
    await rowsIn(stack, sql`update accounts set suspended_at = now() where id = ${one.account}::int`)
    expect(accountOn(await member.person.get('/settings'))).not.toBe(one.account)
  })
})

it('an application that a person authorized ends when they are removed', async () => {
  const { visitor: person, refresh, refreshToken } = await withTokens(stack)
  const account = accountOn(await person.get('/settings'))
  const two = await memberOf(person, 'owner')
  const email = /<dt>Signed in as<\/dt><dd>([^<]+)</.exec((await person.get('/settings')).text)?.[1] ?? ''
  // The account's address is another's, so that the first may go.
  await rowsIn(stack, sql`update accounts set email = ${newEmail()} where id = ${account}::int`)
  const removed = await sure(two.person, `${PEOPLE}/remove`, { person: personOn(await two.person.get(PEOPLE), email) })
  expect(removed.text).toContain('Removed.')
  expect((await refresh(refreshToken)).status).toBe(400)
  expect((await two.person.get('/settings/applications')).text).toContain('No application is connected.')
})
