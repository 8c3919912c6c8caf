import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, inject, it } from 'vitest'
import { ARTICLE_FIELDS } from '../../../src/content/articles/fields.ts'
import { forPeople, wordsOf } from '../../../src/pages/words.ts'
import { ApiError } from '../../../src/platform/lib/errors.ts'
import { connectReceiver, newArticle, newProject, rowsIn } from '../../support/client.ts'
import { setPolicy } from '../policy/set.ts'
import { formOn, newOwner, type Shown, sure, textOf } from './browser.ts'

const stack = inject('stack')

/** Returns a person in an account with one site. */
const owner = async () => {
  const { api, person } = await newOwner(stack)
  const site = await newProject(api, { business_name: 'Pedal & Spoke', timezone: 'Europe/Paris' })
  return { api, person, site, at: `/p/${site}` }
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

const PAGES = [
  '',
  '/calendar',
  '/articles',
  '/suggestions',
  '/search',
  '/visibility',
  '/visibility/answers',
  '/backlinks',
  '/deliveries',
  '/policy',
  '/plan',
  '/setup',
]

describe('the pages of a site', () => {
  it('take any search', async () => {
    const { at, person } = await owner()
    for (const page of [`${at}/articles`, '/sites', '/sites/find'])
      for (const q of ['shed\0', `x${'\u{1f600}'.repeat(150)}`])
        expect((await person.get(`${page}?q=${encodeURIComponent(q)}`)).status, `${page} ${q}`).toBe(200)
  })

  it('are for its account alone', async () => {
    const [one, other] = [await owner(), await owner()]
    const article = await newArticle(one.api, one.site, { title: 'A secret plan' })
    const paths = [...PAGES, `/articles/${article}`, `/articles/${article}/preview`, `/articles/${article}/versions/1`]
    for (const path of paths) {
      expect((await one.person.get(one.at + path)).status, path).toBe(200)
      const theirs = await other.person.get(one.at + path)
      expect([theirs.status === 404 || theirs.status === 403, theirs.text.includes('A secret plan')], path).toEqual([
        true,
        false,
      ])
      // Nor by an address of their own site.
      const mixed = await other.person.get(other.at + path)
      expect(mixed.text, path).not.toContain('A secret plan')
    }
    for (const act of ['', '/publish', '/sync', '/unpublish', '/delete', '/restore', '/date', '/undate'])
      for (const at of [one.at, other.at]) {
        const sent = { title: 'Theirs', at: '2030-01-01T09:00' }
        expect([403, 404], act).toContain((await other.person.post(`${at}/articles/${article}${act}`, sent)).status)
      }
    expect((await one.api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'A secret plan', Status: 'Draft' })
    expect((await other.person.get('/sites')).text).not.toContain(`/p/${one.site}"`)
  })

  it('have one heading, no scripts except shortcuts and the calendar, and return to the page after an action', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site)
    for (const path of PAGES) {
      const { text, headers } = await person.get(at + path)
      expect(text.match(/<h1>/g), path).toHaveLength(1)
      expect(text.match(/<script/g)?.length ?? 0, path).toBe(path === '/calendar' ? 2 : 1)
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
    }
    const there = await person.get(`${at}/articles/${article}/publish`, { follow: false })
    expect([there.status, there.headers.get('location')]).toEqual([303, `${at}/articles/${article}`])
    const list = await person.get('/settings/keys/revoke', { follow: false })
    expect([list.status, list.headers.get('location')]).toEqual([303, '/settings/keys'])
  })

  it('show first what needs attention, then the state of each planned article', async () => {
    const { api, person, site, at } = await owner()
    await newArticle(api, site, {
      title: 'Left to the writer',
      content: '',
      status: 'Planned',
      scheduled_date: inDays(9),
    })
    expect(textOf(await person.get(at))).toContain('It will not go out: nothing is connected to publish it to.')
    await api.put(`/projects/${site}`, { publishing_status: 'Save as Drafts' })
    await setPolicy(stack, site, { monthly_budget: { article_credits: 0, crowdwork_dollars: null } })
    expect(textOf(await person.get(at))).toContain('has no article credit left for it')
    await setPolicy(stack, site)
    expect(textOf(await person.get(`${at}/calendar?view=list&month=${inDays(9).slice(0, 7)}`))).toContain(
      'The service writes it in the three days before its date.',
    )
    await newArticle(api, site, {
      title: 'Our own words',
      content: `<p>${'Words worth reading. '.repeat(120)}</p>`,
      status: 'Planned',
      scheduled_date: inDays(9),
    })
    expect(textOf(await person.get(at))).toContain('Becomes a draft here as saved.')
  })
})

describe('one article', () => {
  it('is saved, kept as a version, compared and restored; a reload repeats nothing', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site, { title: 'Before', content: '<p>The chain wears out.</p>' })
    const path = `${at}/articles/${article}`
    const form = formOn(await person.get(`${path}/edit`), path)
    const content = '<p>The chain wears out slowly.</p><script>alert(1)</script>'
    const saved = await person.post(path, { ...form, title: 'After', content }, { follow: false })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, path])
    expect(textOf(await person.get(path))).toContain('Saved.')
    expect(textOf(await person.get(path))).not.toContain('Saved.')
    const { body } = await api.get(`/articles/${article}`)
    expect([body.Title, body.Content, body.Revision]).toEqual(['After', '<p>The chain wears out slowly.</p>', 2])
    const version = await person.get(`${path}/versions/1`)
    expect(version.text).toContain('<ins>')
    await person.post(`${path}/restore`, { revision: '1' })
    expect((await api.get(`/articles/${article}`)).body.Title).toBe('Before')
  })

  it('is published after one question if the check found what must be corrected', async () => {
    const { api, person, site, at } = await owner()
    await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
    const article = await newArticle(api, site, { title: 'Chains', keyword: 'worn bicycle chains' })
    const path = `${at}/articles/${article}`
    const asked = await person.post(`${path}/publish`, {})
    expect(textOf(asked)).toMatch(/Publish “Chains” as it is\?.*must be corrected\. Nothing was sent yet/)
    expect(textOf(asked)).toContain('keyword')
    expect((await api.get(`/articles/${article}`)).body.Status).toBe('Draft')
    expect(textOf(await sure(person, `${path}/publish`, {}))).toContain('Published.')
  })

  it('offers no way to take a post down that its target cannot take down', async () => {
    const { api, person, site, at } = await owner()
    await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
    const article = await newArticle(api, site)
    expect((await api.post(`/articles/${article}/publish`)).status).toBe(200)
    const shown = await person.get(`${at}/articles/${article}`)
    expect(shown.text).not.toContain(`${at}/articles/${article}/unpublish"`)
    expect(textOf(shown)).toContain('Remove it at the site itself.')
    const [target] = await rowsIn<{ name: string }>(
      stack,
      sql`update integrations set platform = 'ghost' where project_id = ${site}::int returning 'ghost ' || url as name`,
    )
    await rowsIn(stack, sql`update articles set remote_site = ${target?.name ?? ''} where id = ${article}::int`)
    expect((await person.get(`${at}/articles/${article}`)).text).toContain(`${at}/articles/${article}/unpublish"`)
  })

  it('keeps both texts if another person saved meanwhile', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site, { content: '<p>One.</p>' })
    const path = `${at}/articles/${article}`
    const form = formOn(await person.get(`${path}/edit`), path)
    await api.put(`/articles/${article}`, { content: '<p>Two.</p>' })
    const mine = '<p>Three &amp; mine.</p>'
    const conflict = await person.post(path, { ...form, content: mine })
    expect([conflict.status, conflict.text.includes('Three &amp;amp; mine.'), conflict.text.includes('Two')]).toEqual([
      412,
      true,
      true,
    ])
    expect((await api.get(`/articles/${article}`)).body.Content).toBe('<p>Two.</p>')
    expect(conflict.text).not.toContain('<textarea')
    await person.post(path, formOn(conflict, path))
    expect((await api.get(`/articles/${article}`)).body.Content).toBe(mine)
  })

  it('has each setting that people may write beside its text, and saves those that were changed', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site, { content: '<p>One.</p>', tags: ['chains', 'wear'] })
    const path = `${at}/articles/${article}`
    const shown = await person.get(`${path}/edit`)
    const settings = Object.values(ARTICLE_FIELDS).flatMap((field) =>
      'page' in field && field.page.endsWith('/settings.tsx') ? [field.name] : [],
    )
    expect(settings.filter((name) => !shown.text.includes(` name="${name}"`))).toEqual([])
    const [, before = ''] = /name="settings_before" value="([^"]*)"/.exec(shown.text) ?? []
    const were = JSON.parse(before.replaceAll('&quot;', '"')) as Record<string, string>
    expect([Object.keys(were).sort(), were.tags]).toEqual([settings.sort(), 'chains, wear'])
    const form = { ...formOn(shown, path), content: '<p>One.</p>', settings_before: JSON.stringify(were), ...were }
    const refused = await person.post(path, { ...form, canonical_url: 'nowhere', seo_title: 'Chains that last' })
    expect([refused.status, textOf(refused).includes('“Address of the original” has no address')]).toEqual([400, true])
    expect(refused.text).toContain('value="Chains that last"')
    await person.post(path, { ...form, tags: 'chains, oil', published_at: '2024-05-01T09:30' })
    const { body } = await api.get(`/articles/${article}`)
    expect([body.Tags, body.SeoTitle]).toEqual([['chains', 'oil'], ''])
    const [entry] = await rowsIn<{ fields: string[] }>(
      stack,
      sql`select detail->'fields' as fields from audit_log where subject = ${`article:${article}`} order by id desc limit 1`,
    )
    expect(entry?.fields.sort()).toEqual(['content', 'meta_description', 'published_at', 'tags', 'title'])
  })

  it('has a preview in which nothing runs', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site)
    const { headers, text } = await person.get(`${at}/articles/${article}/preview`)
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^sandbox; default-src 'none'; img-src [^;]+; style-src 'sha256-/)
    expect(policy).not.toContain('script-src')
    expect(text).toContain('Some words that are worth reading.')
    const typed = '<p onclick="x()">What I <b>type</b></p><script>alert(1)</script>'
    const live = await person.post(`${at}/articles/${article}/preview`, { title: 'Typed', content: typed })
    expect(live.headers.get('content-security-policy')).toBe(policy)
    expect(live.text).toContain('<h1>Typed</h1><p>What I <b>type</b></p></main>')
    expect((await person.get(`${at}/articles/${article}/preview`)).text).not.toContain('What I')
    for (const path of ['', '/preview']) {
      const broken = await person.post(`${at}/articles/${article}${path}`, { title: 'Broken', content_json: '{"' })
      expect([broken.status, broken.text.includes('text from the editor is missing')], path).toEqual([400, true])
    }
  })

  it('is not deleted or taken down before a person confirms it', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site)
    const path = `${at}/articles/${article}`
    for (const confirm of ['', 'x', 'a'.repeat(64)]) {
      const asked = await person.post(`${path}/delete`, confirm === '' ? {} : { confirm })
      expect(asked.text).toContain('Delete the article?')
    }
    expect((await api.get(`/articles/${article}`)).status).toBe(200)
    const done = await sure(person, `${path}/delete`, {})
    expect([done.url, textOf(done).includes('The article is in the bin.')]).toEqual([
      `${stack.url}${at}/articles`,
      true,
    ])
    expect((await api.get(`/articles/${article}`)).status).toBe(404)
  })

  it('refuses a text that is too long with words, and changes nothing', async () => {
    const { api, person, site, at } = await owner()
    const article = await newArticle(api, site, { title: 'As it was' })
    const path = `${at}/articles/${article}`
    const form = formOn(await person.get(`${path}/edit`), path)
    const wrongs: Record<string, string>[] = [
      { title: '' },
      { title: 'x'.repeat(501) },
      { content: 'x'.repeat(500_001) },
    ]
    for (const wrong of wrongs) {
      const shown = await person.post(path, { ...form, content: '<p>y</p>', ...wrong })
      expect(textOf(shown)).toContain('Nothing was saved.')
    }
    for (const when of ['', 'soon', '2026-02-31T09:00', '9999999999-01-01T09:00'])
      expect(textOf(await person.post(`${path}/date`, { at: when }))).toContain('Nothing was moved.')
    expect((await api.get(`/articles/${article}`)).body).toMatchObject({ Title: 'As it was', ScheduledDate: null })
  })
})

it('a site opens and is listed, however many sites are before it by name', async () => {
  const { api, person, site, at } = await owner()
  await rowsIn(
    stack,
    sql`insert into projects (account_id, business_name, website_url, website_key)
      select ${api.accountId}::int, 'A site ' || n, 'https://a' || n || '.example', 'a' || n || '.example'
      from generate_series(1, 500) n`,
  )
  const shown = await person.get(at)
  expect([shown.status, shown.text.includes(`href="${at}" aria-current="true"`)]).toEqual([200, true])
  const found = await person.get('/sites?q=pedal')
  expect([found.text.includes('501 sites'), found.text.includes(`/p/${site}"`)]).toEqual([true, true])
})

it('deliveries are listed by the articles that were sent', async () => {
  const { api, person, site, at } = await owner()
  await connectReceiver(api, site, stack.receiverUrl, stack.receiverToken)
  const titled = await newArticle(api, site, { title: 'Chains that last' })
  const other = await newArticle(api, site, { title: 'Brakes that hold' })
  for (const article of [titled, other]) expect((await api.post(`/articles/${article}/publish`)).status).toBe(200)
  const namesOn = (page: Shown) => [...page.text.matchAll(/<a class="name"[^>]*>([^<]*)/g)].map(([, name]) => name)
  const [newest] = (await api.get(`/webhook-deliveries?article_id=${other}`)).body.deliveries as { id: number }[]
  expect(namesOn(await person.get(`${at}/deliveries`))).toEqual(['Brakes that hold', 'Chains that last'])
  expect(textOf(await person.get(`${at}/deliveries?status=failed`))).toContain('No delivery is in this state.')
  expect(namesOn(await person.get(`${at}/deliveries?status=delivered&before=${newest?.id}`))).toEqual([
    'Chains that last',
  ])
})

describe('the calendar', () => {
  it('moves a date in the site’s time zone, and says what will happen', async () => {
    const { api, person, site, at } = await owner()
    await api.put(`/projects/${site}`, { publishing_status: 'Save as Drafts', timezone: 'Australia/Sydney' })
    const article = await newArticle(api, site, {
      title: 'Moved about',
      content: `<p>${'Words worth reading. '.repeat(120)}</p>`,
      status: 'Planned',
      scheduled_date: '2027-10-02T09:00',
    })
    await newArticle(api, site, { title: 'Without a date' })
    const page = await person.get(`${at}/calendar?month=2027-10`)
    expect(textOf(page)).toContain('□ Draft Without a date')
    const version = /data-version="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? ''
    // Clocks go forward in Sydney on 3 October 2027.
    const sent = { at: '2027-10-03T09:00', to: 'calendar', version }
    const done = await person.post(`${at}/articles/${article}/date`, sent)
    expect(textOf(done)).toContain('Moved to Sun 3 Oct 2027, 09:00 (Sydney). Becomes a draft here as saved.')
    expect(done.url).toContain(`${at}/calendar?month=2027-10`)
    expect((await api.get(`/articles/${article}`)).body.ScheduledAt).toBe('2027-10-02T22:00:00.000Z')
    const late = await person.post(`${at}/articles/${article}/date`, { ...sent, at: '2027-10-09T09:00' })
    expect(textOf(late)).toContain('It was changed since you opened the page')
    expect((await api.get(`/articles/${article}`)).body.ScheduledAt).toBe('2027-10-02T22:00:00.000Z')
  })

  it('shows posts that wait for their time, at the hour of the site, unless they are hidden', async () => {
    const { api, person, site, at } = await owner()
    await rowsIn(
      stack,
      sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, scheduled_for, send_key)
        select ${api.accountId}::int, ${site}::int, 'linkedin', 'provider', 'acc', said, state, '2031-05-08T22:30:00Z', said
        from (values ('Open house on Saturday', 'scheduled'), ('A mere draft', 'draft')) post (said, state)`,
    )
    const month = await person.get(`${at}/calendar?month=2031-05`)
    expect(textOf(month).replace(/○ 00:30 LinkedIn Open house/g, 'found')).toMatch(/ Fri 9 May.*found on Saturday/)
    expect(textOf(month)).not.toContain('A mere draft')
    const without = /href="([^"]+)">Hide posts/.exec(month.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(without).toBe(`${at}/calendar?month=2031-05&posts=no`)
    expect(textOf(await person.get(without))).not.toContain('Open house')
    const list = await person.get(`${at}/calendar?month=2031-05&view=list`)
    expect(textOf(list)).toContain('Open house on Saturday')
  })

  it('shows published articles on their day, with another shape and word than planned ones', async () => {
    const { api, person, site, at } = await owner()
    const early = await newArticle(api, site, { title: 'Out before its date' })
    const change = (to: SQL) => rowsIn(stack, sql`update articles set ${to} where id = ${early}::int`)
    await change(
      sql`status = 'Published', published_at = '2019-05-08T22:30:00Z', scheduled_at = '2019-06-20T09:00:00Z'`,
    )
    await rowsIn(
      stack,
      sql`insert into social_posts (account_id, project_id, platform, route, social_account_id, content, status, scheduled_for, published_at, send_key)
        values (${api.accountId}::int, ${site}::int, 'bluesky', 'direct', 'acc', 'Open house was fun', 'published', '2019-05-01T09:00:00Z', '2019-05-08T22:45:00Z', 'out')`,
    )
    const month = textOf(await person.get(`${at}/calendar?month=2019-05`))
    expect(month).toMatch(
      /Thu 9 May 2019 9 ● 00:30 Published Out before its date ◉ 00:45 Bluesky, out Open house was fun/,
    )
    expect(month.match(/Open house was fun/g)).toHaveLength(2)
    expect(textOf(await person.get(`${at}/calendar?month=2019-06`))).not.toContain('Out before its date')
    expect(textOf(await person.get('/sites/calendar?month=2019-05'))).toContain('● 00:30 Published Out before its date')
    // An article that is not out any more appears at its date again.
    await change(sql`status = 'Draft'`)
    expect(textOf(await person.get(`${at}/calendar?month=2019-06`))).toContain('Out before its date')
  })

  it('can be read by other calendars at a secret address, which ends with the membership', async () => {
    const { api, person, site, at } = await owner()
    await newArticle(api, site, { title: 'Tyres, tubes; and more', status: 'Planned', scheduled_date: inDays(3) })
    const page = await person.get(`${at}/calendar`)
    const address = /(\/p\/\d+\/calendar\.ics\?key=[^<]+)</.exec(page.text)?.[1] ?? ''
    const read = (path: string) => fetch(stack.url + path)
    const feed = await read(address)
    const text = await feed.text()
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect(text).toContain('SUMMARY:Tyres\\, tubes\\; and more\r\n')
    for (const line of text.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
    const other = await newProject(api)
    for (const wrong of [`${address}x`, address.replace(`/p/${site}/`, `/p/${other}/`), `${at}/calendar.ics`])
      expect((await read(wrong)).status, wrong).toBe(404)
    await rowsIn(stack, sql`delete from memberships where account_id = ${api.accountId}::int`)
    expect((await read(address)).status).toBe(404)
  })
})

it('a site is added by its address, and an article is planned, without a call of the API', async () => {
  const { api, person } = await newOwner(stack)
  const wrong = await person.post('/setup', { website_url: 'not an address' })
  expect([wrong.status, wrong.text.includes('not the address of a site')]).toEqual([400, true])
  const added = await person.post('/setup', { website_url: 'bicycles.example' })
  const site = Number(/\/p\/(\d+)\/setup$/.exec(added.url)?.[1])
  expect((await api.get('/projects')).body.projects).toMatchObject([
    { ID: site, WebsiteUrl: 'https://bicycles.example' },
  ])
  const overview = await person.get(`/p/${site}`)
  expect(textOf(overview)).toContain('The site is not set up yet')
  expect(overview.text).toContain(`href="/p/${site}/setup"`)
  const planned = await person.post(`/p/${site}/plan`, { keyword: 'bicycle lamps', title: '', at: '2031-05-01T09:00' })
  expect(textOf(planned)).toContain('The article is planned.')
  expect((await api.get('/articles')).body.articles).toMatchObject([
    { MainKeyword: 'bicycle lamps', Status: 'Planned', ScheduledDate: '2031-05-01T09:00:00' },
  ])
  expect((await person.get('/p')).url).toBe(`${stack.url}/p/${site}`)
})

it('for an unknown address, a browser gets a page and a program JSON', async () => {
  const { person } = await owner()
  const page = await person.get('/nowhere', { headers: { accept: 'text/html,application/xhtml+xml' } })
  expect([page.status, page.text.includes('<h1>No such page</h1>'), page.text.includes('All sites')]).toEqual([
    404,
    true,
    true,
  ])
  for (const path of ['/nowhere', '/api/v1/nowhere']) {
    const answer = await fetch(stack.url + path, { headers: path === '/nowhere' ? {} : { accept: 'text/html' } })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([404, 'unknown_path'])
  }
})

it('a text that is not saved is shown again as it was typed', async () => {
  const { api, person, site, at } = await owner()
  const article = await newArticle(api, site, { title: 'Lamps' })
  const form = formOn(await person.get(`${at}/articles/${article}/edit?as=html`), `${at}/articles/${article}`)
  const refused = await person.post(`${at}/articles/${article}`, {
    ...form,
    title: ' ',
    content: '<p>An hour of work.</p>',
  })
  expect([refused.status, refused.text.includes('&lt;p&gt;An hour of work.&lt;/p&gt;')]).toEqual([400, true])
  expect(textOf(refused)).toContain('The title needs 1 to 500 characters. Nothing was saved.')
  const business = {
    business_name: 'Pedal',
    business_description: 'Repairs in all weathers',
    timezone: 'Europe/Nowhere',
  }
  const wrong = await person.post(`${at}/setup/business`, business)
  expect([wrong.status, wrong.text.includes('Repairs in all weathers')]).toEqual([400, true])
  expect(textOf(wrong)).toContain('No time zone has this name. Write it like Europe/Paris.')
  expect((await api.get(`/projects/${site}`)).body).not.toMatchObject({
    BusinessDescription: 'Repairs in all weathers',
  })
})

it.each([
  [
    'The receiver answered HTTP 401 (The token has expired.).',
    'The site refused the saved password or token. Connect it again. It said: “The token has expired.”',
  ],
  ['The receiver answered HTTP 404.', 'The site has nothing at the address that is connected. Look at the address.'],
  ['Ghost answered HTTP 503.', 'Ghost could not accept it at that moment.'],
  [
    'The receiver answered success: false (no field_name (a)).',
    'The site did not accept it. It said: “no field_name (a)”',
  ],
  ['Shopify answered HTTP 422.', 'Shopify did not accept it.'],
  [
    'Bluesky answered 401: AuthenticationRequired: Invalid identifier or password. Connect the account again.',
    'Bluesky said: Invalid identifier or password. Connect the account again.',
  ],
  ['The social provider answered 403: Not allowed.', 'The social provider said: Not allowed.'],
  ['Telegram answered 413.', 'Telegram did not accept it.'],
])('a refusal is shown without codes: %s', (refusal, words) => {
  expect(forPeople(refusal)).toBe(words)
})

it('words for programs do not reach people', () => {
  expect(forPeople('The site said no. Try it with POST /articles/5/publish. Wait a minute.')).toBe(
    'The site said no. Wait a minute.',
  )
  const refused = new ApiError('policy', 'This is against the policy of the project. Repeat the call later.')
  expect(wordsOf(refused)).toBe('This is against the policy of the site. Try again later.')
})
