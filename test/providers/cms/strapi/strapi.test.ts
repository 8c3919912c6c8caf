import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STRAPI_ATTRIBUTES, type StrapiOptions, type StrapiStandIn, startStrapi } from '../../../../local/cms/strapi.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { toBlocks } from '../../../../src/providers/cms/strapi/blocks.ts'
import { strapiConnection } from '../../../../src/providers/cms/strapi/connect.ts'
import {
  article,
  clockAt,
  oneFault,
  ownArticle,
  PROOF_TIMEOUT_MS,
  proveCachedHost,
  proveChange,
  proveFaults,
  proveRepeats,
  type Shown,
  seeded,
  troubleFrom,
} from '../../drive.ts'
import { cmsOf, describeStrapi, type StrapiSite } from './behaviour.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let strapi: StrapiStandIn
let site: StrapiSite

const restart = async (options: StrapiOptions = {}) => {
  await strapi?.close()
  strapi = await startStrapi({ now: clock.now, ...options })
  const { url, token, adminToken } = strapi
  const edit: StrapiSite['edit'] = async (documentId, values) => strapi.edit(documentId, values)
  site = { url, token, adminToken, image: `${url}/_image.png`, now: clock, edit }
}
const cms = (more: Record<string, unknown> = {}) => cmsOf(site, more)
const fault = (rule: object) => fetch(`${strapi.url}/_faults`, { method: 'POST', body: JSON.stringify(rule) })

const shown = (): Shown[] =>
  strapi.entries().map(({ draft, published }) => ({
    remoteId: draft.documentId,
    slug: String(draft.slug),
    title: String(draft.title),
    content: String((published ?? draft).content),
    isLive: published !== undefined,
  }))

beforeEach(() => restart())
afterEach(() => strapi.close())

describe('the connection form', () => {
  const api_token = 'an-api-token'

  it.each([
    'https://cms.shed.example',
    'https://cms.shed.example/api',
    'https://cms.shed.example/admin/content-manager',
  ])('knows the site by %s', (api_url) => {
    expect(strapiConnection.connection({ api_url, api_token, content_type: 'posts' })).toEqual({
      url: 'https://cms.shed.example',
      urlField: 'api_url',
      name: 'cms.shed.example (posts)',
      secrets: { api_token, content_type: 'posts' },
    })
  })

  it.each([
    [{ api_token: 'a b' }, 'api_token'],
    [{ content_type: 'api::post.post' }, 'content_type'],
    [{ content_type: 'Posts' }, 'content_type'],
    [{ field_mapping: { slug: 7 } }, 'field_mapping'],
  ])('refuses %j', (wrong, field) => {
    const parsed = strapiConnection.fields.safeParse({ api_url: 'https://cms.shed.example', api_token, ...wrong })
    expect(parsed.error?.issues[0]?.path[0]).toBe(field)
  })
})

describe('as the real one', () => {
  describeStrapi(() => site)
})

describe('the mapping', () => {
  it.each([
    [{ hasNoDrafts: true }, {}, 'validation', /Draft & Publish/],
    [
      { attributes: { title: { type: 'string' }, slug: { type: 'uid' } } },
      {},
      'validation',
      /No field was found for the text/,
    ],
    [{ hidesTypes: true }, {}, 'auth_forbidden', /getContentTypes/],
    [{}, { field_mapping: { body: 'date' } }, 'validation', /field_mapping\.body: "date" cannot hold it/],
    [
      { attributes: { ...STRAPI_ATTRIBUTES, price: { type: 'decimal', required: true } } },
      {},
      'validation',
      /required fields: price/,
    ],
  ] as const)('refuses a content type that cannot hold an article: %#', async (options, more, code, reason) => {
    await restart(options)
    expect(await cms(more).probe()).toMatchObject({ code, reason: expect.stringMatching(reason) })
  })

  it('writes blocks that Strapi accepts, for every element of a text', async () => {
    await restart({ attributes: { ...STRAPI_ATTRIBUTES, content: { type: 'blocks' } } })
    const html =
      '<h2 id="a">Why <em>so</em></h2><p>A <strong>shed</strong> <a href="/x">links</a> and <a href="#a">jumps</a>.</p><ul><li>One<ul><li>Half</li></ul></li></ul><ol><li>First</li></ol><blockquote><p>Said.</p></blockquote><pre><code class="language-js">a()</code></pre><table><tr><td>Wood</td><td>1</td></tr></table><hr><figure><img src="https://i.example/a.png" alt="A"><figcaption>C</figcaption></figure><p></p>'
    expect(await cms().create(ownArticle('blocks', { html }))).toMatchObject({ value: { status: 'published' } })
    expect(strapi.entries()[0]?.published?.content).toEqual([
      {
        type: 'heading',
        level: 2,
        children: [
          { type: 'text', text: 'Why ' },
          { type: 'text', text: 'so', italic: true },
        ],
      },
      {
        type: 'paragraph',
        children: [
          { type: 'text', text: 'A ' },
          { type: 'text', text: 'shed', bold: true },
          { type: 'text', text: ' ' },
          { type: 'link', url: '/x', children: [{ type: 'text', text: 'links' }] },
          { type: 'text', text: ' and ' },
          { type: 'text', text: 'jumps' },
          { type: 'text', text: '.' },
        ],
      },
      {
        type: 'list',
        format: 'unordered',
        children: [
          { type: 'list-item', children: [{ type: 'text', text: 'One' }] },
          {
            type: 'list',
            format: 'unordered',
            children: [{ type: 'list-item', children: [{ type: 'text', text: 'Half' }] }],
          },
        ],
      },
      {
        type: 'list',
        format: 'ordered',
        children: [{ type: 'list-item', children: [{ type: 'text', text: 'First' }] }],
      },
      { type: 'quote', children: [{ type: 'text', text: 'Said.' }] },
      { type: 'code', language: 'js', children: [{ type: 'text', text: 'a()' }] },
      {
        type: 'paragraph',
        children: [
          { type: 'text', text: 'Wood' },
          { type: 'text', text: ' | ' },
          { type: 'text', text: '1' },
        ],
      },
      {
        type: 'paragraph',
        children: [{ type: 'link', url: 'https://i.example/a.png', children: [{ type: 'text', text: 'A' }] }],
      },
      { type: 'paragraph', children: [{ type: 'text', text: 'C' }] },
    ])
    expect(toBlocks('')).toEqual([{ type: 'paragraph', children: [{ type: 'text', text: '' }] }])
  })

  it('names an editor’s words in blocks', async () => {
    await restart({ attributes: { ...STRAPI_ATTRIBUTES, content: { type: 'blocks' } } })
    const made = await cms().create(
      ownArticle('words', { html: '<p>One <b>bold</b> word.</p><ul><li>An item</li></ul>' }),
    )
    const read = await cms().read?.(made.kind === 'done' ? made.value.remoteId : '')
    expect(read).toMatchObject({ value: { words: { text: 'One bold word.\nAn item', isConverted: true } } })
  })

  it('keeps a choice to those of the field', async () => {
    await restart({ attributes: { ...STRAPI_ATTRIBUTES, category: { type: 'enumeration', enum: ['News', 'Guides'] } } })
    expect(await cms().create(ownArticle('choice', { category: 'Guides' }))).toMatchObject({
      value: { status: 'published' },
    })
    expect(await cms().create(ownArticle('other', { category: 'Else' }))).toMatchObject({
      value: { status: 'published' },
      notes: [expect.stringContaining('"category" has no such choice')],
    })
  })
})

describe('failures', () => {
  const refusal = (message: string, name = 'ForbiddenError') => ({ data: null, error: { status: 0, name, message } })

  it.each([
    [{ status: 403, answer: refusal('Forbidden') }, 'auth_forbidden', 'Forbidden'],
    [{ status: 400, answer: refusal('Bad.', 'ValidationError') }, 'validation', 'Bad.'],
    [{ status: 403, answer: '<html>Access Denied</html>' }, 'blocked', 'firewall'],
    [{ status: 429, answer: refusal('Too many', 'RateLimitError') }, 'rate_limited', 'too many'],
  ])('passes Strapi’s message on: %j', async (rule, code, reason) => {
    await fault({ path: 'POST', ...rule })
    expect(await cms().create(article())).toMatchObject({
      kind: 'refused',
      code,
      reason: expect.stringContaining(reason),
    })
    expect(strapi.entries()).toHaveLength(0)
  })

  it.each([{ drop: 'after' }, { drop: 'before' }, { status: 500, answer: {} }, { status: 201, answer: { data: 7 } }])(
    'has an unknown outcome of a creation: %j',
    async (rule) => {
      await fault({ path: 'POST', ...rule })
      expect(await cms().create(article())).toMatchObject({ kind: 'unknown' })
    },
  )

  it.each([
    ['a field for our mark', {}],
    ['the slug alone', { field_mapping: { marker: '' } }],
  ] as const)(
    'ends as one entry whatever goes wrong, with %s',
    async (_, more) => {
      await restart({ trouble: troubleFrom(seeded(7)) })
      await proveFaults(cmsTarget(cms(more), 'Galley'), clock, shown, (slug) => `https://shed.example/blog/${slug}`)
    },
    PROOF_TIMEOUT_MS,
  )

  it(
    'ends as one undisturbed call when it is repeated',
    async () => {
      const one = oneFault()
      await restart({ trouble: one.trouble })
      await proveRepeats(cmsTarget(cms(), 'Galley'), clock, one, shown, { image_url: `${strapi.url}/_image.png` })
    },
    PROOF_TIMEOUT_MS,
  )

  it('claims nothing from a cache', async () => {
    await proveCachedHost(cmsTarget(cms(), 'Galley'), clock, strapi, shown, { isFresh: true })
  })

  it('keeps an entry down that people took down, until it is published again', async () => {
    await proveChange(cmsTarget(cms(), 'Galley'), clock, strapi.entries)
  })
})
