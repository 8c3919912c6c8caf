import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decodeReferences } from '../../../../src/content/html/references.ts'
import type { CmsVersion } from '../../../../src/publishing/target/cms-adapter.ts'
import type { PublishRequest } from '../../../../src/publishing/target/publish-target.ts'
import { latest } from '../../../support/latest.ts'
import { type Clock, keepingFor } from '../../drive.ts'
import { proveMisfits, proveOwnFields } from '../../own-fields.ts'
import { conductAdopted } from './conduct-adopted.ts'
import { conductAfterEditors } from './conduct-editors.ts'
import { conductLists } from './conduct-lists.ts'
import { change, edited, onlyPost, openScene, publishedPost, type Scene, type Site, type Way } from './scene.ts'

const clock: Clock = { now: () => new Date(), pass: () => {} }

/** Path and query of a target. */
const partsOf = (target: string): [path: string, query: string] => {
  const [path = '', query] = target.split('?')
  return [path, query === undefined ? '' : `?${query}`]
}

/** Hosts that redirect some requests: where to; undefined if they do not. */
const HOSTS: Record<string, (target: string) => string | undefined> = {
  'sends /wp-json/ to its home page': (target) => (target.startsWith('/wp-json') ? '/' : undefined),
  'opens index.php?rest_route= only': (target) =>
    target.startsWith('/index.php?rest_route') ? undefined : '/wp-login.php',
  'adds a slash to every path': (target) => {
    const [path, query] = partsOf(target)
    return path.endsWith('/') || path.endsWith('.php') ? undefined : `${path}/${query}`
  },
  'takes the slash from every path': (target) => {
    const [path, query] = partsOf(target)
    return path.endsWith('/') && path !== '/' ? `${path.slice(0, -1)}${query}` : undefined
  },
}

/** Tests of any WordPress, real or stand-in, through core REST and through our plugin. */
export const conduct = (openSite: () => Promise<Site>): void => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene(await openSite())
  })
  beforeEach(() => {
    scene.proxy.misbehave()
    scene.proxy.decide(undefined)
    scene.proxy.cacheReads(undefined)
  })
  afterAll(() => scene.close())

  describe('custom fields that the site shows in REST', () => {
    test('get the article’s values through core REST', async () => {
      await proveOwnFields(scene.cms('core'), clock, {
        given: { rating: 4, layout: 'wide <b>', badges: ['new', 'top'], featured: true },
        stored: { rating: 4, layout: 'wide <\u2060b>', badges: ['new', 'top'], featured: true },
        emptied: 'badges',
        read: async (remoteId) =>
          ((await scene.ask(`posts/${remoteId}`)).json as { meta: Record<string, unknown> }).meta,
      })
    })
    test('are refused by their names, before anything is written', async () => {
      await proveMisfits(scene.cms('core'), clock, [
        [{ rating: 'good' }, '“rating” must be a whole number'],
        [{ none: 1 }, 'there is no field “none”. There are: '],
      ])
      await proveMisfits(scene.cms('plugin'), clock, [[{ rating: 4 }, 'there is no field “rating”']])
    })
    test('leave no post if the user may not set one', async () => {
      const request = scene.request({ fields: { locked: 'x' } })
      const refused = await scene.target('core').deliver(request)
      expect(refused).toMatchObject({ kind: 'refused', reason: expect.stringContaining('locked custom field') })
      expect(await scene.target('core').find?.(request)).toEqual({ kind: 'absent' })
    })
  })

  describe.each(['core', 'plugin'] as const)('through %s', (way: Way) => {
    describe('posts of the site', () => conductLists(() => scene, way))
    describe('posts that the site had', () => conductAdopted(() => scene, way))

    const one = (request: PublishRequest) => onlyPost(scene, request)
    const names = async (kind: string, ids: number[]) =>
      ((await scene.ask(`${kind}?include=${ids.join(',')}`)).json as { name: string }[]).map((term) => term.name).sort()
    const deliverLive = (request: PublishRequest) => publishedPost(scene, way, request)

    test('the connection is checked, and a wrong secret is reported as such', async () => {
      const probed = await scene.cms(way).probe()
      expect(probed).toMatchObject({ kind: 'done', value: { name: 'Test WP' } })
      const wrong: Record<string, string> =
        way === 'core' ? { cms_username: 'admin', integration_key: 'a'.repeat(24) } : { integration_key: 'wpk_0' }
      const refusal = await scene.cms(way, 'admin', wrong).probe()
      expect(refusal).toMatchObject({ kind: 'refused', code: 'auth_invalid', retryable: false, httpStatus: 401 })
      const found = await scene.cms(way, 'admin', wrong).find({ marker: 'galley-x-1', slug: 'x', title: 'x' })
      expect(found).toMatchObject({ kind: 'refused', code: 'auth_invalid' })
      expect(JSON.stringify([refusal, found])).not.toContain('a'.repeat(24))
    })

    test.each([
      ['says that it caches reads', true, undefined],
      ['caches reads silently', false, undefined],
      ['caches reads and adds a slash to every path', true, 'adds a slash to every path'],
    ])('what is said of a post is true at a host that %s', async (_, says, moves) => {
      const request = scene.request()
      const target = scene.target(way)
      const redirect = moves === undefined ? undefined : HOSTS[moves]
      scene.proxy.decide((_method, asked) => {
        const to = redirect?.(asked)
        return to === undefined ? undefined : { status: 301, answer: `redirect:${to}` }
      })
      scene.proxy.cacheReads({ now: () => new Date(), ms: 600_000, says })
      for (const _round of [1, 2]) {
        expect(await target.deliver(request)).toMatchObject({ kind: 'accepted' })
        expect((await one(request)).status).toBe('publish')
        expect(await target.unpublish?.(request)).toMatchObject({ kind: 'taken_down' })
        expect((await one(request)).status).toBe('draft')
      }
      await target.deliver(request)
      const { id } = await one(request)
      const content = '<p>Words of an editor, who knows better.</p>'
      await scene.ask(`posts/${id}`, { method: 'POST', json: { content } })
      const versions: CmsVersion[] = []
      const keeping = keepingFor(() => [request.article], versions)
      const next = edited(request, { content_html: '<p>One more sentence.</p>', external_id: String(id) })
      const replaced = await target.deliver(change(next), keeping)
      expect(replaced).toMatchObject({ notes: expect.arrayContaining([expect.stringContaining('who knows better')]) })
      expect(await target.restore?.(next, versions.at(-1) ?? {}, keeping)).toMatchObject({ kind: 'accepted' })
      expect((await one(request)).content.raw).toContain('who knows better')
    })

    test('a post is unpublished, and published again in place', async () => {
      const request = scene.request({})
      const target = scene.target(way)
      await target.deliver(request)
      const before = await one(request)
      expect(await target.unpublish?.(request)).toMatchObject({ kind: 'taken_down', remoteId: String(before.id) })
      expect(await one(request)).toMatchObject({ id: before.id, status: 'draft', slug: before.slug })
      expect(await target.unpublish?.(request)).toMatchObject({ kind: 'taken_down' })
      expect(await target.deliver(request)).toMatchObject({ kind: 'accepted', remoteId: String(before.id) })
      expect(await one(request)).toMatchObject({
        id: before.id,
        status: 'publish',
        link: before.link,
        date_gmt: before.date_gmt,
      })
      await scene.ask(`posts/${before.id}`, { method: 'DELETE' })
      const known = edited(request, { external_id: String(before.id) })
      expect(await target.unpublish?.(known)).toEqual({ kind: 'gone' })
      expect(await target.deliver(change(known))).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('no longer at the CMS'),
      })
      // A post without a known id cannot be reported as deleted.
      for (const outcome of [await target.unpublish?.(request), await target.deliver(change(request))])
        expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining('its id there is not known') })
    })

    conductAfterEditors(
      latest(() => scene),
      way,
    )

    // wordpress-develop#8231, syntaxhighlighter#63
    test('names of shortcodes are shown as they are written, other brackets stay', async () => {
      const content_html =
        '<p>Write [gallery] or [caption]my text[/caption], see [1] and [sic].</p><pre>[video src="x"]</pre>'
      const request = scene.request({ content_html })
      const post = await deliverLive(request)
      const shown = post.content.rendered.replace(/&#0?91;/g, '[')
      for (const words of ['[gallery] or [caption]my text[/caption], see [1] and [sic].', '[video src='])
        expect(shown).toContain(words)
      expect(post.content.raw).toContain('see [1] and [sic].')
    })

    // WordPress-iOS#7600
    test('a post that a plugin holds for review is held, then the same post is live after approval', async () => {
      const request = scene.request({ title: 'Held for review' })
      const outcome = await scene.target(way).deliver(request)
      const { id, status } = await one(request)
      expect(status).toBe('pending')
      expect(outcome).toMatchObject({
        kind: 'held',
        remoteId: String(id),
        reason: expect.stringMatching(/"pending".*POST \/articles\/\w+\/publish/),
      })
      expect(await scene.target(way).find?.(request)).toEqual({ kind: 'absent', remoteId: String(id) })
      await scene.ask(`posts/${id}`, { method: 'POST', json: { title: 'Approved', status: 'publish' } })
      const again = await scene.target(way).deliver(edited(request, { external_id: String(id) }))
      expect(again).toMatchObject({ kind: 'accepted', remoteId: String(id) })
      expect(await one(request)).toMatchObject({ id, status: 'publish' })
    })

    test('titles, descriptions and names are shown as written, and never as markup', async () => {
      const text = `<script>x=1</script> <details> &lt; & {{ y }} ${scene.run}`
      const request = scene.request({ title: text, meta_description: text, tags: [`T ${text}`], category: `C ${text}` })
      const target = scene.target(way)
      expect(await target.deliver(request)).toMatchObject({ kind: 'accepted' })
      const post = await one(request)
      expect([post.title.rendered, post.excerpt.raw].filter((html) => html.includes('<'))).toEqual([])
      expect([post.title.rendered, post.excerpt.raw].map(decodeReferences)).toEqual([text, text])
      expect((await names('tags', post.tags)).map(decodeReferences)).toEqual([`T ${text}`])
      expect((await names('categories', post.categories)).map(decodeReferences)).toEqual([`C ${text}`])
      // The same names are found again, and nothing at the site counts as other people's words.
      const again = await target.deliver(change(edited(request, { external_id: String(post.id) })))
      expect(again).toMatchObject({ kind: 'accepted' })
      expect(again).not.toHaveProperty('notes')
      expect(await one(request)).toMatchObject({ tags: post.tags, categories: post.categories })
    })

    test('an article goes live whole: texts, image, tags, category, date, address', async () => {
      // A tag with its own slug, which does not follow from its name.
      const known = `Käse ${scene.run}`
      await scene.ask('tags', { method: 'POST', json: { name: known, slug: `fromage-${scene.run}` } })
      const request = scene.request({
        image_url: scene.picture('whole'),
        alt_text: 'A "cup"',
        tags: ['Tea & Cake', `New ${scene.run}`, known],
        category: `Drinks ${scene.run}`,
      })
      const outcome = await scene.target(way).deliver(request)
      const url = `${scene.site.url}/${request.article.slug}/`
      expect(outcome).toMatchObject({ kind: 'accepted', url })
      expect(outcome).not.toHaveProperty('notes')
      const post = await one(request)
      expect(post).toMatchObject({ status: 'publish', date_gmt: '2024-03-05T06:07:08', link: url })
      expect(outcome).toMatchObject({ remoteId: String(post.id) })
      expect(post.title.raw).toBe(request.article.title)
      expect(post.excerpt.raw).toBe(request.article.meta_description)
      expect(post.content.raw.replace(/<!--.*?-->/g, '')).toBe(
        request.article.content_html.replace('tea</strong>\nand', 'tea</strong> and'),
      )
      expect(post.content.rendered).not.toContain('<br')
      const media = await scene.ask(`media/${post.featured_media}`)
      expect(media.json).toMatchObject({ alt_text: 'A "cup"', mime_type: 'image/png' })
      expect(await names('tags', post.tags)).toEqual([known, `New ${scene.run}`, 'Tea &amp; Cake'])
      expect(await names('categories', post.categories)).toEqual([`Drinks ${scene.run}`])
    })

    test('a draft is not public; published later, it is the same post with its slug', async () => {
      const request = scene.request({ status: 'Draft' })
      const draft = edited(request, {})
      delete draft.article.published_at
      const sent = await scene.target(way).deliver(draft)
      expect(sent).toMatchObject({ kind: 'accepted' })
      expect(sent).not.toHaveProperty('url')
      const before = await one(request)
      expect(before.status).toBe('draft')
      const live = edited(request, { status: 'Published', external_id: String(before.id) })
      expect(await scene.target(way).deliver(live)).toMatchObject({ kind: 'accepted', remoteId: String(before.id) })
      expect(await one(request)).toMatchObject({ id: before.id, status: 'publish', date_gmt: '2024-03-05T06:07:08' })
    })

    test('an update changes texts in place; slug, date and status stay', async () => {
      const request = scene.request()
      const made = await scene.target(way).deliver(request)
      const id = made.kind === 'accepted' ? made.remoteId : ''
      const update = edited(request, {
        title: 'Another title',
        slug: 'another-slug',
        content_html: '<p>Changed.</p>',
        published_at: '2020-01-01T00:00:00.000Z',
        ...(id ? { external_id: id } : {}),
        status: 'Draft',
      })
      const outcome = await scene.target(way).deliver({ ...update, event: 'update_articles', updateOnly: true })
      expect(outcome).toMatchObject({ kind: 'accepted', remoteId: id })
      const post = await one(request)
      expect(post).toMatchObject({ status: 'publish', date_gmt: '2024-03-05T06:07:08' })
      expect(post.title.raw).toBe('Another title')
      expect(post.content.raw).toContain('<p>Changed.</p>')
    })

    test('a post is found by remote id, marker or slug; not in the trash, and not another article', async () => {
      const request = scene.request()
      const made = await scene.target(way).deliver(request)
      const { slug, title, id } = request.article
      const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
      const marker = `galley-test-${id}`
      const cms = scene.cms(way)
      const nobody = { marker: 'galley-test-none', slug: 'nowhere-at-all', title: 'Nothing' }
      const matched = async (query: Parameters<typeof cms.find>[0]) => {
        const result = await cms.find(query)
        return result.kind === 'done' ? (result.value?.matchedBy ?? null) : result
      }
      expect(await matched({ ...nobody, marker, slug, remoteId })).toMatch(/remote_id|marker/)
      expect(await matched({ ...nobody, marker, slug })).toBe('marker')
      expect(await matched({ ...nobody, slug, title })).toBe('slug')
      expect(await matched({ ...nobody, remoteId })).toMatchObject({ kind: 'refused', code: 'conflict' })
      expect(await matched({ ...nobody, remoteId: 'gid://other/1' })).toBeNull()
      await scene.ask(`posts/${remoteId}`, { method: 'DELETE' })
      expect(await matched({ marker, slug, title, remoteId })).toBeNull()
      expect(await cms.update(remoteId, articleFor(marker, slug))).toEqual({ kind: 'done', value: null })
      expect(await cms.update('999999', articleFor(marker, slug))).toEqual({ kind: 'done', value: null })
    })

    const articleFor = (marker: string, slug: string) => ({
      marker,
      title: 'T',
      slug,
      html: '<p>x</p>',
      metaDescription: '',
      status: 'published' as const,
      tags: [],
      category: '',
      author: '',
    })

    // gutenberg#41720
    test('an address that a page has is refused, and the page named', async () => {
      const request = scene.request()
      const page = { title: 'About tea', slug: request.article.slug, status: 'publish', content: 'page' }
      await scene.ask('pages', { method: 'POST', json: page })
      expect(await scene.target(way).deliver(request)).toMatchObject({
        kind: 'refused',
        retryable: false,
        reason: expect.stringContaining('page "About tea"'),
      })
      expect(await scene.posts(request.article.slug)).toEqual([])
    })

    // extended-cpts#273, wp-cli/entity-command#340
    test('a reserved word gets a number, with a note', async () => {
      const slug = way === 'core' ? 'embed' : 'feed'
      const request = scene.request({ slug })
      const outcome = await scene.target(way).deliver(request)
      expect(outcome).toMatchObject({
        kind: 'accepted',
        notes: [expect.stringMatching(/keeps the slug "(embed|feed)"/)],
      })
      const again = edited(request, {
        content_html: '<p>More.</p>',
        external_id: 'remoteId' in outcome ? (outcome.remoteId ?? '') : '',
      })
      expect(await scene.target(way).deliver(change(again))).toMatchObject({ kind: 'accepted' })
      expect((await scene.posts(slug)).map((post) => post.status)).toEqual(['publish'])
    })

    test.each(['publish', 'draft'])(
      "a slug that is someone else's (%s) is refused, and no other post is left",
      async (status) => {
        const request = scene.request()
        const { slug } = request.article
        await scene.ask('posts', { method: 'POST', json: { title: 'Mine', slug, status, content: 'mine' } })
        const outcome = await scene.target(way).deliver(request)
        expect(outcome).toMatchObject({ kind: 'refused', retryable: false })
        expect(await scene.cms(way).create(articleFor(`galley-test-${request.article.id}`, slug))).toMatchObject({
          kind: 'refused',
          code: 'slug_taken',
        })
        expect((await one(request)).content.raw).toBe('mine')
      },
    )

    test('an article that is sent again after a crash, or twice at once, becomes one post', async () => {
      const request = scene.request({ image_url: scene.picture('once'), tags: [`Once ${scene.run}`] })
      await scene.target(way).deliver(request)
      const first = await one(request)
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'accepted', remoteId: String(first.id) })
      expect(await one(request)).toMatchObject({ id: first.id, featured_media: first.featured_media })
      const second = scene.request()
      const outcomes = await Promise.all([scene.target(way).deliver(second), scene.target(way).deliver(second)])
      for (const outcome of outcomes) expect(outcome).not.toMatchObject({ kind: 'unknown' })
      expect(await scene.target(way).deliver(second)).toMatchObject({ kind: 'accepted' })
      expect(await one(second)).toMatchObject({ status: 'publish' })
    })

    test('an answer that was lost is unknown; the post is found, or made whole by the next attempt', async () => {
      const request = scene.request()
      const path = way === 'core' ? 'POST /wp-json/wp/v2/posts' : 'POST /wp-json/galley/v1/articles'
      scene.proxy.misbehave({ path, drop: 'after', times: 1 })
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'unknown' })
      const found = await scene.target(way).find?.(request)
      expect(found?.kind).toBe(way === 'core' ? 'absent' : 'found')
      expect(await scene.target(way).deliver(request)).toMatchObject({
        kind: 'accepted',
        url: `${scene.site.url}/${request.article.slug}/`,
      })
      expect((await one(request)).status).toBe('publish')
      expect(await scene.target(way).find?.(request)).toMatchObject({ kind: 'found' })
    })

    test('a site that fails half-way: a read is refused for now, a write is unknown', async () => {
      const request = scene.request()
      scene.proxy.misbehave({ path: 'GET ', drop: 'before' })
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'refused', retryable: true })
      expect(await scene.target(way).find?.(request)).toMatchObject({ kind: 'unsure' })
      scene.proxy.misbehave({ path: 'POST ', status: 503, answer: '<h1>Briefly unavailable</h1>' })
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'unknown', httpStatus: 503 })
      scene.proxy.misbehave({ path: 'POST ', status: 500, answer: { code: 'internal_server_error', message: 'x' } })
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'unknown', httpStatus: 500 })
      expect(await scene.posts(request.article.slug)).toEqual([])
    })

    test('a rate limit has the site’s wait; a firewall page is not a success', async () => {
      const request = scene.request()
      scene.proxy.misbehave({ path: 'POST ', status: 429, answer: { code: 'slow_down', message: 'x' } })
      expect(await scene.target(way).deliver(request)).toMatchObject({
        kind: 'refused',
        retryable: true,
        retryAfterS: 7,
      })
      scene.proxy.misbehave({ status: 202, answer: '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/">' })
      expect(await scene.cms(way).probe()).toMatchObject({ kind: 'refused', code: 'blocked', retryable: true })
      scene.proxy.misbehave({ status: 200, answer: '<h1>Parked</h1>' })
      expect(await scene.cms(way).create(articleFor('galley-test-p', 'p'))).toMatchObject({
        kind: 'refused',
        code: 'unavailable',
        retryable: true,
      })
    })

    test('a missing image is a note, not a failure; an image is hosted once', async () => {
      const request = scene.request({ image_url: scene.noPicture })
      const outcome = await scene.target(way).deliver(request)
      expect(outcome).toMatchObject({ kind: 'accepted', notes: [expect.stringContaining('image')] })
      expect((await one(request)).featured_media).toBe(0)
      const image = { url: scene.picture('hosted'), alt: 'Alt' }
      const first = await scene.cms(way).hostImage?.(image)
      expect(first).toMatchObject({ kind: 'done', value: expect.stringMatching(/^http.*\/uploads\/.*\.png$/) })
      expect(await scene.cms(way).hostImage?.(image)).toEqual(first)
      expect(await scene.cms(way).hostImage?.({ url: scene.noPicture, alt: '' })).toMatchObject({ kind: 'refused' })
    })

    test('the byline is a user with that name, or a note', async () => {
      const request = scene.request({ author: 'author person' })
      expect(await scene.target(way).deliver(request)).not.toHaveProperty('notes')
      const users = (await scene.ask('users?search=author&context=edit')).json as { id: number; name: string }[]
      expect((await one(request)).author).toBe(users.find((user) => user.name === 'Author Person')?.id)
      const other = scene.request({ author: 'Nobody Known' })
      expect(await scene.target(way).deliver(other)).toMatchObject({ notes: [expect.stringContaining('Nobody Known')] })
      expect((await one(other)).author).toBe(1)
    })

    test('a version is stored and restored', async () => {
      const request = scene.request({ image_url: scene.picture('kept'), tags: [`Kept ${scene.run}`] })
      const made = await scene.target(way).deliver(request)
      const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
      const before = await one(request)
      const kept = await scene.cms(way).read?.(remoteId)
      if (kept?.kind !== 'done' || !kept.value) throw new Error('not kept')
      const version = JSON.parse(JSON.stringify(kept.value)) as Record<string, unknown>
      await scene
        .target(way)
        .deliver(
          edited(request, { content_html: '<p>New.</p>', title: 'New', tags: ['Else'], meta_description: 'new' }),
        )
      expect((await one(request)).title.raw).toBe('New')
      expect(await scene.cms(way).restore?.(remoteId, version)).toMatchObject({ kind: 'done', value: { remoteId } })
      const after = await one(request)
      for (const name of [
        'title',
        'content',
        'excerpt',
        'tags',
        'categories',
        'featured_media',
        'date_gmt',
        'status',
      ] as const)
        expect(after[name]).toEqual(before[name])
      expect(await scene.cms(way).read?.('999999')).toEqual({ kind: 'done', value: null })
      expect(await scene.cms(way).restore?.('999999', version)).toEqual({ kind: 'done', value: null })
    })

    test.each(Object.entries(HOSTS))('a host is published to that %s', async (_, redirectOf) => {
      const { proxy } = scene
      proxy.decide((__, target) => {
        const location = redirectOf(target)
        return location === undefined ? undefined : { status: 301, answer: `redirect:${location}` }
      })
      try {
        expect(await scene.cms(way).probe()).toMatchObject({ kind: 'done', value: { name: 'Test WP' } })
        const request = scene.request()
        expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'accepted' })
        const { id } = await one(request)
        const changed = edited(request, { external_id: String(id), title: 'Another title' })
        expect(await scene.target(way).deliver(change(changed))).toMatchObject({ kind: 'accepted' })
        expect((await one(request)).title.raw).toBe('Another title')
      } finally {
        proxy.decide(undefined)
      }
    })

    test('a host that sends every way to a page of its own is refused, and the page is named', async () => {
      scene.proxy.decide(() => ({ status: 302, answer: 'redirect:/members/sign-in' }))
      const refusal = await scene.cms(way).probe()
      scene.proxy.decide(undefined)
      expect(refusal).toMatchObject({
        kind: 'refused',
        code: 'site_not_found',
        reason: expect.stringMatching(/lead to "?\/members\/sign-in"?\. .*in the way/),
      })
    })

    test('plain permalinks and a moved site are detected', async () => {
      const { proxy } = scene
      proxy.misbehave({ path: '/wp-json/', status: 404, answer: '<h1>Not found</h1>' })
      // Two rules of one site: pretty addresses are not there, the parameter is.
      expect(await scene.cms(way).probe()).toMatchObject({ kind: 'done', value: { name: 'Test WP' } })
      const request = scene.request()
      expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'accepted' })
      await one(request)
      proxy.misbehave({ status: 301, answer: 'redirect:https://elsewhere.example/wp-json/' })
      expect(await scene.cms(way).probe()).toMatchObject({ kind: 'refused', code: 'site_not_found' })
    })
  })
}
