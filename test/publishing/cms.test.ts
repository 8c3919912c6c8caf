import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { type GhostStandIn, startGhost } from '../../local/cms/ghost.ts'
import { type GohighlevelStandIn, startGohighlevel } from '../../local/cms/gohighlevel.ts'
import { startWordpress, type WordpressStandIn } from '../../local/cms/wordpress.ts'
import { type Api, connectReceiver, newAccount, newArticle, newProject, rowsIn, tell } from '../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../support/keys.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { publishedArticle } from '../support/story.ts'
import { cron } from './scene.ts'

const stack = inject('stack')
let ghost: GhostStandIn
let wordpress: WordpressStandIn
let ghl: GohighlevelStandIn

beforeAll(async () => {
  ;[ghost, wordpress, ghl] = await Promise.all([startGhost(), startWordpress(), startGohighlevel()])
})
afterAll(() => Promise.all([ghost.close(), wordpress.close(), ghl.close()]))

const fresh = async (settings: Record<string, unknown> = {}) => {
  const api = manyKeys(stack, await newAccount(stack))
  return { api, project: await newProject(api, settings) }
}

const connectGhost = (api: Api, project: number, more: Record<string, unknown> = {}) =>
  api.post(`/projects/${project}/integrations`, {
    platform: 'ghost',
    api_url: ghost.url,
    admin_api_key: ghost.key,
    ...more,
  })

const postsAtGhost = (slug: unknown) => ghost.posts().filter((post) => post.slug.startsWith(String(slug)))

const publishedAtGhost = async (content: string, settings: Record<string, unknown> = {}) => {
  const { api, project } = await fresh(settings)
  expect((await connectGhost(api, project)).status).toBe(201)
  const id = await newArticle(api, project, { content, title: 'A shed of one’s own', tags: ['Sheds'] })
  const answer = await api.post(`/articles/${id}/publish`)
  expect([answer.status, answer.body]).toMatchObject([200, { status: 'published', article_id: id }])
  const { body } = await api.get(`/articles/${id}`)
  return { api, project, id, slug: body.Slug, url: body.Url, answer: answer.body }
}

describe('connecting a CMS', () => {
  it('checks the CMS first, and returns no secret', async () => {
    const { api, project } = await fresh()
    const { status, body, text } = await connectGhost(api, project, { name: 'The blog' })
    expect([status, body]).toMatchObject([201, { platform: 'ghost', status: 'connected' }])
    expect(body).not.toHaveProperty('signing_secret')
    expect(text).not.toContain(ghost.key.split(':')[1])
    const [row] = rowsOf((await api.get(`/integrations?project_id=${project}`)).body, 'integrations')
    expect(row).toMatchObject({
      ID: body.integration_id,
      Platform: 'ghost',
      IntegrationName: 'The blog',
      Url: ghost.url,
    })
    const tried = await api.post(`/integrations/${String(body.integration_id)}/test`)
    expect([tried.status, tried.body]).toMatchObject([200, { status: 'ok' }])
  })

  it('is 422 with the CMS’s reason if it refuses, and saves nothing', async () => {
    const { api, project } = await fresh()
    const wrong = `${ghost.key.split(':')[0]}:${'0'.repeat(64)}`
    const { status, body } = await connectGhost(api, project, { admin_api_key: wrong })
    expect([status, body]).toMatchObject([
      422,
      { error: 'cms_rejected', code: 'cms_rejected', upstream: { name: 'ghost', status: 401 } },
    ])
    expect((await api.get(`/integrations?project_id=${project}`)).body.count).toBe(0)
  })

  it('saves with a warning if the CMS gives no clear answer', async () => {
    const { api, project } = await fresh()
    await tell(ghost.url, '/_faults', { path: '/ghost/', status: 503 })
    const { status, body } = await connectGhost(api, project)
    await tell(ghost.url, '/_faults')
    expect([status, body.warning]).toEqual([201, expect.stringContaining('could not be tried')])
  })

  it('saves nothing if no server answers at the address, and the webhook stays', async () => {
    const { api, project } = await fresh()
    const before = await connectReceiver(api, project, stack.receiverUrl, 'a-token')
    const gone = await startGhost()
    await gone.close()
    const ghostAnswer = await connectGhost(api, project, { api_url: gone.url })
    expect([ghostAnswer.status, ghostAnswer.body.code]).toEqual([422, 'cms_rejected'])
    const site = await api.post(`/projects/${project}/cms-site`, {
      cms_url: gone.url,
      integration_key: wordpress.pluginKey,
    })
    expect([site.status, site.body.code]).toEqual([422, 'cms_rejected'])
    const rows = rowsOf((await api.get(`/integrations?project_id=${project}`)).body, 'integrations')
    expect(rows.map((row) => row.ID)).toEqual([before.integration_id])
  })

  it('names the earlier target', async () => {
    const { api, project } = await fresh()
    const before = await connectReceiver(api, project, stack.receiverUrl, 'a-token')
    const { body } = await connectGhost(api, project)
    expect(body.replaced).toMatchObject({ integration_id: before.integration_id, platform: 'webhook' })
    const again = await connectGhost(api, project)
    expect(again.body.replaced).toMatchObject({ integration_id: body.integration_id, platform: 'ghost' })
  })

  it.each([
    ['no key', { admin_api_key: undefined }, 'admin_api_key'],
    ['a key of another form', { admin_api_key: 'abc' }, 'admin_api_key'],
    ['no address', { api_url: undefined }, 'api_url'],
    ['an address that is none', { api_url: 'blog' }, 'api_url'],
  ])('is 400 for %s', async (_, more, field) => {
    const { api, project } = await fresh()
    const { status, body } = await connectGhost(api, project, more)
    expect([status, fieldsOf(body)]).toEqual([400, [field]])
  })

  it('refuses addresses that are not public', async () => {
    const { api, project } = await fresh()
    const { status, body } = await connectGhost(api, project, { api_url: 'http://169.254.169.254' })
    expect([status, body.code, fieldsOf(body)]).toEqual([400, 'forbidden_url', ['api_url']])
  })
})

describe('POST /projects/:id/cms-site', () => {
  it.each(['cms-site', 'wordpress'])('connects the plugin (%s)', async (path) => {
    const { api, project } = await fresh()
    const address = path === 'cms-site' ? { cms_url: wordpress.url } : { wordpress_url: `${wordpress.url}/wp-admin/` }
    const { status, body } = await api.post(`/projects/${project}/${path}`, {
      ...address,
      integration_key: wordpress.pluginKey,
    })
    expect([status, body]).toMatchObject([200, { project_id: project, cms_url: wordpress.url, status: 'connected' }])
    expect(body.message).toContain('plugin')
    const id = await newArticle(api, project)
    const published = await api.post(`/articles/${id}/publish`)
    expect([published.status, published.body.url]).toEqual([200, expect.stringContaining(wordpress.url)])
  })

  it('connects with an application password under both names', async () => {
    const { api, project } = await fresh()
    for (const user of [{ cms_username: 'admin' }, { wp_username: 'admin' }]) {
      const { status, body } = await api.post(`/projects/${project}/cms-site`, {
        cms_url: wordpress.url,
        integration_key: wordpress.passwordOf('admin'),
        ...user,
      })
      expect([status, body.status]).toEqual([200, 'connected'])
    }
    expect((await api.get(`/integrations?project_id=${project}`)).body.count).toBe(1)
  })

  it.each(['ftp://blog.example', 'https://me:secret@blog.example', 'http://10.0.0.1'])(
    'calls no %s, and names the field as sent',
    async (url) => {
      const { api, project } = await fresh()
      const integration_key = wordpress.passwordOf('admin')
      for (const [field, user] of [
        ['cms_url', 'cms_username'],
        ['wordpress_url', 'wp_username'],
      ] as const) {
        const answer = await api.post(`/projects/${project}/cms-site`, {
          [field]: url,
          [user]: 'admin',
          integration_key,
        })
        expect([answer.status, answer.body.code, fieldsOf(answer.body)]).toEqual([400, 'forbidden_url', [field]])
        const nowhere = await api.post(`/projects/${project}/cms-site`, {
          [field]: 'blog',
          [user]: 'admin',
          integration_key,
        })
        expect([nowhere.status, nowhere.body.code, fieldsOf(nowhere.body)]).toEqual([400, 'invalid_input', [field]])
      }
    },
  )

  it('distinguishes a wrong password from a wrong form', async () => {
    const { api, project } = await fresh()
    const call = (integration_key: string, more: Record<string, unknown> = {}) =>
      api.post(`/projects/${project}/cms-site`, { cms_url: wordpress.url, integration_key, ...more })
    const wrong = await call('x'.repeat(24), { cms_username: 'admin' })
    expect([wrong.status, wrong.body.error]).toEqual([422, 'cms_rejected'])
    expect((wrong.body.upstream as { message: string }).message).not.toContain('x'.repeat(24))
    const malformed = await call('not-a-key')
    expect([malformed.status, fieldsOf(malformed.body)]).toEqual([400, ['integration_key']])
    expect((await api.get(`/integrations?project_id=${project}`)).body.count).toBe(0)
  })
})

describe('a published post', () => {
  it('is one post, however often it is published and synced', async () => {
    const { api, id, slug, url } = await publishedAtGhost('<p>First words.</p>')
    expect((await api.post(`/articles/${id}/publish`)).body.status).toBe('published')
    const synced = await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    expect([synced.status, synced.body]).toMatchObject([200, { status: 'synced', url }])
    expect(postsAtGhost(slug)).toMatchObject([{ slug, status: 'published' }])
    expect(postsAtGhost(slug)[0]?.html).toContain('Second words.')
  })

  it('keeps an editor’s status and words; only another publication shows it again', async () => {
    const { api, id, slug, url } = await publishedAtGhost('<p>Words.</p>')
    const post = () => postsAtGhost(slug)[0]
    if (!post()) throw new Error('no post')
    Object.assign(post() ?? {}, { title: 'Corrected by an editor', status: 'draft' })
    const sync = await api.post(`/articles/${id}/sync`, { tags: ['Huts'] })
    expect([sync.status, sync.body]).toMatchObject([
      200,
      { status: 'synced', url: null, warnings: [expect.stringContaining('has the status "draft"')] },
    ])
    expect(post()).toMatchObject({ title: 'Corrected by an editor', status: 'draft' })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', Url: url })
    expect((await api.post(`/articles/${id}/rollback`)).body).toMatchObject({
      url: null,
      message: expect.stringContaining('which readers do not see'),
      warnings: [expect.stringContaining('has the status "draft"')],
    })
    expect(post()?.status).toBe('draft')
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published', url })
    expect(postsAtGhost(slug).map(({ status }) => status)).toEqual(['published'])
    Object.assign(post() ?? {}, { visibility: 'members' })
    expect((await api.post(`/articles/${id}/sync`)).body).toMatchObject({
      url,
      warnings: [expect.stringContaining('only members can read the post')],
    })
  })

  it('names the words of an editor that a change or another publication replaces, and puts them back', async () => {
    const { api, id, slug } = await publishedAtGhost('<p>First words.</p>')
    const post = () => postsAtGhost(slug)[0] ?? expect.unreachable('no post')
    expect((await api.post(`/articles/${id}/sync`, { title: 'Our second title' })).body).not.toHaveProperty('warnings')
    Object.assign(post(), { title: 'By an editor', meta_description: 'By an editor too' })
    const synced = await api.post(`/articles/${id}/sync`, { title: 'Our third title' })
    const warning = expect.stringMatching(
      /have been replaced: title \(it was “By an editor”\)\. POST \/articles\/\d+\/rollback/,
    )
    expect(synced.body.warnings).toEqual([warning])
    expect(post()).toMatchObject({ title: 'Our third title', meta_description: 'By an editor too' })
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(post().title).toBe('By an editor')
    expect((await api.post(`/articles/${id}/unpublish`)).status).toBe(200)
    const published = await api.post(`/articles/${id}/publish`)
    expect(published.body.warnings).toEqual([
      expect.stringMatching(/title \(it was “By an editor”\); meta_description \(it was “By an editor too”\)/),
    ])
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(post()).toMatchObject({ title: 'By an editor', status: 'published' })
  })

  it('is one even if the CMS answers with characters that cannot be stored', async () => {
    const { api, project } = await fresh()
    await connectGhost(api, project)
    const id = await newArticle(api, project, { title: 'A shed with a null character' })
    const slug = String((await api.get(`/articles/${id}`)).body.Slug)
    const made = {
      id: 'a'.repeat(24),
      slug,
      title: 'Shed',
      status: 'published',
      updated_at: '2026-01-02T03:04:05Z',
    }
    await tell(ghost.url, '/_faults', {
      path: 'PUT /ghost/api/admin/posts/',
      status: 200,
      answer: { posts: [{ ...made, url: `${ghost.url}/shed-\u0000\ud800/`, html: '<p>\u0000</p>' }] },
    })
    const { status, body } = await api.post(`/articles/${id}/publish`)
    await tell(ghost.url, '/_faults')
    expect([status, body]).toMatchObject([
      200,
      { status: 'published', url: expect.stringContaining('/shed-\uFFFD\uFFFD/') },
    ])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  })

  it('can be synced again after a lost answer, which is retryable', async () => {
    const { api, id, slug } = await publishedAtGhost('<p>First words.</p>')
    await tell(ghost.url, '/_faults', { path: 'PUT /ghost', drop: 'after', times: 1 })
    const lost = await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    await tell(ghost.url, '/_faults')
    expect([lost.status, lost.body.code, lost.body.retryable]).toEqual([502, 'sync_failed', true])
    expect((await api.post(`/articles/${id}/sync`)).status).toBe(200)
    expect(postsAtGhost(slug)).toMatchObject([{ html: expect.stringContaining('Second words.') }])
  })

  it('is rolled back to the earlier version, and again back, also after its site was connected again', async () => {
    const { api, project, id, slug } = await publishedAtGhost('<p>First words.</p>')
    const nothing = await api.post(`/articles/${id}/rollback`)
    expect([nothing.status, nothing.body.code]).toEqual([409, 'nothing_to_roll_back'])
    await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>', title: 'Another title' })
    expect((await connectGhost(api, project)).status).toBe(201)
    const back = await api.post(`/articles/${id}/rollback`)
    expect([back.status, back.body]).toMatchObject([200, { status: 'rolled_back', article_id: id }])
    expect(postsAtGhost(slug)).toMatchObject([{ title: 'A shed of one’s own' }])
    expect(postsAtGhost(slug)[0]?.html).toContain('First words.')
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Title: 'Another title', PublishState: 'idle' })
    const forth = await api.post(`/articles/${id}/rollback`)
    expect([forth.status, forth.body.warnings]).toEqual([200, undefined])
    expect(postsAtGhost(slug)[0]?.html).toContain('Second words.')
    Object.assign(postsAtGhost(slug)[0] ?? {}, { title: 'By an editor' })
    expect((await api.post(`/articles/${id}/rollback`)).body.warnings).toEqual([
      expect.stringMatching(/replaced: title \(it was “By an editor”\)\. Roll back once more/),
    ])
  })

  it('is not rolled back to a version of an earlier site', async () => {
    const next = await startGhost()
    const { api, project, id, slug } = await publishedAtGhost('<p>First words.</p>')
    await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    const { version_id } = (await api.post(`/articles/${id}/rollback`)).body
    expect((await connectGhost(api, project, { api_url: next.url, admin_api_key: next.key })).status).toBe(201)
    const nothing = await api.post(`/articles/${id}/rollback`)
    expect([nothing.status, nothing.body.code]).toEqual([409, 'nothing_to_roll_back'])
    // The next site has the post too, as after a move with all its data.
    for (const post of postsAtGhost(slug)) next.state.posts.set(post.id, { ...post })
    expect((await api.post(`/articles/${id}/sync`)).status).toBe(200)
    const older = await api.post(`/articles/${id}/rollback`, { version_id })
    expect([older.status, older.body.code]).toEqual([409, 'nothing_to_roll_back'])
    expect(next.posts()).toMatchObject([{ html: expect.stringContaining('Second words.') }])
    expect(postsAtGhost(slug)[0]?.html).toContain('First words.')
    await next.close()
  })

  it('that was rolled back does not count later effects, and the same text sent again is a change', async () => {
    const { api, project, id } = await publishedAtGhost('<p>First words.</p>')
    await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    await api.post(`/articles/${id}/rollback`)
    await api.post(`/articles/${id}/sync`)
    await rowsIn(stack, sql`update page_changes set measure_at = now() where project_id = ${project}::int`)
    await cron(stack)
    const { effects, summary } = await vi.waitFor(
      async () => {
        const { body } = await api.get(`/suggestions/effects?project_id=${project}`)
        expect(body.summary).toMatchObject({ all: { n: 2, waiting: 0 }, rollback: { n: 1, waiting: 0 } })
        return body
      },
      { timeout: PATIENCE_MS, interval: 200 },
    )
    expect(effects).toMatchObject([
      { kind: 'sync', effect: { verdict: null, reason: expect.stringMatching(/changed again within/) } },
      { kind: 'rollback', effect: { verdict: null } },
      { kind: 'sync', effect: { verdict: null, reason: expect.stringMatching(/undone within 28 days/) } },
    ])
    expect(summary).toMatchObject({ sync: { n: 2, without_verdict: 2 }, rewrite: { n: 0 } })
  })

  it('keeps its state if the CMS refuses a rollback, with the reason', async () => {
    const { api, id, slug } = await publishedAtGhost('<p>First words.</p>')
    await api.post(`/articles/${id}/sync`, { content: '<p>Second words.</p>' })
    ghost.state.posts.delete(postsAtGhost(slug)[0]?.id ?? '')
    const { status, body } = await api.post(`/articles/${id}/rollback`)
    expect([status, body]).toMatchObject([
      502,
      { error: 'rollback_failed', retryable: false, upstream: { name: 'ghost' } },
    ])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Published', PublishState: 'failed' })
  })

  it('cannot be rolled back at a webhook receiver', async () => {
    const { api, project } = await fresh()
    await connectReceiver(api, project, stack.receiverUrl, stack.receiverToken)
    const id = await newArticle(api, project)
    const early = await api.post(`/articles/${id}/rollback`)
    expect([early.status, early.body.code]).toEqual([400, 'not_published'])
    await api.post(`/articles/${id}/publish`)
    const callsOf = async () => {
      const { status, body } = await api.post(`/articles/${id}/rollback`)
      expect([status, body.error]).toEqual([400, 'unsupported_for_sync'])
      return (body.next_calls as { path: string }[]).map(({ path }) => path.replace(`/articles/${id}/`, ''))
    }
    expect(await callsOf()).toEqual(['revisions/1/restore', 'revisions', 'sync'])
    for (const title of ['Second', 'Third']) await api.post(`/articles/${id}/sync`, { title })
    expect(await callsOf()).toEqual(['revisions/3/restore', 'revisions', 'sync'])
  })
})

describe('a post that the site holds for review', () => {
  it('leaves the article unpublished and says what to do; approved there, the same post is published', async () => {
    const { api, project } = await fresh()
    const connected = await api.post(`/projects/${project}/cms-site`, {
      cms_url: wordpress.url,
      integration_key: wordpress.pluginKey,
    })
    expect(connected.status).toBe(200)
    const id = await newArticle(api, project, { title: 'Held for review', content: '<p>Words.</p>' })
    const answer = await api.post(`/articles/${id}/publish`)
    expect([answer.status, answer.body]).toMatchObject([
      202,
      { status: 'held', article_id: id, error: expect.stringMatching(/"pending".*approve or publish/) },
    ])
    const { body: article } = await api.get(`/articles/${id}`)
    expect(article).toMatchObject({
      Status: 'Draft',
      PublishState: 'failed',
      Url: null,
      PublishError: answer.body.error,
    })
    const post = wordpress.posts().find(({ slug }) => slug === article.Slug)
    if (!post) throw new Error('no post')
    Object.assign(post, { status: 'publish', title: 'Approved' })
    expect((await api.post(`/articles/${id}/publish`)).body).toMatchObject({ status: 'published' })
    expect(wordpress.posts().filter(({ slug }) => slug.startsWith(String(article.Slug)))).toHaveLength(1)
  })
})

describe('a CMS without a place for our mark', () => {
  const posts = async (slug: unknown) =>
    rowsOf({ posts: await (await fetch(`${ghl.url}/_posts`)).json() }, 'posts').filter((post) => post.urlSlug === slug)

  const article = async () => {
    const { api, project } = await fresh()
    const connected = await api.post(`/projects/${project}/integrations`, {
      platform: 'gohighlevel',
      private_token: ghl.token,
      location_id: ghl.locationId,
      blog_url: 'https://blog.shed.example',
      default_image_url: `${ghl.url}/_image.png`,
      api_url: ghl.url,
    })
    expect(connected.status).toBe(201)
    const id = await newArticle(api, project, { title: 'The old title' })
    return { api, id, slug: (await api.get(`/articles/${id}`)).body.Slug, project }
  }

  it('gets no second post from a replay, whatever the title is now', async () => {
    const { api, id, slug, project } = await article()
    expect((await api.post(`/articles/${id}/publish`)).status).toBe(200)
    expect((await api.post(`/articles/${id}/sync`, { title: 'The new title' })).status).toBe(200)
    const { body } = await api.get(`/webhook-deliveries?project_id=${project}`)
    const first = rowsOf(body, 'deliveries').at(-1)
    const replay = await api.post(`/webhook-deliveries/${String(first?.id)}/replay`, { force: true })
    expect([replay.status, replay.body.status]).toEqual([201, 'published'])
    expect(await posts(slug)).toMatchObject([{ title: 'The old title' }])
  })

  it('gets no second post from an edit while the outcome of the first is unknown', async () => {
    const { api, id, slug } = await article()
    await tell(ghl.url, '/_faults', { path: 'POST /blogs/posts', drop: 'after', times: 1 })
    const lost = await api.post(`/articles/${id}/publish`)
    await tell(ghl.url, '/_faults')
    expect([lost.status, lost.body.status]).toEqual([202, 'unknown'])
    const edit = { title: 'The new title', keyword: `other words ${id}` }
    const { status, body } = await api.put(`/articles/${id}`, edit)
    expect([status, body.message]).toEqual([200, expect.stringContaining('It is not known yet whether')])
    expect((await api.post(`/articles/${id}/publish`)).body.status).toBe('published')
    expect(await posts(slug)).toMatchObject([{ title: 'The new title' }])
    expect(await posts((await api.get(`/articles/${id}`)).body.Slug)).toEqual([])
  })
})

describe('image_hosting CMS', () => {
  const images = (n: number) => `<p>Words.</p><img src="${ghost.url}/_image.png?n=${n}" alt="A shed">`

  it('uploads each image once and points the HTML there', async () => {
    const before = ghost.uploads.length
    const { api, id, slug } = await publishedAtGhost(images(1) + images(1), { image_hosting: 'CMS' })
    expect(ghost.uploads.length - before).toBe(1)
    expect(postsAtGhost(slug)[0]?.html).toContain(`${ghost.url}/content/images/`)
    await api.post(`/articles/${id}/sync`, { content: images(1) + images(2) })
    expect(ghost.uploads.length - before).toBe(2)
  })

  it('uploads an image again that somebody deleted at the site', async () => {
    const before = ghost.uploads.length
    const { api, id, slug } = await publishedAtGhost(images(5), { image_hosting: 'CMS' })
    const [deleted = ''] = ghost.uploads.slice(before)
    ghost.lost.add(deleted)
    await api.post(`/articles/${id}/sync`, { content: `${images(5)}<p>More.</p>` })
    const [again = ''] = ghost.uploads.slice(before + 1)
    expect(again).not.toBe('')
    expect(postsAtGhost(slug)[0]?.html).toContain(`/content/images/2026/11/${again}`)
    expect(postsAtGhost(slug)[0]?.html).not.toContain(`/content/images/2026/11/${deleted}`)
  })

  it('uploads them again at the site that was connected next', async () => {
    const next = await startGhost()
    const { api, project, id } = await publishedAtGhost(images(4), { image_hosting: 'CMS' })
    expect((await connectGhost(api, project, { api_url: next.url, admin_api_key: next.key })).status).toBe(201)
    await publishedArticle(api, project, { content: images(4) })
    expect(next.uploads).toHaveLength(1)
    expect(next.posts()[0]?.html).toContain(`${next.url}/content/images/`)
    expect((await api.get(`/articles/${id}`)).body.Content).toBe(images(4))
    await next.close()
  })

  it('leaves them where they are otherwise', async () => {
    const { slug } = await publishedAtGhost(images(3))
    expect(postsAtGhost(slug)[0]?.html).toContain('/_image.png?n=3')
  })

  it('names an image that could not be uploaded, and publishes anyway', async () => {
    const { answer, slug } = await publishedAtGhost(`<p>Words.</p><img src="${ghost.url}/none.txt" alt="">`, {
      image_hosting: 'CMS',
    })
    expect(answer.warnings).toEqual([expect.stringContaining('/none.txt')])
    expect(postsAtGhost(slug)[0]?.html).toContain('/none.txt')
  })
})
