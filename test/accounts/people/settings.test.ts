import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { connectReceiver, newAccount, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { connectedProject } from '../../support/story.ts'
import {
  formOn,
  newEmail,
  newOwner,
  SETTINGS_PAGES,
  type Shown,
  signInByMail,
  signUp,
  sure,
  visitor,
} from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account that has projects, with a key of the API. */
const owner = () => newOwner(stack)

const _secretOn = (page: Shown): string => /gly_live_[0-9A-Za-z]{38}/.exec(page.text)?.[0] ?? ''
const idOn = (page: Shown, field = 'id'): string =>
  new RegExp(`name="${field}" value="([^"]+)"`).exec(page.text)?.[1] ?? ''

describe.each(SETTINGS_PAGES)('%s', (path) => {
  it('is for signed-in people, who return to it after signing in', async () => {
    const { visitor: person } = await signInByMail(stack)
    const page = await person.get(path)
    expect([page.status, page.url]).toEqual([200, `${stack.url}${path}`])
    expect(page.text).toMatch(/^<!doctype html><html lang="en">/)
    expect(page.text.match(/<h1>/g)).toHaveLength(1)
    expect(page.text).toContain(`href="${path}" aria-current="page"`)
    const scripts = page.text.match(/<script[^>]*>/g)
    const names = path === '/settings/billing' ? ['sum', 'keys'] : ['keys']
    expect(scripts).toEqual(
      names.map((name) =>
        expect.stringMatching(new RegExp(`^<script type="module" src="/assets/${name}\\.\\w+\\.js">$`)),
      ),
    )
    expect(page.text).not.toMatch(/\sstyle="|\son\w+="/)
    person.cookies.clear()
    const asked = await person.get(path)
    expect([new URL(asked.url).pathname, new URL(asked.url).searchParams.get('next')]).toEqual(['/sign-in', path])
  })
})

describe('the audit log', () => {
  it('names keys, articles, deliveries, projects and people as people know them', async () => {
    const { person, api, email } = await owner()
    const project = await connectedProject(api, stack)
    const article = { project_id: project, keyword: 'x', title: 'Sheds & stores', content: '<p>Text</p>' }
    const { body: saved } = await api.post('/articles', article)
    await api.post(`/articles/${saved.article_id}/publish`)
    await person.post('/settings/keys', { name: 'My script', scope: 'write', days: '90' })
    const { text } = await person.get('/settings/audit')
    expect(text).toMatch(new RegExp(`article ${saved.article_id}: Sheds &amp; stores`))
    expect(text).toMatch(/delivery \d+: Sheds &amp; stores/)
    expect(text).toMatch(/key \d+: My script …\w{4}/)
    expect(text).toContain(email)
    expect(text).not.toMatch(/>(key|article|delivery|project|person):/)
    expect(text).toContain(`<a href="/p/${project}/articles/${saved.article_id}" dir="auto">`)
    expect(text).toMatch(new RegExp(`<a href="/p/${project}/deliveries/\\d+" dir="auto">`))
    expect(text).toContain(`<a href="/p/${project}" dir="auto">`)
  })

  it('is grouped by days, and filters by actor, kind and start', async () => {
    const { person, api, email } = await owner()
    const project = await newProject(api)
    await newArticle(api, project, { title: 'Old sheds' })
    await rowsIn(stack, sql`update audit_log set at = at - interval '3 days' where account_id = ${api.accountId}::int`)
    await newArticle(api, project, { title: 'New sheds' })
    await person.post('/settings/keys', { name: 'My script', scope: 'write', days: '90' })
    await rowsIn(
      stack,
      sql`insert into audit_log (account_id, actor, action, subject) values (${api.accountId}::int, 'job:articles.write', 'article.written', 'article:0')`,
    )
    const shown = async (query: string) => {
      const [, text = ''] = (await person.get(`/settings/audit?${query}`)).text.split('name="since"')
      const words = [
        ...text.matchAll(/Old sheds|New sheds|Made an API key<|Wrote an article<|Opened the account<|No entry/g),
      ]
      return words.map(([word]) => word.replace('<', ''))
    }
    const everything = await person.get('/settings/audit')
    expect([...everything.text.matchAll(/<header><h2>([^<]+)</g)].map(([, day]) => day)).toEqual([
      'Today',
      expect.stringMatching(/^[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}/),
    ])
    const options = [...everything.text.matchAll(/<option value="((?:key|person):\w+|service)"[^>]*>([^<]+)</g)]
    const choice = (label: RegExp) => options.find(([, , text = '']) => label.test(text))?.[1] ?? ''
    const byKey = choice(/^key \d+: (?!My script)/)
    const today = new Date().toISOString().slice(0, 10)
    expect(await shown(`actor=${byKey}`)).toEqual(['New sheds', 'Old sheds'])
    expect(await shown(`actor=${byKey}&since=${today}`)).toEqual(['New sheds'])
    expect(await shown(`actor=${choice(new RegExp(email))}`)).toEqual(['Made an API key'])
    expect(await shown('actor=service')).toEqual(['Wrote an article'])
    expect(await shown('action=article.create&since=2999-01-01')).toEqual(['No entry'])
    expect(await shown('actor=key:999999')).toEqual(['No entry'])
    for (const odd of ['actor=%00', 'since=2026-99-99', 'since=0000-00-00', 'actor=x:y:z', 'action=made.up'])
      expect((await person.get(`/settings/audit?${odd}`)).status, odd).toBe(200)
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

it('one other session can be ended; those of others cannot, and no page has a token', async () => {
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

it('the page of sessions names the browser, and a button after a table has space before it', async () => {
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

describe('actions that cannot be undone, or give others access', () => {
  const PASSWORD = 'correct horse battery'
  /** Adds another person to the account. */
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
