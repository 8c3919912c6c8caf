import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../../local/receiver/server.ts'
import { type StandIn, startStandIn } from '../../../local/stand-in.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, connectReceiver, newAccount, newProject, tell } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { flush } from '../scene.ts'

const stack = inject('stack')
const TOKEN = 'webhook-site-token'

/** Text of a post, long enough to be the main text of its page. */
const TEXT = Array.from(
  { length: 6 },
  (_, n) =>
    `<p>Sentence ${n} of the old shed, which stood for thirty years in the garden, under the oak, and kept its tools dry in every winter.</p>`,
).join('')

const PAGE = `<!doctype html><html lang="de-AT"><head><title>Oak | The shed</title>
  <meta property="og:title" content="Oak &amp; elm"><meta name="description" content="How oak lasts.">
  <meta property="article:published_time" content="2024-05-06T07:08:09Z"></head>
  <body><nav><a href="/">Home of the whole shop</a></nav><main><article><h1>Oak &amp; elm</h1>${TEXT}
  <p>The <a href="../elm">elm</a> rots, as <img src="/elm.jpg" alt="An elm"> shows, and nobody builds a shed of it any more.</p>
  <script>steal()</script></article></main><footer><p>All rights reserved.</p></footer></body></html>`

let site: StandIn
let receiver: RunningReceiver
type Page = { status?: number; type?: string; location?: string; body?: string }
const pages = new Map<string, Page>()

beforeAll(async () => {
  receiver = await startReceiver({ port: 0, token: TOKEN })
  site = await startStandIn({
    answer: ({ path }) => {
      const { status = 200, type = 'text/html', location, body = PAGE } = pages.get(path) ?? { status: 404 }
      return { status, headers: { 'content-type': type, ...(location ? { location } : {}) }, body }
    },
  })
})
afterAll(() => Promise.all([receiver.close(), site.close()]))

/** Connects a project of a website to a receiver. */
const openSite = async (website_url = site.url, url = receiver.url) => {
  const account = await newAccount(stack, { plan: 'agentic' })
  const api = manyKeys(stack, account)
  const project = await newProject(api, { website_url })
  const { integration_id: integration } = await connectReceiver(api, project, url, TOKEN)
  return { account, api, project, integration }
}

const adopt = (api: Api, project: number, given: Record<string, unknown>) =>
  api.post('/articles/adopt', { project_id: project, ...given })

/** Returns the bodies of the updates that a receiver got, each with its key. */
const updatesAt = async (at: RunningReceiver) => {
  const response = await fetch(`${at.url}/api/deliveries`)
  const { deliveries } = (await response.json()) as { deliveries: { event_type: string; raw_body: string }[] }
  return deliveries
    .filter(({ event_type }) => event_type === 'update_articles')
    .map(({ raw_body }) => JSON.parse(raw_body).data.articles[0] as Record<string, unknown>)
}

describe('POST /articles/adopt on a webhook site', () => {
  it('makes an article of the page at an address, and sends the receiver nothing', async () => {
    const { api, project } = await openSite()
    pages.set('/blog/oak', {})
    const url = `${site.url}/blog/oak`
    const { status, body, text } = await adopt(api, project, { url: `${url}?utm_source=mail#top` })
    expect([status, body], text).toMatchObject([
      201,
      {
        status: 'adopted',
        origin: 'adopted',
        title: 'Oak & elm',
        url,
        format: 'page',
        editable: true,
        revision: 1,
        warnings: [expect.stringContaining('the first change replaces the whole text')],
      },
    ])
    const { body: article } = await api.get(`/articles/${body.article_id}`)
    expect(article).toMatchObject({
      Status: 'Published',
      Title: 'Oak & elm',
      MetaDescription: 'How oak lasts.',
      Url: url,
      Slug: 'oak',
      PublishedAt: '2024-05-06T07:08:09.000Z',
      Adopted: { post_id: url, format: 'page', language: 'de-AT' },
    })
    const content = String(article.Content)
    expect(content).toContain('Sentence 5 of the old shed')
    expect(content).toContain(`<a href="${site.url}/elm">elm</a>`)
    expect(content).toContain(`src="${site.url}/elm.jpg"`)
    expect(content).toMatch(/^<p>Sentence 0 of[\s\S]*shows, and nobody builds a shed of it any more\.<\/p>\s*$/)
    expect(content).not.toMatch(/Home of the whole shop|All rights|steal/)
    expect(await updatesAt(receiver)).toEqual([])
  })

  it('returns the same article for the same page, whatever id comes with it', async () => {
    const { api, project } = await openSite()
    pages.set('/blog/twice', {})
    pages.set('/blog/twice/', { body: PAGE.replace('<head>', '<head><link rel="canonical" href="/blog/twice">') })
    const url = `${site.url}/blog/twice`
    const first = await adopt(api, project, { url, post_id: 'post-7' })
    expect(first.status, first.text).toBe(201)
    expect((await api.get(`/articles/${first.body.article_id}`)).body.Adopted).toMatchObject({ post_id: 'post-7' })
    for (const given of [{ url }, { url: `${url}/` }, { url, post_id: 'post-8' }, { url: `${url}?utm_source=x` }]) {
      const again = await adopt(api, project, given)
      expect([again.status, again.body]).toMatchObject([200, { status: 'known', article_id: first.body.article_id }])
    }
  })

  it('makes one article of a page that is adopted ten times at once', { tags: ['services'] }, async () => {
    const { api, project } = await openSite()
    pages.set('/blog/ten', {})
    const given = (n: number) => ({ url: `${site.url}/blog/ten`, ...(n % 2 ? { post_id: `id-${n}` } : {}) })
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => adopt(api, project, given(n))))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(all.map(({ body }) => body.article_id)).size).toBe(1)
  })

  const REFUSED: [string, Page, number, string][] = [
    ['a page that is gone', { status: 404 }, 404, 'There is no page at this URL.'],
    ['no HTML', { type: 'application/pdf' }, 422, 'does not lead to an HTML page'],
    ['a page without a text', { body: '<html><body><nav></nav></body></html>' }, 422, 'No text of an article'],
    ['a page that is too large', { body: `${PAGE}${' '.repeat(2_200_000)}` }, 422, 'more than 2 MiB'],
    ['a page for members', { status: 403 }, 422, 'HTTP 403'],
    ['a page that is away', { status: 503 }, 503, 'HTTP 503'],
    ['a redirect to another site', { status: 302, location: 'elsewhere' }, 422, 'redirects to another site'],
  ]
  it.each(REFUSED)('refuses %s, and saves nothing', async (name, page, status, words) => {
    const { api, project } = await openSite()
    const path = `/blog/${name.replaceAll(' ', '-')}`
    pages.set(path, page.location ? { ...page, location: `${receiver.url}/posts/elsewhere` } : page)
    await tell(receiver.url, '/_control', { old_post: { slug: 'elsewhere', title: 'Elsewhere', content_html: TEXT } })
    const answer = await adopt(api, project, { url: `${site.url}${path}` })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
    expect(rowsOf((await api.get(`/articles?project_id=${project}`)).body, 'articles')).toEqual([])
  })

  it('refuses an address without a slug, by which no receiver finds a post', async () => {
    const { api, project } = await openSite()
    pages.set('/', {})
    pages.set('/show', {})
    for (const path of ['/', '/show?id=7']) {
      const answer = await adopt(api, project, { url: `${site.url}${path}` })
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('slug of a post')])
    }
  })

  it.each([
    ['an address of another site', { url: 'https://elsewhere.example/blog/oak' }],
    ['an id alone', { post_id: '7' }],
    ['nothing', {}],
  ])('is 400 for %s, and names url', async (_, given) => {
    const { api, project } = await openSite()
    const before = site.calls.length
    const { status, body } = await adopt(api, project, given)
    expect([status, fieldsOf(body)]).toEqual([400, ['url']])
    expect(site.calls.slice(before).filter((call) => call.includes('/blog/oak'))).toEqual([])
  })

  it('is 403 for the project of another account, and reads no page', async () => {
    const { project } = await openSite()
    const other = await newAccount(stack)
    pages.set('/blog/private', {})
    const { status } = await adopt(other, project, { url: `${site.url}/blog/private` })
    expect([status, site.calls.filter((call) => call.includes('/blog/private'))]).toEqual([403, []])
  })

  it('is done on the page of the posts, too, and the care report has the call that changes the text', async () => {
    const { account, api, project } = await openSite()
    pages.set('/blog/by-hand', {})
    const { person } = await signInAsOwner(stack, account)
    const sent = await person.post(`/p/${project}/posts/adopt`, { url: `${site.url}/blog/by-hand` })
    expect(sent.text).toContain('is looked after. Nothing was written to the site.')
    const [article] = rowsOf((await api.get(`/articles?project_id=${project}&origin=adopted`)).body, 'articles')
    expect(article).toMatchObject({ Title: 'Oak & elm', Url: `${site.url}/blog/by-hand` })
    const { body } = await api.get(`/projects/${project}/care?rule=thin`)
    const call = { method: 'POST', path: `/articles/${article?.ID}/sync`, fields: ['content'] }
    expect(rowsOf(body, 'rules')).toMatchObject([{ rule: 'thin', articles: [{ article_id: article?.ID, call }] }])
  })

  it('has no list of posts, and says what to do instead', async () => {
    const { api, project } = await openSite()
    const { status, body } = await api.get(`/projects/${project}/site-posts`)
    expect([status, body]).toMatchObject([
      400,
      { code: 'unsupported_platform', error: expect.stringContaining('adopt posts by their addresses') },
    ])
  })

  it('adopts many by their addresses', async () => {
    const { api, project } = await openSite()
    for (const name of ['one', 'two']) pages.set(`/many/${name}`, {})
    pages.set('/many/away', { status: 503 })
    const urls = ['one', 'two', 'away', 'none'].map((name) => `${site.url}/many/${name}`)
    const ids = await api.post(`/projects/${project}/adopt`, { every_post: true })
    expect([ids.status, fieldsOf(ids.body)]).toEqual([400, ['urls']])
    const wrong = await api.post(`/projects/${project}/adopt`, { urls: [...urls, 'https://elsewhere.example/a'] })
    expect([wrong.status, fieldsOf(wrong.body)]).toEqual([400, ['urls']])
    expect((await api.post(`/projects/${project}/adopt`, { urls })).status).toBe(202)
    await vi.waitFor(
      async () =>
        expect((await api.get(`/projects/${project}/adoption`)).body.adoption).toMatchObject({
          status: 'done',
          wanted: 4,
          adopted: 2,
          refused: 2,
          problems: [
            { post_id: urls[2], reason: expect.stringContaining('HTTP 503') },
            { post_id: urls[3], reason: expect.stringContaining('no page') },
          ],
        }),
      { timeout: PATIENCE_MS, interval: 100 },
    )
  })
})

describe('a change of a post that was adopted at a webhook site', () => {
  /** Adopts a post that a receiver has under its own slug, on the receiver's own site. */
  const adopted = async (slug: string, clauses: Parameters<typeof setPolicy>[2] = { approve_adopted: false }) => {
    const at = await startReceiver({ port: 0, token: TOKEN })
    const { account, api, project, integration } = await openSite(at.url, at.url)
    await setPolicy(stack, project, clauses)
    await tell(at.url, '/_control', { old_post: { slug, title: 'The old shed', content_html: TEXT } })
    const url = `${at.url}/posts/${slug}`
    const { body, text } = await adopt(api, project, { url, post_id: `id-${slug}` })
    expect(body.status, text).toBe('adopted')
    const posts = async () => {
      const response = await fetch(`${at.url}/api/posts`)
      return ((await response.json()) as { posts: Record<string, unknown>[] }).posts
    }
    return { account, api, project, integration, at, url, id: body.article_id as number, posts }
  }
  const NEW = TEXT.replace('thirty years', 'forty years')

  it('waits for an approval, and is sent once, as an update that makes no post', async () => {
    const { account, api, project, at, url, id, posts } = await adopted('waits', {})
    const asked = await api.post(`/articles/${id}/sync`, { content: NEW })
    expect([asked.status, asked.body], asked.text).toMatchObject([202, { status: 'awaiting_approval' }])
    expect(await updatesAt(at)).toEqual([])
    const { person } = await signInAsOwner(stack, account)
    await person.post(`/p/${project}/approvals/${asked.body.approval_id}/decide`, { decision: 'approve' })
    await flush(stack, true)
    const [probe, change, ...more] = await updatesAt(at)
    expect(more).toEqual([])
    expect(probe).toMatchObject({
      id: expect.stringMatching(/^unknown-[0-9a-f-]{36}$/),
      external_id: probe?.id,
      slug: probe?.id,
      status: 'Draft',
      is_update: true,
      update_only: true,
    })
    expect(change).toMatchObject({
      id: String(id),
      external_id: 'id-waits',
      url,
      published_url: url,
      slug: 'waits',
      content_html: expect.stringContaining('forty years'),
      status: 'Published',
      is_update: true,
      update_only: true,
    })
    // Fields that are not known of the post are not sent, so that they are not deleted there.
    for (const name of ['published_at', 'created_at', 'image_url', 'alt_text', 'tags', 'author', 'meta_description'])
      expect(change).not.toHaveProperty(name)
    expect(await posts()).toMatchObject([{ slug: 'waits', content_html: expect.stringContaining('forty years') }])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishState: 'idle', Url: url })
  })

  it('does not ask the receiver again, and sends what the caller empties', async () => {
    const { api, at, id } = await adopted('again')
    const first = await api.post(`/articles/${id}/sync`, { content: NEW, tags: ['Wood'] })
    expect([first.status, first.body], first.text).toMatchObject([200, { status: 'synced', revision: 2 }])
    const second = await api.post(`/articles/${id}/sync`, { title: 'The shed', tags: [] })
    expect(second.status, second.text).toBe(200)
    const updates = await updatesAt(at)
    expect(updates.map(({ title, tags }) => [title, tags])).toEqual([
      ['A post that does not exist', []],
      ['The old shed', ['Wood']],
      ['The shed', []],
    ])
  })

  it('is refused by a receiver that does not answer 404, until it is mended and tested', async () => {
    const { api, at, id, integration, posts } = await adopted('loose')
    const before = await posts()
    await tell(at.url, '/_control', { mode: 'not_json', store: false })
    const first = await api.post(`/articles/${id}/sync`, { content: NEW })
    expect([first.status, first.body]).toMatchObject([
      502,
      { error: expect.any(String), message: expect.stringMatching(/HTTP 200 .*must answer 404 to update_articles/) },
    ])
    const again = await api.post(`/articles/${id}/sync`, { title: 'Other' })
    expect([again.status, again.body]).toMatchObject([
      400,
      { code: 'unsupported_for_sync', message: expect.stringMatching(/must answer 404.*Nothing was saved/) },
    ])
    expect(await updatesAt(at)).toHaveLength(1)
    expect(await posts()).toEqual(before)
    await tell(at.url, '/_control', { mode: 'ok' })
    expect((await api.post(`/integrations/${integration}/test`)).status).toBe(200)
    // The edit was saved with the first call.
    const sent = await api.post(`/articles/${id}/sync`)
    expect([sent.status, (await updatesAt(at)).length], sent.text).toEqual([200, 3])
  })

  it('is not sent while the receiver gives no clear answer, which is not kept', async () => {
    const { api, at, id } = await adopted('busy')
    await tell(at.url, '/_control', { mode: 'unavailable', times: 1 })
    expect((await api.post(`/articles/${id}/sync`, { content: NEW })).status).toBe(502)
    expect(await updatesAt(at)).toHaveLength(1)
    expect((await api.post(`/articles/${id}/sync`, { content: NEW })).status).toBe(200)
    expect(await updatesAt(at)).toHaveLength(3)
  })

  it('asks once, however many first changes come at once', { tags: ['services'] }, async () => {
    const { api, project, at, url, id } = await adopted('at-once')
    const ids = [id]
    for (const slug of ['at-once-2', 'at-once-3']) {
      await tell(at.url, '/_control', { old_post: { slug, title: 'Another shed', content_html: TEXT } })
      const { body } = await adopt(api, project, { url: url.replace(/[^/]+$/, slug) })
      ids.push(body.article_id as number)
    }
    const all = await Promise.all(ids.map((one) => api.post(`/articles/${one}/sync`, { content: NEW })))
    const updates = await updatesAt(at)
    expect(updates.filter((update) => String(update.id).startsWith('unknown-'))).toHaveLength(1)
    const sent = all.filter(({ status }) => status === 200).length
    expect([sent > 0, updates.length]).toEqual([true, sent + 1])
  })

  it('needs a text that somebody wrote: the one that was read from the page is never sent', async () => {
    const { api, at, id } = await adopted('read')
    const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'A new title' })
    expect([status, body.code, fieldsOf(body)]).toEqual([400, 'unsupported_for_sync', ['content']])
    expect(await updatesAt(at)).toEqual([])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Title: 'The old shed', Revision: 1 })
  })

  it('is not sent to another receiver, which may not have the post', async () => {
    const { api, project, id } = await adopted('moved')
    const other = await startReceiver({ port: 0, token: TOKEN })
    await connectReceiver(api, project, other.url, TOKEN)
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: NEW })
    expect([status, body.message]).toEqual([502, expect.stringContaining('adopted at another site or receiver')])
    expect(await updatesAt(other)).toEqual([])
  })

  it('asks a receiver at a new address again', async () => {
    const { api, project, at, id } = await adopted('renewed')
    expect((await api.post(`/articles/${id}/sync`, { content: NEW })).status).toBe(200)
    await connectReceiver(api, project, at.url, TOKEN)
    expect((await api.post(`/articles/${id}/sync`, { title: 'Renewed' })).status).toBe(200)
    const ids = (await updatesAt(at)).map((update) => String(update.id).startsWith('unknown-'))
    expect(ids).toEqual([true, false, true, false])
  })

  it('is not undone with the text that was read, and the undo says so', async () => {
    const { account, at, id } = await adopted('undone')
    const changed = await account.post(`/articles/${id}/sync`, { content: NEW })
    const { status, body } = await account.post('/undo', { request_id: changed.headers.get('x-request-id') })
    expect([status, rowsOf(body, 'entries')]).toMatchObject([
      200,
      [{ result: 'not_undone', message: 'What the site showed before the change is no longer stored.' }],
    ])
    expect(await updatesAt(at)).toHaveLength(2)
    expect((await account.get(`/articles/${id}`)).body.Content).toContain('forty years')
    expect((await account.post(`/articles/${id}/rollback`)).status).toBe(400)
  })

  it('is forgotten by a release, which sends the receiver nothing', async () => {
    const { api, project, at, url, id } = await adopted('released')
    expect((await api.post(`/articles/${id}/release`)).body).toMatchObject({ status: 'released', url })
    expect((await adopt(api, project, { url })).status).toBe(201)
    expect(await updatesAt(at)).toEqual([])
  })
})
