import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createFramer,
  type FramerOptions,
  type FramerStandIn,
  type FramerTrouble,
} from '../../../../local/cms/framer.ts'
import { framerConnection } from '../../../../src/providers/cms/framer/connect.ts'
import { framerCms } from '../../../../src/providers/cms/framer/index.ts'
import { itemUrl } from '../../../../src/providers/cms/framer/transform.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { CmsPost, CmsResult } from '../../../../src/publishing/target/cms-adapter.ts'
import {
  article,
  clockAt,
  meansAt,
  oneFault,
  PROOF_TIMEOUT_MS,
  proveChange,
  proveFaults,
  proveRepeats,
  proveWordsNamed,
  query,
  requestOf,
  seeded,
} from '../../drive.ts'

const PROJECT = 'https://framer.com/projects/Shed--abcdefghij0123456789'
const clock = clockAt('2026-11-21T10:00:00Z')
let framer: FramerStandIn
/** Status of Framer's channel for a plain request. */
let channelStatus: number

const restart = (options: FramerOptions = {}) => {
  framer = createFramer({ now: clock.now, ...options })
}
const cms = (more: Record<string, unknown> = {}) => {
  const given = { project_url: PROJECT, api_key: framer.apiKey, collection: 'Blog', ...more }
  const { url, secrets } = framerConnection.connection(given)
  const deps = {
    ...meansAt(clock),
    outbound: async () =>
      ({
        kind: 'answered',
        status: channelStatus,
        headers: new Headers(),
        body: '',
        bytes: new Uint8Array(0),
        truncated: false,
        incomplete: false,
      }) as const,
  }
  return framerCms({ id: 1, platform: 'framer', url, secrets }, deps, framer.port)
}
const idOf = (result: CmsResult<CmsPost>): string => (result.kind === 'done' ? result.value.remoteId : '')
const notesOf = (result: CmsResult<unknown>): string => (result.kind === 'done' ? (result.notes ?? []).join(' ') : '')
const troubleAt = (call: string, trouble: FramerTrouble) => (seen: string) => (seen === call ? trouble : undefined)
const TEXTS = [
  { name: 'Title', type: 'string' },
  { name: 'Content', type: 'formattedText' },
]

beforeEach(() => {
  channelStatus = 503
  restart()
})

describe('the connection form', () => {
  it.each([PROJECT, `${PROJECT}-x?node=1`, 'abcdefghij0123456789', 'https://framer.com/projects/abcdefghij0123456789'])(
    'knows the project by %s',
    (project_url) => {
      expect(framerConnection.connection({ project_url, api_key: 'k', collection: 'Blog' })).toMatchObject({
        url: 'https://framer.com/projects/abcdefghij0123456789',
        secrets: { api_key: 'k', collection: 'Blog' },
      })
    },
  )

  it.each([
    [{ project_url: 'https://evil.example/projects/abcdefghij0123456789' }, 'project_url'],
    [{ project_url: 'Shed' }, 'project_url'],
    [{ api_key: '' }, 'api_key'],
    [{ field_mapping: { title: 7 } }, 'field_mapping'],
    [{ publish_site: 'yes' }, 'publish_site'],
  ])('refuses %j', (wrong, field) => {
    const given = { project_url: PROJECT, api_key: 'k', collection: 'Blog', ...wrong }
    expect(framerConnection.fields.safeParse(given).error?.issues[0]?.path[0]).toBe(field)
  })
})

describe('probe', () => {
  it('returns project, site and fields, and ends its session', async () => {
    expect(await cms().probe()).toMatchObject({ value: { name: 'The Shed', url: 'https://shed.framer.website' } })
    expect(notesOf(await cms().probe())).toContain('marker → Article ID')
    expect(framer.open()).toBe(0)
  })

  it.each([
    [401, 'auth_invalid', false],
    [404, 'site_not_found', false],
    [429, 'rate_limited', true],
    [503, 'unavailable', true],
  ])('reads why a session was refused: HTTP %d', async (status, code, retryable) => {
    channelStatus = status
    const answer = await cms({ api_key: 'fr_wrong_key' }).probe()
    expect(answer).toMatchObject({ kind: 'refused', code, retryable })
    expect(JSON.stringify(answer)).not.toContain('fr_wrong_key')
  })

  it.each([
    ['UNAUTHORIZED', { code: 'auth_invalid', retryable: false }],
    ['POOL_EXHAUSTED', { code: 'rate_limited', retryable: true, retryAfterS: 30 }],
    ['TOKEN_SESSION_LIMIT', { code: 'rate_limited', retryable: true }],
    ['INVALID_REQUEST', { code: 'site_not_found', retryable: false }],
    ['TIMEOUT', { code: 'unavailable', retryable: true }],
  ])('classifies the package’s error: %s', async (code, typed) => {
    restart({ trouble: troubleAt('open', { code, message: 'Why' }) })
    expect(await cms().probe()).toMatchObject({ kind: 'refused', reason: expect.stringContaining('Why'), ...typed })
  })

  it.each([
    [{}, { collection: 'News' }, /no "News". It has: Blog/],
    [{ isManaged: true }, {}, /belongs to a plugin/],
    [{ fields: [{ name: 'Title', type: 'string' }] }, {}, /no formatted text field/],
    [{ fields: [...TEXTS, { name: 'Price', type: 'number', required: true }] }, {}, /required fields: Price/],
    [{}, { field_mapping: { body: 'Text' } }, /no field "Text".*Title, Content/],
    [{}, { field_mapping: { date: 'Title' } }, /"Title" is of type string, not date/],
  ])('refuses a collection that does not fit: %j %j', async (options, more, reason) => {
    restart(options)
    expect(await cms(more).probe()).toMatchObject({ code: 'validation', reason: expect.stringMatching(reason) })
  })
})

describe('create', () => {
  it('adds an item with everything, the site left as it is', async () => {
    restart({
      fields: [
        ...TEXTS,
        { name: 'Date', type: 'date' },
        { name: 'Image', type: 'image' },
        { name: 'Author', type: 'collectionReference', collectionId: 'people' },
        { name: 'Tags', type: 'multiCollectionReference', collectionId: 'tags' },
        { name: 'Category', type: 'enum', cases: [{ id: 'c1', name: 'Guides' }] },
        { name: 'Article ID', type: 'string' },
      ],
      others: { People: ['Jane Doe'], Tags: ['Tools', 'Wood'] },
    })
    const image = { url: 'https://i.example/a.png', alt: 'A shed' }
    const made = await cms().create(article({ author: 'jane doe', tags: ['Wood', 'Glass'], category: 'guides', image }))
    expect(made).toMatchObject({
      value: {
        status: 'published',
        url: 'https://shed.framer.website/blog/how-to-build-a-shed',
        marker: 'galley-00c0ffee-7',
      },
    })
    expect(notesOf(made)).toContain('"Tags" has nothing named "Glass"')
    expect(notesOf(made)).toContain('meta description was left out')
    expect(notesOf(made)).toContain('next published in Framer')
    expect(framer.items()[0]).toMatchObject({
      slug: 'how-to-build-a-shed',
      draft: false,
      fields: {
        'f-title': { value: 'How to build a shed' },
        'f-content': { type: 'formattedText', value: '<h2>Why</h2><p>A shed keeps tools dry.</p>' },
        'f-date': { value: '2026-01-02T03:04:05.000Z' },
        'f-image': { value: 'https://framerusercontent.com/images/a.png', alt: 'A shed' },
        'f-author': { value: 'People-Jane Doe' },
        'f-tags': { value: ['Tags-Wood'] },
        'f-category': { value: 'c1' },
      },
    })
    expect(framer.calls).not.toContain('publish')
    expect(framer.open()).toBe(0)
  })

  it('publishes the site if the call asks for it, never for a draft', async () => {
    const made = await cms({ publish_site: true }).create(article({ status: 'draft' }))
    expect(made).toMatchObject({ value: { status: 'draft', url: null } })
    expect(framer.live()).toHaveLength(0)
    expect(await cms({ publish_site: true }).update(idOf(made), article())).toMatchObject({
      value: { status: 'published' },
    })
    expect(framer.live()).toMatchObject([{ slug: 'how-to-build-a-shed' }])
  })

  it('leaves out an image that Framer does not accept', async () => {
    const made = await cms().create(article({ image: { url: 'https://i.example/broken.png', alt: '' } }))
    expect(notesOf(made)).toContain('image was left out')
    expect(framer.items()).toHaveLength(1)
  })

  it.each(['refuse', 'suffix', 'beside'] as const)(
    'leaves nothing under another slug if Framer would %s',
    async (takenSlug) => {
      restart({
        takenSlug,
        beforeAdd: (items) => {
          if (items.length === 0)
            items.push({ id: 'theirs', slug: query.slug, draft: false, createdAt: '2020', updatedAt: null, fields: {} })
        },
      })
      expect(await cms().create(article())).toMatchObject({ kind: 'refused', code: 'slug_taken' })
      expect(framer.items().map((item) => item.id)).toEqual(['theirs'])
    },
  )

  it('adds nothing if the slug is taken', async () => {
    await cms().create(article({ marker: 'galley-other-1' }))
    const added = framer.calls.filter((call) => call === 'addItem').length
    expect(await cms().create(article())).toMatchObject({ kind: 'refused', code: 'slug_taken' })
    expect(framer.calls.filter((call) => call === 'addItem')).toHaveLength(added)
  })

  it('makes one item of two additions at once', async () => {
    restart({ takenSlug: 'beside' })
    const [one, two] = await Promise.all([cms().create(article()), cms().create(article())])
    expect(framer.items()).toHaveLength(1)
    expect([idOf(one), idOf(two)]).toContain(framer.items()[0]?.id)
  })

  it.each([
    ['addItem', 'before', { kind: 'unknown' }],
    ['addItem', 'after', { kind: 'unknown' }],
    ['addItem', { message: 'Field not found' }, { kind: 'refused', code: 'validation' }],
    ['items', 'before', { kind: 'refused', code: 'unavailable', retryable: true }],
    ['site', 'before', { kind: 'unknown' }],
  ] as const)('classifies the error: %s, %j', async (call, trouble, typed) => {
    restart({ trouble: troubleAt(call, trouble) })
    expect(await cms().create(article())).toMatchObject(typed)
    expect(framer.open()).toBe(0)
  })
})

describe('update and find', () => {
  it('changes a live item in place: slug and date stay, and a draft does not hide it', async () => {
    const made = await cms().create(article())
    const next = article({
      title: 'Next',
      slug: 'x',
      html: '<p>N</p>',
      status: 'draft',
      publishedAt: '2020-01-01T00:00:00Z',
    })
    expect(await cms().update(idOf(made), next)).toMatchObject({
      value: { title: 'Next', slug: 'how-to-build-a-shed', status: 'published' },
    })
    expect(framer.items()[0]).toMatchObject({
      draft: false,
      fields: { 'f-content': { value: '<p>N</p>' }, 'f-date': { value: '2026-01-02T03:04:05.000Z' } },
    })
    expect(await cms().update('gone', article())).toEqual({ kind: 'done', value: null })
  })

  it('knows an item by id, by our mark, by slug', async () => {
    const remoteId = idOf(await cms().create(article()))
    expect(await cms().find({ ...query, remoteId })).toMatchObject({ value: { remoteId, matchedBy: 'remote_id' } })
    expect(await cms().find({ ...query, slug: 'x' })).toMatchObject({ value: { remoteId, matchedBy: 'marker' } })
    expect(await cms().find({ ...query, marker: 'y' })).toMatchObject({ value: { remoteId, matchedBy: 'slug' } })
    expect(await cms().find({ ...query, marker: 'y', slug: 'x' })).toEqual({ kind: 'done', value: null })
  })

  it('publishes the site again if it broke off before', async () => {
    let isBroken = true
    restart({ trouble: (call) => (call === 'publish' && isBroken ? 'before' : undefined) })
    const target = cmsTarget(cms({ publish_site: true }), 'Galley')
    const request = requestOf(clock)
    clock.pass(1_000)
    expect(await target.deliver(request)).toMatchObject({ kind: 'unknown' })
    isBroken = false
    expect(await target.find?.(request)).toMatchObject({ kind: 'absent' })
    expect(await target.deliver(request)).toMatchObject({ kind: 'accepted' })
    expect(await target.find?.(request)).toMatchObject({ kind: 'found' })
    expect(framer.items()).toHaveLength(1)
    expect(framer.live()).toHaveLength(1)
  })

  it('names the words of editors that an update replaces', () => proveWordsNamed(cms(), clock))
  it('restores a stored version', async () => {
    const made = await cms().create(article({ image: { url: 'https://i.example/a.png', alt: 'A' } }))
    const before = structuredClone(framer.items()[0]?.fields)
    const kept = await cms().read?.(idOf(made))
    await cms().update(idOf(made), article({ title: 'Worse', html: '<p>W</p>' }))
    const version = JSON.parse(JSON.stringify(kept?.kind === 'done' ? kept.value : {}))
    expect(await cms().restore?.(idOf(made), version)).toMatchObject({ value: { title: 'How to build a shed' } })
    expect(framer.items()[0]?.fields).toEqual(before)
  })
})

describe('sessions', () => {
  it('of a change are two, one that reads and one that writes; the earlier version is stored first', async () => {
    const target = cmsTarget(cms(), 'Galley')
    await target.deliver(requestOf(clock))
    const shown: string[] = []
    const keeping = {
      dropVersion: async () => {},
      version: async () => {
        shown.push(String(framer.items()[0]?.fields['f-content']?.value))
      },
      sentBefore: async () => [],
      hostedImages: async () => new Map<string, string>(),
      hosted: async () => {},
      hasTime: () => true,
    }
    const before = framer.calls.length
    expect(await target.deliver(requestOf(clock, { content_html: '<p>Next.</p>' }), keeping)).toMatchObject({
      kind: 'accepted',
    })
    expect(framer.calls.slice(before).filter((call) => call === 'open')).toHaveLength(2)
    expect(shown).toEqual(['<p>A shed keeps tools dry.</p>'])
  })
})

describe('taking down', () => {
  it('makes the item a draft; readers see it no more where the site is ours to publish', async () => {
    const publishing = { publish_site: true }
    const id = idOf(await cms(publishing).create(article()))
    expect(framer.live()).toHaveLength(1)
    expect(await cms(publishing).unpublish?.(id, article())).toMatchObject({ value: { status: 'draft', url: null } })
    expect([framer.live().length, framer.items()[0]?.draft]).toEqual([0, true])
    expect(await cms(publishing).update(id, article())).toMatchObject({ value: { remoteId: id, status: 'published' } })
    const taken = await cms().unpublish?.(id, article())
    expect(taken && notesOf(taken)).toContain('until the site is next published')
    expect(await cms().unpublish?.('gone', article())).toEqual({ kind: 'done', value: null })
  })
})

describe('fields', () => {
  it('the title is the field that slugs are made from, not the first text', async () => {
    const fields = [{ name: 'Subtitle', type: 'string' }, { name: 'Post', type: 'string' }, ...TEXTS.slice(1)]
    restart({ fields, titleFieldId: 'f-post' })
    await cms().create(article())
    expect(framer.items()[0]?.fields).toMatchObject({ 'f-post': { value: 'How to build a shed' } })
    expect(framer.items()[0]?.fields).not.toHaveProperty('f-subtitle')
  })
  it('for search engines are filled where an article has them, and else people’s own', async () => {
    restart({ fields: [...TEXTS, { name: 'SEO Title', type: 'string' }, { name: 'Canonical', type: 'link' }] })
    const id = idOf(await cms().create(article({ seoTitle: 'Sheds', canonicalUrl: 'https://first.example/shed' })))
    const filled = {
      'f-seotitle': { type: 'string', value: 'Sheds' },
      'f-canonical': { type: 'link', value: 'https://first.example/shed' },
    }
    expect(framer.items()[0]?.fields).toMatchObject(filled)
    await cms().update(id, article())
    expect(framer.items()[0]?.fields).toMatchObject(filled)
  })
})

it('a site that cannot be published is no publication, and tried again', async () => {
  restart({ failsToPublish: true })
  expect(await cms({ publish_site: true }).create(article())).toMatchObject({
    kind: 'refused',
    retryable: true,
    reason: expect.stringContaining('could not publish the site'),
  })
})

describe('silence', () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  beforeEach(() => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('waits for a project that takes most of a minute to start', async () => {
    // Time passes only while the project starts.
    const limits: { ms: number; end: AbortController }[] = []
    vi.mocked(AbortSignal.timeout).mockImplementation((ms) => {
      const end = new AbortController()
      limits.push({ ms, end })
      return end.signal
    })
    const { open } = framer.port
    framer.port.open = async (...given) => {
      for (const { ms, end } of limits) if (ms <= 50_000) end.abort()
      return await open(...given)
    }
    expect(await cms().create(article())).toMatchObject({ kind: 'done' })
  })

  it('ends a session that opened too late', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { open } = framer.port
    framer.port.open = async (...given) => {
      await promise
      return await open(...given)
    }
    expect(await cms().probe()).toMatchObject({ code: 'unavailable', reason: expect.stringContaining('in time') })
    resolve()
    await expect.poll(() => framer.calls).toContain('open')
    await expect.poll(() => framer.open()).toBe(0)
  })

  it.each([
    ['open', { kind: 'refused', code: 'unavailable', retryable: true }],
    ['items', { kind: 'refused', code: 'unavailable', retryable: true }],
    ['addItem', { kind: 'unknown' }],
  ])('ends like any other: %s', async (call, typed) => {
    restart({ trouble: troubleAt(call, 'silence') })
    expect(await cms().create(article())).toMatchObject(typed)
    expect(framer.open()).toBe(0)
  })
})

it.each([
  ['/blog/:slug', 'https://s.example/blog/a'],
  ['/:category', 'https://s.example/a'],
  ['/blog/', 'https://s.example/blog/a'],
  [null, null],
])('builds the address of an item from the path %s', (path, url) => {
  expect(itemUrl({ url: 'https://s.example/', deployedAt: '' }, path, 'a')).toBe(url)
})

it('never publishes again by a change a post that an editor took down', async () => {
  await proveChange(cmsTarget(cms({ publish_site: true }), 'Galley'), clock, () => framer.items())
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  restart({
    trouble: () => {
      const rule = fault.trouble()
      return rule?.half ? 'after' : (rule?.drop ?? (rule && { message: 'Service Unavailable' }))
    },
  })
  const shown = () =>
    framer.items().map(({ id, slug, draft, fields }) => ({
      remoteId: id,
      slug,
      title: String(fields['f-title']?.value),
      content: String(fields['f-content']?.value),
      isLive: !draft,
    }))
  await proveRepeats(cmsTarget(cms({ publish_site: true }), 'Galley'), clock, fault, shown, { waitMs: 60_000 })
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  const random = seeded(5)
  const troubles: FramerTrouble[] = [
    'before',
    'after',
    'after',
    { code: 'INTERNAL', message: 'x' },
    { code: 'POOL_EXHAUSTED', message: 'x' },
  ]
  restart({
    trouble: (call) => {
      if (random() >= 0.06) return undefined
      return call === 'open'
        ? { message: 'WebSocket upgrade failed' }
        : troubles[Math.floor(random() * troubles.length)]
    },
  })
  await proveFaults(
    cmsTarget(cms({ publish_site: true }), 'Galley'),
    clock,
    () =>
      framer.live().map(({ id, slug, fields }) => ({
        remoteId: id,
        slug,
        title: String(fields['f-title']?.value),
        content: String(fields['f-content']?.value),
        isLive: true,
      })),
    (slug) => `https://shed.framer.website/blog/${slug}`,
  )
  expect(framer.items()).toHaveLength(framer.live().length)
  expect(framer.open()).toBe(0)
})

describe('items that the site had before', () => {
  it('are listed and read as they are; a change sends its field alone, no text and no mark', async () => {
    const made = await cms().create(article({ slug: 'shed', html: '<p>The old shed.</p>' }))
    const id = idOf(made)
    const listed = await cms().listPosts?.(null)
    expect(listed).toMatchObject({
      kind: 'done',
      value: { total: 1, next: null, posts: [{ postId: id, language: null }] },
    })
    const read = await cms().readPost?.({ postId: id })
    expect(read).toMatchObject({ kind: 'done', value: { slug: 'shed', format: 'page', text: '<p>The old shed.</p>' } })
    expect(await cms().readPost?.({ url: 'https://shed.framer.website/other' })).toMatchObject({ value: null })
    const before = structuredClone(framer.items()[0]?.fields ?? {})
    const changed = {
      ...article({ slug: 'shed', title: 'A new shed', marker: 'galley-9-9' }),
      isAdopted: true as const,
    }
    expect(await cms().update(id, changed, { intent: 'change', only: ['title'] })).toMatchObject({ kind: 'done' })
    const after = framer.items()[0]?.fields ?? {}
    expect(
      Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name])),
    ).toHaveLength(1)
    expect(Object.values(after)).toContainEqual({ type: 'string', value: 'A new shed' })
    expect(framer.open()).toBe(0)
  })
})
