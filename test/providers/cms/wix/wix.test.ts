import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWix, type WixOptions, type WixStandIn } from '../../../../local/cms/wix.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { wixConnection } from '../../../../src/providers/cms/wix/connect.ts'
import { wixCms } from '../../../../src/providers/cms/wix/index.ts'
import {
  article,
  clockAt,
  idOf,
  meansAt,
  oneFault,
  PROOF_TIMEOUT_MS,
  proveCachedHost,
  proveChange,
  proveFaults,
  proveRepeats,
  proveWordsNamed,
  publishThrough,
  query,
  requestOf,
  seeded,
  troubleFrom,
} from '../../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let wix: WixStandIn

const restart = async (options: WixOptions) => {
  await wix?.close()
  wix = await startWix({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const given = { api_key: wix.key, site_id: wix.siteId, member_id: OWNER, api_url: wix.url, ...more }
  const { url, secrets } = wixConnection.connection(given)
  return wixCms({ id: 1, platform: 'wix', url, secrets }, meansAt(clock))
}
const fault = (rule: object) => fetch(`${wix.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })
const OWNER = '00000000-0000-4000-8000-000000000800'
const URL_OF_IT = 'https://shed.wixsite.example/post/how-to-build-a-shed'

beforeEach(() => restart({}))
afterEach(() => wix.close())

describe('probe', () => {
  it('shows the site', async () => {
    expect(await cms().probe()).toEqual({ kind: 'done', value: { name: 'Shed Site', url: null } })
  })
  it.each([
    [
      'a wrong key',
      {},
      { api_key: 'wrong-key' },
      { code: 'auth_invalid', reason: expect.stringContaining('Invalid API key') },
    ],
    ['a key of another site', {}, { site_id: '00000000-0000-4000-8000-000000000001' }, { code: 'auth_forbidden' }],
    ['a site without the Blog app', { noBlog: true }, {}, { reason: expect.stringContaining('Blog app') }],
    [
      'a site without members',
      { members: [] },
      { member_id: undefined },
      { reason: expect.stringContaining('no members') },
    ],
    [
      'to choose one of several members',
      {},
      { member_id: undefined },
      { reason: expect.stringMatching(/member_id is needed.*Owner \(0{8}.*Jane Doe \(/) },
    ],
  ])('refuses %s', async (_, options, given, answer) => {
    await restart(options)
    expect(await cms(given).probe()).toMatchObject({ kind: 'refused', retryable: false, ...answer })
  })
  it('warns when texts cannot be converted by Wix', async () => {
    await restart({ noRicos: true })
    expect(await cms().probe()).toMatchObject({
      kind: 'done',
      notes: [expect.stringContaining('Manage Ricos Document')],
    })
  })
})

describe('create', () => {
  it('makes a live post with everything', async () => {
    const given = article({
      html: '<p>Dry tools.</p><img src="https://i.example/b.png">',
      tags: ['Tools', 'Wood/Metal'],
      category: 'Guides',
      author: 'jane doe',
      image: { url: 'https://i.example/a.png', alt: 'A shed' },
    })
    expect(await cms().create(given)).toEqual({
      kind: 'done',
      value: expect.objectContaining({ slug: given.slug, status: 'published', url: URL_OF_IT }),
    })
    const { tags, categories } = wix.labels
    expect(wix.live()).toMatchObject([
      {
        title: given.title,
        excerpt: given.metaDescription,
        memberId: '00000000-0000-4000-8000-000000000801',
        firstPublishedDate: given.publishedAt,
        tagIds: [tags.get('Tools'), tags.get('Wood/Metal')],
        categoryIds: [categories.get('Guides')],
        cover: 'a~mv2.png',
        media: { wixMedia: { image: { id: 'a~mv2.png' } }, displayed: true, custom: true, altText: 'A shed' },
        seoData: { tags: [{ type: 'title' }, { props: { name: 'description', content: given.metaDescription } }] },
        richContent: {
          nodes: [
            { type: 'PARAGRAPH' },
            {
              imageData: {
                containerData: { alignment: 'LEFT' },
                image: { src: { id: 'b~mv2.png' }, width: 640, height: 480 },
              },
            },
          ],
        },
      },
    ])
    await cms().create(article({ slug: 'second', tags: ['Tools'], category: 'Guides' }))
    expect([tags.size, categories.size]).toEqual([2, 1])
  })
  it('has a cover without an alternative text', async () => {
    await cms().create(article({ image: { url: 'https://i.example/a.png', alt: '' } }))
    expect(wix.live()).toMatchObject([{ cover: 'a~mv2.png', media: { displayed: true } }])
  })
  it('leaves out a category with too long a name, and says so', async () => {
    expect(await cms().create(article({ category: 'C'.repeat(36) }))).toMatchObject({
      kind: 'done',
      notes: [expect.stringContaining('MAX_LENGTH 35')],
    })
    expect(wix.live()).toHaveLength(1)
  })
  it('makes a draft; an unknown byline is a note', async () => {
    expect(await cms().create(article({ status: 'draft', author: 'Nobody' }))).toMatchObject({
      value: { status: 'draft', url: null },
      notes: [expect.stringContaining('"Nobody"')],
    })
    expect([wix.drafts().length, wix.live().length]).toEqual([1, 0])
  })
  it('converts without Wix if the key may not, and failed images are notes', async () => {
    await restart({ noRicos: true })
    const given = article({
      html: '<h2>Why</h2><img src="https://i.example/broken.png">',
      image: { url: 'https://i.example/missing.png', alt: '' },
    })
    expect(await cms().create(given)).toMatchObject({
      kind: 'done',
      notes: [
        expect.stringContaining('without Wix'),
        expect.stringContaining('stays linked'),
        expect.stringContaining('image was left out'),
      ],
    })
    expect(wix.live()).toMatchObject([
      { richContent: { nodes: [{ type: 'HEADING' }, { type: 'IMAGE' }] }, media: null },
    ])
  })
  it.each(['refused', 'suffixed', 'suffixed_when_live'] as const)(
    'a taken slug leaves nothing (%s)',
    async (takenSlug) => {
      await restart({ takenSlug })
      await cms().create(article())
      expect(await cms().create(article({ title: 'Another' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
      expect(wix.live()).toHaveLength(1)
      expect(wix.drafts().filter((d) => d.status !== 'DELETED')).toHaveLength(1)
    },
  )
  it('a draft under another slug is removed too, and had no readers', async () => {
    await restart({ takenSlug: 'suffixed' })
    await cms().create(article({ status: 'draft' }))
    expect(await cms().create(article({ status: 'draft', title: 'Another' }))).toMatchObject({ code: 'slug_taken' })
    expect(await cms().create(article({ title: 'Another' }))).toMatchObject({ code: 'slug_taken' })
    expect(wix.drafts().filter((d) => d.status !== 'DELETED')).toHaveLength(1)
    expect(wix.calls.filter((call) => call.endsWith('/publish'))).toEqual([])
  })
  it('reads an address that is an object', async () => {
    await restart({ urlObjects: true })
    expect(await cms().create(article())).toMatchObject({ value: { url: URL_OF_IT } })
  })
})

describe('update', () => {
  it('an edit of a live post is live, its date stays', async () => {
    const id = idOf(await cms().create(article()))
    expect(
      await cms().update(id, article({ html: '<p>New.</p>', slug: 'other', publishedAt: '2026-10-10T00:00:00Z' })),
    ).toMatchObject({
      kind: 'done',
      value: { status: 'published', slug: 'how-to-build-a-shed', url: URL_OF_IT },
    })
    expect(JSON.stringify(wix.live())).toContain('New.')
    expect(wix.live()).toMatchObject([{ firstPublishedDate: '2026-01-02T03:04:05.000Z', slug: 'how-to-build-a-shed' }])
  })
  it('publishes a draft; a draft update leaves the live post unchanged', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    expect(await cms().update(id, article())).toMatchObject({ value: { status: 'published', url: URL_OF_IT } })
    expect(await cms().update(id, article({ status: 'draft', html: '<p>Later.</p>' }))).toMatchObject({
      value: { status: 'published' },
    })
    expect(JSON.stringify(wix.live())).not.toContain('Later.')
  })
  it.each(['gone', 'in the trash'])('reports a post that is %s', async (how) => {
    const id = idOf(await cms().create(article()))
    if (how === 'in the trash')
      await fetch(`${wix.url}/blog/v3/draft-posts/${id}`, {
        method: 'DELETE',
        headers: { authorization: wix.key, 'wix-site-id': wix.siteId },
      })
    expect(await cms().update(how === 'gone' ? 'none' : id, article())).toEqual({ kind: 'done', value: null })
    expect(await cms().find({ ...query, remoteId: how === 'gone' ? 'none' : id })).toMatchObject(
      how === 'gone' ? { value: { matchedBy: 'slug' } } : { value: null },
    )
  })
  it('names the words of editors that an update replaces', () => proveWordsNamed(cms(), clock))
  it('restores the version that readers saw', async () => {
    const id = idOf(await cms().create(article({ image: { url: 'https://i.example/a.png', alt: 'A' } })))
    await cms().update(id, article({ status: 'draft', title: 'Draft of later' }))
    const kept = await cms().read?.(id)
    await cms().update(id, article({ title: 'Changed', html: '<p>Changed.</p>' }))
    const version = kept?.kind === 'done' && kept.value ? kept.value : {}
    expect(await cms().restore?.(id, version)).toMatchObject({
      kind: 'done',
      value: { title: article().title, url: URL_OF_IT },
    })
    expect(JSON.stringify(wix.live()[0]?.richContent)).toContain('A shed keeps tools dry.')
  })
})

describe('find', () => {
  it('knows live posts and drafts by id and slug, a draft of another title too', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ value: { matchedBy: 'remote_id' } })
    expect(await cms().find(query)).toMatchObject({ value: { remoteId: id, matchedBy: 'slug', status: 'draft' } })
    expect(await cms().find({ ...query, title: 'Edited since' })).toMatchObject({ value: { remoteId: id } })
    await cms().update(id, article())
    expect(await cms().find(query)).toMatchObject({ value: { remoteId: id, status: 'published', url: URL_OF_IT } })
    expect(await cms().find({ ...query, slug: 'none' })).toEqual({ kind: 'done', value: null })
  })
})

describe('authors', () => {
  it('are the only member, or the one with the byline’s name; never a random one', async () => {
    const jane = '00000000-0000-4000-8000-000000000801'
    const noMember = { member_id: undefined }
    expect(await cms(noMember).create(article({ author: 'Nobody' }))).toMatchObject({
      kind: 'refused',
      code: 'validation',
    })
    const id = idOf(await cms(noMember).create(article({ author: 'Jane Doe' })))
    expect(wix.live()).toMatchObject([{ memberId: jane }])
    expect(await cms().update(id, article({ author: 'Nobody' }))).toMatchObject({
      notes: [expect.stringContaining('so the author stays')],
    })
    expect(wix.live()).toMatchObject([{ memberId: jane }])
    await restart({ members: [{ id: jane, profile: { nickname: 'Only One' } }] })
    expect(await cms(noMember).create(article())).toMatchObject({ kind: 'done' })
    expect(wix.live()).toMatchObject([{ memberId: jane }])
  })
})

describe('long texts', () => {
  const words = (n: number) => `<p>${`Sheds ${n} keep tools dry and warm. `.repeat(30)}</p>`
  const LONG = `${Array.from({ length: 60 }, (_, n) => words(n)).join('')}<table><tr><td>Cell</td></tr></table>`
  it('are sent to Wix in parts, and nothing is lost', async () => {
    expect(LONG.length).toBeGreaterThan(50_000)
    expect(await cms().create(article({ html: LONG }))).not.toHaveProperty('notes')
    expect(wix.converted.length).toBe(3)
    expect(Math.max(...wix.converted)).toBeLessThanOrEqual(30_000)
    const shown = JSON.stringify(wix.live()[0]?.richContent)
    for (const n of [0, 29, 30, 59]) expect(shown.split(`Sheds ${n} keep`)).toHaveLength(31)
  })
  it('are converted in smaller parts if the converter refuses larger ones', async () => {
    await restart({ maxHtml: 10_000 })
    expect(await cms().create(article({ html: LONG }))).not.toHaveProperty('notes')
    expect(Math.max(...wix.converted)).toBeLessThanOrEqual(10_000)
    const shown = JSON.stringify(wix.live()[0]?.richContent)
    for (const n of [0, 29, 30, 59]) expect(shown.split(`Sheds ${n} keep`)).toHaveLength(31)
  })
  it('a 403 without a message is retried before a table is given up', async () => {
    await restart({ heldBack: 2 })
    expect(await cms().create(article({ html: LONG }))).not.toHaveProperty('notes')
    await restart({ heldBack: 9 })
    expect(await cms().create(article({ html: LONG }))).toMatchObject({
      kind: 'done',
      notes: [expect.stringContaining('converted without Wix')],
    })
    const ids = [...JSON.stringify(wix.live()[0]?.richContent).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('taking down', () => {
  it('makes a draft, and the next update publishes it in place', async () => {
    const id = idOf(await cms().create(article()))
    expect(await cms().unpublish?.(id, article())).toMatchObject({
      value: { remoteId: id, status: 'draft', url: null },
    })
    expect(wix.live()).toEqual([])
    expect(await cms().update(id, article())).toMatchObject({
      value: { remoteId: id, status: 'published', url: URL_OF_IT },
    })
    expect(await cms().unpublish?.('none', article())).toEqual({ kind: 'done', value: null })
  })
})

describe('people at the post', () => {
  const seo = (title: string, description: string) => ({
    settings: { keywords: [{ term: 'tea' }] },
    tags: [
      { type: 'title', children: title },
      { type: 'meta', props: { name: 'description', content: description } },
      { type: 'meta', props: { name: 'robots', content: 'noindex' } },
      { type: 'link', props: { rel: 'canonical', href: 'https://first.example/by-hand' } },
    ],
  })
  const shownSeo = () => (wix.live()[0]?.seoData as { tags: unknown[] } | undefined)?.tags ?? []

  it('keep their texts for search engines; other fields follow the article', async () => {
    const id = idOf(await cms().create(article()))
    const draft = wix.drafts()[0]
    Object.assign(draft ?? {}, { seoData: seo('By hand', 'By hand too.') })
    const next = article({ title: 'New', metaDescription: 'New words.' })
    expect(await cms().update(id, next, { intent: 'change' })).toMatchObject({
      notes: [expect.stringContaining('description for search engines')],
    })
    expect(shownSeo()).toEqual(seo('By hand', 'By hand too.').tags)
    expect(wix.live()).toMatchObject([{ title: 'New', excerpt: 'New words.', seoData: { settings: {} } }])
    Object.assign(draft ?? {}, { seoData: seo('New', 'New words.') })
    await cms().update(id, article({ title: 'Newer', metaDescription: 'Newer.' }), { intent: 'change' })
    expect(shownSeo()).toEqual(expect.arrayContaining(seo('Newer', 'Newer.').tags))
    const own = article({ seoTitle: 'Ours', canonicalUrl: 'https://first.example/ours' })
    await cms().update(id, own, { intent: 'change', only: ['canonicalUrl'] })
    expect(JSON.stringify(shownSeo())).toMatch(/ours.*Newer.*noindex/)
  })

  it('learn that their unpublished changes went live with an update', async () => {
    const id = idOf(await cms().create(article()))
    const change = () => cms().update(id, article(), { intent: 'change', only: ['tags'] })
    expect(await change()).not.toHaveProperty('notes')
    Object.assign(wix.drafts()[0] ?? {}, { title: 'Half done', hasUnpublishedChanges: true })
    expect(await change()).toMatchObject({ notes: [expect.stringContaining('nobody had published yet')] })
  })
})

it('sends the title for search engines and the canonical address', async () => {
  await cms().create(article({ seoTitle: 'Sheds | Guide', canonicalUrl: 'https://first.example/shed' }))
  expect(wix.live()).toMatchObject([
    {
      title: article().title,
      seoData: {
        tags: [
          { type: 'title', children: 'Sheds | Guide' },
          { type: 'meta' },
          { type: 'link', props: { rel: 'canonical', href: 'https://first.example/shed' } },
        ],
      },
    },
  ])
})

it('reports a reserved slug', async () => {
  expect(await cms().create(article({ slug: 'pts' }))).toMatchObject({
    kind: 'refused',
    code: 'validation',
    reason: expect.stringContaining('keeps the slug "pts"'),
  })
  expect(wix.drafts().filter((d) => d.status !== 'DELETED')).toEqual([])
})

it('asks for all tags at once', async () => {
  await cms().create(article({ tags: ['One', 'Two', 'Three'] }))
  const asked = () => wix.calls.filter((call) => call === 'POST /blog/v3/tags/query').length
  expect(asked()).toBe(1)
  await cms().create(article({ slug: 'second', tags: ['One', 'Two', 'Three'] }))
  expect([asked(), wix.calls.filter((call) => call === 'POST /blog/v3/tags').length]).toEqual([2, 3])
})

describe('images', () => {
  const images = Array.from({ length: 12 }, (_, n) => `<img src="https://i.example/${n}.png" alt="">`).join('')
  it('of a text are imported in parallel, with one wait at the end', async () => {
    await restart({ importPolls: 99 })
    const before = clock.now().getTime()
    expect(await cms().create(article({ html: images }))).not.toHaveProperty('notes')
    expect(wix.imports).toHaveLength(12)
    expect(clock.now().getTime() - before).toBeLessThan(5_000)
    expect(JSON.stringify(wix.live()[0]?.richContent)).toContain('"id":"11~mv2.png"')
  })
  it('of text and cover are imported once for all attempts', async () => {
    const kept = new Map<string, string>()
    const keeping = {
      dropVersion: async () => {},
      version: async () => {},
      hostedImages: async (urls: readonly string[]) => new Map([...kept].filter(([url]) => urls.includes(url))),
      hosted: async (url: string, hostedUrl: string) => void kept.set(url, hostedUrl),
      sentBefore: async () => [],
      hasTime: () => true,
    }
    const given = {
      content_html: '<p>x</p><img src="https://i.example/b.png" alt="">',
      image_url: 'https://i.example/a.png',
    }
    const target = cmsTarget(cms(), 'Galley')
    await fault({ path: 'POST /blog/v3/draft-posts', body: '"publish":false', status: 500, answer: {}, times: 1 })
    expect(await target.deliver(requestOf(clock, given), keeping)).toMatchObject({ kind: 'unknown' })
    expect(await target.deliver(requestOf(clock, given), keeping)).toMatchObject({ kind: 'accepted' })
    await target.deliver(requestOf(clock, given), keeping)
    expect([...wix.imports].sort()).toEqual(['https://i.example/a.png', 'https://i.example/b.png'])
    expect(wix.live()).toMatchObject([{ cover: 'a~mv2.png' }])
    expect(JSON.stringify(wix.live()[0]?.richContent)).toContain('"id":"b~mv2.png"')
  })
  it('that are in Wix’s media are not imported again', async () => {
    const html = '<img src="https://static.wixstatic.com/media/mine~mv2.jpg" alt="">'
    await cms().create(article({ html, image: { url: 'https://static.wixstatic.com/media/cover~mv2.jpg', alt: '' } }))
    expect(wix.imports).toEqual([])
    expect(JSON.stringify(wix.live()[0]?.richContent)).toContain('"id":"mine~mv2.jpg"')
    expect(wix.live()).toMatchObject([{ cover: 'cover~mv2.jpg' }])
  })
  it('without an extension are imported with the type of their bytes', async () => {
    expect(await cms().hostImage?.({ url: `${wix.url}/_image`, alt: '' })).toMatchObject({ kind: 'done' })
  })
  it('are hosted at the site', async () => {
    expect(await cms().hostImage?.({ url: 'https://i.example/a.png', alt: '' })).toEqual({
      kind: 'done',
      value: 'https://static.wixstatic.com/media/a~mv2.png',
    })
  })
})

describe('when calls go wrong', () => {
  it.each([
    ['a lost answer', { path: 'POST /blog/v3/draft-posts', drop: 'after' }, { kind: 'refused', retryable: true }],
    [
      'a lost creation',
      { path: 'POST /blog/v3/draft-posts', body: '"publish":false', drop: 'after' },
      { kind: 'unknown' },
    ],
    ['a 504 page', { body: '"publish":false', status: 504, answer: '<html>Gateway</html>' }, { kind: 'unknown' }],
    [
      'a 429',
      { body: '"publish":false', status: 429, answer: {} },
      { kind: 'refused', code: 'rate_limited', retryAfterS: 60 },
    ],
    [
      'a violation',
      {
        body: '"publish":false',
        status: 400,
        answer: {
          message: '',
          details: { validationError: { fieldViolations: [{ field: 'draftPost.title', description: 'is too long' }] } },
        },
      },
      { code: 'validation', reason: expect.stringContaining('draftPost.title: is too long') },
    ],
    ['a page', { body: '"publish":false', status: 200, answer: '<html>Hello</html>' }, { kind: 'unknown' }],
    [
      'a busy converter',
      { path: 'to-ricos', status: 503, answer: {} },
      { kind: 'refused', code: 'unavailable', retryable: true },
    ],
  ])('%s is typed', async (name, rule, outcome) => {
    await fault(rule)
    const cmsNow = cms()
    expect(name === 'a lost answer' ? await cmsNow.find(query) : await cmsNow.create(article())).toMatchObject(outcome)
  })
  it('a crash between draft and publication leaves one post, published by the next attempt', async () => {
    await fault({ path: '/publish', drop: 'before', times: 1 })
    expect(await publishThrough(cmsTarget(cms(), 'Galley'), requestOf(clock), clock)).toMatchObject({
      kind: 'accepted',
      url: URL_OF_IT,
    })
    expect(wix.drafts()).toHaveLength(1)
  })
})

it('never publishes again by a change a post that an editor took down', async () => {
  await proveChange(cmsTarget(cms(), 'Galley'), clock, () => wix.drafts())
})

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  wix.drafts().map((d) => {
    const post = wix.live().find((p) => p.id === d.id)
    return {
      remoteId: d.id,
      slug: d.seoSlug,
      title: d.title,
      content: JSON.stringify(post?.richContent),
      isLive: post !== undefined,
    }
  })

it('claims nothing that a cache in front of the site answered', async () => {
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, wix, shownPosts)
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts, { waitMs: 60_000 })
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(3)) })
  await proveFaults(
    cmsTarget(cms(), 'Galley'),
    clock,
    shownPosts,
    (slug) => `https://shed.wixsite.example/post/${slug}`,
  )
})
