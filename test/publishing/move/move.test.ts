import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { formOn, signInAsOwner } from '../../accounts/people/browser.ts'
import { type Api, newAccount, newProject, rowsIn } from '../../support/client.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { type Site, startSite } from '../site.ts'

const stack = inject('stack')

let old: Site
let fresh: Site
/** Pages of the new site by path: its HTML, or the address that it redirects to. */
let pages: Map<string, string>

const htmlOf = (title: string): string => `<title>${title}</title><h1>${title}</h1><p>Words.</p>`

beforeEach(async () => {
  pages = new Map([['/', htmlOf('Shed roof, Shed floor and more')]])
  fresh = await startSite(({ path }) => {
    const body = pages.get(path)
    return body === undefined ? { status: 404, body: 'Not here' } : { body }
  })
  old = await startSite(({ path }) =>
    path === '/blog/shed-roof'
      ? { status: 301, headers: { location: `${fresh.url}/guides/roofs?utm_source=old` } }
      : path === '/blog/shed-lock'
        ? { status: 301, headers: { location: `${fresh.url}/` } }
        : { status: 410, body: 'Gone' },
  )
  return async () => {
    await Promise.all([old.close(), fresh.close()])
  }
})

type Move = {
  id: number
  status: string
  articles: {
    article_id: number
    new_url: string | null
    found_at: string | null
    moved: boolean
    reason: string | null
  }[]
} & Record<string, unknown>

const moveOf = async (api: Api, project: number): Promise<Move> =>
  (await api.get(`/projects/${project}/move`)).body.move as Move

const looked = (api: Api, project: number): Promise<Move> =>
  vi.waitFor(
    async () => {
      const move = await moveOf(api, project)
      expect(move.status).toBe('ready')
      return move
    },
    { timeout: PATIENCE_MS, interval: 100 },
  )

/** Adds a published article with an address, and its page. */
const published = async (api: Api, project: number, name: string, url: string): Promise<number> => {
  const [row] = await rowsIn<{ id: number }>(
    stack,
    sql`with made as (insert into articles (account_id, project_id, status, title, main_keyword, slug, url, published_at)
        values (${api.accountId}::int, ${project}::int, 'Published', ${name}, ${name}, ${name}, ${url}, now()) returning id),
      page as (insert into site_pages (project_id, article_id, url, url_key, title, read_at)
        select ${project}::int, id, ${url}, ${url.replace('http://', '')}, ${name}, now() from made)
      select id from made`,
  )
  return Number(row?.id)
}

/** A site with articles that moved to the same path, behind a redirect, to the home page, and nowhere. */
const openSite = async () => {
  const api = await newAccount(stack, { plan: 'agentic' })
  const project = await newProject(api, { website_url: old.url, blog_root_url: `${old.url}/blog` })
  const at = (name: string) => published(api, project, name, `${old.url}/blog/${name.toLowerCase().replace(' ', '-')}`)
  const [floor, roof, lock, door] = [
    await at('Shed floor'),
    await at('Shed roof'),
    await at('Shed lock'),
    await at('Shed door'),
  ]
  pages.set('/blog/shed-floor', htmlOf('Shed floor'))
  pages.set('/guides/roofs?utm_source=old', htmlOf('Shed roof'))
  // Answers for every address, as a single-page application does.
  pages.set('/blog/shed-door', htmlOf('Our shop'))
  return { api, project, floor, roof, lock, door }
}

const begin = (api: Api, project: number, url = fresh.url) =>
  api.post(`/projects/${project}/move`, { website_url: url })

const urlOf = async (api: Api, article: number) => (await api.get(`/articles/${article}`)).body.Url

const siteOf = async (api: Api, project: number) =>
  ((await api.get(`/projects/${project}`)).body.project as { WebsiteUrl: string }).WebsiteUrl

/** Opens the page of the move as the owner, and sends the form that confirms it. */
const confirm = async (api: Api, project: number) => {
  const { person } = await signInAsOwner(stack, api)
  const path = `/p/${project}/move`
  const page = await person.get(path)
  return { page, done: await person.post(`${path}/confirm`, formOn(page, `${path}/confirm`)) }
}

describe('the preview', () => {
  it('finds articles at the same path and behind redirects, and changes nothing', async () => {
    const { api, project, floor, roof, lock, door } = await openSite()
    expect((await api.get(`/projects/${project}/move`)).body).toEqual({ move: null })
    const begun = await begin(api, project)
    expect([begun.status, begun.body]).toMatchObject([
      202,
      { status: 'looking', website_url: fresh.url, confirm_url: expect.stringContaining(`/p/${project}/move`) },
    ])
    const move = await looked(api, project)
    expect(move).toMatchObject({ old_url: old.url, new_url: fresh.url, wanted: 4, found: 2, not_found: 2 })
    const by = new Map(move.articles.map((one) => [one.article_id, one]))
    expect(by.get(floor)).toMatchObject({ new_url: `${fresh.url}/blog/shed-floor`, found_at: 'path', reason: null })
    expect(by.get(roof)).toMatchObject({ new_url: `${fresh.url}/guides/roofs`, found_at: 'redirect' })
    expect(by.get(lock)).toMatchObject({ new_url: null, reason: expect.stringContaining('home page') })
    expect(by.get(door)).toMatchObject({ new_url: null, reason: expect.stringContaining('does not show the title') })
    expect(await siteOf(api, project)).toBe(old.url)
    expect(await urlOf(api, floor)).toBe(`${old.url}/blog/shed-floor`)
  })

  it('does not take one page for two articles', async () => {
    const { api, project, floor } = await openSite()
    const twin = await published(api, project, 'Shed floor ', `${old.url}/blog/shed-floor/`)
    pages.set('/blog/shed-floor/', htmlOf('Shed floor'))
    await begin(api, project)
    const { articles } = await looked(api, project)
    const both = articles.filter(({ article_id: id }) => id === floor || id === twin)
    expect(both).toMatchObject(Array(2).fill({ new_url: null, reason: expect.stringContaining('same address') }))
  })

  it('is refused while another one looks for the articles, for the same address, and for another project’s site', async () => {
    const { api, project } = await openSite()
    const two = await Promise.all([begin(api, project), begin(api, project)])
    expect(two.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(two.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'move_running',
      next_calls: [{ path: `/projects/${project}/move` }],
    })
    const same = await begin(api, project, old.url)
    expect([same.status, same.text]).toEqual([400, expect.stringContaining('is the address of the site already')])
    const other = await newProject(api, { website_url: 'https://taken.example' })
    const taken = await begin(api, project, 'https://www.taken.example/')
    expect([taken.status, taken.text]).toEqual([
      400,
      expect.stringContaining(`another project of the account: ${other}`),
    ])
  })

  it('is not for another account', async () => {
    const { api, project } = await openSite()
    const stranger = await newAccount(stack, { plan: 'agentic' })
    expect((await begin(stranger, project)).status).toBe(403)
    expect((await stranger.get(`/projects/${project}/move`)).status).toBe(403)
    await begin(api, project)
    const { id } = await looked(api, project)
    const own = await newProject(stranger)
    const { person } = await signInAsOwner(stack, stranger)
    await person.post(`/p/${own}/move/confirm`, { move: String(id) })
    expect((await person.post(`/p/${project}/move/confirm`, { move: String(id) })).status).toBe(404)
    expect(await moveOf(api, project)).toMatchObject({ status: 'ready' })
  })
})

describe('the confirmation', () => {
  it('gives the site and the found articles their new addresses, names the others, and keeps the search history', async () => {
    const { api, project, floor, roof, lock } = await openSite()
    const [source] = await rowsIn<{ id: number }>(
      stack,
      sql`with s as (insert into search_sources (project_id, property) values (${project}::int, ${`${old.url}/`}) returning id),
        c as (insert into connections (account_id, project_id, platform, name, url, sealed_secrets)
          select ${api.accountId}::int, ${project}::int, 'Google Search Console', 'x', 'https://x.example', 'x' returning id),
        o as (insert into search_connections (project_id, account_id, connection_id, source_id, google_sub, next_sync_at)
          select ${project}::int, ${api.accountId}::int, c.id, s.id, 'x', now() + interval '1 year' from c, s),
        d as (insert into search_days (source_id, day, clicks, impressions, position, pages_at)
          select id, current_date - 10, 7, 9, 1, now() from s),
        p as (insert into search_pages (source_id, page, page_key)
          select id, ${`${old.url}/blog/shed-floor`}, ${`${old.url.replace('http://', '')}/blog/shed-floor`} from s returning id),
        n as (insert into search_page_days (page_id, day, clicks, impressions, position) select id, current_date - 10, 7, 9, 1 from p)
        select id from s`,
    )
    await begin(api, project)
    await looked(api, project)
    const { page, done } = await confirm(api, project)
    expect(page.text).toContain('/guides/roofs')
    expect(done.text).toContain('2 articles')
    expect(await siteOf(api, project)).toBe(fresh.url)
    expect(await urlOf(api, floor)).toBe(`${fresh.url}/blog/shed-floor`)
    expect(await urlOf(api, roof)).toBe(`${fresh.url}/guides/roofs`)
    expect(await urlOf(api, lock)).toBe(`${old.url}/blog/shed-lock`)
    const move = await moveOf(api, project)
    expect(move).toMatchObject({ status: 'moved', moved_at: expect.any(String) })
    expect(move.articles.map(({ moved, reason }) => [moved, reason !== null])).toEqual([
      [false, true],
      [false, true],
      [true, false],
      [true, false],
    ])
    expect((await api.get(`/projects/${project}`)).body.project).toMatchObject({ BlogRootUrl: '' })

    // Another property of the new address: the history of the old one still counts for the article.
    await rowsIn(
      stack,
      sql`with s as (insert into search_sources (project_id, property) values (${project}::int, ${`${fresh.url}/`}) returning id)
        update search_connections set source_id = s.id from s where search_connections.project_id = ${project}::int
          and search_connections.source_id = ${source?.id}::int returning 1`,
    )
    const history = await api.get(
      `/search-console/history?project_id=${project}&days=30&page=${encodeURIComponent(`${fresh.url}/blog/shed-floor`)}`,
    )
    expect(history.body.points).toMatchObject([{ clicks: 7, impressions: 9 }])

    // Links are offered to the new addresses alone, and a later change of the page keeps the old ones for the numbers.
    const links = await api.get(`/internal-links?project_id=${project}`)
    const urls = (links.body.links as { url: string }[]).map(({ url }) => url)
    expect(urls).toContain(`${fresh.url}/blog/shed-floor`)
    expect(urls).not.toContain(`${old.url}/blog/shed-floor`)
  })

  it('leaves out an article whose address changed meanwhile, and moves one whose text did', async () => {
    const { api, project, floor, roof } = await openSite()
    await begin(api, project)
    await looked(api, project)
    await rowsIn(
      stack,
      sql`update articles set url = 'https://elsewhere.example/floor' where id = ${floor}::int returning 1`,
    )
    await rowsIn(
      stack,
      sql`update articles set title = 'Roofs', revision = revision + 1 where id = ${roof}::int returning 1`,
    )
    const { done } = await confirm(api, project)
    expect(done.text).toContain('1 article')
    expect(await urlOf(api, floor)).toBe('https://elsewhere.example/floor')
    expect(await urlOf(api, roof)).toBe(`${fresh.url}/guides/roofs`)
    const { articles } = await moveOf(api, project)
    expect(articles.find(({ article_id: id }) => id === floor)).toMatchObject({
      moved: false,
      reason: expect.stringContaining('changed after it was looked for'),
    })
  })

  it('happens once, and only to the move that a person saw', async () => {
    const { api, project, floor } = await openSite()
    await begin(api, project)
    const first = await looked(api, project)
    await begin(api, project)
    await looked(api, project)
    const { person } = await signInAsOwner(stack, api)
    const replaced = await person.post(`/p/${project}/move/confirm`, { move: String(first.id) })
    expect(replaced.text).not.toContain('The site is moved')
    expect(await urlOf(api, floor)).toBe(`${old.url}/blog/shed-floor`)
    const { id } = await moveOf(api, project)
    const both = await Promise.all([1, 2].map(() => person.post(`/p/${project}/move/confirm`, { move: String(id) })))
    expect(both.filter(({ text }) => text.includes('The site is moved'))).toHaveLength(1)
  })

  it('is begun on the page, too, which says what is wrong with an address', async () => {
    const { api, project } = await openSite()
    const { person } = await signInAsOwner(stack, api)
    const path = `/p/${project}/move`
    for (const website_url of ['', 'two words', 'http://10.0.0.1', old.url])
      expect((await person.post(path, { website_url })).text, website_url).toContain('class="notice bad"')
    expect((await api.get(`/projects/${project}/move`)).body).toEqual({ move: null })
    await person.post(path, { website_url: fresh.url })
    await looked(api, project)
  })

  it('can be set aside', async () => {
    const { api, project } = await openSite()
    await begin(api, project)
    const { id } = await looked(api, project)
    const { person } = await signInAsOwner(stack, api)
    await person.post(`/p/${project}/move/aside`, { move: String(id) })
    expect(await moveOf(api, project)).toMatchObject({ status: 'replaced' })
    expect(await siteOf(api, project)).toBe(old.url)
  })
})

it('is named by PUT of website_url, which changes nothing', async () => {
  const { api, project } = await openSite()
  const { body } = await api.put(`/projects/${project}`, { website_url: fresh.url, tone: 'Persuasive' })
  expect(body.notes).toMatchObject({ website_url: expect.stringContaining(`POST /projects/${project}/move`) })
  expect(await siteOf(api, project)).toBe(old.url)
})
