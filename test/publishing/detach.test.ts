import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import { connectReceiver, newAccount, newArticle, newProject } from '../support/client.ts'
import { manyKeys } from '../support/keys.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Site, startSite } from './site.ts'

const stack = inject('stack')
let ghost: GhostStandIn
/** Receiver that returns no address, with its blog: the pages that it shows, by path. */
let site: Site
const sent: { event_type: string; data: { articles: { id: string; slug: string }[] } }[] = []
const pages = new Map<string, string>()

beforeAll(async () => {
  ghost = await startGhost()
  site = await startSite(({ method, path, body }) => {
    if (method !== 'POST') return pages.has(path) ? { body: pages.get(path) } : { status: 404, body: 'no' }
    sent.push(JSON.parse(body))
    return { body: { success: true } }
  })
})
afterAll(() => Promise.all([ghost.close(), site.close()]))

const fresh = async (settings: Record<string, unknown> = {}) => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api, settings) }
}

type Call = { method: string; path: string }
const pathsOf = (body: Record<string, unknown>) => (body.next_calls as Call[]).map(({ path }) => path.split('/').at(-1))

it('leaves the post at a CMS, and the next publication creates another with a new slug', async () => {
  const { api, project } = await fresh()
  const form = { platform: 'ghost', api_url: ghost.url, admin_api_key: ghost.key }
  expect((await api.post(`/projects/${project}/integrations`, form)).status).toBe(201)
  const id = await newArticle(api, project, { content: '<p>Words.</p>', title: 'Let go' })
  expect((await api.post(`/articles/${id}/detach`)).body).toMatchObject({ code: 'not_published' })
  const { url } = (await api.post(`/articles/${id}/publish`)).body
  const before = (await api.get(`/articles/${id}`)).body
  expect(pathsOf((await api.del(`/articles/${id}`)).body)).toEqual(['unpublish', 'detach'])
  const { status, body } = await api.post(`/articles/${id}/detach`)
  const slug = `${String(before.Slug)}-2`
  expect([status, body]).toMatchObject([200, { status: 'detached', article_id: id, slug }])
  expect(body.message).toContain(url)
  expect((await api.get(`/articles/${id}`)).body).toMatchObject({
    Status: 'Draft',
    Slug: slug,
    Url: null,
    Receipt: null,
  })
  expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
  const posts = ghost.posts().filter((post) => post.slug.startsWith(String(before.Slug)))
  expect(posts.map((post) => [post.slug, post.status])).toEqual([
    [before.Slug, 'published'],
    [slug, 'published'],
  ])
  expect((await api.post(`/articles/${id}/rollback`)).body.code).toBe('nothing_to_roll_back')
  expect((await api.post(`/articles/${id}/detach`)).body).toMatchObject({ slug: `${String(before.Slug)}-3` })
  expect((await api.del(`/articles/${id}`)).status).toBe(200)
})

it('warns that a webhook receiver may keep its post, and sends the same article id', async () => {
  const { api, project } = await fresh()
  await connectReceiver(api, project, site.url, 'token')
  const id = await newArticle(api, project, { content: '<p>Words.</p>' })
  await api.post(`/articles/${id}/publish`)
  const before = (await api.get(`/articles/${id}`)).body
  const refusals = [await api.del(`/articles/${id}`), await api.post(`/articles/${id}/unpublish`)]
  expect(refusals.map(({ status, body }) => [status, pathsOf(body)])).toEqual([
    [400, ['detach']],
    [400, ['detach']],
  ])
  const warning = expect.stringContaining('receiver that knows posts by it may')
  expect((await api.post(`/articles/${id}/detach`)).body).toMatchObject({ slug: before.Slug, warnings: [warning] })
  const again = await api.post(`/articles/${id}/publish`)
  expect(again.body.warnings).toEqual(expect.arrayContaining([warning]))
  const own = sent.filter(({ data }) => data.articles[0]?.id === String(id))
  expect(own.map(({ event_type }) => event_type)).toEqual(['publish_articles', 'publish_articles'])
})

it('finds an address in the blog that the site did not return, and accepts one given by hand', async () => {
  const { api, project } = await fresh({ blog_root_url: `${site.url}/blog` })
  await connectReceiver(api, project, site.url, 'token')
  const found = await newArticle(api, project, {
    title: 'Found in the blog',
    content: '<p>A sentence that tells pages apart.</p>',
  })
  const { Slug } = (await api.get(`/articles/${found}`)).body
  pages.set(`/blog/${String(Slug)}`, '<title>Found in the blog</title><p>A sentence that tells pages apart.</p>')
  const published = await api.post(`/articles/${found}/publish`)
  expect(published.body).toMatchObject({ url: null, warnings: [expect.stringContaining(`/articles/${found}/address`)] })
  await vi.waitFor(
    async () =>
      expect((await api.get(`/articles/${found}`)).body).toMatchObject({
        Url: `${site.url}/blog/${String(Slug)}`,
        Receipt: { title_found: true, text_found: true },
      }),
    PATIENCE_MS,
  )
  const taken = await api.post(`/articles/${found}/address`, { url: `${site.url}/other` })
  expect([taken.status, taken.body.error]).toEqual([400, expect.stringContaining(`/blog/${String(Slug)}`)])

  const told = await newArticle(api, project, { title: 'Told by hand', content: '<p>Words.</p>' })
  const early = await api.post(`/articles/${told}/address`, { url: `${site.url}/told` })
  expect(early.body.code).toBe('not_published')
  await api.post(`/articles/${told}/publish`)
  expect(pathsOf((await api.put(`/articles/${told}`, { title: 'x' })).body)).toEqual(['sync', 'address'])
  const dead = await api.post(`/articles/${told}/address`, { url: `${site.url}/told` })
  expect(dead.body).toMatchObject({ status: 'address_stored', warnings: [expect.stringContaining('404')] })
  pages.set('/moved', '<h1>Told by hand</h1>')
  const moved = await api.post(`/articles/${told}/address`, { url: `${site.url}/moved` })
  expect(moved.body).toEqual({ status: 'address_stored', article_id: told, url: `${site.url}/moved` })
  expect((await api.get(`/articles/${told}`)).body.Url).toBe(`${site.url}/moved`)
  for (const url of ['http://10.0.0.1/x', 'no address', `${site.url}/a b`])
    expect((await api.post(`/articles/${told}/address`, { url })).status).toBe(400)
})
