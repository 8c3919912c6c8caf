import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { deleteAccount, keepAccount } from '../../../src/accounts/people/leaving/delete.ts'
import { eraseAccount } from '../../../src/accounts/people/leaving/erase.ts'
import { acceptInvitation } from '../../../src/accounts/people/member-statements.ts'
import { invite } from '../../../src/accounts/people/members.ts'
import { consumeOnce, keepOnce } from '../../../src/accounts/people/shown-once.ts'
import { connectUrl, openLink } from '../../../src/insights/search/link.ts'
import { systemDeps, systemFor } from '../../publishing/system.ts'
import { newAccount, newProject, rowsIn } from '../../support/client.ts'
import { ALLOW, authorizePath, letInBy, pkce, register } from '../oauth/flow.ts'
import { formOn, inviteTo, linkIn, mailTo, newEmail, newOwner, signInByMail, signUp, sure, visitor } from './browser.ts'

const stack = inject('stack')

/** Returns an owner as verbs take one, with the context of their account: what a page read may be out of date for it. */
const ownerIn = async () => {
  const { api, person, email } = await newOwner(stack)
  const [{ id } = { id: '' }] = await rowsIn<{ id: string }>(stack, sql`select id from people where email = ${email}`)
  const account = { accountId: api.accountId, plan: 'pro' as const, projectSlots: 1, eraseAt: null }
  const by = { id, email, role: 'owner' as const, projectId: null, name: '', zone: null, mailFault: null, ...account }
  return { api, person, email, by, ctx: systemFor(stack, api.accountId) }
}

describe('an invitation', () => {
  it('is not made to a project of another account, or to an archived one', async () => {
    const { api, by, ctx } = await ownerIn()
    const archived = await newProject(api)
    await api.post(`/projects/${archived}/archive`)
    const theirs = await newProject(await newAccount(stack))
    for (const projectId of [archived, theirs])
      await expect(invite(ctx, by, { email: newEmail(), role: 'editor', projectId })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    const left = sql`select 1 from invitations where account_id = ${api.accountId}::int`
    expect(await rowsIn(stack, left)).toEqual([])
  })

  it.each([
    [
      'an address that is not confirmed',
      (email: string) => sql`update people set email_verified = false where email = ${email}`,
    ],
    [
      'an account that is suspended',
      (_: string, account: number) => sql`update accounts set suspended_at = now() where id = ${account}::int`,
    ],
  ])('is not accepted for %s', async (_, change) => {
    const { api, by, ctx } = await ownerIn()
    const { email } = await signInByMail(stack)
    const { link } = await invite(ctx, by, { email, role: 'member', projectId: null })
    const hash = createHash('sha256')
      .update(new URL(link).searchParams.get('token') ?? '')
      .digest('hex')
    const [{ id } = { id: '' }] = await rowsIn<{ id: string }>(stack, sql`select id from people where email = ${email}`)
    await rowsIn(stack, change(email, api.accountId))
    expect(await acceptInvitation(ctx.db, id, hash, new Date())).toBe(false)
    const joined = sql`select 1 from memberships where person_id = ${id} and account_id = ${api.accountId}::int`
    expect(await rowsIn(stack, joined)).toEqual([])
  })
})

describe('an account', () => {
  it('is not erased before its day, even if the job runs early', async () => {
    const { api, by, ctx } = await ownerIn()
    await newProject(api)
    await deleteAccount(ctx, by)
    const outside: number[] = []
    const endOutside = async () => {
      outside.push(1)
    }
    expect(await eraseAccount(ctx, api.accountId, endOutside)).toEqual({ kind: 'done' })
    await keepAccount(ctx, by)
    expect(outside).toEqual([])
    expect((await api.get('/projects')).body.projects).toHaveLength(1)
  })

  it('that operators suspended stays suspended when its deletion is canceled', async () => {
    const { api, by, ctx } = await ownerIn()
    await deleteAccount(ctx, by)
    await rowsIn(
      stack,
      sql`update accounts set suspended_at = now() + interval '1 second' where id = ${api.accountId}::int`,
    )
    await keepAccount(ctx, by)
    expect((await api.get('/projects')).status).toBe(401)
  })
})

it('the key behind an application is limited and revoked only with the application', async () => {
  const { person, email } = await newOwner(stack)
  await letInBy(stack, person, (await register(stack)).body.client_id as string)
  const [{ id } = { id: 0 }] = await rowsIn<{ id: number }>(
    stack,
    sql`select k.id from api_keys k join oauth_grants g on g.key_id = k.id join people p on p.id = g.person_id where p.email = ${email}`,
  )
  const limits = { article_credits: '0', scans: '', dollars: '' }
  expect((await person.post('/settings/keys/budget', { id: String(id), ...limits })).status).toBe(404)
  expect((await person.post('/settings/keys/revoke', { id: String(id) })).status).toBe(404)
  const kept = sql`select budget_article_credits as most, revoked_at as ended from api_keys where id = ${id}::int`
  expect(await rowsIn(stack, kept)).toEqual([{ most: null, ended: null }])
})

it('consent to an application is not given ten minutes after it was asked for', async () => {
  const { visitor: person, email } = await signInByMail(stack)
  const path = authorizePath(stack, (await register(stack)).body.client_id as string, pkce().challenge)
  const form = { ...formOn(await person.get(path), '/oauth/authorize'), ...ALLOW }
  const record = `consent:${createHash('sha256')
    .update(form.handle ?? '')
    .digest('hex')}`
  const aged = sql`update oauth_records set expires_at = now() - interval '1 second' where key = ${record} returning key`
  expect(await rowsIn(stack, aged)).toEqual([{ key: record }])
  expect((await person.post('/oauth/authorize', form)).status).toBe(400)
  const made = sql`select 1 from oauth_grants g join people p on p.id = g.person_id where p.email = ${email}`
  expect(await rowsIn(stack, made)).toEqual([])
})

it('a secret that a page shows once is shown to its owner alone, within a minute', async () => {
  const deps = systemDeps(stack)
  const keep = () => keepOnce(deps, 'kim', 'a secret')
  const later = { ...deps, now: () => new Date(Date.now() + 61_000) }
  expect(await consumeOnce(later, 'kim', await keep())).toBeUndefined()
  await expect(consumeOnce(deps, 'lee', await keep())).rejects.toThrow()
  const name = await keep()
  expect([await consumeOnce(deps, 'kim', name), await consumeOnce(deps, 'kim', name)]).toEqual(['a secret', undefined])
})

it('a password is not guessed at the confirmation of a change', async () => {
  const password = 'correct horse battery'
  const { email } = await signUp(stack, { password })
  const person = visitor(stack.url)
  await person.post('/sign-in', { email, password })
  const guess = (text: string) =>
    person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30', password: text })
  const statuses: number[] = []
  // Five tries a minute, with the one that signed in. More than the limit, since a new minute may begin meanwhile.
  for (let n = 0; n < 8; n += 1) statuses.push((await guess(`wrong password ${n}`)).status)
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.slice(0, 4)).toEqual([400, 400, 400, 400])
  const late = await guess(password)
  expect([late.status, late.text.includes('gly_live_')]).toEqual([429, false])
})

it('a mailed link for a new password that is an hour old changes nothing', async () => {
  const password = 'correct horse battery'
  const { email, person } = await signUp(stack, { password })
  const asking = visitor(stack.url)
  await asking.post('/reset', { email })
  const link = linkIn(await mailTo(stack.mailUrl, email, /^A new password/))
  const form = { ...formOn(await asking.get(link), '/reset/new'), password: 'another long password' }
  const aged = sql`update person_verifications set expires_at = now() - interval '1 second' where value like ${`%${email}%`} returning 1`
  expect(await rowsIn(stack, aged)).toHaveLength(1)
  const late = await asking.post('/reset/new', form)
  expect([late.status, new URL((await asking.get('/settings')).url).pathname]).toEqual([400, '/sign-in'])
  expect(new URL((await person.get('/settings')).url).pathname).toBe('/settings')
  expect(new URL((await asking.post('/sign-in', { email, password })).url).pathname).not.toBe('/sign-in')
})

it('a mailed link for a new address that is an hour old changes nothing', async () => {
  const { visitor: person, email } = await signInByMail(stack)
  const wanted = newEmail()
  await person.post('/settings/profile/address', { email: wanted })
  const form = formOn(
    await person.get(linkIn(await mailTo(stack.mailUrl, wanted, /./))),
    '/settings/profile/address/use',
  )
  const aged = sql`update person_verifications set expires_at = now() - interval '1 second' where value like ${`% ${wanted}`} returning 1`
  expect(await rowsIn(stack, aged)).toHaveLength(1)
  expect((await person.post('/settings/profile/address/use', form)).text).toContain('Nothing was changed')
  expect(await rowsIn(stack, sql`select 1 from people where email = ${wanted}`)).toEqual([])
  expect(await rowsIn(stack, sql`select 1 from people where email = ${email}`)).toHaveLength(1)
})

it.each(['/sign-up', '/sign-in/link', '/reset'])(
  'an address gets at most three mails a minute from %s',
  async (path) => {
    const email = newEmail()
    // Each from another IP address. Eight at once fall into two minutes at most, which let six through.
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await visitor(stack.url).post(path, { email })).status),
    )
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
    expect((await visitor(stack.url).post(path, { email: newEmail() })).status).toBe(200)
  },
)

it('what destroys asks first, and takes a yes only to its own question', async () => {
  const { person } = await newOwner(stack)
  for (const name of ['One', 'Two']) await person.post('/settings/keys', { name, scope: 'read', days: '90' })
  const page = await person.get('/settings/keys')
  const [two = '', one = ''] = [...page.text.matchAll(/revoke"[^>]*>[\s\S]*?name="id" value="(\d+)"/g)].map(
    ([, id]) => id ?? '',
  )
  expect(Number(two)).toBeGreaterThan(Number(one))
  const revoke = (fields: Record<string, string>) => person.post('/settings/keys/revoke', fields)
  const { confirm = '' } = formOn(await revoke({ id: one }), '/settings/keys/revoke')
  for (const fields of [
    { id: one, confirm: 'yes' },
    { id: two, confirm },
  ]) {
    const asked = await revoke(fields)
    expect([asked.status, asked.text.includes('name="confirm"')]).toEqual([200, true])
  }
  const open = sql`select 1 from api_keys where id in (${one}::int, ${two}::int) and revoked_at is null`
  expect(await rowsIn(stack, open)).toHaveLength(2)
  expect((await revoke({ id: one, confirm })).text).toContain('no longer works')
  expect(await rowsIn(stack, open)).toHaveLength(1)
})

it('a link to connect search data works for little more than an hour, and for its own project', async () => {
  const deps = systemDeps(stack)
  const at = (minutes: number) => ({ ...deps, now: () => new Date(Date.UTC(2030, 0, 1, 10, minutes)) })
  const url = new URL(await connectUrl(at(5), { project: 7, account: 3 }))
  const link = url.searchParams.get('link') ?? ''
  expect(await openLink(at(69), link)).toMatchObject({ project: 7, account: 3 })
  expect(await openLink(at(70), link)).toBeUndefined()
  for (const changed of [link.replace('7.', '8.'), link.replace('.3.', '.4.'), `${link.slice(0, -9)}${'A'.repeat(9)}`])
    expect(await openLink(at(6), changed)).toBeUndefined()
})

it('a founder does not leave their account to an owner whose address is that of another account', async () => {
  const { person, by } = await ownerIn()
  await inviteTo(stack, person, 'owner')
  const left = await sure(person, '/settings/people/remove', { person: by.id })
  expect(left.status).toBe(409)
  expect(await rowsIn(stack, sql`select 1 from memberships where person_id = ${by.id}`)).toHaveLength(1)
})
