import { describe, expect, it } from 'vitest'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { CmsVersion } from '../../../../src/publishing/target/cms-adapter.ts'
import { article, proveWordsNamed, requestOf } from '../../drive.ts'
import { eachInItsNotion, idOf } from './scene.ts'

const { clock, notion, restart, cms } = eachInItsNotion()

describe('pages and databases under an article', () => {
  it('are never deleted: the update is refused and names them', async () => {
    const made = await cms().create(article())
    const [page] = notion.pages()
    page?.children.push(
      '<page url="https://notion.so/1">Drafts</page>',
      '<database url="https://notion.so/2">Ideas</database>',
    )
    expect(await cms().update(idOf(made), article({ html: '<p>Next.</p>' }))).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringMatching(/the page "Drafts", the database "Ideas".*Move them out/),
    })
    expect(page).toMatchObject({ markdown: '## Why\n\nA shed keeps tools dry.', children: [{}, {}] })
    page?.children.splice(0)
    expect(await cms().update(idOf(made), article({ html: '<p>Next.</p>' }))).toMatchObject({ kind: 'done' })
  })

  it('survive a putting back too', async () => {
    const made = await cms().create(article())
    const kept = await cms().read?.(idOf(made))
    await cms().update(idOf(made), article({ html: '<p>Next.</p>' }))
    notion.pages()[0]?.children.push('<page url="https://notion.so/1">Notes</page>')
    const version = kept?.kind === 'done' && kept.value ? kept.value : {}
    expect(await cms().restore?.(idOf(made), version)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('"Notes"'),
    })
    expect(notion.pages()[0]?.children).toHaveLength(1)
  })
})

describe('read and restore', () => {
  it('names the words of editors that an update replaces', () => proveWordsNamed(cms(), clock))
  it('puts content, texts, tags and cover back', async () => {
    const given = article({ tags: ['Tools'], author: 'Jane', image: { url: 'https://i.example/a.png', alt: '' } })
    const made = await cms().create(given)
    const before = structuredClone(notion.pages()[0])
    const kept = await cms().read?.(idOf(made))
    await cms().update(idOf(made), article({ title: 'Worse', html: '<p>Worse.</p>', tags: ['x'] }))
    const version = JSON.parse(JSON.stringify(kept?.kind === 'done' ? kept.value : {}))
    expect(await cms().restore?.(idOf(made), version)).toMatchObject({
      value: { title: given.title, status: 'published' },
    })
    const after = notion.pages()[0]
    expect(after?.markdown).toBe(before?.markdown)
    expect(after?.cover).toEqual(before?.cover)
    for (const name of ['Tags', 'Slug', 'Status', 'Published date'])
      expect(after?.values[name]).toEqual(before?.values[name])
    expect(after?.values.Author?.rich_text?.[0]?.text.content).toBe('Jane')
  })

  it('puts a version of an earlier release back in the Markdown it was read in', async () => {
    const id = idOf(await cms().create(article()))
    const version = { markdown: '<details>\n<summary>S</summary>\n\ta\n</details>', properties: {} }
    expect(await cms().restore?.(id, version)).toMatchObject({ kind: 'done' })
    expect(notion.pages()[0]?.markdown).toBe(version.markdown)
    const other = { ...version, markdown: version.markdown.replace('S', 'T'), markdown_version: 'v2' }
    expect(await cms().restore?.(id, other)).toMatchObject({ kind: 'done' })
    expect(notion.pages()[0]?.markdown).toContain('\\<details>')
  })

  it.each([
    ['is not told whole', { truncated: true }, /too long/],
    ['holds embeds', { added: '<unknown url="https://x.example" alt="embed"/>' }, /embeds/],
    [
      'holds uploaded files',
      { added: '![](https://prod-files-secure.s3.us-west-2.amazonaws.com/a.png?X-Amz-Signature=0)' },
      /uploaded in Notion/,
    ],
  ])('a page that %s is changed, and its earlier version is never restored in part', async (_, options, why) => {
    await restart(options)
    const target = cmsTarget(cms(), 'Galley')
    const request = requestOf(clock)
    await target.deliver(request)
    const kept: CmsVersion[] = []
    const keeping = {
      dropVersion: async () => {},
      version: async (version: CmsVersion) => void kept.push(version),
      hostedImages: async () => new Map<string, string>(),
      hosted: async () => {},
      sentBefore: async () => [],
      hasTime: () => true,
    }
    const next = requestOf(clock, { content_html: '<p>Next.</p>' })
    expect(await target.deliver(next, keeping)).toMatchObject({ kind: 'accepted' })
    expect(notion.pages()[0]?.markdown).toBe('Next.')
    expect(await cms().restore?.(notion.pages()[0]?.id ?? '', kept[0] ?? {})).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringMatching(why),
    })
    expect(notion.pages()[0]?.markdown).toBe('Next.')
  })
})
