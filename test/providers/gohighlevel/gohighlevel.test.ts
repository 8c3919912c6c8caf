import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GohighlevelOptions, type GohighlevelStandIn, startGohighlevel } from '../../../local/cms/gohighlevel.ts'
import { cmsTarget } from '../../../src/providers/cms/posts.ts'
import { gohighlevelConnection } from '../../../src/providers/gohighlevel/connect.ts'
import { gohighlevelCms } from '../../../src/providers/gohighlevel/index.ts'
import { madeAt, postUrl, wordsIn } from '../../../src/providers/gohighlevel/transform.ts'
import {
  clockAt,
  idOf,
  meansAt,
  oneFault,
  PROOF_TIMEOUT_MS,
  article as plain,
  proveCachedHost,
  proveChange,
  proveFaults,
  proveRepeats,
  publishThrough,
  query,
  requestOf,
  seeded,
  troubleFrom,
} from '../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
const IMAGE = { url: 'https://i.example/a.png', alt: 'A shed' }
const URL_OF_IT = 'https://blog.shed.example/post/how-to-build-a-shed'
let ghl: GohighlevelStandIn

const restart = async (options: GohighlevelOptions) => {
  await ghl?.close()
  ghl = await startGohighlevel({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const { url, secrets } = gohighlevelConnection.connection({
    private_token: ghl.token,
    location_id: ghl.locationId,
    blog_url: 'https://blog.shed.example/',
    api_url: ghl.url,
    ...more,
  })
  return gohighlevelCms({ id: 1, platform: 'gohighlevel', url, secrets }, meansAt(clock))
}
const article = (more: Parameters<typeof plain>[0] = {}) => plain({ image: IMAGE, ...more })
const fault = (rule: object) => fetch(`${ghl.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })

beforeEach(() => restart({}))
afterEach(() => ghl.close())

describe('transform', () => {
  it('counts words, dates ids, and puts posts where they are read', () => {
    expect(wordsIn('<h2>Why&nbsp;sheds</h2><p>keep <b>tools</b> dry.</p>')).toBe(5)
    expect(madeAt('65a0b1c20000000000000001')).toBe('2024-01-12T03:28:02.000Z')
    expect(madeAt('other')).toBe(null)
    expect(postUrl('https://b.example', 'x')).toBe('https://b.example/post/x')
    expect(postUrl('https://b.example/articles/', 'x')).toBe('https://b.example/articles/x')
  })
})

describe('probe', () => {
  it('returns the blog, and that an image is required', async () => {
    expect(await cms().probe()).toMatchObject({
      kind: 'done',
      value: { name: 'Shed News', url: 'https://blog.shed.example' },
      notes: [expect.stringContaining('default_image_url')],
    })
    expect(await cms({ default_image_url: IMAGE.url }).probe()).not.toHaveProperty('notes')
  })
  it.each([
    [
      'a wrong token',
      {},
      { private_token: 'pit-wrong' },
      { code: 'auth_invalid', reason: expect.stringContaining('Invalid JWT') },
    ],
    [
      'an agency token',
      { isAgency: true },
      {},
      { code: 'auth_forbidden', reason: expect.stringContaining('sub-account') },
    ],
    [
      'another location',
      {},
      { location_id: 'other' },
      { code: 'auth_forbidden', reason: expect.stringContaining('location') },
    ],
    ['a location without blogs', { blogs: [] }, {}, { reason: expect.stringContaining('no blog') }],
    [
      'several blogs and no choice',
      {
        blogs: [
          { _id: 'b1', name: 'One' },
          { _id: 'b2', name: 'Two' },
        ],
      },
      {},
      { reason: expect.stringContaining('One (b1), Two (b2)') },
    ],
    ['a blog of another location', {}, { blog_id: 'b9' }, { reason: expect.stringContaining('no such blog') }],
    ['no author', { authors: [] }, {}, { reason: expect.stringContaining('no blog author') }],
    ['no category', { categories: [] }, {}, { reason: expect.stringContaining('no blog category') }],
  ])('refuses %s', async (_, options, given, answer) => {
    await restart(options)
    expect(await cms(given).probe()).toMatchObject({ kind: 'refused', retryable: false, ...answer })
  })
  it.each([
    'blogs/list.readonly',
    'blogs/posts.readonly',
    'blogs/author.readonly',
    'blogs/category.readonly',
    'blogs/check-slug.readonly',
  ])('names the missing scope %s', async (scope) => {
    await restart({ lacks: [scope] })
    expect(await cms().probe()).toMatchObject({ code: 'auth_forbidden', reason: expect.stringContaining(scope) })
  })
})

describe('create', () => {
  it('makes a live post with everything', async () => {
    const given = article({ tags: ['Tools'], category: 'guides', author: 'jane doe' })
    expect(await cms().create(given)).toEqual({
      kind: 'done',
      value: expect.objectContaining({
        slug: given.slug,
        status: 'published',
        url: URL_OF_IT,
        createdAt: clock.now().toISOString(),
      }),
    })
    expect(ghl.posts()).toMatchObject([
      {
        rawHTML: given.html,
        description: given.metaDescription,
        imageUrl: IMAGE.url,
        imageAltText: 'A shed',
        author: 'a2',
        categories: ['c2'],
        tags: ['Tools'],
        canonicalLink: URL_OF_IT,
        publishedAt: given.publishedAt,
        status: 'PUBLISHED',
      },
    ])
  })
  it('makes a draft with the defaults, and notes which values replaced the names', async () => {
    const given = plain({ status: 'draft', author: 'Nobody', category: 'Nothing' })
    expect(
      await cms({ default_image_url: IMAGE.url, author_id: 'a2', category_ids: ['c2', 'c1'] }).create(given),
    ).toMatchObject({
      value: { status: 'draft', url: null },
      notes: [
        expect.stringContaining('"Nobody"'),
        expect.stringContaining('"Nothing"'),
        expect.stringContaining('default image'),
      ],
    })
    expect(ghl.posts()).toMatchObject([
      { status: 'DRAFT', author: 'a2', categories: ['c2', 'c1'], imageUrl: IMAGE.url },
    ])
  })
  it('refuses an article without an image before anything is sent', async () => {
    expect(await cms().create(plain())).toMatchObject({
      code: 'validation',
      reason: expect.stringContaining('feature image'),
    })
    expect(ghl.posts()).toEqual([])
  })
  it('a taken slug is refused; a changed one becomes a draft and is reported', async () => {
    await cms().create(article())
    expect(await cms().create(article({ title: 'Another' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    expect(ghl.posts()).toHaveLength(1)
    await restart({ blindCheck: true })
    await cms().create(article())
    expect(await cms().create(article({ title: 'Another' }))).toMatchObject({
      kind: 'refused',
      code: 'conflict',
      reason: expect.stringContaining('"how-to-build-a-shed-1"'),
    })
    expect(ghl.posts()).toMatchObject([{ status: 'PUBLISHED' }, { status: 'DRAFT', urlSlug: 'how-to-build-a-shed-1' }])
  })
  it('names a missing scope to write', async () => {
    await restart({ lacks: ['blogs/post.write'] })
    expect(await cms().create(article())).toMatchObject({
      code: 'auth_forbidden',
      reason: expect.stringContaining('blogs/post.write'),
    })
  })
})

describe('update', () => {
  it('changes the text of a live post; slug, date, author and image stay', async () => {
    const id = idOf(await cms().create(article({ author: 'Jane Doe', category: 'Guides' })))
    clock.pass(1_000)
    const changed = plain({ html: '<p>New.</p>', slug: 'other', publishedAt: '2026-10-10T00:00:00Z' })
    expect(await cms().update(id, changed)).toEqual({
      kind: 'done',
      value: expect.objectContaining({ slug: 'how-to-build-a-shed', url: URL_OF_IT }),
    })
    expect(ghl.posts()).toMatchObject([
      {
        rawHTML: '<p>New.</p>',
        publishedAt: '2026-01-02T03:04:05.000Z',
        author: 'a2',
        categories: ['c2'],
        imageUrl: IMAGE.url,
        urlSlug: 'how-to-build-a-shed',
      },
    ])
  })
  it('publishes a draft; a draft update leaves a live post unchanged, with a note', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    clock.pass(1_000)
    expect(await cms().update(id, article())).toMatchObject({ value: { status: 'published', url: URL_OF_IT } })
    expect(await cms().update(id, article({ status: 'draft', html: '<p>Later.</p>' }))).toMatchObject({
      value: { status: 'published' },
      notes: [expect.stringContaining('no drafts of live posts')],
    })
    expect(ghl.posts()).toMatchObject([{ status: 'PUBLISHED', rawHTML: article().html }])
  })
  it('says when the post is gone', async () => {
    expect(await cms().update('65a0b1c20000000000000001', article())).toEqual({ kind: 'done', value: null })
  })
  it('cannot read a text back', () => {
    expect(cms()).not.toHaveProperty('read')
  })
})

describe('find', () => {
  it('knows a post by its id and its slug, drafts and other titles too', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    expect(await cms().find({ ...query, remoteId: id, slug: 'x', title: 'Edited' })).toMatchObject({
      value: { matchedBy: 'remote_id' },
    })
    expect(await cms().find({ ...query, title: 'Edited since' })).toMatchObject({
      value: { remoteId: id, matchedBy: 'slug' },
    })
    expect(await cms().find({ ...query, slug: 'none' })).toEqual({ kind: 'done', value: null })
  })
  it('looks through the pages of a large blog', async () => {
    const id = idOf(await cms().create(article()))
    const others = Array.from({ length: 60 }, (_, n) => article({ slug: `s-${n}`, title: `T ${n}` }))
    await Promise.all(others.map((other) => cms().create(other)))
    expect(await cms().find({ ...query, title: 'Edited since' })).toMatchObject({ value: { remoteId: id } })
  })
})

describe('lists', () => {
  const many = (word: string, n: number) =>
    Array.from({ length: n }, (_, k) => ({
      _id: `${word}${k}`,
      name: `${word} ${k}`,
      label: `${word} ${k}`,
      urlSlug: '',
    }))
  it('of authors and categories are read completely, fifty at a time', async () => {
    await restart({ authors: many('author', 120), categories: many('category', 100) })
    const given = article({ author: 'Author 119', category: 'category 99' })
    expect(await cms().create(given)).toMatchObject({ kind: 'done', value: { status: 'published' } })
    expect(ghl.posts()).toMatchObject([{ author: 'author119', categories: ['category99'] }])
    expect(ghl.calls.filter((call) => call === 'GET /blogs/authors')).toHaveLength(3)
    expect(ghl.calls.filter((call) => call === 'GET /blogs/categories')).toHaveLength(2)
  })
  it('finds a post by its slug in two calls, or by pages if the search only knows titles', async () => {
    const id = idOf(await cms().create(article()))
    const before = ghl.calls.length
    expect(await cms().find({ ...query, title: 'Edited since' })).toMatchObject({ value: { remoteId: id } })
    expect(ghl.calls.slice(before)).toEqual([
      'GET /blogs/site/all',
      'GET /blogs/posts/url-slug-exists',
      'GET /blogs/posts/all',
    ])
    await restart({ titleSearch: true })
    const old = idOf(await cms().create(article()))
    expect(await cms().find({ ...query, title: 'Edited since' })).toMatchObject({ value: { remoteId: old } })
  })
  it('a post that people deleted is not there, one that failed to go out is a draft', async () => {
    const id = idOf(await cms().create(article()))
    for (const post of ghl.posts()) post.status = 'DELETED'
    expect(await cms().update(id, article())).toEqual({ kind: 'done', value: null })
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    for (const post of ghl.posts()) post.status = 'SCHEDULE_FAILED'
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ value: { status: 'draft' } })
  })
  it('reads answers in each shape they were seen in', async () => {
    await restart({ oddShapes: true })
    const id = idOf(await cms().create(article({ author: 'Jane Doe', category: 'Guides' })))
    expect(id).toBe(ghl.posts()[0]?._id)
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ value: { remoteId: id } })
    expect(await cms().update(id, article({ html: '<p>New words.</p>' }))).toMatchObject({ value: { remoteId: id } })
    expect(ghl.posts()).toMatchObject([{ rawHTML: '<p>New words.</p>', author: 'a2', categories: ['c2'] }])
  })
  it('one entry that cannot be read does not hide the others', async () => {
    const id = idOf(await cms().create(article()))
    const list = {
      blogs: [{ title: 7 }, { _id: id, urlSlug: query.slug, title: 5, status: 'PUBLISHED', archived: 'no' }],
    }
    await fault({ path: '/blogs/posts/all', status: 200, answer: list })
    expect(await cms().find(query)).toMatchObject({ kind: 'done', value: { remoteId: id, status: 'published' } })
  })
})

describe('the text of an update', () => {
  const TEXT = '<p>Entirely new words &amp; a thought about sheds.</p>'
  const update = async (options: GohighlevelOptions) => {
    await restart(options)
    const at = { blog_url: ghl.url }
    const id = idOf(await cms(at).create(article()))
    clock.pass(1_000)
    return await cms(at).update(id, article({ html: TEXT }))
  }
  it('has a note with a link if readers do not see it', async () => {
    expect(await update({ dropsText: true })).toMatchObject({
      kind: 'done',
      notes: [expect.stringMatching(/\/post\/how-to-build-a-shed does not show the new text/)],
    })
  })
  it('has no note if they see it', async () => {
    expect(await update({})).not.toHaveProperty('notes')
  })
})

describe('taking down', () => {
  it('makes a draft with everything it had, and the next update publishes it in place', async () => {
    const id = idOf(await cms().create(article({ author: 'Jane Doe' })))
    expect(await cms().unpublish?.(id, article())).toMatchObject({
      value: { remoteId: id, status: 'draft', url: null },
    })
    expect(ghl.posts()).toMatchObject([{ status: 'DRAFT', rawHTML: article().html, author: 'a2', urlSlug: query.slug }])
    expect(await cms().update(id, article())).toMatchObject({ value: { remoteId: id, status: 'published' } })
    expect(await cms().unpublish?.('65a0b1c20000000000000001', article())).toEqual({ kind: 'done', value: null })
    expect(ghl.posts()).toHaveLength(1)
  })
})

it('names another canonical address if the article has one', async () => {
  await cms().create(article({ canonicalUrl: 'https://first.example/shed' }))
  expect(ghl.posts()).toMatchObject([{ canonicalLink: 'https://first.example/shed' }])
})

describe('images', () => {
  it('are uploaded if only their address was stored', async () => {
    await restart({ notesAddresses: true })
    expect(await cms().hostImage?.({ url: `${ghl.url}/_image.png`, alt: '' })).toEqual({
      kind: 'done',
      value: 'https://storage.leadconnector.example/f1.png',
    })
    expect(ghl.uploads[1]).toContain('Content-Type: image/png')
  })
  it('are hosted in the media library', async () => {
    expect(await cms().hostImage?.(IMAGE)).toEqual({
      kind: 'done',
      value: 'https://storage.leadconnector.example/f1.png',
    })
    expect(ghl.uploads[0]).toContain(IMAGE.url)
  })
})

describe('when calls go wrong', () => {
  it('a 429 has the wait for the burst', async () => {
    await restart({ callsLeft: 2 })
    expect(await cms().create(article())).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterS: 10 })
  })
  it.each([
    ['a lost answer', { path: 'POST /blogs/posts', drop: 'after' }, { kind: 'unknown' }],
    [
      'a 500',
      { path: 'POST /blogs/posts', status: 500, answer: { statusCode: 500, message: 'Internal server error' } },
      { kind: 'unknown' },
    ],
    [
      'a 422',
      {
        path: 'POST /blogs/posts',
        status: 422,
        answer: { statusCode: 422, message: ['title must be shorter'], error: 'Unprocessable Entity' },
      },
      { code: 'validation', reason: expect.stringContaining('title must be shorter') },
    ],
    [
      'a lost read',
      { path: '/blogs/authors', drop: 'before' },
      { kind: 'refused', code: 'unavailable', retryable: true },
    ],
    [
      'an answer of another shape',
      { path: 'POST /blogs/posts', status: 200, answer: { ok: true } },
      { kind: 'unknown' },
    ],
  ])('%s is typed', async (_, rule, outcome) => {
    await fault(rule)
    expect(await cms().create(article())).toMatchObject(outcome)
  })
  it('a lost answer to the creation is found again by slug, title and time', async () => {
    await fault({ path: 'POST /blogs/posts', drop: 'after', times: 1 })
    const request = requestOf(clock, { image_url: IMAGE.url })
    expect(await publishThrough(cmsTarget(cms(), 'Galley'), request, clock)).toMatchObject({
      kind: 'accepted',
      url: URL_OF_IT,
    })
    expect(ghl.posts()).toHaveLength(1)
  })
})

it('never publishes again by a change a post that an editor took down', async () => {
  await proveChange(cmsTarget(cms(), 'Galley'), clock, () => ghl.posts(), { takesWhole: true })
})

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  ghl.posts().map((p) => ({
    remoteId: p._id,
    slug: p.urlSlug,
    title: p.title,
    content: p.rawHTML,
    isLive: p.status === 'PUBLISHED',
  }))

it('claims nothing that a cache in front of the site answered', async () => {
  const image_url = 'https://images.example/a.png'
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, ghl, shownPosts, { image_url })
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts, {
    image_url: 'https://images.example/a.png',
  })
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(4)) })
  await proveFaults(cmsTarget(cms(), 'Galley'), clock, shownPosts, (slug) => `https://blog.shed.example/post/${slug}`, {
    needsImage: true,
  })
})
