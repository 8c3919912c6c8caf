import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { setPolicy } from '../../accounts/policy/set.ts'
import { newAccount, rowsIn, tell } from '../../support/client.ts'
import { fieldsOf } from '../../support/keys.ts'
import { publishedArticle } from '../../support/story.ts'
import { adopt, BLOCKS, startSites } from './scene.ts'

const stack = inject('stack')
const { close, ghost, openSite, stored, wordpress, write } = await startSites(stack)
afterAll(close)

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
