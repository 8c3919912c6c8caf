import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  DIRECTUS_FIELDS,
  type DirectusOptions,
  type DirectusStandIn,
  startDirectus,
} from '../../../../local/cms/directus.ts'
import { directusConnection } from '../../../../src/providers/cms/directus/connect.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import {
  article,
  clockAt,
  oneFault,
  ownArticle,
  PROOF_TIMEOUT_MS,
  postOf,
  proveCachedHost,
  proveChange,
  proveFaults,
  proveRepeats,
  query,
  type Shown,
  seeded,
  troubleFrom,
} from '../../drive.ts'
import { cmsOf, type DirectusSite, describeDirectus } from './behaviour.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let directus: DirectusStandIn
let site: DirectusSite

const restart = async (options: DirectusOptions = {}) => {
  await directus?.close()
  directus = await startDirectus({ now: clock.now, ...options })
  site = { url: directus.url, token: directus.token, image: 'https://images.example/a.png', now: clock }
}
const cms = (more: Record<string, unknown> = {}) => cmsOf(site, more)
const fault = (rule: object) => fetch(`${directus.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })
const urlOf = (slug: string) => `https://shed.example/blog/${slug}`

const shown = (): Shown[] =>
  directus.items().map((item) => ({
    remoteId: String(item.id),
    slug: String(item.slug),
    title: String(item.title),
    content: String(item.content),
    isLive: item.status === 'published',
  }))

/** The usual fields with some in place of those with the same name, or without them. */
const fieldsWith = (...changed: ((typeof DIRECTUS_FIELDS)[number] | string)[]) => {
  const named = changed.map((one) => (typeof one === 'string' ? one : one.field))
  return [
    ...DIRECTUS_FIELDS.filter(({ field }) => !named.includes(field)),
    ...changed.filter((one) => typeof one !== 'string'),
  ]
}
const COUNTED = { field: 'id', type: 'integer', nullable: false, key: 'counted' } as const

beforeEach(() => restart())
afterEach(() => directus.close())

describe('the connection form', () => {
  const access_token = 'a-static-token'

  it.each(['https://cms.shed.example', 'https://cms.shed.example/', 'https://cms.shed.example/admin/content/posts'])(
    'knows the project by %s',
    (api_url) => {
      expect(directusConnection.connection({ api_url, access_token, collection: 'posts' })).toEqual({
        url: 'https://cms.shed.example',
        urlField: 'api_url',
        name: 'cms.shed.example (posts)',
        secrets: { access_token, collection: 'posts' },
      })
    },
  )

  it.each([
    [{ access_token: 'a b' }, 'access_token'],
    [{ collection: 'directus_users' }, 'collection'],
    [{ collection: 'a/b' }, 'collection'],
    [{ field_mapping: { slug: 7 } }, 'field_mapping'],
    [{ url_prefix: 'blog' }, 'url_prefix'],
  ])('refuses %j', (wrong, field) => {
    const parsed = directusConnection.fields.safeParse({ api_url: 'https://cms.shed.example', access_token, ...wrong })
    expect(parsed.error?.issues[0]?.path[0]).toBe(field)
  })
})

describe('as the real one', () => {
  describeDirectus(() => site)
})

describe('the mapping', () => {
  it.each([
    [{ fields: fieldsWith('status') }, {}, /no field that says if an article is public/],
    [{ fields: fieldsWith('content', 'takeaways') }, {}, /No field was found for the text.*field_mapping\.body/],
    [{ fields: fieldsWith(COUNTED, 'slug') }, {}, /needs a text field for the slug/],
    [{ fields: fieldsWith({ field: 'price', type: 'integer', nullable: false }) }, {}, /required fields: price/],
    [{}, { field_mapping: { slug: 'path' } }, /field_mapping\.slug: there is no field "path"/],
    [{}, { field_mapping: { date: 'slug' } }, /field_mapping\.date: "slug" cannot hold it\. These can: date/],
    [
      {},
      { field_mapping: { status_published: 'live' } },
      /field_mapping\.status_published.*published, draft, archived/,
    ],
  ] as const)('refuses a collection that cannot hold an article: %#', async (options, more, reason) => {
    await restart(options)
    expect(await cms(more).probe()).toMatchObject({ code: 'validation', reason: expect.stringMatching(reason) })
  })

  it('writes Markdown, an address of the image, a day and an own mark where the fields want them', async () => {
    await restart({
      fields: fieldsWith(
        COUNTED,
        { field: 'content', type: 'text', interface: 'input-rich-text-md' },
        { field: 'image', type: 'string' },
        { field: 'date', type: 'date' },
        { field: 'external_id', type: 'string' },
        { field: 'tags', type: 'string' },
      ),
    })
    const given = article({ image: { url: 'https://i.example/a.png', alt: 'A' }, tags: ['One', 'Two'] })
    expect(await cms().create(given)).toMatchObject({ value: { remoteId: '1', marker: given.marker } })
    expect(directus.items()[0]).toMatchObject({
      content: '## Why\n\nA shed keeps tools dry.',
      image: 'https://i.example/a.png',
      date: '2026-01-02',
      external_id: given.marker,
      tags: 'One, Two',
    })
    expect(await cms().find({ ...query, slug: 'another' })).toMatchObject({ value: { matchedBy: 'marker' } })
  })

  it('knows boolean states, also one that hides', async () => {
    const archived = { field: 'archived', type: 'boolean', nullable: false, default: false } as const
    await restart({ fields: fieldsWith('status', archived) })
    const { remoteId } = postOf(await cms().create(ownArticle('hidden', { status: 'draft' })))
    expect(directus.items()[0]?.archived).toBe(true)
    expect(await cms().update(remoteId, ownArticle('hidden'))).toMatchObject({ value: { status: 'published' } })
    expect(directus.items()[0]?.archived).toBe(false)
  })

  it('takes the values of the states that people chose', async () => {
    const status = { field: 'status', type: 'string', nullable: false, choices: ['Live', 'In work'] } as const
    await restart({ fields: fieldsWith(status) })
    const chosen = { field_mapping: { status_published: 'Live', status_draft: 'In work' } }
    const { remoteId } = postOf(await cms(chosen).create(ownArticle('chosen', { status: 'draft' })))
    expect(directus.items()[0]?.status).toBe('In work')
    await cms(chosen).update(remoteId, ownArticle('chosen'))
    expect(directus.items()[0]?.status).toBe('Live')
  })

  it('cuts a text to its field, and says so', async () => {
    const made = await cms().create(ownArticle('long', { author: 'x'.repeat(300) }))
    expect(made).toMatchObject({ notes: [expect.stringContaining('"author" takes 255 characters')] })
    expect(String(directus.items()[0]?.author)).toHaveLength(255)
  })
})

describe('rights', () => {
  it('says what the token may not do', async () => {
    await restart({ may: { posts: ['read'] } })
    expect(await cms().probe()).toMatchObject({
      code: 'auth_forbidden',
      reason: expect.stringContaining('may not create, update items of "posts"'),
    })
    await restart({ hidesFields: true })
    expect(await cms().probe()).toMatchObject({ reason: expect.stringContaining('read directus_fields') })
    await restart({ may: { directus_files: [] } })
    expect(await cms().probe()).toMatchObject({
      kind: 'done',
      notes: [expect.any(String), expect.stringContaining('images are left out')],
    })
  })

  it('takes an answer without an item for no proof', async () => {
    await fault({ path: 'POST /items', status: 204, answer: '' })
    expect(await cms().create(ownArticle('unread'))).toMatchObject({ kind: 'unknown' })
  })

  it('uses an image at Directus only if everybody may read it', async () => {
    const image = { url: 'https://i.example/a.png', alt: '' }
    expect(await cms().hostImage?.(image)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('Public policy'),
    })
    await restart({ showsFiles: true })
    expect(await cms().hostImage?.(image)).toMatchObject({
      value: expect.stringMatching(new RegExp(`^${directus.url}/assets/[0-9a-f-]{36}$`)),
    })
  })
})

describe('failures', () => {
  it.each([
    [
      { status: 403, answer: { errors: [{ message: 'No.', extensions: { code: 'FORBIDDEN' } }] } },
      'auth_forbidden',
      'No.',
    ],
    [
      { status: 403, answer: { errors: [{ message: 'Over.', extensions: { code: 'LIMIT_EXCEEDED' } }] } },
      'plan_limit',
      'Over.',
    ],
    [
      { status: 400, answer: { errors: [{ message: 'Bad.', extensions: { code: 'FAILED_VALIDATION' } }] } },
      'validation',
      'Bad.',
    ],
    [{ status: 403, answer: '<html>Access Denied</html>' }, 'blocked', 'firewall'],
    [{ status: 429, answer: { errors: [{ message: 'Slow.' }] } }, 'rate_limited', 'too many'],
  ])('passes Directus’s message on: %j', async (rule, code, reason) => {
    await fault({ path: 'POST', ...rule })
    expect(await cms().create(article())).toMatchObject({
      kind: 'refused',
      code,
      reason: expect.stringContaining(reason),
    })
    expect(directus.items()).toHaveLength(0)
  })

  it.each([{ drop: 'after' }, { drop: 'before' }, { status: 500, answer: {} }, { status: 200, answer: { data: 7 } }])(
    'has an unknown outcome of a creation: %j',
    async (rule) => {
      await fault({ path: 'POST', ...rule })
      expect(await cms().create(article())).toMatchObject({ kind: 'unknown' })
    },
  )

  it.each([
    ['a key that we choose', {}],
    ['a counted key and a mark', { fields: fieldsWith(COUNTED, { field: 'external_id', type: 'string' }) }],
    ['a counted key and the slug alone', { fields: fieldsWith(COUNTED) }],
  ] as const)(
    'ends as one item whatever goes wrong, with %s',
    async (_, options) => {
      await restart({ ...options, trouble: troubleFrom(seeded(7)) })
      await proveFaults(cmsTarget(cms(), 'Galley'), clock, shown, urlOf)
    },
    PROOF_TIMEOUT_MS,
  )

  it(
    'ends as one undisturbed call when it is repeated',
    async () => {
      const one = oneFault()
      await restart({ trouble: one.trouble })
      await proveRepeats(cmsTarget(cms(), 'Galley'), clock, one, shown, { image_url: 'https://images.example/a.png' })
    },
    PROOF_TIMEOUT_MS,
  )

  it('claims nothing from a cache', async () => {
    await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, directus, shown, { isFresh: true })
  })

  it('keeps an item down that people took down, until it is published again', async () => {
    await proveChange(cmsTarget(cms(), 'Galley'), clock, directus.items)
  })
})
