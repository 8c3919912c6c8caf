import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWebflow, type WebflowOptions, type WebflowStandIn } from '../../../../local/cms/webflow.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { webflowConnection } from '../../../../src/providers/cms/webflow/connect.ts'
import { webflowCms } from '../../../../src/providers/cms/webflow/index.ts'
import type { CmsField } from '../../../../src/publishing/target/cms-adapter.ts'
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
  requestOf,
  seeded,
  troubleFrom,
} from '../../drive.ts'
import { proveMisfits, proveOwnFields } from '../../own-fields.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let webflow: WebflowStandIn

const start = async (options: WebflowOptions = {}) => {
  webflow = await startWebflow({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const { url, secrets } = webflowConnection.connection({
    api_token: webflow.token,
    site_id: webflow.siteId,
    collection_id: webflow.collectionId,
    api_url: webflow.url,
    ...more,
  })
  return webflowCms({ id: 1, platform: 'webflow', url, secrets }, meansAt(clock))
}
const posts = () => webflow.collection(webflow.collectionId)
const restart = async (options: WebflowOptions) => {
  await webflow.close()
  await start(options)
}

beforeEach(() => start())
afterEach(() => webflow.close())

describe('fields of the collection’s own', () => {
  const fields = [
    { slug: 'rating', type: 'Number', validations: { format: 'integer', minValue: 1, maxValue: 5 } },
    { slug: 'layout', type: 'Option', validations: { options: [{ id: 'opt7', name: 'Wide' }] } },
    { slug: 'takeaways', type: 'RichText' },
    { slug: 'teaser', type: 'PlainText', validations: { maxLength: 20 } },
    { slug: 'related', type: 'ItemRef' },
  ]
  it('get the article’s values: an option by its id, HTML without scripts', async () => {
    await restart({ fields })
    await proveOwnFields(cms(), clock, {
      given: { rating: 4, layout: 'Wide', takeaways: '<p>Dry</p><script>x</script>', teaser: 'Dry floors' },
      stored: { rating: 4, layout: 'opt7', takeaways: '<p>Dry</p>', teaser: 'Dry floors' },
      emptied: 'rating',
      read: () => posts()[0]?.fieldData ?? {},
    })
  })
  it('refuse values that do not fit, before anything is written', async () => {
    await restart({ fields })
    await proveMisfits(cms(), clock, [
      [{ rating: 9 }, '“rating” must be a whole number from 1 to 5'],
      [{ layout: 'Broad' }, '“layout” must be one of these: Wide'],
      [{ teaser: 'x'.repeat(21) }, '“teaser” must have at most 20 characters'],
      [{ related: 'x' }, '“related” is of the type ItemRef, which cannot be set here'],
      [{ name: 'x' }, '“name” gets the article’s title'],
    ])
    expect(posts()).toEqual([])
  })
})

describe('probe', () => {
  it('returns the site and the used fields', async () => {
    expect(await cms().probe()).toMatchObject({
      kind: 'done',
      value: { name: 'The Shed', url: 'https://the-shed-12ab.webflow.io' },
      notes: [expect.stringContaining('body → post-body')],
    })
  })
  it('refuses a wrong token with the reason, and never repeats the token', async () => {
    webflow.faults.control(
      { url: '/_faults', method: 'POST' } as never,
      { writeHead: () => ({ end: () => {} }) } as never,
      JSON.stringify({
        path: '/v2/sites',
        status: 401,
        answer: { code: 'not_authorized', message: `Bad token ${webflow.token}` },
      }),
    )
    const answer = await cms().probe()
    expect(answer).toMatchObject({ kind: 'refused', code: 'auth_invalid', retryable: false })
    expect(JSON.stringify(answer)).toContain('Bad token [hidden]')
  })
  it('refuses a collection of another site and names those there are', async () => {
    expect(await cms({ collection_id: 'a'.repeat(24) }).probe()).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Blog Posts ('),
    })
  })
  it('refuses a token without the right to write', async () => {
    await restart({ scope: 'cms:read sites:read' })
    expect(await cms().probe()).toMatchObject({ code: 'auth_forbidden', reason: expect.stringContaining('cms:write') })
  })
  it('refuses a collection with a required field that nothing fills', async () => {
    await restart({ fields: [{ slug: 'price', type: 'Number', isRequired: true }] })
    expect(await cms().probe()).toMatchObject({ code: 'validation', reason: expect.stringContaining('price') })
  })
  it('warns of a site that was never published', async () => {
    await restart({ neverPublished: true })
    expect(await cms().probe()).toMatchObject({
      notes: expect.arrayContaining([expect.stringContaining('never published')]),
    })
  })
})

describe('create', () => {
  it('makes a live item with everything, and its tags and author if they are missing', async () => {
    await restart({ customDomain: 'www.shed.example' })
    const given = article({
      tags: ['Tools', 'Wood'],
      author: 'Jane Doe',
      category: 'guides',
      image: { url: 'https://i.example/a.png', alt: 'A shed' },
    })
    const answer = await cms().create(given)
    expect(answer).toMatchObject({
      kind: 'done',
      value: { slug: given.slug, status: 'published', url: 'https://www.shed.example/post/how-to-build-a-shed' },
    })
    const [post] = posts()
    expect(post).toMatchObject({
      isDraft: false,
      isArchived: false,
      lastPublished: expect.any(String),
      fieldData: {
        name: given.title,
        'post-body': given.html,
        'post-summary': given.metaDescription,
        'main-image': given.image,
        'published-date': given.publishedAt,
        category: 'opt1',
        'external-id': given.marker,
      },
    })
    const tags = webflow.collection(webflow.tagsId)
    expect(tags.map((t) => t.fieldData.name)).toEqual(['Tools', 'Wood'])
    expect(tags.every((t) => t.lastPublished)).toBe(true)
    expect(post?.fieldData.tags).toEqual(tags.map((t) => t.id))
    await cms().create(article({ slug: 'second', tags: ['Wood'] }))
    expect(webflow.collection(webflow.tagsId)).toHaveLength(2)
  })

  it('makes a draft that a publication of the site does not include', async () => {
    expect(await cms().create(article({ status: 'draft' }))).toMatchObject({ value: { status: 'draft', url: null } })
    expect(posts()).toMatchObject([{ isDraft: true, lastPublished: null }])
  })

  it('keeps code and tables in embeds, and says so', async () => {
    const answer = await cms().create(article({ html: '<pre>code</pre><table></table>' }))
    expect(answer).toMatchObject({ notes: expect.arrayContaining([expect.stringContaining('Code blocks')]) })
    expect(posts()[0]?.fieldData['post-body']).toContain('<div data-rt-embed-type="true"><pre>code</pre></div>')
  })

  it.each([false, true])('a taken slug is refused and leaves nothing (made another: %s)', async (suffixes) => {
    await restart({ suffixes })
    await cms().create(article())
    expect(await cms().create(article({ title: 'Another' }))).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    expect(posts()).toHaveLength(1)
  })

  it('an image that is refused, a missing category: notes, not failures', async () => {
    const answer = await cms().create(
      article({ category: 'News', image: { url: 'https://i.example/broken.png', alt: '' } }),
    )
    expect(answer).toMatchObject({
      kind: 'done',
      notes: [expect.stringContaining('no option "News"'), expect.stringContaining('image was left out')],
    })
  })

  it('a site that cannot publish items: the reason, and no item that goes live by surprise', async () => {
    await restart({ neverPublished: true })
    expect(await cms().create(article())).toMatchObject({
      kind: 'refused',
      code: 'conflict',
      reason: expect.stringContaining('Site must be published'),
    })
    expect(posts()).toEqual([])
  })

  it.each([
    [{ publishedItemIds: [], errors: ['Staging item ID x not found.'] }, 'Staging item ID x'],
    [{ errors: ['Staging item ID x not found.'] }, 'Staging item ID x'],
    [{ publishedItemIds: [], errors: [] }, 'did not publish'],
  ])('a publication refused inside a 202 is a refusal: %j', async (answer, reason) => {
    await fetch(`${webflow.url}/_faults`, {
      method: 'POST',
      body: JSON.stringify({ path: '/items/publish', status: 202, answer }),
    })
    expect(await cms().create(article())).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) })
    expect(posts()).toEqual([])
  })
})

describe('update', () => {
  it('changes a live item in place and publishes it; slug and date stay', async () => {
    const made = await cms().create(article())
    const id = made.kind === 'done' ? made.value.remoteId : ''
    const changed = article({ slug: 'other', html: '<p>New.</p>', publishedAt: '2026-10-10T00:00:00Z' })
    expect(await cms().update(id, changed)).toMatchObject({ kind: 'done', value: { slug: 'how-to-build-a-shed' } })
    expect(posts()).toMatchObject([
      {
        fieldData: {
          slug: 'how-to-build-a-shed',
          'post-body': '<p>New.</p>',
          'published-date': '2026-01-02T03:04:05.000Z',
        },
      },
    ])
  })
  it('publishes a draft; a draft update leaves a live item live', async () => {
    const made = await cms().create(article({ status: 'draft' }))
    const id = made.kind === 'done' ? made.value.remoteId : ''
    expect(await cms().update(id, article())).toMatchObject({
      value: { status: 'published', url: expect.stringContaining('/post/') },
    })
    expect(await cms().update(id, article({ status: 'draft', html: '<p>Later.</p>' }))).toMatchObject({
      value: { status: 'published' },
    })
    expect(posts()).toMatchObject([{ isDraft: false, lastPublished: expect.any(String) }])
  })
  it('says when the item is gone', async () => {
    expect(await cms().update('f'.repeat(24), article())).toEqual({ kind: 'done', value: null })
  })
})

describe('limits of fields', () => {
  const field = (slug: string, type: string, validations: Record<string, unknown> = {}) => ({ slug, type, validations })
  it.each([false, true])(
    'texts are cut to the limit, in one line if required (errors as texts: %s)',
    async (textDetails) => {
      const meta = field('seo-description', 'PlainText', { maxLength: 20, singleLine: true })
      await restart({ fields: [meta], textDetails })
      const made = await cms().create(
        article({ title: 'T'.repeat(300), metaDescription: 'Two\nlines of more than twenty.' }),
      )
      expect(made).toMatchObject({
        kind: 'done',
        notes: [
          expect.stringContaining('title was cut'),
          expect.stringContaining('"seo-description" was cut to the 20'),
        ],
      })
      expect(posts()[0]?.fieldData).toMatchObject({ 'seo-description': 'Two lines of more th', name: 'T'.repeat(256) })
    },
  )

  it('an image of more than 4 MB is left out, with the reason', async () => {
    const given = article({ image: { url: 'https://i.example/large.png', alt: '' } })
    expect(await cms().create(given)).toMatchObject({ kind: 'done', notes: [expect.stringContaining('at most 4 MB')] })
  })

  it('a title for search engines and a canonical address have fields of their own', async () => {
    await restart({ fields: [field('seo-title', 'PlainText'), field('canonical-url', 'Link')] })
    await cms().create(article({ seoTitle: 'Sheds | Guide', canonicalUrl: 'https://first.example/shed' }))
    expect(posts()[0]?.fieldData).toMatchObject({
      'seo-title': 'Sheds | Guide',
      'canonical-url': 'https://first.example/shed',
    })
    await restart({})
    expect(await cms().create(article({ canonicalUrl: 'https://first.example/shed' }))).toMatchObject({
      notes: [expect.stringContaining('canonical address')],
    })
  })

  it('tags are looked up once and published together', async () => {
    const before = webflow.calls.length
    await cms().create(article({ tags: ['One', 'Two', 'Three', 'Four'] }))
    const ofTags = webflow.calls.slice(before).filter((call) => call.includes(`${webflow.tagsId}/items`))
    expect(ofTags.map((call) => call.replace(/ .*items/, ''))).toEqual([
      'GET',
      'POST',
      'POST',
      'POST',
      'POST',
      'POST/publish',
    ])
    expect(webflow.collection(webflow.tagsId).every((tag) => tag.lastPublished)).toBe(true)
  })
})

describe('taking down', () => {
  it('unpublishes the item, and the next update publishes it in place', async () => {
    const made = await cms().create(article())
    const id = made.kind === 'done' ? made.value.remoteId : ''
    expect(await cms().unpublish?.(id, article())).toMatchObject({
      value: { remoteId: id, status: 'draft', url: null },
    })
    expect(posts()).toMatchObject([{ isDraft: true, lastPublished: null }])
    expect(await cms().unpublish?.(id, article())).toMatchObject({ value: { status: 'draft' } })
    expect(await cms().update(id, article())).toMatchObject({ value: { remoteId: id, status: 'published' } })
    expect(await cms().unpublish?.('6'.repeat(24), article())).toEqual({ kind: 'done', value: null })
  })
})

describe('people at the item', () => {
  const change = (id: string, only?: CmsField[]) =>
    cms().update(id, article(), { intent: 'change', ...(only ? { only } : {}) })

  it('who queued it for the next publication keep that, and it is taken from the queue when it is taken down', async () => {
    const id = idOf(await cms().create(article({ status: 'draft' })))
    Object.assign(posts()[0] ?? {}, { isDraft: false })
    expect(await change(id)).toMatchObject({ value: { status: 'scheduled', siteStatus: 'queued to publish' } })
    expect(posts()).toMatchObject([{ isDraft: false, lastPublished: null }])
    const known = requestOf(clock, { external_id: id })
    expect(await cmsTarget(cms(), 'Galley').unpublish?.(known)).toMatchObject({ kind: 'taken_down' })
    expect(posts()).toMatchObject([{ isDraft: true, lastPublished: null }])
  })

  it('learn that their unpublished changes went live with an update', async () => {
    const id = idOf(await cms().create(article()))
    clock.pass(1_000)
    expect(await change(id, ['title'])).not.toHaveProperty('notes')
    clock.pass(1_000)
    const [item] = posts()
    Object.assign(item?.fieldData ?? {}, { 'post-body': '<p>Half done.</p>' })
    Object.assign(item ?? {}, { lastUpdated: clock.now().toISOString() })
    expect(await change(id, ['title'])).toMatchObject({ notes: [expect.stringMatching(/went live.*: post-body\.$/)] })
  })

  it('keep the title for search engines that they wrote', async () => {
    await restart({ fields: [{ slug: 'seo-title', type: 'PlainText' }] })
    const id = idOf(await cms().create(article()))
    const shown = () => posts()[0]?.fieldData
    await cms().update(id, article({ title: 'New' }), { intent: 'change' })
    expect(shown()).toMatchObject({ name: 'New', 'seo-title': 'New' })
    Object.assign(shown() ?? {}, { 'seo-title': 'By hand' })
    await cms().update(id, article({ title: 'Newer' }), { intent: 'change' })
    expect(shown()).toMatchObject({ name: 'Newer', 'seo-title': 'By hand' })
  })
})

describe('find', () => {
  it('finds an item by id, by our mark, by slug, and reports that there is none', async () => {
    const made = await cms().create(article())
    const id = made.kind === 'done' ? made.value.remoteId : ''
    const query = { marker: 'galley-00c0ffee-7', slug: 'how-to-build-a-shed', title: 'x' }
    expect(await cms().find({ ...query, remoteId: id })).toMatchObject({ value: { matchedBy: 'remote_id' } })
    expect(await cms().find({ ...query, remoteId: 'f'.repeat(24) })).toMatchObject({
      value: { remoteId: id, matchedBy: 'marker' },
    })
    expect(await cms().find({ ...query, marker: 'else' })).toMatchObject({ value: { matchedBy: 'slug' } })
    expect(await cms().find({ ...query, slug: 'none' })).toEqual({ kind: 'done', value: null })
  })
})

describe('versions and images', () => {
  it('names the words of editors that an update replaces', () => proveWordsNamed(cms(), clock))
  it('restores the version that readers saw', async () => {
    const made = await cms().create(article({ image: { url: 'https://i.example/a.png', alt: 'A' } }))
    const id = made.kind === 'done' ? made.value.remoteId : ''
    const kept = await cms().read?.(id)
    await cms().update(id, article({ title: 'Changed', html: '<p>Changed.</p>' }))
    const version = kept?.kind === 'done' && kept.value ? kept.value : {}
    expect(await cms().restore?.(id, version)).toMatchObject({ kind: 'done', value: { title: article().title } })
    expect(posts()).toMatchObject([{ fieldData: { 'post-body': article().html, 'main-image': { alt: 'A' } } }])
  })
  it('uploads an image with its hash, the file last', async () => {
    expect(await cms().hostImage?.({ url: `${webflow.url}/_image.png`, alt: '' })).toMatchObject({
      kind: 'done',
      value: expect.stringMatching(/[0-9a-f]{32}__image\.png$/),
    })
    const form = webflow.uploads.fields
    expect(form.indexOf('name="file"')).toBeGreaterThan(form.indexOf('success_action_status'))
  })
})

it('names the permission that an image needs', async () => {
  await restart({ scope: 'cms:read,cms:write,sites:read' })
  expect(await cms().hostImage?.({ url: `${webflow.url}/_image.png`, alt: '' })).toMatchObject({
    code: 'auth_forbidden',
    reason: expect.stringMatching(/it needs assets:write/),
  })
})

describe('when calls go wrong', () => {
  const fault = (rule: object) => fetch(`${webflow.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })

  it('a 429 has the wait, and a used-up minute sends nothing more', async () => {
    await restart({ callsLeft: 3 })
    expect(await cms().create(article({ status: 'draft' }))).toMatchObject({ kind: 'done' })
    expect(await cms().probe()).toMatchObject({ code: 'rate_limited', retryable: true, retryAfterS: 41 })
    await restart({ callsLeft: 2 })
    const before = webflow.calls.length
    expect(await cms().create(article())).toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
    expect(webflow.calls.length - before).toBe(2)
  })
  it('waits for the next minute once where the item was made already, and publishes it', async () => {
    for (const callsLeft of [3, 4, 5]) {
      await restart({ callsLeft })
      expect(await cms().create(article()), `${callsLeft} calls a minute`).toMatchObject({ kind: 'done' })
    }
  })
  it.each([
    ['a lost answer', { path: 'POST', drop: 'after' }, { kind: 'unknown' }],
    ['a 500', { path: 'POST', status: 500, answer: { message: 'Server Error' } }, { kind: 'unknown' }],
    ['a page', { path: 'POST', status: 200, answer: '<html>Welcome</html>' }, { kind: 'unknown' }],
    ['another shape', { path: 'POST', status: 200, answer: { ok: true } }, { kind: 'unknown' }],
    [
      'a lost read',
      { path: '/collections', drop: 'before' },
      { kind: 'refused', code: 'unavailable', retryable: true },
    ],
  ])('%s is typed', async (_, rule, outcome) => {
    await fault(rule)
    expect(await cms().create(article())).toMatchObject(outcome)
  })
  it('an item with a lost answer is found again, by title and time if there is no mark', async () => {
    const target = cmsTarget(cms({ field_mapping: { marker: '' } }), 'Galley')
    await fault({ path: 'POST', drop: 'after', times: 1 })
    const outcome = await publishThrough(target, requestOf(clock), clock)
    expect(outcome).toMatchObject({ kind: 'accepted', url: expect.stringContaining('/post/how-to-build-a-shed') })
    expect(posts()).toMatchObject([{ lastPublished: expect.any(String) }])
  })
})

it('never publishes again by a change an item that an editor took down', async () => {
  await proveChange(cmsTarget(cms(), 'Galley'), clock, () => posts())
})

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  posts().map((item) => ({
    remoteId: item.id,
    slug: String(item.fieldData.slug),
    title: String(item.fieldData.name),
    content: String(item.fieldData['post-body']),
    isLive: item.lastPublished !== null && !item.isDraft,
  }))

it('claims nothing that a cache in front of the site answered', async () => {
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, webflow, shownPosts)
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts, { waitMs: 60_000 })
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(1)) })
  await proveFaults(
    cmsTarget(cms(), 'Galley'),
    clock,
    shownPosts,
    (slug) => `https://the-shed-12ab.webflow.io/post/${slug}`,
  )
})

// polylang/polylang#1401
it('tags whose slugs are the same stay two, and one that differs in case alone is one', async () => {
  await cms().create(article({ slug: 'first', tags: ['F'] }))
  await cms().create(article({ slug: 'second', tags: ['F#', 'f'] }))
  const tags = webflow.collection(webflow.tagsId)
  expect(tags.map(({ fieldData }) => [fieldData.name, fieldData.slug])).toEqual([
    ['F', 'f'],
    ['F#', 'f-2'],
  ])
  expect(posts().find(({ fieldData }) => fieldData.slug === 'second')?.fieldData.tags).toEqual([
    tags[1]?.id,
    tags[0]?.id,
  ])
})

describe('items that the site had before', () => {
  const html =
    '<p>The old shed <wf-component component-id="c1" data-w-id="w1"></wf-component> stood.</p><div data-rt-embed-type="true"><b>x</b></div>'
  const make = async (slug: string, text = html) => {
    const id = idOf(await cms().create(article({ slug, marker: `galley-1-${slug}` })))
    Object.assign(posts().find((one) => one.id === id)?.fieldData ?? {}, { 'post-body': text })
    return id
  }
  const read = async (ref: { postId: string } | { url: string }) => {
    const found = await cms().readPost?.(ref)
    if (found?.kind !== 'done') throw new Error(JSON.stringify(found))
    return found.value
  }

  it('are listed page by page without a gap, and read by id and address with the text as it is', async () => {
    for (let n = 0; n < 102; n += 1) await cms().create(article({ slug: `post-${n}`, marker: `galley-1-${n}` }))
    const first = await cms().listPosts?.(null)
    expect(first).toMatchObject({ kind: 'done', value: { next: '2', total: 102, hidden: 0 } })
    expect(await cms().listPosts?.('2')).toMatchObject({ kind: 'done', value: { next: null, posts: [{}, {}] } })
    const id = await make('stored')
    const seen = webflow.calls.length
    const post = await read({ postId: id })
    expect(post).toMatchObject({
      postId: id,
      slug: 'stored',
      format: 'html',
      text: html,
      status: 'published',
      owner: null,
    })
    expect(await read({ url: post?.url ?? '' })).toEqual(post)
    expect(await read({ url: new URL('/elsewhere/stored', post?.url ?? '').href })).toBeNull()
    expect(webflow.calls.slice(seen).filter((call) => !call.startsWith('GET '))).toEqual([])
    const empty = await make('embed', '<p>A</p><div data-rt-embed-type="true"></div>')
    expect(await read({ postId: empty })).toMatchObject({ owner: 'Webflow embeds' })
  })

  it('get the smallest change of their text, no mark, and nothing over changes of people', async () => {
    const id = await make('changed')
    const item = () => posts().find((one) => one.id === id)
    const before = structuredClone(item()?.fieldData)
    const to = html.replace('old shed', 'new shed')
    const send = (stored: { from: string; to: string }) =>
      cms().update(
        id,
        { ...article({ slug: 'changed', marker: 'galley-9-9' }), isAdopted: true, stored },
        { intent: 'change', only: ['html'] },
      )
    expect(await send({ from: `${html}<p>other</p>`, to })).toMatchObject({ kind: 'refused', code: 'changed' })
    expect(item()?.fieldData).toEqual(before)
    const sent = await send({ from: html, to })
    expect(sent).toMatchObject({ kind: 'done', value: { status: 'published' } })
    expect(sent).not.toHaveProperty('notes.0')
    expect(item()?.fieldData).toEqual({ ...before, 'post-body': to })
    clock.pass(1_000)
    Object.assign(item() ?? {}, { lastUpdated: clock.now().toISOString() })
    Object.assign(item()?.fieldData ?? {}, { name: 'Half done' })
    expect(await send({ from: to, to: html })).toMatchObject({
      kind: 'refused',
      code: 'conflict',
      reason: expect.stringContaining('nobody has published yet'),
    })
    expect(item()?.fieldData['post-body']).toBe(to)
  })
})
