import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWix, type WixStandIn } from '../../../../local/cms/wix.ts'
import { wixConnection } from '../../../../src/providers/cms/wix/connect.ts'
import { wixCms } from '../../../../src/providers/cms/wix/index.ts'
import { article, clockAt, idOf, meansAt } from '../../drive.ts'

const clock = clockAt('2026-11-21T10:00:00Z')
let wix: WixStandIn

beforeEach(async () => {
  wix = await startWix({ now: clock.now })
})
afterEach(() => wix.close())

const OWNER = '00000000-0000-4000-8000-000000000800'
const cms = () => {
  const given = { api_key: wix.key, site_id: wix.siteId, member_id: OWNER, api_url: wix.url }
  const { url, secrets } = wixConnection.connection(given)
  return wixCms({ id: 1, platform: 'wix', url, secrets }, meansAt(clock))
}

describe('posts that the site had before', () => {
  /** Puts a text of a person into a live post, as Wix's editor does. */
  const written = async (slug: string) => {
    const id = idOf(await cms().create(article({ slug, title: `The ${slug}` })))
    const text = (words: string, decorations: object[] = []) => ({
      type: 'TEXT',
      id: '',
      nodes: [],
      textData: { text: words, decorations },
    })
    const richContent = {
      nodes: [
        { type: 'HEADING', id: 'h', nodes: [text('Floors & walls')], headingData: { level: 3 } },
        {
          type: 'PARAGRAPH',
          id: 'p',
          nodes: [
            text('An old '),
            text('shed', [
              { type: 'BOLD', fontWeightValue: 700 },
              { type: 'LINK', linkData: { link: { url: 'https://a.example/?a=1&b=2' } } },
            ]),
            text(' of <oak>', [{ type: 'BOLD', fontWeightValue: 400 }]),
          ],
        },
        {
          type: 'BULLETED_LIST',
          id: 'l',
          nodes: [{ type: 'LIST_ITEM', id: 'i', nodes: [{ type: 'PARAGRAPH', id: 'q', nodes: [text('One')] }] }],
        },
        { type: 'IMAGE', id: 'm', nodes: [], imageData: { image: { src: { id: 'oak~mv2.jpg' } }, altText: 'Oak' } },
        { type: 'POLL', id: 'o', nodes: [], pollData: {} },
        { type: 'CODE_BLOCK', id: 'c', nodes: [text('a\nb')] },
      ],
    }
    const draft = wix.drafts().find((one) => one.id === id)
    Object.assign(draft ?? {}, {
      richContent,
      language: 'en',
      media: { wixMedia: { image: { id: 'cover~mv2.jpg' } }, altText: 'A shed' },
    })
    return { id, draft }
  }

  it('are listed by their ids over several pages, whatever was edited last', async () => {
    for (let n = 0; n < 103; n += 1)
      await cms().create(article({ slug: `shed-${n}`, ...(n === 7 ? { status: 'draft' } : {}) }))
    const first = await cms().listPosts?.(null)
    expect(first).toMatchObject({ kind: 'done', value: { next: '2', total: null } })
    Object.assign(wix.drafts()[2] ?? {}, { editedDate: '2030-01-01T00:00:00.000Z' })
    const second = await cms().listPosts?.('2')
    if (first?.kind !== 'done' || second?.kind !== 'done') throw new Error('not listed')
    const posts = [...first.value.posts, ...second.value.posts]
    expect(new Set(posts.map(({ postId }) => postId)).size).toBe(103)
    expect(second.value.next).toBeNull()
    expect(posts.filter(({ status }) => status === 'draft')).toMatchObject([{ url: null, siteStatus: 'unpublished' }])
  })

  it('are read by id and by address, with their text as people see it', async () => {
    const { id } = await written('old-shed')
    const read = await cms().readPost?.({ postId: id })
    expect(read).toMatchObject({
      kind: 'done',
      value: {
        title: 'The old-shed',
        slug: 'old-shed',
        url: 'https://shed.wixsite.example/post/old-shed',
        language: 'en',
        format: 'page',
        image: { url: 'https://static.wixstatic.com/media/cover~mv2.jpg', alt: 'A shed' },
        text: [
          '<h3>Floors &amp; walls</h3>',
          '<p>An old <strong><a href="https://a.example/?a=1&amp;b=2">shed</a></strong> of &lt;oak&gt;</p>',
          '<ul><li><p>One</p></li></ul>',
          '<img src="https://static.wixstatic.com/media/oak~mv2.jpg" alt="Oak">',
          '',
          '<pre><code>a\nb</code></pre>',
        ].join('\n'),
      },
    })
    expect(await cms().readPost?.({ url: 'https://shed.wixsite.example/post/old-shed/' })).toEqual(read)
    expect(await cms().readPost?.({ url: 'https://shed.wixsite.example/post/other' })).toMatchObject({ value: null })
    expect(await cms().readPost?.({ url: 'https://other.example/post/old-shed' })).toMatchObject({ value: null })
  })

  it('are refused with a text that is nested deeper than any editor makes', async () => {
    const { id, draft } = await written('old-shed')
    const depth = 1_000
    const text = `${'{"type":"BLOCKQUOTE","nodes":['.repeat(depth)}${']}'.repeat(depth)}`
    Object.assign(draft ?? {}, { richContent: { nodes: [JSON.parse(text)] } })
    expect(await cms().readPost?.({ postId: id })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('cannot be read'),
    })
  })

  it('change in the sent field alone, and not while somebody’s work is unpublished', async () => {
    const { id, draft } = await written('old-shed')
    const before = structuredClone(draft)
    const changed = { ...article({ slug: 'old-shed', title: 'A new shed' }), isAdopted: true as const }
    const update = (only: ('title' | 'tags')[]) => cms().update(id, changed, { intent: 'change', only })
    expect(await update(['title'])).toMatchObject({ kind: 'done' })
    expect(wix.live()).toMatchObject([
      { title: 'A new shed', richContent: before?.richContent, tagIds: before?.tagIds },
    ])
    expect(await update(['tags'])).toMatchObject({ kind: 'refused', reason: expect.stringContaining('in Wix') })
    Object.assign(draft ?? {}, { hasUnpublishedChanges: true, title: 'Half done' })
    expect(await update(['title'])).toMatchObject({ kind: 'refused', code: 'conflict' })
    expect(wix.live()).toMatchObject([{ title: 'A new shed' }])
  })
})
