import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import type { SiteSpec } from '../../../local/site/server.ts'
import { runAfterDeaths } from '../../publishing/scene.ts'
import { newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pathsOf, scanned, sitesFor } from './scene.ts'

const stack = inject('stack')
const { open, scan } = sitesFor(stack)

/** The embedded database takes its time for 50,000 rows; they are tried on PostgreSQL. */
const MANY = process.env.DATABASE_URL ? 50_000 : 7_000

type Row = { path: string; title: string; keyword: string; meta_description: string; read: boolean }
const pagesOf = (id: number): Promise<Row[]> =>
  rowsIn<Row>(
    stack,
    sql`select regexp_replace(url, '^http://[^/]+', '') as path, title, keyword, meta_description, read_at is not null as read
      from site_pages where project_id = ${id}::int order by 1`,
  )

const WORKSHOP: SiteSpec = {
  robots: `User-agent: *\nDisallow: /private/\nDisallow: /blog/draft\n\nUser-agent: OtherBot\nDisallow: /\n\nSitemap: {origin}/map-index.xml\n`,
  pages: {
    '/': {
      lang: 'nl-NL',
      title: 'Fietsen repareren in Utrecht | Spaak & Wiel',
      description: 'Werkplaats voor stadsfietsen: ketting vervangen, remmen afstellen en jaarlijkse onderhoudsbeurt.',
      headings: ['Fietsenmaker in Utrecht', 'Ketting vervangen', 'Remmen afstellen'],
      links: ['/contact', '/blog/', '/login', 'https://elsewhere.example/x', '/private/prices', '/folder.pdf'],
    },
    '/contact': { title: 'Contact | Spaak & Wiel', description: 'Waar u ons vindt.' },
    '/blog': { title: 'Blog' },
    '/blog/': { title: 'Blog' },
    '/blog/ketting-vervangen': {
      title: 'Ketting vervangen & smeren | Spaak & Wiel',
      description: 'Wanneer een ketting op is.',
      headings: ['Wanneer is een ketting op?'],
    },
    '/blog/remmen-afstellen': { title: 'Remmen afstellen' },
    '/blog/oud': { status: 404 },
    '/blog/verborgen': { title: 'Verborgen', robots: 'noindex' },
    '/blog/verhuisd': { location: '/blog/ketting-vervangen' },
    '/blog/weg': { location: 'https://elsewhere.example/weg' },
  },
  sitemaps: {
    '/map-index.xml': { sitemaps: ['/map-pages.xml.gz'] },
    '/map-pages.xml.gz': {
      gzip: true,
      pages: [
        '/blog/ketting-vervangen?a=1&b=2',
        '/blog/remmen-afstellen',
        '/blog/draft-plan',
        '/blog/oud',
        '/blog/verborgen',
        '/blog/verhuisd',
        '/blog/weg',
        'https://elsewhere.example/other',
      ],
    },
  },
}

describe('the scan of a new project’s site', () => {
  it('fills empty settings, finds pages, and reports its progress', async () => {
    const { setup, project, id } = await scan(WORKSHOP)
    expect(setup).toEqual({
      site_scan: 'completed',
      site_scan_error: null,
      site_scan_note: null,
      onboarding: 'not_started',
      onboarding_error: null,
      planned: null,
      wanted: null,
      note: null,
      next_calls: [],
    })
    expect(project).toMatchObject({
      BusinessName: 'Spaak & Wiel',
      BusinessDescription:
        'Werkplaats voor stadsfietsen: ketting vervangen, remmen afstellen en jaarlijkse onderhoudsbeurt.',
      Language: 'Dutch',
      SitemapUrl: expect.stringMatching(/\/map-index\.xml$/),
      BlogRootUrl: expect.stringMatching(/:\d+\/blog$/),
    })
    expect(await pagesOf(id)).toEqual([
      {
        path: '/',
        title: 'Fietsen repareren in Utrecht',
        keyword: '',
        meta_description: expect.stringMatching(/^Werkplaats/),
        read: true,
      },
      { path: '/blog/', title: 'Blog', keyword: 'blog', meta_description: '', read: true },
      {
        path: '/blog/ketting-vervangen?a=1&b=2',
        title: 'Ketting vervangen & smeren',
        keyword: 'ketting vervangen',
        meta_description: 'Wanneer een ketting op is.',
        read: true,
      },
      {
        path: '/blog/remmen-afstellen',
        title: 'Remmen afstellen',
        keyword: 'remmen afstellen',
        meta_description: '',
        read: true,
      },
      expect.objectContaining({ path: '/blog/verhuisd', read: true }),
      { path: '/contact', title: 'Contact', keyword: 'contact', meta_description: 'Waar u ons vindt.', read: true },
    ])
    const [{ topics } = { topics: '' }] = await rowsIn<{ topics: string }>(
      stack,
      sql`select topics from projects where id = ${id}`,
    )
    expect(topics.split('\n')).toEqual(expect.arrayContaining(['ketting vervangen', 'remmen afstellen']))
  })

  it('obeys robots.txt, names itself, and fetches one page at a time with a delay', async () => {
    const { site } = await scan(WORKSHOP)
    const asked = site.requests()
    expect(asked[0]?.path).toBe('/robots.txt')
    expect(
      asked.filter(({ path }) => path.startsWith('/private') || path.startsWith('/blog/draft') || path === '/login'),
    ).toEqual([])
    expect(new Set(asked.map((request) => request.user_agent))).toEqual(new Set([`GalleyBot/1.0 (+${stack.url})`]))
    const gaps = asked.slice(1).map((request, n) => request.at_ms - (asked[n]?.at_ms ?? 0))
    // Half a second, ten times faster on this stack.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(48)
  })

  it('never overwrites what the caller sent, not even with the default', async () => {
    const settings = { business_name: 'My name', language: 'English (US)', business_description: '', sitemap_url: '' }
    const { project, site } = await scan(WORKSHOP, settings)
    expect(project).toMatchObject({
      BusinessName: 'My name',
      Language: 'English (US)',
      BusinessDescription: '',
      SitemapUrl: '',
      BlogRootUrl: `${site.url}/blog`,
    })
  })

  it('follows the links of a small site without a sitemap', async () => {
    const pages = {
      '/': { title: 'Joinery', links: ['/oak-tables', 'about.html', '/pixel.png', '#top', 'mailto:a@b.example'] },
      '/oak-tables': { title: 'Oak tables' },
      '/about.html': { title: 'About' },
    }
    const { id, project } = await scan({ pages })
    expect(project).toMatchObject({
      SitemapUrl: '',
      BlogRootUrl: '',
      Language: 'English (US)',
      BusinessName: 'Joinery',
    })
    expect((await pagesOf(id)).map(({ path, read }) => [path, read])).toEqual([
      ['/', true],
      ['/about.html', true],
      ['/oak-tables', true],
    ])
  })

  it('finds the articles on the page the project names as its blog', async () => {
    const pages = {
      '/': { title: 'Joinery', links: ['/about'] },
      '/about': { title: 'About' },
      '/notes': { title: 'Notes', links: ['/notes/oak-or-pine', '/login'] },
      '/notes/oak-or-pine': { title: 'Oak or pine' },
    }
    const site = await open({ pages })
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: site.url, blog_root_url: `${site.url}/notes` })
    await scanned(api, id)
    expect((await pagesOf(id)).map(({ path }) => path)).toEqual(['/', '/about', '/notes/oak-or-pine'])
    const without = await scan({ pages })
    expect((await pagesOf(without.id)).map(({ path }) => path)).toEqual(['/', '/about'])
  })

  it('tells pages whose id is in the query apart, and knows a page by its canonical address', async () => {
    const { id } = await scan({
      pages: {
        '/': { title: 'Home', links: ['/?p=60', '/?s=search', '/?p=61&utm_source=home'] },
        '/?p=59': { title: 'Felt roofs' },
        '/?p=60': { title: 'Oak floors' },
        '/?p=61': { title: 'Doors', canonical: '/doors/' },
        '/a?view=print': { title: 'Print', canonical: '/' },
        '/copy': { title: 'Copy', canonical: 'https://elsewhere.example/copy' },
        '/blog?page=2': { title: 'Older', canonical: '/blog' },
        '/blog': { title: 'Blog', canonical: '/blog' },
      },
      sitemaps: {
        '/sitemap.xml': {
          pages: ['/?p=59&utm_medium=map', '/index.php?id=7', '/a?view=print', '/copy', '/blog?page=2', '/blog'],
        },
      },
    })
    expect((await pagesOf(id)).map(({ path, title }) => [path, title])).toEqual([
      ['/', 'Home'],
      ['/?p=59', 'Felt roofs'],
      ['/?p=60', 'Oak floors'],
      ['/a?view=print', 'Print'],
      ['/blog', 'Blog'],
      ['/copy', 'Copy'],
      ['/doors/', 'Doors'],
    ])
  })

  it('knows the languages of pages: by alternates, by the path, and by the page itself', async () => {
    const OTHERS = '/fr-CA/jardin /garten /en/shed /schuppen /es/mesa /fr/table /es/silla /pt/cadeira'.split(' ')
    const { id } = await scan(
      {
        robots: 'Sitemap: {origin}/sitemap.xml\n',
        pages: {
          '/': { title: 'Start', lang: 'de' },
          '/kontakt': { title: 'Kontakt', lang: 'de-AT' },
          '/da': { title: 'About', lang: 'en' },
          ...Object.fromEntries(OTHERS.map((path) => [path, { title: path }])),
        },
        sitemaps: {
          '/sitemap.xml': {
            pages: ['/kontakt', '/da', '/fr-CA/jardin', '/garten'],
            groups: [
              { en: '/en/shed', 'de-DE': '/schuppen', 'x-default': '/en/shed' },
              { es: '/es/mesa', fr: '/fr/table', 'x-default': '/fr/table' },
              { es: '/es/silla', pt: '/pt/cadeira' },
            ],
          },
        },
      },
      { language: 'German' },
    )
    const rows = await rowsIn<{ path: string; language: string; instead: string | null }>(
      stack,
      sql`select regexp_replace(url, '^http://[^/]+', '') as path, language, regexp_replace(alternate_of, '^[^/]+', '') as instead
        from site_pages where project_id = ${id}::int order by 1`,
    )
    expect(Object.fromEntries(rows.map(({ path, language, instead }) => [path, [language, instead]]))).toEqual({
      '/': ['German', null],
      '/da': ['English', null],
      '/en/shed': ['English', '/schuppen'],
      '/es/mesa': ['Spanish', '/fr/table'],
      '/es/silla': ['Spanish', null],
      '/fr-CA/jardin': ['French', null],
      '/fr/table': ['French', null],
      '/garten': ['', null],
      '/kontakt': ['German', null],
      '/pt/cadeira': ['Portuguese', '/es/silla'],
      '/schuppen': ['German', null],
    })
  })

  it('keeps to the part of a host that is the project’s site', async () => {
    const { id, site } = await scan(
      {
        pages: { '/shop': { title: 'Shop', links: ['/shop/lamps', '/other'] }, '/shop/lamps': { title: 'Lamps' } },
        sitemaps: { '/sitemap.xml': { pages: ['/shop/chairs', '/shopping', '/other/page'] } },
      },
      {},
      '/shop',
    )
    expect((await pagesOf(id)).map(({ path }) => path)).toEqual(['/shop', '/shop/lamps'])
    expect(pathsOf(site)).not.toContain('/other')
  })

  it(`takes ${MANY} addresses of an index with packed files${MANY === 50_000 ? ', and no more' : ''}`, async () => {
    const { id, setup } = await scan({
      pages: { '/': { title: 'Large' } },
      sitemaps: {
        '/sitemap.xml': { sitemaps: ['/a.xml.gz', '/b.xml'] },
        '/a.xml.gz': { count: MANY - 10, gzip: true },
        '/b.xml': { pages: Array.from({ length: MANY === 50_000 ? 50 : 10 }, (_, n) => `/pages/more-${n}`) },
      },
    })
    expect(setup.site_scan).toBe('completed')
    const [row] = await rowsIn<{ count: number }>(
      stack,
      sql`select count(*)::int as count from site_pages where project_id = ${id}`,
    )
    // At most fifty are read, and those that are not there go again.
    expect(MANY + 1 - Number(row?.count)).toBeLessThanOrEqual(50)
  })

  it('reads the blog of a site with 60,000 products before it, and says that a limit was reached', async () => {
    const shops = Array.from({ length: 70 }, (_, n) => `/sitemap-products-${n}.xml`)
    const products = Object.fromEntries(shops.map((path) => [path, { pages: [`${path}/1`] }]))
    const { id, setup } = await scan({
      robots: 'Sitemap: {origin}/sitemap.xml\n',
      pages: { '/': { title: 'Shop' }, '/blog/oak-floors': { title: 'Oak floors' }, '/about': { title: 'About' } },
      sitemaps: {
        '/sitemap.xml': { sitemaps: [...shops, '/sitemap-others.xml', '/content-index.xml'] },
        '/content-index.xml': { sitemaps: ['/sitemap-blog-posts.xml'] },
        ...products,
        '/sitemap-others.xml': { pages: ['/about'] },
        '/sitemap-blog-posts.xml': { pages: ['/blog/oak-floors'] },
      },
    })
    const paths = (await pagesOf(id)).map(({ path }) => path)
    expect(paths).toContain('/blog/oak-floors')
    expect(paths).toContain('/about')
    expect(setup.site_scan_note).toMatch(
      /^The sitemaps have more than the 50,000 addresses or 60 files .* of articles first\.$/,
    )
  })

  it('survives broken XML, huge and slow pages', async () => {
    const site = await open({
      pages: {
        '/': { title: 'Odd', links: ['/huge', '/slow', '/fine'] },
        '/huge': { title: 'Huge', padding: 3 * 1024 * 1024 },
        '/slow': { title: 'Slow' },
        '/fine': { title: 'Fine page' },
      },
      sitemaps: { '/sitemap.xml': { raw: '<urlset><url><loc>/first</loc></url><url><loc>' } },
    })
    await tell(site.url, '/_faults', { path: '/slow', drop: 'before' })
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: site.url })
    expect((await scanned(api, id)).setup.site_scan).toBe('completed')
    expect((await pagesOf(id)).map(({ path, title, read }) => [path, title, read])).toEqual([
      ['/', 'Odd', true],
      ['/fine', 'Fine page', true],
      ['/huge', 'Huge', true],
      ['/slow', 'Slow', false],
    ])
  })
})

describe('a page of elements nested without end', () => {
  it('is read all the same, and its links are followed', async () => {
    const site = await open({
      pages: { '/': { title: 'Deep', nested: 20_000, links: ['/behind'] }, '/behind': { title: 'Behind' } },
    })
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: site.url })
    expect((await scanned(api, id)).setup.site_scan).toBe('completed')
    expect((await pagesOf(id)).map(({ path, title, read }) => [path, title, read])).toEqual([
      ['/', 'Deep', true],
      ['/behind', 'Behind', true],
    ])
  })
})

describe('a sitemap that gives no address', () => {
  it.each([
    [{ raw: '<!doctype html><html><body>Our pages</body></html>' }, 'it is a web page, not a sitemap'],
    [{ raw: '<urlset></urlset>' }, 'it holds no address'],
    [{ raw: '' }, 'it holds no address'],
    [{ raw: '\u001f\u008b no gzip' }, 'it holds no address'],
    [{ pages: ['https://elsewhere.example/a'] }, 'none of its addresses is a page of this site'],
    [{ pages: ['/private/a', '/private/b'] }, 'robots.txt forbids each of its addresses'],
    [undefined, 'it answered with status 404'],
  ] as [NonNullable<SiteSpec['sitemaps']>[string] | undefined, string][])('%o says why', async (sitemap, reason) => {
    const { setup, site } = await scan({
      robots: 'User-agent: *\nDisallow: /private/\nSitemap: {origin}/map.xml\n',
      pages: { '/': { title: 'Ovens' } },
      sitemaps: sitemap ? { '/map.xml': sitemap } : {},
    })
    expect(setup).toMatchObject({
      site_scan: 'completed',
      site_scan_error: null,
      site_scan_note: `Sitemaps that gave no address: ${site.url}/map.xml: ${reason}.`,
    })
  })

  it('is named beside others that gave some, and a site without any is told where to name one', async () => {
    const beside = await scan({
      robots: 'Sitemap: {origin}/map.xml\n',
      pages: { '/': { title: 'Ovens' }, '/a': { title: 'A' } },
      sitemaps: { '/map.xml': { sitemaps: ['/one.xml', '/two.xml'] }, '/one.xml': { pages: ['/a'] } },
    })
    expect(beside.setup.site_scan_note).toBe(
      `Sitemaps that gave no address: ${beside.site.url}/two.xml: it answered with status 404.`,
    )
    const { setup } = await scan({ pages: { '/': { title: 'Ovens' } } })
    expect(setup.site_scan_note).toMatch(/^No sitemap was found: .* Set sitemap_url /)
  })
})

describe('a site that cannot be scanned', () => {
  it.each([
    ['answers 404', { pages: { '/': { status: 404 } } }, /answered with status 404/],
    [
      'redirects elsewhere',
      { pages: { '/': { location: 'https://elsewhere.example/' } } },
      /redirects to another site \(elsewhere\.example\)/,
    ],
    ['redirects without end', { pages: { '/': { location: '/' } } }, /redirects too many times/],
    [
      'forbids it',
      { robots: 'User-agent: galleybot\nDisallow: /', pages: { '/': { title: 'X' } } },
      /robots\.txt does not allow/,
    ],
  ] as [string, SiteSpec, RegExp][])('that %s ends as failed with a sentence, at once', async (_, spec, reason) => {
    const { setup, site } = await scan(spec)
    expect(setup).toMatchObject({ site_scan: 'failed', site_scan_error: expect.stringMatching(reason) })
    expect(pathsOf(site).filter((path) => path === '/robots.txt')).toHaveLength(1)
  })

  it('that is away is tried again minutes later, and then given up', async () => {
    const site = await open({ robots: '', pages: { '/': { title: 'Back soon' } } })
    await tell(site.url, '/_faults', { path: '/robots.txt', status: 503 })
    const api = manyKeys(stack, await newAccount(stack))
    const from = Date.now()
    const id = await newProject(api, { website_url: site.url })
    const waiting = async () => {
      const [found] = await rowsIn<{ at: number; id: string }>(
        stack,
        sql`select id, extract(epoch from run_at)::float8 * 1000 as at from outbox where key = ${`scan:${id}`} and done_at is null and (payload->>'tries')::int = 1`,
      )
      return found ?? expect.fail('no second try waits')
    }
    const row = await vi.waitFor(waiting, { timeout: PATIENCE_MS })
    // Three minutes after the first try, ten times faster on this stack.
    expect(row.at).toBeGreaterThanOrEqual(from + 18_000)
    expect(row.at).toBeLessThanOrEqual(Date.now() + 18_000)
    expect((await api.get(`/projects/${id}`)).body.setup).toMatchObject({ site_scan: 'running' })
    await rowsIn(stack, sql`update outbox set run_at = now(), offered_at = null where id = ${row.id}`)
    await fetch(stack.cronUrl)
    expect((await scanned(api, id)).setup).toMatchObject({
      site_scan: 'failed',
      site_scan_error: expect.stringMatching(/status 503/),
    })
    expect(pathsOf(site)).toEqual(['/robots.txt', '/robots.txt'])
  })

  it('whose scan keeps crashing is failed', async () => {
    const site = await open({ robots: '', pages: { '/': { title: 'Too much' } } })
    await tell(site.url, '/_faults', { path: '/robots.txt', status: 503 })
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: site.url })
    const waiting = () =>
      rowsIn<{ id: string }>(stack, sql`select id from outbox where key = ${`scan:${id}`} and payload->>'tries' = '1'`)
    await expect.poll(waiting, { timeout: PATIENCE_MS }).toHaveLength(1)
    await runAfterDeaths(stack, `scan:${id}`)
    expect((await scanned(api, id)).setup).toMatchObject({
      site_scan: 'failed',
      site_scan_error: expect.stringContaining('failed on our side'),
    })
  })

  it('under a reserved name is not requested', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api, { website_url: 'https://shop.example' })
    expect((await api.get(`/projects/${id}`)).body.setup).toMatchObject({
      site_scan: 'failed',
      site_scan_error: expect.stringMatching(/^shop\.example is a name reserved/),
    })
    expect(await rowsIn(stack, sql`select id from outbox where key = ${`scan:${id}`}`)).toEqual([])
  })
})
