import { describe, expect, it } from 'vitest'
import type { NotionOptions } from '../../../../local/cms/notion.ts'
import { ignoredIn } from '../../../../src/platform/http/ignored.ts'
import { notionConnection } from '../../../../src/providers/cms/notion/connect.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import {
  article,
  oneFault,
  PROOF_TIMEOUT_MS,
  proveCachedHost,
  proveChange,
  proveFaults,
  proveRepeats,
  query,
  requestOf,
  seeded,
  troubleFrom,
} from '../../drive.ts'
import { eachInItsNotion, idOf } from './scene.ts'

const { clock, notion, restart, cms } = eachInItsNotion()
const fault = (rule: object) => fetch(`${notion.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })
const values = () => notion.pages()[0]?.values
const TEXT = { type: 'rich_text' }

describe('the connection form', () => {
  const ID = '0123456789abcdef0123456789abcdef'

  it.each([
    ID,
    '01234567-89ab-cdef-0123-456789abcdef',
    `https://www.notion.so/acme/Blog-${ID}?v=fedcba9876543210fedcba9876543210`,
    `https://acme.notion.site/${ID.toUpperCase()}`,
  ])('knows the database by %s', (database_id) => {
    expect(notionConnection.connection({ integration_token: 'ntn_1', database_id })).toMatchObject({
      url: 'https://api.notion.com',
      secrets: { integration_token: 'ntn_1', database_id: ID },
    })
  })

  it.each([
    [{ database_id: 'Blog' }, 'database_id'],
    [{ integration_token: 'a b' }, 'integration_token'],
    [{ property_mapping: { slug: 7 } }, 'property_mapping'],
    [{ api_url: 'https://evil.example' }, 'api_url'],
  ])('refuses %j', (wrong, field) => {
    const parsed = notionConnection.fields.safeParse({ integration_token: 'ntn_1', database_id: ID, ...wrong })
    expect(parsed.error?.issues[0]?.path[0]).toBe(field)
  })

  it('leaves out a part of an article it does not know, and names it', () => {
    const given = { integration_token: 'ntn_1', database_id: ID, property_mapping: { colour: 'Red', slug: 'Path' } }
    expect(Object.keys(ignoredIn(given, notionConnection.fields, 'body'))).toEqual(['property_mapping.colour'])
    expect(notionConnection.connection(given).secrets.property_mapping).toBe('{"slug":"Path"}')
  })
})

describe('probe', () => {
  it('shows the database and the use of its properties', async () => {
    expect(await cms().probe()).toMatchObject({
      kind: 'done',
      value: { name: 'Blog', url: `https://www.notion.so/${notion.databaseId}` },
      notes: expect.arrayContaining([expect.stringContaining('marker → Galley ID')]),
    })
  })

  it('refuses a wrong token and a database that is not shared, with the reason and never the token', async () => {
    const wrong = await cms({ integration_token: 'ntn_wrong_token' }).probe()
    expect(wrong).toMatchObject({
      code: 'auth_invalid',
      retryable: false,
      reason: expect.stringContaining('API token is invalid'),
    })
    expect(JSON.stringify(wrong)).not.toContain('ntn_wrong')
    expect(await cms({ database_id: 'f'.repeat(32) }).probe()).toMatchObject({
      code: 'site_not_found',
      reason: expect.stringContaining('Share the database'),
    })
  })

  it.each([
    [{ properties: { Status: { type: 'status', options: [] } } }, {}, /needs a text property "Slug"/],
    [{}, { property_mapping: { slug: 'Path' } }, /no property "Path".*There are: Name, Slug/],
    [{}, { property_mapping: { date: 'Slug' } }, /"Slug" is of type rich_text, not date/],
  ] as const)('refuses a database that cannot store an article: %j %j', async (options, more, reason) => {
    await restart(options as NotionOptions)
    expect(await cms(more).probe()).toMatchObject({ code: 'validation', reason: expect.stringMatching(reason) })
  })
})

describe('create', () => {
  it('makes a published page with everything', async () => {
    const made = await cms().create(
      article({
        tags: ['Tools', 'Wood, old'],
        category: 'Guides',
        author: 'Jane Doe',
        image: { url: 'https://i.example/a.png', alt: 'A shed' },
        metaDescription: 'm'.repeat(4_500),
      }),
    )
    expect(made).toMatchObject({
      value: {
        slug: 'how-to-build-a-shed',
        status: 'published',
        url: expect.stringMatching(/^https:\/\/www\.notion\.so\//),
      },
      notes: [expect.stringContaining('share the page')],
    })
    expect(values()).toMatchObject({
      Name: { title: [{ text: { content: 'How to build a shed' } }] },
      Status: { status: { name: 'Published' } },
      Tags: { multi_select: [{ name: 'Tools' }, { name: 'Wood old' }] },
      Category: { select: { name: 'Guides' } },
      'Published date': { date: { start: '2026-01-02T03:04:05.000Z' } },
      Author: { rich_text: [{ text: { content: 'Jane Doe' } }] },
      'Galley ID': { rich_text: [{ text: { content: 'galley-00c0ffee-7' } }] },
    })
    expect(values()?.['Meta description']?.rich_text).toHaveLength(3)
    expect(notion.pages()[0]).toMatchObject({
      cover: { external: { url: 'https://i.example/a.png' } },
      markdown: '## Why\n\nA shed keeps tools dry.',
    })
  })

  it('sends tags of the named version of Markdown only: no other would be a block', async () => {
    const html =
      '<details><summary>S</summary><p>a<br><u>b</u></p></details><blockquote><p>a</p><ul><li>b</li></ul></blockquote><table><tr><td>c<br>d</td></tr></table><iframe src="https://vimeo.com/7"></iframe>'
    await cms().create(article({ html }))
    expect(notion.pages()[0]?.markdown).toMatch(/^<toggle>\nS\n\na\\\n<u>b<\/u>\n<\/toggle>\n\n<quote>/)
    expect(notion.pages()[0]?.markdown).not.toContain('\\<')
  })

  it('answers with the public address if people shared the database to the web', async () => {
    await restart({ publicUrl: 'https://shed.notion.site' })
    const made = await cms().create(article())
    expect(made).toMatchObject({ value: { url: `https://shed.notion.site/${idOf(made)}` } })
    expect(made).not.toHaveProperty('notes')
  })

  it('makes a draft, and publishes it in place', async () => {
    const made = await cms().create(article({ status: 'draft' }))
    expect(made).toMatchObject({ value: { status: 'draft', url: null } })
    expect(values()?.Status).toEqual({ status: { name: 'Draft' } })
    expect(await cms().update(idOf(made), article())).toMatchObject({
      value: { remoteId: idOf(made), status: 'published' },
    })
  })

  it('leaves out a picture that Notion refuses, and says so', async () => {
    const made = await cms().create(article({ image: { url: 'https://i.example/broken.png', alt: '' } }))
    expect(made).toMatchObject({
      kind: 'done',
      notes: expect.arrayContaining([expect.stringContaining('image was left out')]),
    })
    expect(notion.pages()).toHaveLength(1)
    expect(await cms().create(article({ image: { url: 'http://i.example/a.png', alt: '' } }))).toMatchObject({
      notes: expect.arrayContaining([expect.stringContaining('https addresses')]),
    })
  })

  it('notes missing properties, and uses the existing status option', async () => {
    await restart({ properties: { Slug: TEXT, Status: { type: 'status', options: ['Idea'] } } })
    const made = await cms().create(article({ tags: ['a'], category: 'b', author: 'c' }))
    const notes = made.kind === 'done' ? made.notes?.join(' ') : ''
    for (const part of ['meta description', 'tags', 'category', 'date', 'author', 'no option "Published"'])
      expect(notes).toContain(part)
  })

  it('uses the chosen properties and options', async () => {
    await restart({
      properties: { Path: TEXT, Stage: { type: 'status', options: ['Idea', 'Out'] }, Online: { type: 'checkbox' } },
    })
    const mapping = { slug: 'Path', status: 'Stage', status_published: 'Out', status_draft: 'Idea', date: '' }
    await cms({ property_mapping: mapping }).create(article())
    expect(values()).toMatchObject({ Stage: { status: { name: 'Out' } }, Path: { rich_text: [{}] } })
    await cms({ property_mapping: { slug: 'Path', status: 'Online' } }).create(article())
    expect(notion.pages()[1]?.values.Online).toEqual({ checkbox: true })
  })

  it.each([
    [
      { status: 429, answer: { code: 'rate_limited' } },
      { kind: 'refused', code: 'rate_limited', retryable: true },
    ],
    [
      { status: 529, answer: { code: 'service_overload' } },
      { kind: 'refused', code: 'unavailable', retryable: true },
    ],
    [
      { status: 409, answer: { code: 'conflict_error', message: 'Conflict' } },
      { kind: 'refused', code: 'conflict', retryable: true },
    ],
    [
      { status: 403, answer: { code: 'restricted_resource', message: 'No' } },
      { kind: 'refused', code: 'auth_forbidden' },
    ],
    [
      { status: 400, answer: { code: 'validation_error', message: 'Block limit reached: upgrade' } },
      { code: 'plan_limit' },
    ],
    [{ status: 503, answer: { code: 'service_unavailable' } }, { kind: 'unknown' }],
    [{ drop: 'after' }, { kind: 'unknown' }],
    [{ status: 200, answer: { object: 'page' } }, { kind: 'unknown' }],
  ])('classifies the error: %j', async (rule, typed) => {
    await fault({ path: 'POST /v1/pages', ...rule })
    expect(await cms().create(article())).toMatchObject(typed)
  })
})

describe('update', () => {
  it('changes content and properties; slug, date and status stay', async () => {
    const made = await cms().create(article())
    const next = article({
      title: 'Next',
      slug: 'other',
      html: '<p>Next.</p>',
      status: 'draft',
      publishedAt: '2020-01-01T00:00:00Z',
    })
    expect(await cms().update(idOf(made), next)).toMatchObject({
      value: { title: 'Next', slug: 'how-to-build-a-shed', status: 'published' },
    })
    expect(notion.pages()[0]?.markdown).toBe('Next.')
    expect(values()?.['Published date']).toEqual({ date: { start: '2026-01-02T03:04:05.000Z' } })
  })

  it('reports a missing page, or one in the trash, as gone', async () => {
    const made = await cms().create(article())
    for (const page of notion.pages()) page.in_trash = true
    for (const id of [idOf(made), 'f'.repeat(32), '17'])
      expect(await cms().update(id, article())).toEqual({ kind: 'done', value: null })
    expect(await cms().find({ ...query, remoteId: idOf(made) })).toEqual({ kind: 'done', value: null })
  })

  it('publishes last: refused content leaves a draft', async () => {
    const made = await cms().create(article({ status: 'draft' }))
    await fault({ path: '/markdown', status: 400, answer: { code: 'validation_error', message: 'Too long' } })
    expect(await cms().update(idOf(made), article())).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Too long'),
    })
    expect(values()?.Status).toEqual({ status: { name: 'Draft' } })
  })
})

describe('taking down', () => {
  it('sets the status to draft, which the next update publishes in place', async () => {
    await restart({ publicUrl: 'https://shed.notion.site' })
    const id = idOf(await cms().create(article()))
    expect(await cms().unpublish?.(id, article())).toMatchObject({
      value: { remoteId: id, status: 'draft' },
      notes: [expect.stringContaining('shared to the web')],
    })
    expect(values()?.Status).toEqual({ status: { name: 'Draft' } })
    expect(await cms().update(id, article())).toMatchObject({ value: { remoteId: id, status: 'published' } })
    for (const page of notion.pages()) page.in_trash = true
    expect(await cms().unpublish?.(id, article())).toEqual({ kind: 'done', value: null })
  })

  it('is refused if no property can express it', async () => {
    await restart({ properties: { Slug: TEXT } })
    const id = idOf(await cms().create(article()))
    expect(await cms().unpublish?.(id, article())).toMatchObject({ kind: 'refused', code: 'validation' })
  })
})

it('fills properties for the title of search engines and the canonical address, and leaves people’s alone', async () => {
  await restart({ properties: { Slug: TEXT, 'SEO title': TEXT, Canonical: { type: 'url' } } })
  const given = { seoTitle: 'Sheds | Guide', canonicalUrl: 'https://first.example/shed' }
  const id = idOf(await cms().create(article(given)))
  const filled = {
    'SEO title': { rich_text: [{ text: { content: given.seoTitle } }] },
    Canonical: { url: given.canonicalUrl },
  }
  expect(values()).toMatchObject(filled)
  await cms().update(id, article())
  expect(values()).toMatchObject(filled)
})

describe('images of a project with image_hosting CMS', () => {
  const properties = { Slug: TEXT, Image: { type: 'files' }, Status: { type: 'checkbox' } }
  const image = (name: string) => ({ url: `https://i.example/${name}.png`, alt: '', toHost: true as const })
  const taken = () => notion.calls.filter((call) => call === 'POST /v1/file_uploads').length
  it('are uploaded, each once', async () => {
    await restart({ properties })
    const id = idOf(await cms().create(article({ image: image('a') })))
    expect(notion.pages()[0]?.cover).toMatchObject({ type: 'file_upload' })
    expect(values()?.Image).toMatchObject({
      files: [{ name: expect.stringMatching(/^image-\w+\.png$/), type: 'file_upload' }],
    })
    const before = structuredClone(notion.pages()[0])
    await cms().update(id, article({ image: image('a'), html: '<p>Next.</p>' }))
    expect(taken()).toBe(1)
    expect(notion.pages()[0]).toMatchObject({ cover: before?.cover, values: { Image: before?.values.Image } })
    await cms().update(id, article({ image: image('b') }))
    expect(taken()).toBe(2)
  })
  it('depend on the project, not on the article', async () => {
    const keeping = {
      dropVersion: async () => {},
      version: async () => {},
      hostedImages: async () => new Map<string, string>(),
      hosted: async () => {},
      sentBefore: async () => [],
      hasTime: () => true,
    }
    const request = requestOf(clock, { image_url: 'https://i.example/a.png' })
    await cmsTarget(cms(), 'Galley').deliver(request, keeping)
    expect(notion.pages()[0]?.cover).toMatchObject({ type: 'external' })
    await cmsTarget(cms(), 'Galley').deliver({ ...request, hostImages: true }, keeping)
    expect(notion.pages()[0]?.cover).toMatchObject({ type: 'file_upload' })
  })
  it('stay linked if Notion cannot fetch them; one it cannot even link is left out', async () => {
    const made = await cms().create(article({ image: image('broken') }))
    expect(made).toMatchObject({
      kind: 'done',
      notes: expect.arrayContaining([expect.stringContaining('stays linked')]),
    })
  })
})

it('passes over the data sources a wiki lists among its pages', async () => {
  await restart({ isWiki: true })
  const remoteId = idOf(await cms().create(article()))
  expect(await cms().find(query)).toMatchObject({ value: { remoteId, matchedBy: 'marker' } })
})

describe('find', () => {
  it('knows a page by its id, by our mark, by slug, to the letter', async () => {
    const remoteId = idOf(await cms().create(article()))
    expect(await cms().find({ ...query, remoteId })).toMatchObject({ value: { remoteId, matchedBy: 'remote_id' } })
    expect(await cms().find({ ...query, slug: 'x' })).toMatchObject({ value: { remoteId, matchedBy: 'marker' } })
    expect(await cms().find({ ...query, marker: 'galley-1-1' })).toMatchObject({
      value: { remoteId, matchedBy: 'slug' },
    })
    expect(await cms().find({ ...query, marker: 'GALLEY-1-1', slug: 'How-To-Build-A-Shed' })).toEqual({
      kind: 'done',
      value: null,
    })
  })

  it.each([
    { status: 404, answer: '<html>' },
    { status: 404, answer: {} },
    { status: 301, answer: '' },
  ])('does not take %j as proof that there is no page', async (rule) => {
    const remoteId = idOf(await cms().create(article()))
    await fault({ path: '/v1/pages/', ...rule })
    expect(await cms().find({ ...query, remoteId })).toMatchObject({ kind: 'refused' })
  })

  it('never changes someone else’s page with the slug', async () => {
    await cms().create(article({ marker: 'galley-other-1', title: 'Theirs' }))
    expect(await cmsTarget(cms(), 'Galley').deliver(requestOf(clock))).toMatchObject({
      kind: 'refused',
      retryable: false,
    })
    expect(notion.pages()).toHaveLength(1)
  })
})

it('never publishes again by a change a page that an editor took down', async () => {
  await proveChange(cmsTarget(cms(), 'Galley'), clock, () => notion.pages())
})

const slugOf = (page: ReturnType<typeof notion.pages>[number]) => page.values.Slug?.rich_text?.[0]?.text.content ?? ''

/** Returns the posts as readers and editors see them. */
const shownPosts = () =>
  notion.pages().map((page) => ({
    remoteId: page.id,
    slug: slugOf(page),
    title: page.values.Name?.title?.[0]?.text.content ?? '',
    content: page.markdown,
    isLive: page.values.Status?.status?.name === 'Published',
  }))

it('claims nothing that a cache in front of the site answered', async () => {
  await restart({})
  await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, notion, shownPosts)
})

it('ends a repeated call as one undisturbed call, wherever the first one failed', {
  timeout: PROOF_TIMEOUT_MS,
}, async () => {
  const fault = oneFault()
  await restart({ trouble: fault.trouble })
  await proveRepeats(cmsTarget(cms(), 'Galley'), clock, fault, shownPosts)
})

it('loses nothing and creates nothing twice, whatever fails', { timeout: PROOF_TIMEOUT_MS }, async () => {
  await restart({ trouble: troubleFrom(seeded(4)), lagMs: 10_000, publicUrl: 'https://shed.notion.site' })
  await proveFaults(
    cmsTarget(cms(), 'Galley'),
    clock,
    shownPosts,
    (slug) => `https://shed.notion.site/${notion.pages().find((page) => slugOf(page) === slug)?.id}`,
    { ids: true },
  )
})

it.each([
  ['2025-09-03', undefined, 400],
  ['2025-09-03', 'v1', 200],
  ['2026-03-11', 'v2', 200],
  ['2027-01-01', 'v1', 400],
  ['2027-01-01', 'v2', 200],
])('with release %s and Markdown %s the stand-in answers %i', async (release, version, status) => {
  const id = idOf(await cms().create(article()))
  const headers = {
    authorization: `Bearer ${notion.token}`,
    'notion-version': release,
    'content-type': 'application/json',
  }
  const content = { type: 'replace_content', replace_content: { new_str: 'A' }, markdown_version: version }
  const url = `${notion.url}/v1/pages/${id}/markdown`
  const changed = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(content) })
  const read = await fetch(version ? `${url}?markdown_version=${version}` : url, { headers })
  expect([changed.status, read.status]).toEqual([status, status])
})

describe('pages that the database had before', () => {
  it('are listed and read as they are; a change sends its property alone, and a rollback no text', async () => {
    const id = idOf(await cms().create(article({ slug: 'shed', html: '<p>The <b>old</b> shed.</p>' })))
    const page = () => notion.pages().find((one) => one.id === id)
    const listed = await cms().listPosts?.(null)
    expect(listed).toMatchObject({ kind: 'done', value: { next: null, posts: [{ postId: id, status: 'published' }] } })
    const read = await cms().readPost?.({ postId: id })
    expect(read).toMatchObject({
      kind: 'done',
      value: { slug: 'shed', format: 'page', html: expect.stringContaining('<strong>old</strong> shed') },
    })
    expect(await cms().readPost?.({ url: 'https://shed.notion.site/other' })).toMatchObject({ value: null })
    const before = structuredClone(page())
    const version = await cms().read?.(id)
    const seen = notion.calls.length
    const changed = {
      ...article({ slug: 'shed', title: 'A new shed', marker: 'galley-9-9' }),
      isAdopted: true as const,
    }
    expect(await cms().update(id, changed, { intent: 'change', only: ['title'] })).toMatchObject({ kind: 'done' })
    expect(page()?.values).not.toEqual(before?.values)
    if (version?.kind === 'done' && version.value) await cms().restore?.(id, version.value)
    expect(page()?.values).toMatchObject(before?.values ?? {})
    expect(page()?.markdown).toBe(before?.markdown)
    expect(notion.calls.slice(seen).filter((call) => /^PATCH .*markdown/.test(call))).toEqual([])
  })
})
