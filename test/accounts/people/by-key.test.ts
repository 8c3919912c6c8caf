import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { scopesOf } from '../../../src/platform/accounts/scopes.ts'
import { type Api, anotherKey, clientOf, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { ABSENT, expectError } from '../../support/contract.ts'
import { formOn, linkIn, mailTo, newEmail, newOwner, signInByMail, sure, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a key with the scope admin, made on the page. */
const adminKeyOf = async (person: Visitor, accountId: number): Promise<Api> => {
  const page = await person.post('/settings/keys', { name: 'Administration', scope: 'admin', days: '90' })
  return clientOf(stack.url, /gly_live_[0-9A-Za-z]{38}/.exec(page.text)?.[0] ?? '', accountId)
}

const administered = async () => {
  const { api, person, email } = await newOwner(stack)
  return { api, person, email, admin: await adminKeyOf(person, api.accountId) }
}

const accept = async (email: string) => {
  const link = linkIn(await mailTo(stack.mailUrl, email, /^Invitation/))
  const { visitor } = await signInByMail(stack, email, new URL(link).pathname + new URL(link).search)
  await visitor.post('/invitation', formOn(await visitor.get(link), '/invitation'))
  return { visitor }
}

describe('a key with the scope admin', () => {
  it('makes keys that read and draft, and shows each once; a replay shows the same key', async () => {
    const { api, admin } = await administered()
    const wanted = { name: 'Writer', scope: 'draft', expires_at: '2031-01-01' }
    const headers = { 'idempotency-key': 'a-writer' }
    const made = await admin.post('/keys', wanted, { headers })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Writer', scope: 'draft', scopes: ['read', 'draft'], expires_at: '2031-01-01T00:00:00.000Z' },
    })
    const key = made.body.key as string
    expect((await clientOf(stack.url, key, api.accountId).get('/account')).body.key).toMatchObject({
      name: 'Writer',
      scopes: ['read', 'draft'],
      expires_at: '2031-01-01T00:00:00.000Z',
    })
    expect((await admin.post('/keys', wanted, { headers })).body).toEqual(made.body)
    const kept = await rowsIn<{ found: boolean }>(
      stack,
      sql`select bool_or(body like ${`%${key}%`}) as found from idempotency_records where account_id = ${api.accountId}::int`,
    )
    expect(kept).toEqual([{ found: false }])
  })

  it.each([
    [{ name: 'x', scope: 'write' }, 'scope'],
    [{ name: 'x', scope: 'admin' }, 'scope'],
    [{ name: '', scope: 'read' }, 'name'],
    [{ name: 'x', scope: 'read', expires_at: '2020-01-01' }, 'expires_at'],
  ])('makes no key of %j', async (wanted, field) => {
    const admin = await newAccount(stack, {}, scopesOf('admin'))
    const answer = await admin.post('/keys', wanted)
    expectError(answer, 'invalid_input')
    expect(answer.body.details).toEqual([expect.objectContaining({ field })])
  })

  it('revokes keys of its account, and none of another', async () => {
    const { api, admin } = await administered()
    const { key_id: id, key } = (await admin.post('/keys', { name: 'Reports', scope: 'read' })).body
    const outsider = await newAccount(stack, {}, scopesOf('admin'))
    expectError(await outsider.del(`/keys/${id}`), 'forbidden')
    const reader = clientOf(stack.url, key as string, api.accountId)
    expect((await reader.get('/projects')).status).toBe(200)
    expect((await admin.del(`/keys/${id}`)).body).toMatchObject({ key_id: id, revoked: true })
    expectError(await reader.get('/projects'), 'unauthorized')
    expectError(await admin.del(`/keys/${id}`), 'not_found')
  })

  it.each([{ role: 'member' }, { role: 'owner' }, {}])(
    'does not hand on what it has itself: an invitation with %o is refused',
    async (given) => {
      const { api, admin } = await administered()
      const project = await newProject(api)
      const answer = await admin.post('/invitations', { email: newEmail(), project_id: project, ...given })
      expectError(answer, 'invalid_input')
      expect(answer.body.details).toEqual([expect.objectContaining({ field: 'role' })])
      expect(await rowsIn(stack, sql`select 1 from invitations where account_id = ${api.accountId}::int`)).toEqual([])
    },
  )

  it('invites editors and clients of one project of its account', async () => {
    const { api, admin } = await administered()
    const project = await newProject(api)
    const [archived, foreign] = [await newProject(api), await newProject(await newAccount(stack))]
    await api.post(`/projects/${archived}/archive`)
    for (const wrong of [
      { role: 'client' },
      { role: 'editor', project_id: null },
      { role: 'client', project_id: archived },
    ]) {
      const answer = await admin.post('/invitations', { email: newEmail(), ...wrong })
      expectError(answer, 'invalid_input')
      expect(answer.body.details).toEqual([expect.objectContaining({ field: 'project_id' })])
    }
    const asked = { email: newEmail(), role: 'client' }
    expectError(await admin.post('/invitations', { ...asked, email: 'nobody', project_id: project }), 'invalid_input')
    expectError(await admin.post('/invitations', { ...asked, project_id: foreign }), 'forbidden')
    expectError(await admin.post('/invitations', { ...asked, project_id: ABSENT }), 'not_found')
    expect(await rowsIn(stack, sql`select 1 from invitations where account_id = ${api.accountId}::int`)).toEqual([])
    const email = newEmail()
    const made = await admin.post('/invitations', { email, role: 'Client', project_id: project })
    expect(made).toMatchObject({ status: 201, body: { email, role: 'client', project_id: project } })
    expect((await mailTo(stack.mailUrl, email, /^Invitation/)).text).toContain(', as a client.')
    const { visitor } = await accept(email)
    expect((await visitor.get('/settings')).text).toContain('a client: you may read one site')
    expect((await visitor.get('/p')).url).toBe(`${stack.url}/p/${project}`)
  })

  it('has a copy of the account made, which its owner downloads, and no second one within an hour', async () => {
    const { admin, person, email } = await administered()
    const asked = await admin.post('/exports')
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'making', download_at: `${stack.url}/settings/leaving` },
    })
    await mailTo(stack.mailUrl, email, /copy of your account/)
    expect((await person.get('/settings/leaving')).text).toContain(`/settings/leaving/${asked.body.export_id}"`)
    expectError(await admin.post('/exports'), 'edit_conflict')
  })

  it('administers only while the person who made it owns the account, and what it made ends with them', async () => {
    const { api, person, admin } = await administered()
    const email = newEmail()
    const project = await newProject(api)
    await admin.post('/invitations', { email, role: 'editor', project_id: project })
    const { visitor: member } = await accept(email)
    expect((await member.post('/settings/keys', { name: 'x', scope: 'admin', days: '90' })).status).toBe(403)
    const role = (to: string) =>
      rowsIn(
        stack,
        sql`update memberships m set role = ${to}, project_id = null from people p
          where p.id = m.person_id and p.email = ${email} and m.account_id = ${api.accountId}::int`,
      )
    await role('owner')
    const theirs = await adminKeyOf(member, api.accountId)
    const made = (await theirs.post('/keys', { name: 'Reports', scope: 'read' })).body
    await role('member')
    for (const answer of [
      await theirs.post('/keys', { name: 'x', scope: 'read' }),
      await theirs.del(`/keys/${made.key_id}`),
      await theirs.post('/invitations', { email: newEmail(), role: 'editor', project_id: project }),
      await theirs.post('/exports'),
    ])
      expectError(answer, 'forbidden')
    const page = await person.get('/settings/people')
    const row = page.text.split('<tr>').find((one) => one.includes(email)) ?? ''
    const id = /name="person" value="([^"]+)"/.exec(row)?.[1] ?? ''
    await sure(person, '/settings/people/remove', { person: id })
    expectError(await clientOf(stack.url, made.key as string, api.accountId).get('/projects'), 'unauthorized')
  })

  it('made by an operator administers too', async () => {
    const api = await newAccount(stack)
    const admin = await anotherKey(stack, api, scopesOf('admin'))
    expect((await admin.post('/keys', { name: 'Reports', scope: 'read' })).status).toBe(201)
    const asked = { email: newEmail(), role: 'editor', project_id: await newProject(api) }
    expect((await admin.post('/invitations', asked)).status).toBe(201)
  })
})
