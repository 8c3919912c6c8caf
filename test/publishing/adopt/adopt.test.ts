import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type GhostStandIn, startGhost } from '../../../local/cms/ghost.ts'
import { startWordpress, type WordpressStandIn } from '../../../local/cms/wordpress.ts'
import { signInAsOwner } from '../../accounts/people/browser.ts'
import { setPolicy } from '../../accounts/policy/set.ts'
import { type Api, connectReceiver, newAccount, newProject, rowsIn, tell } from '../../support/client.ts'
import { fieldsOf, manyKeys, rowsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { flush } from '../scene.ts'

const stack = inject('stack')
let ghost: GhostStandIn
let wordpress: WordpressStandIn

beforeAll(async () => {
  ;[ghost, wordpress] = await Promise.all([startGhost(), startWordpress()])
})
afterAll(() => Promise.all([ghost.close(), wordpress.close()]))

const BLOCKS =
  '<!-- wp:paragraph -->\n<p>The <a href="https://shed.example/">old shed</a> stood for thirty years.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:gallery {"ids":[1,2]} -->\n<figure class="wp-block-gallery"></figure>\n<!-- /wp:gallery -->'

/** Returns the slug that WordPress makes of a title. */
const slugOf = (title: unknown): string =>
  String(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

/** Writes a post at the site as its administrator. */
const write = async (fields: Record<string, unknown>): Promise<{ id: number; link: string; slug: string }> => {
  const response = await fetch(`${wordpress.url}/wp-json/wp/v2/posts`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${wordpress.passwordOf('admin')}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      status: 'publish',
      content: BLOCKS,
      excerpt: 'How it began.',
      slug: slugOf(fields.title),
      ...fields,
    }),
  })
  return (await response.json()) as never
}

const stored = (id: number) => wordpress.posts().find((post) => post.id === id)

const openSite = async (platform: 'wordpress' | 'ghost' = 'wordpress', user = 'admin') => {
  const account = await newAccount(stack, { plan: 'agentic' })
  const api = manyKeys(stack, account)
  const project = await newProject(api)
  const fields =
    platform === 'ghost'
      ? { api_url: ghost.url, admin_api_key: ghost.key }
      : { cms_url: wordpress.url, cms_username: user, integration_key: wordpress.passwordOf(user) }
  const connected = await api.post(`/projects/${project}/integrations`, { platform, ...fields })
  expect(connected.status, connected.text).toBe(201)
  return { api, project, account }
}

/** Approves a request as the owner of the account, and runs what follows. */
const approve = async (account: Api, project: number, approval: unknown) => {
  const { person } = await signInAsOwner(stack, account)
  await person.post(`/p/${project}/approvals/${approval}/decide`, { decision: 'approve' })
  await flush(stack, true)
}

const adopt = async (api: Api, project: number, post_id: unknown) => {
  const { status, body, text } = await api.post('/articles/adopt', { project_id: project, post_id: String(post_id) })
  expect([200, 201], text).toContain(status)
  return { status, body, id: body.article_id as number }
}

describe('GET /projects/:id/site-posts', () => {
  it('lists the posts of the site, and says which of them are articles', async () => {
    const { api, project } = await openSite()
    const [first, second] = [
      await write({ title: 'The first shed' }),
      await write({ title: 'A draft', status: 'draft' }),
    ]
    const { id } = await adopt(api, project, first.id)
    const own = await publishedArticle(api, project)
    const { body } = await api.get(`/projects/${project}/site-posts`)
    const of = (post: unknown) => rowsOf(body, 'posts').find(({ post_id }) => post_id === String(post))
    expect(of(first.id)).toMatchObject({
      title: 'The first shed',
      url: first.link,
      status: 'published',
      site_status: 'publish',
      author: 'admin',
      article_id: id,
      origin: 'adopted',
    })
    expect(of(second.id)).toMatchObject({ status: 'draft', url: null, article_id: null, origin: null })
    expect(rowsOf(body, 'posts').find(({ article_id }) => article_id === own)).toMatchObject({ origin: 'own' })
    expect(body).toMatchObject({ platform: 'wordpress', hidden: 0, next_cursor: null })
  })

  it('counts the posts that the connected user cannot edit', async () => {
    await write({ title: 'Of the administrator' })
    const { api, project } = await openSite('wordpress', 'author')
    const { body } = await api.get(`/projects/${project}/site-posts`)
    expect(body.hidden).toBeGreaterThan(0)
  })

  it.each([
    [503, 503, 'provider_unavailable'],
    [401, 422, 'cms_rejected'],
  ])('is an error with the reason if the site answers %s', async (fault, status, code) => {
    const { api, project } = await openSite('ghost')
    await tell(ghost.url, '/_faults', { path: '/ghost/', status: fault, answer: { errors: [{ message: 'No.' }] } })
    const answer = await api.get(`/projects/${project}/site-posts`)
    await tell(ghost.url, '/_faults')
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.body.upstream).toMatchObject({ name: 'ghost', message: expect.stringContaining('No.') })
  })

  it('is 400 without a site, with one that has no list, and with an empty cursor', async () => {
    const account = manyKeys(stack, await newAccount(stack))
    const project = await newProject(account)
    expect((await account.get(`/projects/${project}/site-posts`)).body.code).toBe('no_cms_integration')
    await connectReceiver(account, project, stack.receiverUrl, 'a-token')
    expect((await account.get(`/projects/${project}/site-posts`)).body.code).toBe('unsupported_platform')
    expect(fieldsOf((await account.get(`/projects/${project}/site-posts?cursor=`)).body)).toEqual(['cursor'])
  })
})

describe('GET /projects/:id/site-posts?q=', () => {
  it('searches titles and addresses of the site’s pages without a CMS, and says when they were indexed', async () => {
    const account = await newAccount(stack, { plan: 'agentic' })
    const project = await newProject(account)
    const host = `https://q${project}.example`
    const at = '2026-01-02T03:04:05.000Z'
    await rowsIn(
      stack,
      sql`insert into site_pages (project_id, url, url_key, title, seen_at)
        select ${project}::int, ${host} || '/' || slug, ${host} || '/' || slug, title, ${at}::timestamptz
        from (values ('garden-sheds', 'Sheds'), ('100%_oak', 'Oak'), ('tea', '緑茶の淹れ方')) as page(slug, title)`,
    )
    const search = (q: string) => account.get(`/projects/${project}/site-posts?q=${encodeURIComponent(q)}`)
    const found = async (q: string) => rowsOf((await search(q)).body, 'posts').map(({ url }) => url)
    const { body } = await search('SHEDS garden')
    expect(body).toMatchObject({
      platform: null,
      posts: [{ post_id: null, title: 'Sheds', url: `${host}/garden-sheds`, status: 'published', article_id: null }],
      total: 1,
      indexed_at: at,
      next_cursor: null,
    })
    expect(await found('%_')).toEqual([`${host}/100%_oak`])
    expect(await found('緑茶')).toEqual([`${host}/tea`])
    expect(await found('sheds oak')).toEqual([])
    expect(fieldsOf((await account.get(`/projects/${project}/site-posts?q=x&cursor=x`)).body)).toEqual(['cursor'])
    expect(fieldsOf((await search('a b c d e f g h i j k')).body)).toEqual(['q'])
    const other = await newAccount(stack)
    expect((await other.get(`/projects/${project}/site-posts?q=x`)).status).toBe(403)
  })
})

describe('POST /articles/adopt', () => {
  it('makes an article of a post by its id, and writes nothing to the site', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'How &amp; why' })
    const before = JSON.stringify(stored(post.id))
    const { status, body, id } = await adopt(api, project, post.id)
    expect([status, body]).toMatchObject([
      201,
      {
        status: 'adopted',
        origin: 'adopted',
        title: 'How & why',
        url: post.link,
        format: 'blocks',
        editable: true,
        revision: 1,
      },
    ])
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      Status: 'Published',
      origin: 'adopted',
      Title: 'How & why',
      MetaDescription: 'How it began.',
      Url: post.link,
      Revision: 1,
      Content: expect.stringContaining('stood for thirty years.'),
      Adopted: { post_id: String(post.id), format: 'blocks', author: 'admin', editable: true },
    })
    const [kept] = await rowsIn<{ source: string }>(
      stack,
      sql`select source from adopted_posts where article_id = ${id}::int`,
    )
    expect(kept?.source).toBe(BLOCKS)
    expect(JSON.stringify(stored(post.id))).toBe(before)
  })

  it('makes an article of a post by its address', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'By its address' })
    const { status, body } = await api.post('/articles/adopt', { project_id: project, url: post.link })
    expect([status, body]).toMatchObject([201, { title: 'By its address' }])
  })

  it('makes an article of a post of Ghost', async () => {
    const { api, project } = await openSite('ghost')
    const post = ghost.write({ title: 'From Ghost', html: '<p>Oak lasts.</p>', tags: [{ name: 'Wood' }] })
    const { id, body } = await adopt(api, project, post.id)
    expect(body).toMatchObject({ format: 'lexical', url: `${ghost.url}/from-ghost/` })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Content: '<p>Oak lasts.</p>', Tags: ['Wood'] })
  })

  it('changes one sentence of a post of Ghost, and leaves its cards as they are', async () => {
    const { api, project } = await openSite('ghost')
    await setPolicy(stack, project, { approve_adopted: false })
    const card = { type: 'signup', version: 1, header: 'Join', labels: ['a'] }
    const paragraph = (text: string) => ({
      type: 'paragraph',
      version: 1,
      children: [{ type: 'text', text, format: 0 }],
    })
    const lexical = JSON.stringify({
      root: { type: 'root', children: [paragraph('Oak lasts.'), card, paragraph('Elm rots.')] },
    })
    const post = ghost.write({ title: 'Cards of Ghost', lexical })
    const { id } = await adopt(api, project, post.id)
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    expect(content).toContain('data-label="Sign-up"')
    const now = () => ghost.posts().find((one) => one.id === post.id)?.lexical
    const sent = await api.post(`/articles/${id}/sync`, { content: content.replace('Elm rots', 'Elm falls') })
    expect([sent.status, now()], sent.text).toEqual([200, lexical.replace('Elm rots', 'Elm falls')])
    expect(sent.body).not.toHaveProperty('warnings')
    const without = await api.post(`/articles/${id}/sync`, { content: '<p>Oak lasts.</p><p>Elm falls.</p>' })
    expect([without.status, without.body]).toMatchObject([
      400,
      { error: 'unsupported_for_sync', parts: [{ label: 'Sign-up' }] },
    ])
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(now()).toBe(lexical)
    const row = ghost.state.posts.get(post.id)
    if (row) row.lexical = lexical.replace('Oak lasts', 'Oak stays')
    const over = await api.post(`/articles/${id}/sync`, { content: content.replace('Elm rots', 'Elm falls') })
    expect([over.status, over.body]).toMatchObject([
      409,
      { error: 'changed_at_site', parts: expect.arrayContaining([expect.objectContaining({ text: 'Oak stays.' })]) },
    ])
    expect(now()).toBe(lexical.replace('Oak lasts', 'Oak stays'))
  })

  it('returns the same article for the same post', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Twice' })
    const first = await adopt(api, project, post.id)
    const again = await api.post('/articles/adopt', { project_id: project, url: post.link })
    expect([again.status, again.body]).toMatchObject([
      200,
      { status: 'known', origin: 'adopted', article_id: first.id },
    ])
  })

  it('makes one article of a post that is adopted ten times at once', { tags: ['services'] }, async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Ten times' })
    const all = await Promise.all(Array.from({ length: 10 }, () => adopt(api, project, post.id)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  })

  it('returns the article that made the post', async () => {
    const { api, project } = await openSite()
    const id = await publishedArticle(api, project)
    const [post] = await rowsIn<{ remote_id: string }>(stack, sql`select remote_id from articles where id = ${id}::int`)
    const again = await adopt(api, project, post?.remote_id)
    expect([again.status, again.body]).toMatchObject([200, { status: 'known', article_id: id, origin: 'own' }])
  })

  it('takes a post whose slug an article has, under another slug here', async () => {
    const { api, project } = await openSite()
    const draft = await api.post('/articles', { project_id: project, keyword: 'a shared slug' })
    const post = await write({ title: 'A shared slug', slug: draft.body.slug })
    const { id } = await adopt(api, project, post.id)
    expect((await api.get(`/articles/${id}`)).body.Slug).toBe(`${String(draft.body.slug)}-2`)
  })

  it('takes the post of a page builder for reading only', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Built', test_meta: { _elementor_edit_mode: 'builder' } })
    const { body } = await adopt(api, project, post.id)
    expect(body).toMatchObject({
      editable: false,
      owner: 'Elementor',
      warnings: [expect.stringContaining('Elementor')],
    })
  })

  it('takes a post whose public page cannot be read, with a warning', async () => {
    const { api, project } = await openSite()
    const posts = [await write({ title: 'Behind a slow host' }), await write({ title: 'Behind a wall' })]
    const [slow, walled] = posts.map(({ link }) => new URL(link).pathname)
    await tell(wordpress.url, '/_faults', [
      { path: slow, drop: 'before' },
      { path: walled, status: 403 },
    ])
    for (const { id } of posts) {
      const { status, body } = await api.post('/articles/adopt', { project_id: project, post_id: String(id) })
      expect([status, body]).toMatchObject([
        201,
        { editable: false, owner: null, warnings: [expect.stringContaining('if a page builder draws it')] },
      ])
    }
    await tell(wordpress.url, '/_faults')
  })

  it('finds a page builder behind a redirect of the public page', async () => {
    const { api, project } = await openSite()
    const [post, moved] = [await write({ title: 'Moved' }), '/new-place']
    const body = '<div data-elementor-type="wp-post">Drawn.</div>'
    await tell(wordpress.url, '/_faults', [
      { path: new URL(post.link).pathname, status: 301, answer: '', headers: { location: moved } },
      { path: moved, status: 200, answer: body },
    ])
    const { body: found } = await adopt(api, project, post.id)
    await tell(wordpress.url, '/_faults')
    expect(found).toMatchObject({ editable: false, owner: 'Elementor' })
  })

  it.each([
    ['draft', 422, 'cms_rejected'],
    ['trash', 404, 'not_found'],
  ])('refuses a post with the status %s', async (status, code, name) => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Not public', status: 'draft' })
    const row = stored(post.id)
    if (row) row.status = status
    const answer = await api.post('/articles/adopt', { project_id: project, post_id: String(post.id) })
    expect([answer.status, answer.body.code]).toEqual([code, name])
  })

  it.each([
    ['neither url nor post_id', {}, 'url'],
    ['both', { url: 'https://shed.example/a', post_id: '7' }, 'url'],
    ['an address that is none', { url: 'shed' }, 'url'],
    ['an empty id', { post_id: '' }, 'post_id'],
  ])('is 400 for %s', async (_, given, field) => {
    const { api, project } = await openSite()
    const { status, body } = await api.post('/articles/adopt', { project_id: project, ...given })
    expect([status, fieldsOf(body)]).toEqual([400, [field]])
  })

  it('is 402 beyond the maximum of the plan', async () => {
    const { api, project } = await openSite()
    const first = await adopt(api, project, (await write({ title: 'The last that fits' })).id)
    await rowsIn(
      stack,
      sql`with more as (insert into articles (account_id, project_id, origin, status, title, main_keyword, slug, published_at)
        select account_id, project_id, 'adopted', 'Published', 't', 't', 'filler-' || n, now() from articles, generate_series(2, 500) n
          where id = ${first.id}::int returning id, project_id)
        insert into adopted_posts (article_id, project_id, site, post_id, format, source, source_hash, fields, read_at)
        select id, project_id, 'wordpress https://elsewhere.example', id::text, 'html', '', '', '{}', now() from more returning article_id`,
    )
    const post = await write({ title: 'One too many' })
    const answer = await api.post('/articles/adopt', { project_id: project, post_id: String(post.id) })
    expect([answer.status, answer.body]).toMatchObject([402, { code: 'adoption_limit', used: 500, limit: 500 }])
  })

  it('is 403 for the project of another account', async () => {
    const { project } = await openSite()
    const other = await newAccount(stack)
    const { status } = await other.post('/articles/adopt', { project_id: project, post_id: '1' })
    expect(status).toBe(403)
  })
})

describe('an adopted article', () => {
  const adopted = async (title: string, clauses: Parameters<typeof setPolicy>[2] = { approve_adopted: false }) => {
    const { api, project, account } = await openSite()
    await setPolicy(stack, project, clauses)
    const post = await write({ title })
    const { id } = await adopt(api, project, post.id)
    return { api, project, account, post, id }
  }

  it('is listed by its origin, and does not count for onboarding', async () => {
    const { api, project, id } = await adopted('Listed by origin')
    const ids = async (origin: string) =>
      rowsOf((await api.get(`/articles?project_id=${project}&origin=${origin}`)).body, 'articles').map(({ ID }) => ID)
    expect([await ids('adopted'), await ids('own')]).toEqual([[id], []])
    expect((await api.get(`/articles?project_id=${project}&origin=own`)).body).toHaveProperty('setup')
  })

  it('sends a new title alone, and a rollback puts the old one back', async () => {
    const { api, post, id } = await adopted('The old title')
    const { status, body } = await api.post(`/articles/${id}/sync`, { title: 'The new title' })
    expect([status, body]).toMatchObject([200, { status: 'synced', revision: 2 }])
    expect(body).not.toHaveProperty('warnings')
    expect(stored(post.id)).toMatchObject({
      title: 'The new title',
      content: BLOCKS,
      slug: post.slug,
      status: 'publish',
    })
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(stored(post.id)).toMatchObject({ title: 'The old title', content: BLOCKS })
  })

  it.each([
    ['a text without a block of the site', { content: '<p>All new.</p>' }],
    ['a category', { category: 'Sheds' }],
    ['nothing', {}],
  ])('refuses to send %s, and changes nothing', async (_, edits) => {
    const { api, post, id } = await adopted('Kept as it is')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/sync`, edits)
    expect([status, body.code]).toEqual([400, 'unsupported_for_sync'])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(1)
  })

  it('sends one changed sentence, and nothing else of the stored text changes', async () => {
    const { api, post, id } = await adopted('One sentence')
    const { body: article } = await api.get(`/articles/${id}`)
    const content = String(article.Content)
    expect(content).not.toContain('wp:')
    const { status, body, text } = await api.post(`/articles/${id}/sync`, {
      content: content.replace('thirty years', 'forty years'),
    })
    expect([status, body], text).toMatchObject([200, { status: 'synced', revision: 2 }])
    expect(body).not.toHaveProperty('warnings')
    expect(stored(post.id)).toMatchObject({
      title: 'One sentence',
      content: BLOCKS.replace('thirty years', 'forty years'),
    })
    // WordPress keeps the text as it was found.
    expect(stored(post.id)?.revisions.map((revision) => revision.content)).toEqual([
      BLOCKS,
      BLOCKS.replace('thirty years', 'forty years'),
    ])
    expect((await api.post(`/articles/${id}/rollback`)).status).toBe(200)
    expect(stored(post.id)?.content).toBe(BLOCKS)
    // What was rolled back is a text that the service knows, so it is no change of somebody else.
    const again = await api.post(`/articles/${id}/sync`, { content: content.replace('thirty years', 'fifty years') })
    expect([again.status, stored(post.id)?.content], again.text).toEqual([
      200,
      BLOCKS.replace('thirty years', 'fifty years'),
    ])
  })

  const BOX = '<!-- wp:acme/box -->\n<div>Open from 9 to 5.</div>\n<!-- /wp:acme/box -->'
  const withBox = async (title: string) => {
    const { api, project } = await openSite()
    await setPolicy(stack, project, { approve_adopted: false })
    const post = await write({ title, content: `${BLOCKS}\n\n${BOX}` })
    const { id } = await adopt(api, project, post.id)
    return { api, project, post, id, content: String((await api.get(`/articles/${id}`)).body.Content) }
  }

  it('is not sent for a change in the preview of a kept block alone, and the answer names the block', async () => {
    const { api, post, id, content } = await withBox('Only the preview')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: content.replace('9 to 5', '9 to 6') })
    expect([status, body]).toMatchObject([
      400,
      {
        error: 'unsupported_for_sync',
        message: expect.stringMatching(/preview of blocks .*Nothing was saved or sent/),
        parts: [{ id: /data-kept="([^"]+)" data-label="[^"]*"><div>Open/.exec(content)?.[1] }],
      },
    ])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Revision: 1, Content: content })
    const sent = await rowsIn(stack, sql`select id from deliveries where article_id = ${id}::int`)
    expect(sent).toEqual([])
    const looks = await api.post(`/articles/${id}/sync`, { content: content.replace('<p>', '<p class="wide">') })
    expect([looks.status, looks.body.message]).toEqual([400, expect.stringContaining('show the same text')])
  })

  it('keeps the preview of a kept block beside another change, and says so', async () => {
    const { api, post, id, content } = await withBox('A preview and a sentence')
    const wanted = content.replace('thirty', 'forty')
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: wanted.replace('9 to 5', '9 to 6') })
    expect([status, body]).toMatchObject([200, { status: 'synced', warnings: [expect.stringContaining('preview')] }])
    expect(stored(post.id)?.content).toBe(`${BLOCKS.replace('thirty', 'forty')}\n\n${BOX}`)
    expect((await api.get(`/articles/${id}`)).body.Content).toBe(wanted)
    const title = await api.post(`/articles/${id}/sync`, { title: 'New', content: wanted.replace('9 to 5', '9 to 6') })
    expect([title.status, title.body]).toMatchObject([200, { revision: 3, warnings: [expect.any(String)] }])
    expect(stored(post.id)?.title).toBe('New')
    // An element without its preview stands for the block.
    const bare = wanted.replace('forty', 'fifty').replace('<div>Open from 9 to 5.</div>', '')
    const short = await api.post(`/articles/${id}/sync`, { content: bare })
    expect([short.status, short.body.warnings], short.text).toEqual([200, undefined])
    expect((await api.get(`/articles/${id}`)).body.Content).toBe(wanted.replace('forty', 'fifty'))
  })

  it('loses a kept block that the caller removes', async () => {
    const { api, post, id, content } = await withBox('Without the box')
    const removed = content.replace(/(data-kept="[^"]+") data-label="[^"]*"><div>Open/, '$1 data-remove><div>Open')
    const { status, text } = await api.post(`/articles/${id}/sync`, { content: removed })
    expect([status, stored(post.id)?.content.includes('acme/box')], text).toEqual([200, false])
  })

  it('is not changed while its public page cannot be read, or once a page builder draws it', async () => {
    const { api, post, id, content } = await withBox('Taken over')
    const before = JSON.stringify(stored(post.id))
    const path = new URL(post.link).pathname
    const send = () => api.post(`/articles/${id}/sync`, { content: content.replace('thirty', 'forty') })
    await tell(wordpress.url, '/_faults', { path, status: 503 })
    const unread = await send()
    await tell(wordpress.url, '/_faults', { path, status: 200, answer: '<i data-elementor-type="wp-post"></i>' })
    const drawn = await send()
    await tell(wordpress.url, '/_faults')
    expect([unread.status, unread.body.retryable]).toEqual([503, true])
    expect([drawn.status, drawn.body.message]).toEqual([400, expect.stringContaining('Elementor')])
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await send()).status).toBe(200)
  })

  it('is not changed over a change of somebody at the site, which the refusal has', async () => {
    const { api, post, id } = await adopted('Changed by somebody')
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const row = stored(post.id)
    if (row) row.content = BLOCKS.replace('thirty years', 'thirty-one years')
    const { status, body } = await api.post(`/articles/${id}/sync`, {
      content: content.replace('old shed', 'new shed'),
    })
    expect([status, body]).toMatchObject([
      409,
      { error: 'changed_at_site', parts: [{ text: 'The old shed stood for thirty-one years.' }] },
    ])
    expect(stored(post.id)?.content).toBe(BLOCKS.replace('thirty years', 'thirty-one years'))
    expect((await api.get(`/articles/${id}`)).body.Revision).toBe(1)
    const merged = content.replace('old shed', 'new shed').replace('thirty years', 'thirty-one years')
    expect((await api.post(`/articles/${id}/sync`, { content: merged })).status).toBe(200)
    expect(stored(post.id)?.content).toBe(
      BLOCKS.replace('thirty years', 'thirty-one years').replace('old shed', 'new shed'),
    )
  })

  it('is not changed if somebody changed the post between the read and the write', async () => {
    const { api, account, project, post, id } = await adopted('In between', {})
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const asked = await api.post(`/articles/${id}/sync`, { content: content.replace('old shed', 'new shed') })
    expect(asked.status).toBe(202)
    const theirs = BLOCKS.replace('thirty years', 'thirty-one years')
    const row = stored(post.id)
    if (row) row.content = theirs
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)?.content).toBe(theirs)
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({
      PublishState: 'failed',
      PublishError: expect.stringContaining('thirty-one years'),
    })
  })

  it('is not changed if WordPress would filter the text of this user', async () => {
    const { api, project } = await openSite('wordpress', 'author')
    await setPolicy(stack, project, { approve_adopted: false })
    const frame = '<!-- wp:html -->\n<iframe src="https://shed.example/plan"></iframe>\n<!-- /wp:html -->'
    const post = await write({ title: 'With a frame', content: `${BLOCKS}\n\n${frame}`, author: 2 })
    const { id } = await adopt(api, project, post.id)
    const content = String((await api.get(`/articles/${id}`)).body.Content)
    const { status, text } = await api.post(`/articles/${id}/sync`, { content: content.replace('thirty', 'forty') })
    expect([status, text]).toEqual([502, expect.stringContaining('may not post unfiltered HTML')])
    expect(stored(post.id)?.content).toBe(`${BLOCKS}\n\n${frame}`)
  })

  it('of a page builder keeps its text', async () => {
    const { api, project } = await openSite()
    const post = await write({ title: 'Built again', test_meta: { _elementor_edit_mode: 'builder' } })
    const { id } = await adopt(api, project, post.id)
    const { status, body } = await api.post(`/articles/${id}/sync`, { content: '<p>Mine.</p>' })
    expect([status, body]).toMatchObject([
      400,
      { error: 'unsupported_for_sync', message: expect.stringContaining('Elementor') },
    ])
  })

  it('asks for an approval of each change unless the policy turns that off, and sends it then', async () => {
    const { api, account, project, post, id } = await adopted('Before the approval', {})
    const asked = await api.post(`/articles/${id}/sync`, { title: 'After the approval' })
    expect([asked.status, asked.body]).toMatchObject([202, { status: 'awaiting_approval' }])
    expect(stored(post.id)?.title).toBe('Before the approval')
    expect((await api.get(`/articles/${id}`)).body.PublishState).toBe('awaiting_approval')
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)).toMatchObject({ title: 'After the approval', content: BLOCKS, excerpt: 'How it began.' })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ PublishState: 'idle', Title: 'After the approval' })
  })

  it('needs an approval to be taken down, and goes up again with its text untouched', async () => {
    const { api, account, project, post, id } = await adopted('Stays up')
    const asked = await api.post(`/articles/${id}/unpublish`)
    expect([asked.status, asked.body]).toMatchObject([
      202,
      { status: 'awaiting_approval', approval_id: expect.any(Number) },
    ])
    expect(stored(post.id)?.status).toBe('publish')
    expect((await api.get(`/approvals/${String(asked.body.approval_id)}`)).body).toMatchObject({
      approval: { kind: 'unpublish', article_id: id, proposed: { title: 'Stays up' } },
    })
    await approve(account, project, asked.body.approval_id)
    expect(stored(post.id)).toMatchObject({ status: 'draft', content: BLOCKS })
    expect((await api.get(`/articles/${id}`)).body).toMatchObject({ Status: 'Draft', origin: 'adopted' })
    await setPolicy(stack, project, { approve_adopted: false })
    const again = await api.post(`/articles/${id}/publish`)
    expect([again.status, again.body]).toMatchObject([200, { status: 'published', url: post.link }])
    expect(stored(post.id)).toMatchObject({ status: 'publish', content: BLOCKS, title: 'Stays up', slug: post.slug })
  })

  it('is forgotten by a release, which leaves the site untouched and lets the post be adopted again', async () => {
    const { api, project, post, id } = await adopted('Released')
    const before = JSON.stringify(stored(post.id))
    const { status, body } = await api.post(`/articles/${id}/release`)
    expect([status, body]).toMatchObject([200, { status: 'released', article_id: id, url: post.link }])
    expect((await api.get(`/articles/${id}`)).status).toBe(404)
    expect(JSON.stringify(stored(post.id))).toBe(before)
    expect((await adopt(api, project, post.id)).status).toBe(201)
  })

  it('is forgotten by an undo of its adoption', async () => {
    const { api, project, account } = await openSite()
    const post = await write({ title: 'Adopted by mistake' })
    const adoption = await account.post('/articles/adopt', { project_id: project, post_id: String(post.id) })
    const { body } = await account.post('/undo', { request_id: adoption.headers.get('x-request-id') })
    expect(rowsOf(body, 'entries')).toMatchObject([
      { result: 'undone', message: expect.stringContaining('stays at the site') },
    ])
    expect((await api.get(`/articles/${String(adoption.body.article_id)}`)).status).toBe(404)
    expect(stored(post.id)?.status).toBe('publish')
  })

  it('of the service’s own making is not released', async () => {
    const { api, project } = await openSite()
    const id = await publishedArticle(api, project)
    expect((await api.post(`/articles/${id}/release`)).body.code).toBe('not_adopted')
  })
})
