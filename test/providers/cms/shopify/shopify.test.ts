import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NEWS, type ShopifyOptions, type ShopifyStandIn, startShopify } from '../../../../local/cms/shopify.ts'
import { invalidIn } from '../../../../local/cms/shopify-schema.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { shopifyConnection } from '../../../../src/providers/cms/shopify/connect.ts'
import * as documents from '../../../../src/providers/cms/shopify/documents.ts'
import { shopifyCms } from '../../../../src/providers/cms/shopify/index.ts'
import type { CmsResult } from '../../../../src/publishing/target/cms-adapter.ts'
import type { SitePostPage } from '../../../../src/publishing/target/site-posts.ts'
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
import { proveMisfits, proveOwnFields } from '../../own-fields.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let shop: ShopifyStandIn

const restart = async (options: ShopifyOptions) => {
  await shop?.close()
  shop = await startShopify({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const given = { shop: 'shed-shop', access_token: shop.token, api_url: shop.url, ...more }
  const { url, secrets } = shopifyConnection.connection(given)
  return shopifyCms({ id: 1, platform: 'shopify', url, secrets }, meansAt(clock))
}
const fault = (rule: object) => fetch(`${shop.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })
const OTHER = { id: 'gid://shopify/Blog/12', handle: 'guides', title: 'Guides' }

beforeEach(() => restart({}))
afterEach(() => shop.close())

describe('an article that the shop had', () => {
  it('gets its own HTML with the change, unless somebody changed it since', async () => {
    const remoteId = idOf(await cms().create(article({ html: '<p data-mce="1">The old shed.</p><app-box></app-box>' })))
    const [before] = shop.articles()
    const from = before?.body ?? ''
    const to = from.replace('old', 'new')
    const update = (stored: { from: string; to: string }) =>
      cms().update(remoteId, { ...article({ html: '<p>x</p>' }), stored }, { intent: 'change', only: ['html'] })
    expect(await cms().read?.(remoteId)).toMatchObject({ value: { stored: { format: 'html', text: from } } })
    expect(await update({ from: '<p>Older.</p>', to })).toMatchObject({
      kind: 'refused',
      code: 'changed',
      retryable: true,
    })
    expect(shop.articles()[0]?.body).toBe(from)
    expect(await update({ from, to })).toMatchObject({ kind: 'done' })
    expect(shop.articles()[0]?.body).toBe(to)
  })
})

describe('metafields that the shop defines for articles', () => {
  const define = (key: string, type: string, validations: { name: string; value: string }[] = []) => ({
    namespace: 'custom',
    key,
    name: key,
    type: { name: type },
    validations,
  })
  const definitions = [
    define('rating', 'number_integer', [
      { name: 'min', value: '1' },
      { name: 'max', value: '5' },
    ]),
    define('featured', 'boolean'),
    define('layout', 'single_line_text_field', [{ name: 'choices', value: '["wide","narrow"]' }]),
    define('badges', 'list.single_line_text_field'),
    define('product', 'product_reference'),
  ]
  it('get the article’s values as texts, and are deleted if they have none', async () => {
    await restart({ definitions })
    await proveOwnFields(cms(), clock, {
      given: { 'custom.rating': 4, 'custom.featured': true, 'custom.layout': 'wide', 'custom.badges': ['new'] },
      stored: { 'custom.rating': '4', 'custom.featured': 'true', 'custom.layout': 'wide', 'custom.badges': '["new"]' },
      emptied: 'custom.rating',
      read: () =>
        Object.fromEntries((shop.articles()[0]?.metafields ?? []).map((m) => [`${m.namespace}.${m.key}`, m.value])),
    })
  })
  it('refuse values that do not fit, before anything is written', async () => {
    await restart({ definitions })
    await proveMisfits(cms(), clock, [
      [{ 'custom.rating': 0 }, '“custom.rating” must be a whole number from 1 to 5'],
      [{ 'custom.layout': 'broad' }, '“custom.layout” must be one of these: wide, narrow'],
      [{ 'custom.product': 'x' }, '“custom.product” is of the type product_reference'],
      [{ 'custom.none': 1 }, 'There are: custom.rating, custom.featured, custom.layout, custom.badges'],
    ])
    expect(shop.articles()).toEqual([])
  })
})

describe('the connection form', () => {
  it.each([
    'shed-shop',
    'shed-shop.myshopify.com',
    'https://Shed-Shop.myshopify.com/',
    'https://shed-shop.myshopify.com/admin',
    'https://admin.shopify.com/store/shed-shop',
    'admin.shopify.com/store/Shed-Shop/products?selectedView=all',
  ])('knows the shop by %s', (given) => {
    expect(shopifyConnection.connection({ shop: given, access_token: 'x' })).toMatchObject({
      url: 'https://shed-shop.myshopify.com',
      name: 'shed-shop.myshopify.com',
    })
  })
  it.each([
    [{ shop: 'www.shed.example', access_token: 'x' }, 'shop'],
    [{ shop: 'shed-shop' }, 'access_token'],
    [{ shop: 'shed-shop', client_id: 'x' }, 'access_token'],
    [{ shop: 'shed-shop', access_token: 'x', api_url: 'https://evil.example' }, 'api_url'],
  ])('refuses %j', (given, field) => {
    expect(shopifyConnection.fields.safeParse(given).error?.issues[0]?.path).toEqual([field])
  })
})

describe('probe', () => {
  it('returns the shop', async () => {
    expect(await cms().probe()).toEqual({ kind: 'done', value: { name: 'Shed Shop', url: 'https://shed.example' } })
  })
  it('gets a token for client credentials once, and again after it is revoked', async () => {
    const given = { access_token: undefined, client_id: shop.clientId, client_secret: shop.clientSecret }
    expect(await cms(given).probe()).toMatchObject({ kind: 'done' })
    expect(await cms(given).probe()).toMatchObject({ kind: 'done' })
    const asked = () => shop.calls.filter((call) => call.endsWith('/access_token')).length
    expect(asked()).toBe(1)
    shop.revoke()
    expect(await cms(given).create(article())).toMatchObject({ kind: 'done' })
    expect(asked()).toBe(2)
    clock.pass(24 * 3_600_000)
    await cms(given).probe()
    expect(asked()).toBe(3)
  })
  it.each([
    [
      'a wrong token',
      {},
      { access_token: 'shpat_wrong' },
      { code: 'auth_invalid', reason: expect.stringContaining('Invalid API key') },
    ],
    [
      'wrong client credentials',
      {},
      { access_token: undefined, client_id: 'x', client_secret: 'wrong-one' },
      { code: 'auth_invalid', reason: expect.stringContaining('secret is not valid') },
    ],
    [
      'a missing scope',
      { scopes: ['read_content'] },
      {},
      { code: 'auth_forbidden', reason: expect.stringContaining('write_content') },
    ],
    ['a frozen shop', { frozen: true }, {}, { code: 'plan_limit' }],
    ['no blog', { blogs: [] }, {}, { reason: expect.stringContaining('no blog') }],
    [
      'several blogs and no choice',
      { blogs: [NEWS, OTHER] },
      {},
      { reason: expect.stringContaining('News (11), Guides (12)') },
    ],
    [
      'a blog of another shop',
      { blogs: [NEWS, OTHER] },
      { blog_id: '99' },
      { reason: expect.stringContaining('no such blog') },
    ],
  ])('refuses %s', async (_, options, given, answer) => {
    await restart(options)
    expect(await cms(given).probe()).toMatchObject({ kind: 'refused', retryable: false, ...answer })
  })
  it('names another version of the API', async () => {
    await restart({ version: '2027-01' })
    expect(await cms().probe()).toMatchObject({ notes: [expect.stringContaining('2027-01')] })
  })
})

describe('the documents', () => {
  it.each(Object.entries(documents))('%s is valid against the published schema', (_, document) => {
    const error = invalidIn(document, {})
    // Without variables only those that are required may be missing.
    expect(error ?? '').toMatch(/^$|^Variable "\$\w+" of required type/)
  })
  it('the check finds a field, a type and an input that are not there', () => {
    expect(invalidIn('{ shop { nome } }', {})).toContain('Cannot query field "nome"')
    expect(invalidIn('query Q($a: Strong) { shop { name } }', {})).toContain('Unknown type')
    expect(invalidIn(documents.CREATE, { article: { title: 'x', author: { name: 'y' }, slug: 'z' } })).toContain('slug')
  })
})

describe('client credentials that are refused', () => {
  it.each([
    ['shop_not_permitted', 'same organisation'],
    ['app_not_installed', 'not installed in the shop'],
  ])('%s says what to do', async (tokenError, reason) => {
    await restart({ tokenError })
    const given = { access_token: undefined, client_id: 'id-of-mine', client_secret: `secret-${tokenError}` }
    expect(await cms(given).probe()).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringContaining(reason),
    })
  })
})

describe('images', () => {
  it('are stored in the shop’s files by address, or by bytes if Shopify cannot fetch them', async () => {
    await restart({ filePolls: 3 })
    expect(await cms().hostImage?.({ url: 'https://i.example/a.png', alt: 'A' })).toEqual({
      kind: 'done',
      value: 'https://cdn.shopify.example/files/1.png',
    })
    // An address the stand-in of Shopify cannot fetch, but this machine can.
    const unreachable = `${shop.url}/_image.png?broken`
    expect(await cms().hostImage?.({ url: unreachable, alt: '' })).toMatchObject({ kind: 'done' })
    expect(shop.files()).toEqual(['https://i.example/a.png', unreachable, `${shop.url}/staged/1`])
  })
  it('have at most 512 characters of alternative text', async () => {
    const url = 'https://i.example/a.png'
    expect(await cms().hostImage?.({ url, alt: 'A'.repeat(600) })).toMatchObject({ kind: 'done' })
    const files = [{ originalSource: url, alt: 'A'.repeat(600), contentType: 'IMAGE' }]
    const asItWas = await fetch(`${shop.url}/admin/api/2026-10/graphql.json`, {
      method: 'POST',
      headers: { 'X-Shopify-Access-Token': shop.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: documents.CREATE_FILE, variables: { files } }),
    })
    expect(await asItWas.text()).toContain('ALT_VALUE_LIMIT_EXCEEDED')
  })
  it('need a scope, which the refusal names', async () => {
    await restart({ scopes: ['write_content', 'read_content'] })
    expect(await cms().hostImage?.({ url: 'https://i.example/a.png', alt: '' })).toMatchObject({
      code: 'auth_forbidden',
      reason: expect.stringContaining('write_files'),
    })
  })
  it('are sent again only when they change', async () => {
    const image = { url: 'https://i.example/a.png', alt: 'A' }
    const id = idOf(await cms().create(article({ image })))
    const sent: unknown[] = []
    const { id: _, ...before } = { id, ...shop.articles()[0]?.image }
    const update = async (given: Parameters<typeof article>[0]) => {
      for (const one of shop.articles())
        one.image = one.image && { ...one.image, url: `https://cdn.shopify.example/x.png` }
      await cms().update(id, article(given))
      sent.push(shop.articles()[0]?.image?.url)
    }
    expect(before).toMatchObject({ url: image.url })
    await update({ image })
    await update({ image: { ...image, url: 'https://i.example/b.png' } })
    await update({ image: { ...image, url: 'https://i.example/b.png', alt: 'Other' } })
    await update({ image: { url: 'https://i.example/broken.png', alt: 'Other' } })
    expect(sent).toEqual([
      'https://cdn.shopify.example/x.png',
      'https://i.example/b.png',
      'https://i.example/b.png',
      'https://cdn.shopify.example/x.png',
    ])
  })
})

describe('taking down', () => {
  it('hides the article, and the next update publishes it in place', async () => {
    const id = idOf(await cms().create(article()))
    expect(await cms().unpublish?.(id, article())).toMatchObject({
      value: { remoteId: id, status: 'draft', url: null },
    })
    expect(shop.articles()).toMatchObject([{ isPublished: false, handle: query.slug }])
    expect(await cms().update(id, article())).toMatchObject({ value: { remoteId: id, status: 'published' } })
    expect(await cms().unpublish?.('gid://shopify/Article/1', article())).toEqual({ kind: 'done', value: null })
  })

  it('cancels the date of one that an editor planned', async () => {
    const id = idOf(await cms().create(article()))
    Object.assign(shop.articles()[0] ?? {}, { isPublished: false, publishedAt: '2094-01-02T03:04:05Z' })
    const known = requestOf(clock, { external_id: id })
    const target = cmsTarget(cms(), 'Galley')
    expect(await target.deliver({ ...known, updateOnly: true, isChange: true })).toMatchObject({
      isHidden: true,
      notes: [expect.stringContaining('"scheduled"')],
    })
    expect(shop.articles()).toMatchObject([{ isPublished: false, publishedAt: '2094-01-02T03:04:05Z' }])
    expect(await target.unpublish?.(known)).toMatchObject({ kind: 'taken_down' })
    expect(shop.articles()).toMatchObject([{ isPublished: false, publishedAt: null }])
  })
})

it('sends the SEO title, and notes that there is no canonical address', async () => {
  const given = article({ seoTitle: 'Sheds | Guide', canonicalUrl: 'https://first.example/shed' })
  expect(await cms().create(given)).toMatchObject({ notes: [expect.stringContaining('canonical address')] })
  expect(shop.articles()[0]?.metafields).toContainEqual({
    namespace: 'global',
    key: 'title_tag',
    type: 'single_line_text_field',
    value: 'Sheds | Guide',
  })
})

describe('create', () => {
  it('makes a live article with everything', async () => {
    await restart({ blogs: [NEWS, OTHER] })
    const given = article({
      tags: ['Tools'],
      category: 'Guides',
      author: 'Jane',
      image: { url: 'https://i.example/a.png', alt: 'A shed' },
      metaDescription: 'Two\nlines & more.',
    })
    expect(await cms({ blog_id: '12' }).create(given)).toMatchObject({
      kind: 'done',
      value: { slug: given.slug, status: 'published', url: 'https://shed.example/blogs/guides/how-to-build-a-shed' },
    })
    expect(shop.articles()).toMatchObject([
      {
        body: given.html,
        summary: '<p>Two\nlines &amp; more.</p>',
        tags: ['Guides', 'Tools'],
        author: { name: 'Jane' },
        image: { url: 'https://i.example/a.png', altText: 'A shed' },
        publishedAt: given.publishedAt,
        metafields: [
          { value: given.marker },
          { key: 'description_tag', value: 'Two lines & more.' },
          { key: 'image_source', value: 'https://i.example/a.png' },
        ],
      },
    ])
  })
  it('makes a draft; without a byline the shop is the author', async () => {
    expect(await cms().create(article({ status: 'draft' }))).toMatchObject({ value: { status: 'draft', url: null } })
    expect(shop.articles()).toMatchObject([{ isPublished: false, publishedAt: null, author: { name: 'Shed Shop' } }])
  })
  it('an image Shopify cannot fetch is a note', async () => {
    const given = article({ image: { url: 'https://i.example/missing.png', alt: '' } })
    expect(await cms().create(given)).toMatchObject({ kind: 'done', notes: [expect.stringContaining('image')] })
    expect(shop.articles()).toMatchObject([{ image: null }])
  })
  it.each([
    ['multi-line', { multiLine: true }, { type: 'multi_line_text_field' }],
    ['not allowed', { noMetafields: true }, undefined],
  ])('a description field that is %s does not stop it', async (_, options, field) => {
    await restart(options)
    const made = await cms().create(article())
    expect(made.kind).toBe('done')
    const stored = shop.articles()[0]?.metafields.find((m) => m.key === 'description_tag')
    if (field) expect(stored).toMatchObject(field)
    else expect(made).toMatchObject({ notes: [expect.stringContaining('description')] })
  })
  it.each([false, true])('a taken handle is refused and leaves nothing (made another: %s)', async (suffixes) => {
    await restart({ suffixes })
    await cms().create(article())
    expect(await cms().create(article({ title: 'Another' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    expect(shop.articles()).toHaveLength(1)
  })
  it('a date in the future is left out of a live article', async () => {
    expect(await cms().create(article({ publishedAt: '2030-01-01T00:00:00Z' }))).toMatchObject({ kind: 'done' })
  })
})

describe('update', () => {
  it('changes a live article in place; handle and date stay, and a draft update leaves it live', async () => {
    const id = idOf(await cms().create(article({ image: { url: 'https://i.example/a.png', alt: '' } })))
    const changed = article({
      slug: 'other',
      html: '<p>New.</p>',
      metaDescription: 'New.',
      publishedAt: '2026-10-10T00:00:00Z',
      status: 'draft',
    })
    expect(await cms().update(id, changed)).toMatchObject({
      kind: 'done',
      value: { status: 'published', slug: 'how-to-build-a-shed' },
    })
    expect(shop.articles()).toMatchObject([
      {
        body: '<p>New.</p>',
        publishedAt: '2026-01-02T03:04:05.000Z',
        image: null,
        metafields: expect.arrayContaining([expect.objectContaining({ key: 'description_tag', value: 'New.' })]),
      },
    ])
  })
  it('publishes a draft under its date', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    expect(await cms().update(id, article())).toMatchObject({
      value: { status: 'published', url: expect.stringContaining('/blogs/news/') },
    })
    expect(shop.articles()).toMatchObject([{ publishedAt: '2026-01-02T03:04:05.000Z' }])
  })
  it('without the image that cannot be fetched', async () => {
    const id = idOf(await cms().create(article()))
    const changed = article({ image: { url: 'https://i.example/broken.png', alt: '' }, html: '<p>New.</p>' })
    expect(await cms().update(id, changed)).toMatchObject({ kind: 'done', notes: [expect.stringContaining('image')] })
    expect(shop.articles()).toMatchObject([{ body: '<p>New.</p>' }])
  })
  it('says when the article is gone', async () => {
    expect(await cms().update('gid://shopify/Article/1', article())).toEqual({ kind: 'done', value: null })
  })
  it('names the words of editors that an update replaces', () => proveWordsNamed(cms(), clock))
  it('restores a stored version', async () => {
    const id = idOf(await cms().create(article()))
    const kept = await cms().read?.(id)
    await cms().update(id, article({ title: 'Changed', html: '<p>Changed.</p>', metaDescription: 'Changed.' }))
    const version = kept?.kind === 'done' && kept.value ? kept.value : {}
    expect(await cms().restore?.(id, version)).toMatchObject({ kind: 'done', value: { title: article().title } })
    expect(shop.articles()).toMatchObject([{ body: article().html }])
    expect(shop.articles()[0]?.metafields).toContainEqual(
      expect.objectContaining({ key: 'description_tag', value: article().metaDescription }),
    )
    expect(await cms().restore?.('gid://shopify/Article/1', version)).toEqual({ kind: 'done', value: null })
  })
})

describe('find', () => {
  it('knows an article by its id, by our mark, and by the very handle', async () => {
    const id = idOf(await cms().create(article()))
    await cms().create(article({ slug: 'how-to-build-a-shed-again', marker: 'galley-00c0ffee-8' }))
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ value: { matchedBy: 'remote_id' } })
    expect(await cms().find(query)).toMatchObject({ value: { remoteId: id, matchedBy: 'marker' } })
    expect(await cms().find({ ...query, marker: 'else' })).toMatchObject({ value: { remoteId: id, matchedBy: 'slug' } })
    expect(await cms().find({ ...query, marker: 'else', slug: 'how-to' })).toEqual({ kind: 'done', value: null })
  })
  it('is unsure while the search may lag after a lost creation, and sure after 5 s', async () => {
    await restart({ lagMs: 4_000, listLags: true })
    const target = cmsTarget(cms(), 'Galley')
    const request = requestOf(clock)
    await fault({ body: 'articleCreate', drop: 'after', times: 1 })
    expect(await target.deliver(request)).toMatchObject({ kind: 'unknown' })
    expect(await target.find?.(request)).toMatchObject({ kind: 'unsure' })
    clock.pass(5_000)
    expect(await target.find?.(request)).toMatchObject({ kind: 'found' })
    expect(await publishThrough(target, request, clock)).toMatchObject({ kind: 'accepted' })
    expect(shop.articles()).toHaveLength(1)
  })
  it('sees a new article in the blog before the search does', async () => {
    await restart({ lagMs: 60_000 })
    const id = idOf(await cms().create(article()))
    expect(await cms().find({ ...query, marker: 'else' })).toMatchObject({ value: { remoteId: id } })
  })
})

describe('when calls go wrong', () => {
  it('THROTTLED has the time that the bucket needs', async () => {
    await restart({ points: 10 })
    expect(await cms().create(article())).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterS: 5 })
    clock.pass(10_000)
    expect(await cms().probe()).toMatchObject({ kind: 'done' })
  })
  it.each([
    ['a lost answer', { body: 'articleCreate', drop: 'after' }, { kind: 'unknown' }],
    ['a 502 page', { body: 'articleCreate', status: 502, answer: '<html>Bad Gateway</html>' }, { kind: 'unknown' }],
    [
      'an error inside',
      {
        body: 'articleCreate',
        answer: { errors: [{ message: 'Internal error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
      },
      { kind: 'unknown' },
    ],
    [
      'an error inside a read',
      {
        body: 'shop {',
        answer: { errors: [{ message: 'Internal error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
      },
      { kind: 'refused', retryable: true },
    ],
    [
      'a password page',
      { status: 200, answer: '<html>Enter store using password</html>' },
      { kind: 'refused', code: 'unavailable', retryable: true },
    ],
    [
      'a shop that moved',
      { status: 404, answer: { errors: 'Not Found' } },
      { kind: 'refused', code: 'site_not_found' },
    ],
    [
      'a token that is not taken any more',
      { status: 401, answer: { errors: '[API] Invalid API key or access token' } },
      { kind: 'refused', code: 'auth_invalid', reason: expect.stringContaining('client_id and client_secret') },
    ],
    [
      'a scope that is missing',
      { status: 403, answer: { errors: '[API] This action requires merchant approval for write_content scope.' } },
      { kind: 'refused', code: 'auth_forbidden', reason: expect.stringContaining('write_content and read_content') },
    ],
    [
      'a closed shop',
      {
        body: 'shop {',
        answer: { errors: [{ message: 'The shop is not active.', extensions: { code: 'SHOP_INACTIVE' } }] },
      },
      { kind: 'refused', code: 'plan_limit', retryable: false, reason: expect.stringContaining('is not active') },
    ],
    [
      'a request taken for an attack',
      { status: 430, answer: { errors: 'Security Rejection' } },
      { kind: 'refused', code: 'blocked', retryable: true },
    ],
    [
      'user errors of another kind',
      {
        body: 'articleCreate',
        answer: {
          data: {
            articleCreate: {
              article: null,
              userErrors: [{ code: 'TOO_LONG', field: ['article', 'title'], message: 'Title is too long' }],
            },
          },
        },
      },
      { kind: 'refused', code: 'validation', reason: expect.stringContaining('Title is too long') },
    ],
  ])('%s is typed', async (_, rule, outcome) => {
    await fault(rule)
    expect(await cms().create(article())).toMatchObject(outcome)
    expect(shop.articles().length).toBeLessThan(2)
  })
})

it('never publishes again by a change an article that an editor took down', async () => {
  await proveChange(cmsTarget(cms(), 'Galley'), clock, () => shop.articles())
})

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  shop
    .articles()
    .map((a) => ({ remoteId: a.id, slug: a.handle, title: a.title, content: a.body, isLive: a.isPublished }))

it.each([true, false])('keeps an editor’s words behind a host that caches reads, if it says so: %s', async (says) => {
  shop.cacheReads({ now: clock.now, ms: 600_000, says })
  await proveWordsNamed(cms(), clock)
})

it('claims nothing that a cache in front of the site answered', async () => {
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, shop, shownPosts, { isFresh: true })
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts)
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(2)), lagMs: 3_000, points: 200 })
  await proveFaults(cmsTarget(cms(), 'Galley'), clock, shownPosts, (slug) => `https://shed.example/blogs/news/${slug}`)
})

describe('the articles of the shop', () => {
  const read = async (ref: { postId: string } | { url: string }) => {
    const found = await cms().readPost?.(ref)
    if (found?.kind !== 'done') throw new Error(JSON.stringify(found))
    return found.value
  }

  it('are listed with author and dates, a hundred at a time, without a gap', async () => {
    for (let n = 0; n < 103; n += 1) await cms().create(article({ slug: `post-${n}`, marker: `galley-1-${n}` }))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: CmsResult<SitePostPage> | undefined = await cms().listPosts?.(cursor)
      if (page?.kind !== 'done') throw new Error(JSON.stringify(page))
      seen.push(...page.value.posts.map(({ url }) => url ?? ''))
      expect(page.value.posts[0]).toMatchObject({
        status: 'published',
        author: expect.stringMatching(/./),
        language: null,
      })
      cursor = page.value.next
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(103)
  })

  it('are read by id and by address, with the text as it is stored', async () => {
    const html = '<p>Oak &amp; <span data-app="x">pine</span>.</p><div class="shopify-app-widget"></div>'
    const made = await cms().create(article({ slug: 'stored', html, tags: ['Sheds'], category: '' }))
    const id = idOf(made)
    const whole = { postId: id, slug: 'stored', format: 'html', text: html, tags: ['Sheds'], owner: null }
    const post = await read({ postId: id })
    expect(post).toMatchObject(whole)
    expect(await read({ url: post?.url ?? '' })).toMatchObject(whole)
    expect(await read({ postId: id.split('/').at(-1) ?? '' })).toMatchObject(whole)
  })

  it('whose template draws something else than the text have it as their owner', async () => {
    const id = idOf(await cms().create(article({ slug: 'built', html: '<p></p>' })))
    const kept = shop.articles().find((one) => one.id === id)
    if (kept) kept.templateSuffix = 'pagefly-1'
    expect(await read({ postId: id })).toMatchObject({ owner: 'the template pagefly-1' })
  })

  it.each([
    { postId: '999' },
    { postId: 'abc' },
    { url: 'https://shed.example/blogs/news/none' },
    { url: 'https://shed.example/pages/about' },
  ])('are not found by %j', async (ref) => {
    expect(await read(ref)).toBeNull()
  })
})
