import { sql } from 'drizzle-orm'
import { describe, expect, inject, it, vi } from 'vitest'
import type { SiteSpec } from '../../../local/site/server.ts'
import { type Api, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { manyKeys } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pathsOf, scanned, sitesFor } from './scene.ts'

const stack = inject('stack')
const { open, scan } = sitesFor(stack)

/** Makes the last scan of a project so many days older, and runs the cron. */
const daysLater = async (id: number, days: number) => {
  await rowsIn(
    stack,
    sql`update projects set site_scanned_at = site_scanned_at - ${days} * interval '1 day' where id = ${id}`,
  )
  await fetch(stack.cronUrl)
}

const linksOf = async (api: Api, id: number) =>
  ((await api.get(`/internal-links?project_id=${id}`)).body.links as { url: string }[]).map(
    ({ url }) => new URL(url).pathname,
  )

describe('a site that was scanned is scanned again', () => {
  const joinery = () => ({
    pages: { '/': { title: 'Joinery' }, '/oak': { title: 'Oak' }, '/pine': { title: 'Pine' } } as NonNullable<
      SiteSpec['pages']
    >,
    sitemaps: { '/sitemap.xml': { pages: ['/oak'] }, '/new.xml': { pages: ['/oak', '/pine'] } } as NonNullable<
      SiteSpec['sitemaps']
    >,
  })
  const changed = { sitemap_url: '/new.xml', blog_root_url: '/pine', content_pillars: '/pine' }

  it.each(Object.entries(changed))('when its %s changes, and only then', async (name, path) => {
    const { api, id, site } = await scan(joinery())
    const before = site.requests().length
    const { body } = await api.put(`/projects/${id}`, { [name]: `${site.url}${path}`, tone: 'Persuasive' })
    expect(body.message).toContain('scanned again')
    await scanned(api, id)
    expect(site.requests().length).toBeGreaterThan(before)
    expect(pathsOf(site).slice(before)).toContain(path)
    const after = site.requests().length
    const again = await api.put(`/projects/${id}`, { [name]: `${site.url}${path}`, tone: 'Informative' })
    expect(again.body.message).not.toContain('scanned again')
    expect((await scanned(api, id)).setup.site_scan).toBe('completed')
    expect(site.requests().length).toBe(after)
  })

  it('by call: new pages are found, missing ones are forgotten', async () => {
    const spec = joinery()
    const { api, id } = await scan(spec)
    expect((await linksOf(api, id)).sort()).toEqual(['/', '/oak'])
    spec.sitemaps['/sitemap.xml'] = { pages: ['/pine'] }
    const { status, body } = await api.post(`/projects/${id}/scan`)
    expect([status, body]).toMatchObject([202, { status: 'started', status_path: `/projects/${id}` }])
    await scanned(api, id)
    expect((await linksOf(api, id)).sort()).toEqual(['/', '/pine'])
  })

  it('once, however often it is requested meanwhile', async () => {
    const { api, id, site } = await scan(joinery())
    const before = site.requests().length
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.post(`/projects/${id}/scan`)))
    expect(answers.filter(({ body }) => body.status === 'started')).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    await scanned(api, id)
    expect(
      pathsOf(site)
        .slice(before)
        .filter((path) => path === '/robots.txt'),
    ).toHaveLength(1)
  })

  it('from its beginning, where its sitemap changes while it is under way', async () => {
    const site = await open(joinery())
    await tell(site.url, '/_faults', { path: '/sitemap.xml', delay_ms: 2_000 })
    const api = manyKeys(stack, await newAccount(stack))
    const id = await newProject(api, { website_url: site.url })
    await vi.waitFor(() => expect(pathsOf(site)).toContain('/sitemap.xml'), { timeout: PATIENCE_MS })
    await api.put(`/projects/${id}`, { sitemap_url: `${site.url}/new.xml` })
    expect((await scanned(api, id)).setup.site_scan).toBe('completed')
    expect((await linksOf(api, id)).sort()).toEqual(['/', '/oak', '/pine'])
  })

  it('a week later automatically, and when its project is created again or restored', async () => {
    const { api, id, site } = await scan(joinery())
    const scans = () => pathsOf(site).filter((path) => path === '/robots.txt').length
    const create = () => api.post('/projects', { website_url: site.url })
    await daysLater(id, 6)
    expect((await create()).body.message).not.toContain('scanned again')
    await daysLater(id, 2)
    await vi.waitFor(() => expect(scans()).toBe(2), { timeout: PATIENCE_MS })
    await scanned(api, id)
    await rowsIn(stack, sql`update projects set site_scanned_at = site_scanned_at - interval '8 days' where id = ${id}`)
    expect((await create()).body.message).toContain('scanned again')
    await vi.waitFor(() => expect(scans()).toBe(3), { timeout: PATIENCE_MS })
    await scanned(api, id)
    await api.post(`/projects/${id}/archive`)
    await daysLater(id, 8)
    await api.post(`/projects/${id}/unarchive`)
    await vi.waitFor(() => expect(scans()).toBe(4), { timeout: PATIENCE_MS })
    expect((await scanned(api, id)).setup.site_scan).toBe('completed')
  })

  it('after a failure, which names the call', async () => {
    const spec: SiteSpec = { pages: { '/': { status: 404 } } }
    const { api, id, setup } = await scan(spec)
    const [call] = setup.next_calls as { method: string; path: string }[]
    expect(call).toMatchObject({ method: 'POST', path: `/projects/${id}/scan` })
    expect(setup.site_scan_error).toContain(`POST /projects/${id}/scan`)
    spec.pages = { '/': { title: 'Back' } }
    expect((await api.call(call?.method ?? '', call?.path ?? '')).status).toBe(202)
    expect((await scanned(api, id)).setup).toMatchObject({
      site_scan: 'completed',
      site_scan_error: null,
      next_calls: [],
    })
  })

  it('of an impossible site fails again, and another account cannot request it', async () => {
    const api = await newAccount(stack)
    const id = await newProject(api)
    expect((await api.post(`/projects/${id}/scan`)).status).toBe(202)
    expect((await scanned(api, id)).setup).toMatchObject({ site_scan: 'failed' })
    expect((await (await newAccount(stack)).post(`/projects/${id}/scan`)).status).toBe(403)
  })
})
