import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { browserName } from '../../../src/pages/signin/browser-name.ts'
import { callTool, connect, post } from '../../mcp/client.ts'
import { clientOf, connectReceiver, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { withTokens } from '../oauth/flow.ts'
import { formOn, newEmail, newOwner, type Shown, signInByMail, signUp, sure, type Visitor, visitor } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account that has projects, with a key of the API. */
const owner = () => newOwner(stack)

const secretOn = (page: Shown): string => /gly_live_[0-9A-Za-z]{38}/.exec(page.text)?.[0] ?? ''
const idOn = (page: Shown, field = 'id'): string =>
  new RegExp(`name="${field}" value="([^"]+)"`).exec(page.text)?.[1] ?? ''

const PAGES = [
  '/settings',
  '/settings/keys',
  '/settings/applications',
  '/settings/projects',
  '/settings/integrations',
  '/settings/social',
  '/settings/people',
  '/settings/leaving',
  '/settings/provider-keys',
  '/settings/billing',
  '/settings/audit',
  '/settings/sessions',
  '/settings/notices',
]

describe.each(PAGES)('%s', (path) => {
  it('is for people who signed in, who come back to it', async () => {
    const { visitor: person } = await signInByMail(stack)
    const page = await person.get(path)
    expect([page.status, page.url]).toEqual([200, `${stack.url}${path}`])
    expect(page.text).toMatch(/^<!doctype html><html lang="en">/)
    expect(page.text.match(/<h1>/g)).toHaveLength(1)
    expect(page.text).toContain(`href="${path}" aria-current="page"`)
    expect(page.text).not.toMatch(/<script|\sstyle="|\son\w+="/)
    person.cookies.clear()
    const asked = await person.get(path)
    expect([new URL(asked.url).pathname, new URL(asked.url).searchParams.get('next')]).toEqual(['/sign-in', path])
  })
})

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

  it('are revoked, and open nothing from then on', async () => {
    const { person, api } = await owner()
    const secret = secretOn(await create(person, { days: 'never' }))
    const keyed = clientOf(stack.url, secret, api.accountId)
    expect((await keyed.get('/projects')).status).toBe(200)
    const page = await person.get('/settings/keys')
    expect((await sure(person, '/settings/keys/revoke', { id: idOn(page) })).status).toBe(200)
    expect((await keyed.get('/projects')).status).toBe(401)
    expect((await person.get('/settings/audit')).text).toMatch(/key\.revoke[\s\S]*key\.create/)
  })

  it('of others are neither seen nor revoked', async () => {
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

  it('are a hundred at most, also where several are made at once', { tags: ['services'] }, async () => {
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
    for (const path of PAGES.slice(1))
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

  it('are ended however many came after them', async () => {
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

  it('of others are neither seen nor ended', async () => {
    const one = await withTokens(stack)
    const { person: other } = await owner()
    const grant = idOn(await one.visitor.get('/settings/applications'), 'grant')
    expect((await sure(other, '/settings/applications/end', { grant })).status).toBe(404)
    await connect(stack.url, one.accessToken)
  })
})

describe('the audit log', () => {
  it('names keys, articles, deliveries, projects and people as people know them', async () => {
    const { person, api, email } = await owner()
    const project = await newProject(api)
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const article = { project_id: project, keyword: 'x', title: 'Sheds & stores', content: '<p>Text</p>' }
    const { body: saved } = await api.post('/articles', article)
    await api.post(`/articles/${saved.article_id}/publish`)
    await person.post('/settings/keys', { name: 'My script', scope: 'write', days: '90' })
    const { text } = await person.get('/settings/audit')
    expect(text).toMatch(new RegExp(`article ${saved.article_id}: Sheds &amp; stores`))
    expect(text).toMatch(/delivery \d+: Sheds &amp; stores/)
    expect(text).toMatch(new RegExp(`project ${project}: `))
    expect(text).toMatch(/key \d+: My script …\w{4}/)
    expect(text).toContain(email)
    expect(text).not.toMatch(/>(key|article|delivery|project|person):/)
  })
})

describe('projects', () => {
  it('are archived and brought back', async () => {
    const { person, api, email } = await owner()
    const id = await newProject(api)
    expect((await sure(person, '/settings/projects/archive', { id: String(id) })).text).toContain('Archived</h2>')
    expect((await api.get('/projects')).body.projects).toEqual([])
    expect((await person.post('/settings/projects/unarchive', { id: String(id) })).status).toBe(200)
    expect((await api.get('/projects')).body.projects).toMatchObject([{ ID: id }])
    expect((await person.get('/settings/audit')).text).toContain(email)
  })

  it('of others are not', async () => {
    const [one, other] = [await owner(), await owner()]
    const id = await newProject(one.api)
    for (const wrong of [String(id), '0', '2147483647', 'x'])
      expect((await other.person.post('/settings/projects/archive', { id: wrong })).status, wrong).toBe(404)
    expect((await one.api.get('/projects')).body.projects).toMatchObject([{ ID: id }])
  })
})

describe('addresses the API gives out', () => {
  it('lead to pages', async () => {
    const { person, api } = await owner()
    const full = await newAccount(stack, { projects: 0 })
    const refused = await full.post('/projects', { website_url: 'https://one-too-many.example' })
    const purchase = await person.get(refused.body.purchase_url as string)
    expect([purchase.status, purchase.text]).toEqual([200, expect.stringContaining('Plan and sites')])

    const project = await newProject(api)
    const { body: saved } = await api.post('/articles', { project_id: project, keyword: 'x', content: '<p>Text</p>' })
    const { body } = await api.post(`/articles/${saved.article_id}/publish`)
    const connectPage = await person.get(body.connect_url as string)
    expect([connectPage.status, connectPage.text]).toEqual([200, expect.stringContaining('for one site')])
  })
})

describe('provider keys', () => {
  it('are saved sealed once their service accepts them, shown masked, and forgotten', async () => {
    const { person, api } = await owner()
    const saved = await person.post('/settings/provider-keys', { provider: 'ahrefs', api_key: 'sandbox-key-1234' })
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('****1234')])
    expect(saved.text).not.toContain('sandbox-key')
    expect((await api.get('/provider-keys')).body.provider_keys).toMatchObject([{ provider: 'ahrefs' }])
    expect((await sure(person, '/settings/provider-keys/forget', { provider: 'ahrefs' })).text).toContain(
      'No key is saved.',
    )
    expect((await person.post('/settings/provider-keys/forget', { provider: 'ahrefs' })).status).toBe(404)
  })

  it.each([
    { provider: 'constructor', api_key: 'x' },
    { provider: 'ahrefs' },
    { provider: 'dataforseo', api_key: 'x' },
  ])('are not saved from %o', async (fields) => {
    const { person, api } = await owner()
    expect((await person.post('/settings/provider-keys', fields as Record<string, string>)).status).toBe(400)
    expect((await api.get('/provider-keys')).body.count).toBe(0)
  })
})

describe('integrations', () => {
  it('are listed and disconnected; those of others are not', async () => {
    const [one, other] = [await owner(), await owner()]
    const { integration_id: id } = await connectReceiver(
      one.api,
      await newProject(one.api),
      stack.receiverUrl,
      stack.receiverToken,
    )
    expect((await one.person.get('/settings/integrations')).text).toContain('webhook')
    expect((await other.person.post('/settings/integrations/disconnect', { id: String(id) })).status).toBe(404)
    expect((await sure(one.person, '/settings/integrations/disconnect', { id: String(id) })).text).toContain(
      'Disconnected',
    )
    expect((await one.api.get('/integrations')).body.integrations).toEqual([])
  })
})

it('a session elsewhere is ended by itself; those of others are not, and no page has a token', async () => {
  const { person, email } = await owner()
  const { visitor: elsewhere } = await signInByMail(stack, email)
  const page = await person.get('/settings/sessions')
  const id = idOn(page, 'session')
  for (const one of [person, elsewhere])
    for (const value of one.cookies.values()) expect(page.text).not.toContain(decodeURIComponent(value).split('.')[0])
  const { person: outsider } = await owner()
  expect((await outsider.post('/settings/sessions/end', { session: id })).status).toBe(404)
  expect((await elsewhere.get('/settings')).url).toBe(`${stack.url}/settings`)
  expect((await sure(person, '/settings/sessions/end', { session: id })).text).toContain('The session is ended.')
  expect(new URL((await elsewhere.get('/settings')).url).pathname).toBe('/sign-in')
  expect((await person.get('/settings')).url).toBe(`${stack.url}/settings`)
})

/** Returns the faults that a page shows, by field: the field's own words, by the element it names as its description. */
const wrongOn = ({ text }: Shown): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<(?:input|select)[^>]*aria-invalid="true"[^>]*>/g)].map(([tag]) => {
      expect(tag).toContain(' autofocus')
      const [name = '', described = ''] = [/ name="([^"]+)"/, / aria-describedby="([^"]+)"/].map(
        (one) => one.exec(tag)?.[1],
      )
      const words = new RegExp(`id="${described.split(' ').at(-1)}">([^<]+)<`).exec(text)?.[1] ?? ''
      return [name, words]
    }),
  )

describe('what is wrong with a form stands at its field, and what was typed stays', () => {
  it.each([
    [
      '/settings/keys',
      { name: ' ', scope: 'read', days: '1' },
      { name: /1 to 100/, days: /how long/ },
      'value="read" selected',
    ],
    ['/settings/provider-keys', { provider: 'dataforseo', login: 'me' }, { password: /required/ }, 'value="me"'],
    ['/settings/provider-keys', { provider: 'ahrefs', api_key: 'not an\tkey' }, { api_key: /./ }, 'name="api_key"'],
    [
      '/settings/provider-keys',
      { provider: 'ahrefs', api_key: 'rejected' },
      { api_key: /does not accept/ },
      'name="api_key"',
    ],
    [
      '/settings/people',
      { email: 'nobody', role: 'king' },
      { email: /not an e-mail/, role: /may do/ },
      'value="nobody"',
    ],
    ['/settings/leaving/delete', { account: '12345' }, { account: /not the name/ }, 'value="12345"'],
    [
      '/settings/billing/checkout',
      { plan: 'free', slots: '0' },
      { plan: /Choose/, slots: /1 to 100/ },
      'name="slots" value="0"',
    ],
    ['/sign-up', { email: 'nobody' }, { email: /not an e-mail/ }, 'value="nobody"'],
    ['/verify', { token: 'a-token', password: 'short' }, { password: /10 to 200/ }, 'value="a-token"'],
    ['/sign-in', { email: 'some@body.example', password: 'wrong' }, { password: /wrong/ }, 'value="some@body.example"'],
  ] as [string, Record<string, string>, Record<string, RegExp>, string][])(
    '%s %o',
    async (path, fields, wrong, kept) => {
      const { person } = await owner()
      const page = await person.post(path, fields)
      expect(page.status).toBe(400)
      expect(wrongOn(page)).toEqual(
        Object.fromEntries(Object.entries(wrong).map(([name, words]) => [name, expect.stringMatching(words)])),
      )
      expect(page.text).toContain(kept)
      for (const name of ['password', 'api_key'])
        if (fields[name]) expect(page.text).not.toContain(`value="${fields[name]}"`)
    },
  )
})

it('a character no text may have, and what is no form, are refused with words', async () => {
  const { person } = await owner()
  const statuses = async (posts: [string, Record<string, string>][]) =>
    await Promise.all(posts.map(async ([path, fields]) => (await person.post(path, fields)).status))
  expect(
    await statuses([
      ['/settings/keys', { name: 'a\0b', scope: 'read', days: '30' }],
      ['/settings/people/role', { person: '\0', role: 'member' }],
      ['/reset', { email: 'a\0@people.example' }],
      ['/reset/new', { token: '\0', password: 'a long password' }],
    ]),
  ).toEqual([200, 409, 400, 400])
  const asked = await person.get('/oauth/authorize?response_type=code&client_id=%00')
  expect(asked.status).toBe(400)
  const sent = { headers: { 'content-type': 'multipart/form-data; boundary=x' } }
  expect((await person.post('/settings/keys', { name: 'x' }, sent)).status).toBe(415)
  const token = await fetch(`${stack.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: '\0', refresh_token: 'a:\0:c' }),
  })
  expect(token.status).toBeLessThan(500)
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome 140 on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari 18 on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge 140 on Windows',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0',
    'Opera 122 on Linux',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox 143 on Linux'],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome 140 on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome 140 on iOS',
  ],
  ['Firefox/143.0', 'Firefox 143'],
  ['curl/8.5.0', 'curl/8.5.0'],
  [`Reader ${'x'.repeat(200)}`, `Reader ${'x'.repeat(73)}`],
  ['', 'unknown'],
])('the browser %j is called %j', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})

it('the page of sessions names the browser, and a button after a table stands apart from it', async () => {
  const { person, email } = await owner()
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  await signInByMail(stack, email, undefined, { 'user-agent': userAgent })
  const { text } = await person.get('/settings/sessions')
  expect(text).toContain('<span>Firefox 143 on Linux</span>')
  expect(text).not.toContain('Gecko')
  const styles = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await person.get(styles)).text).toContain('table+form{margin-top:1rem}')
})

it('ending the other sessions leaves this one', async () => {
  const { person, email } = await owner()
  const { visitor: elsewhere } = await signInByMail(stack, email)
  await sure(person, '/settings/sessions/end-others', {})
  expect((await person.get('/settings')).url).toBe(`${stack.url}/settings`)
  expect(new URL((await elsewhere.get('/settings')).url).pathname).toBe('/sign-in')
})

describe('what cannot be undone, or opens the account to others', () => {
  const PASSWORD = 'correct horse battery'
  /** Somebody else in the account. */
  const memberIn = async (account: number) => {
    const id = newEmail()
    await rowsIn(
      stack,
      sql`with person as (insert into people (id, name, email, email_verified) values (${id}, '', ${id}, true) returning id)
        insert into memberships (person_id, account_id, role) select id, ${account}::int, 'member' from person`,
    )
    return id
  }
  /** Forms that change something, and the rows that they leave in the account. */
  const CHANGES: Record<string, { path: string; fields: (account: number) => object; left: SQL }> = {
    'a key': {
      path: '/settings/keys',
      fields: () => ({ name: 'Mine', scope: 'write', days: '30' }),
      left: sql`select account_id from api_keys`,
    },
    'inviting an owner': {
      path: '/settings/people',
      fields: () => ({ email: newEmail(), role: 'owner' }),
      left: sql`select account_id from invitations`,
    },
    'making an owner': {
      path: '/settings/people/role',
      fields: async (account) => ({ person: await memberIn(account), role: 'owner' }),
      left: sql`select account_id from audit_log where action = 'person.role'`,
    },
    'taking somebody out': {
      path: '/settings/people/remove',
      fields: async (account) => ({ person: await memberIn(account) }),
      left: sql`select account_id from audit_log where action = 'person.leave'`,
    },
    'the end of the account': {
      path: '/settings/leaving/delete',
      fields: async (account) => ({
        account: (await rowsIn<{ email: string }>(stack, sql`select email from accounts where id = ${account}::int`))[0]
          ?.email,
      }),
      left: sql`select account_id from account_deletions`,
    },
  }
  const accountOf = async (email: string) =>
    (await rowsIn<{ id: number }>(stack, sql`select id from accounts where email = ${email}`))[0]?.id ?? 0

  it.each(Object.entries(CHANGES))('%s asks for the password', async (_, { path, fields, left }) => {
    const { email } = await signUp(stack, { password: PASSWORD })
    const account = await accountOf(email)
    const person = visitor(stack.url)
    await person.post('/sign-in', { email, password: PASSWORD })
    const done = async () =>
      (await rowsIn(stack, sql`select 1 from (${left}) t where account_id = ${account}::int`)).length
    const asked = await person.post(path, { ...(await fields(account)) })
    expect([asked.status, await done()]).toEqual([403, 0])
    const wrong = await person.post(path, { ...formOn(asked, path), password: 'a wrong password' })
    expect([wrong.status, wrong.text, await done()]).toEqual([400, expect.stringContaining('is wrong'), 0])
    const right = await person.post(path, { ...formOn(wrong, path), password: PASSWORD })
    expect([right.status, await done()]).toEqual([200, 1])
  })

  it('or for a link by mail of the last ten minutes', async () => {
    const { visitor: person, email } = await signInByMail(stack)
    const account = await accountOf(email)
    const post = () => person.post('/settings/keys', { name: 'Mine', scope: 'write', days: '30' })
    expect((await post()).text).toContain('gly_live_')
    await rowsIn(
      stack,
      sql`update person_sessions set proved_at = proved_at - interval '11 minutes'
      where user_id = (select id from people where email = ${email})`,
    )
    const late = await post()
    expect([late.status, late.text]).toEqual([403, expect.stringContaining('/sign-in/link?next=%2Fsettings%2Fkeys')])
    expect(await rowsIn(stack, sql`select 1 from api_keys where account_id = ${account}::int`)).toHaveLength(1)
  })
})
