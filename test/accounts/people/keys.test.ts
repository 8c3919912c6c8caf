import { sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { callTool, connect, post } from '../../mcp/client.ts'
import { clientOf, rowsIn } from '../../support/client.ts'
import { withTokens } from '../oauth/flow.ts'
import { newOwner, SETTINGS_PAGES, type Shown, sure, type Visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account that has projects, with a key of the API. */
const owner = () => newOwner(stack)

const secretOn = (page: Shown): string => /gly_live_[0-9A-Za-z]{38}/.exec(page.text)?.[0] ?? ''
const idOn = (page: Shown, field = 'id'): string =>
  new RegExp(`name="${field}" value="([^"]+)"`).exec(page.text)?.[1] ?? ''

describe('API keys', () => {
  const create = (person: Visitor, changes: Record<string, string> = {}) =>
    person.post('/settings/keys', { name: 'My script', scope: 'write', days: '90', ...changes })

  it('are made with a name, scope and end, shown once, and work at once', async () => {
    const { person, api } = await owner()
    const made = await create(person, { scope: 'read' })
    const secret = secretOn(made)
    const account = await clientOf(stack.url, secret, api.accountId).get('/account')
    expect(account.body).toMatchObject({
      account_id: api.accountId,
      key: { name: 'My script', scopes: ['read'], expires_at: expect.stringMatching(/^20/) },
    })
    const again = await person.get('/settings/keys')
    expect(again.text).toContain('My script')
    expect(again.text).toContain(`…${secret.slice(-4)}`)
    expect(secretOn(again)).toBe('')
  })

  it.each([
    ['draft', ['read', 'draft'], 'read and draft'],
    ['write', ['read', 'write'], 'read and change'],
    ['admin', ['read', 'write', 'admin'], 'read, change and administer'],
  ])('are made with the scope %s', async (scope, scopes, label) => {
    const { person, api } = await owner()
    const made = await create(person, { scope })
    expect((await clientOf(stack.url, secretOn(made), api.accountId).get('/account')).body).toMatchObject({
      key: { scopes },
    })
    expect(made.text).toContain(`<td data-label="May"><span>${label}</span>`)
  })

  it('are revoked, and refused from then on', async () => {
    const { person, api } = await owner()
    const secret = secretOn(await create(person, { days: 'never' }))
    const keyed = clientOf(stack.url, secret, api.accountId)
    expect((await keyed.get('/projects')).status).toBe(200)
    const page = await person.get('/settings/keys')
    expect((await sure(person, '/settings/keys/revoke', { id: idOn(page) })).status).toBe(200)
    expect((await keyed.get('/projects')).status).toBe(401)
    expect((await person.get('/settings/audit')).text).toMatch(/key\.revoke[\s\S]*key\.create/)
  })

  it('of other accounts are neither shown nor revoked', async () => {
    const [one, other] = [await owner(), await owner()]
    const secret = secretOn(await create(one.person))
    const id = idOn(await one.person.get('/settings/keys'))
    expect((await other.person.post('/settings/keys/revoke', { id })).status).toBe(404)
    expect((await clientOf(stack.url, secret, one.api.accountId).get('/projects')).status).toBe(200)
    expect((await other.person.get('/settings/keys')).text).not.toContain('My script')
  })

  it.each([{ name: '' }, { name: 'x'.repeat(101) }, { scope: 'all' }, { days: '36500' }, { days: 'constructor' }])(
    'are not made from %o',
    async (wrong) => {
      const { person } = await owner()
      const page = await create(person, wrong as unknown as Record<string, string>)
      expect([page.status, secretOn(page)]).toEqual([400, ''])
    },
  )

  it('are at most a hundred, even if several are made at once', { tags: ['services'] }, async () => {
    const { person, api } = await owner()
    await rowsIn(
      stack,
      sql`insert into api_keys (account_id, name, key_hash, last_four, scopes)
        select ${api.accountId}::int, 'Old ' || n, md5(random()::text), 'abcd', array['read']
        from generate_series(1, 98 - (select count(*)::int from api_keys where account_id = ${api.accountId}::int)) n`,
    )
    // While the account's row is held each key is counted, and none is stored.
    const held = rowsIn(
      stack,
      sql`select pg_sleep(0.5) from (select id from accounts where id = ${api.accountId}::int for update) as held`,
    )
    const pages = await Promise.all(Array.from({ length: 8 }, () => create(person)))
    await held
    expect(pages.filter((page) => secretOn(page) !== '')).toHaveLength(2)
    const refused = pages.filter((page) => secretOn(page) === '')
    for (const { status, text } of refused)
      expect([status, text]).toEqual([400, expect.stringContaining('at most 100 keys')])
  })

  it('are not made by a form of another site', async () => {
    const { person } = await owner()
    const fields = { name: 'Theirs', scope: 'write', days: 'never' }
    const foreign = { headers: { origin: 'https://attacker.example' } }
    for (const path of SETTINGS_PAGES.slice(1))
      for (const action of ['', '/revoke', '/end', '/archive', '/disconnect', '/end-others'])
        expect((await person.post(`${path}${action}`, fields, foreign)).status, path + action).toBe(403)
    expect((await person.get('/settings/keys')).text).not.toContain('Theirs')
  })

  it('show a name as it was typed, never as markup', async () => {
    const { person } = await owner()
    const page = await create(person, { name: '<img src=x onerror=alert(1)>' })
    expect(page.text).not.toContain('<img')
    expect(page.text).toContain('&lt;img')
  })
})

describe('connected applications', () => {
  it('are listed, and ended with effect on the next call', async () => {
    const { visitor: person, accessToken, refreshToken, refresh } = await withTokens(stack)
    const client = await connect(stack.url, accessToken)
    expect(await callTool(client, 'list_projects')).toMatchObject({ isError: false })
    const page = await person.get('/settings/applications')
    expect(page.text).toContain('Test &lt;agent&gt;')
    expect(page.text).toContain('127.0.0.1')
    expect((await person.get('/settings/keys')).text).not.toContain('Test &lt;agent&gt;')

    const ended = await sure(person, '/settings/applications/end', { grant: idOn(page, 'grant') })
    expect(ended.text).toContain('No application is connected.')
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }
    expect((await post(stack.url, { key: accessToken, body: call })).status).toBe(401)
    expect((await refresh(refreshToken)).status).toBe(400)
  })

  it('can be revoked however many are newer', async () => {
    const { visitor: person, accessToken } = await withTokens(stack)
    const grant = idOn(await person.get('/settings/applications'), 'grant')
    await rowsIn(
      stack,
      sql`with made as (
          insert into api_keys (account_id, name, key_hash, last_four, scopes)
          select account_id, 'Newer', md5(random()::text), 'abcd', scopes
          from api_keys, generate_series(1, 200) where id = (select key_id from oauth_grants where grant_id = ${grant})
          returning id)
        insert into oauth_grants (grant_id, key_id, person_id, client_id, client_name, redirect_host)
        select 'newer-' || made.id, made.id, person_id, client_id, client_name, redirect_host from oauth_grants, made
        where grant_id = ${grant}`,
    )
    expect((await sure(person, '/settings/applications/end', { grant })).status).toBe(200)
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_projects', arguments: {} } }
    expect((await post(stack.url, { key: accessToken, body: call })).status).toBe(401)
  })

  it('of other accounts are neither shown nor ended', async () => {
    const one = await withTokens(stack)
    const { person: other } = await owner()
    const grant = idOn(await one.visitor.get('/settings/applications'), 'grant')
    expect((await sure(other, '/settings/applications/end', { grant })).status).toBe(404)
    await connect(stack.url, one.accessToken)
  })
})
