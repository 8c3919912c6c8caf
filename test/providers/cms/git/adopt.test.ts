import { describe, expect, it } from 'vitest'
import type { CmsField } from '../../../../src/publishing/target/cms-adapter.ts'
import { article } from '../../drive.ts'
import { eachOnItsHost } from './scene.ts'
import { ASTRO } from './sites.ts'

const OAK = [
  '---',
  "title:   'Oak & elm'   # Jane: short",
  'description: "How oak lasts."',
  'pubDate: 2026-01-05',
  'tags: [blog, wood]',
  'lang: en',
  'author: Jane Doe',
  'draft: false',
  '---',
  "import Chart from '../Chart.astro'",
  '',
  'Oak *lasts* long.',
  '',
  '<Chart data={oak} />',
  '',
  '* One',
  '* Two',
].join('\r\n')
const PATH = 'src/content/blog/oak.md'
const MDX = 'src/content/blog/chart.mdx'

const hosts = ['github', 'gitlab'] as const

describe.each(hosts)('posts that a repository at %s has', (host) => {
  const { restart, cms, text, standIn } = eachOnItsHost(host)
  const commits = () => standIn().repository.git(['log', '--format=%s', 'main']).split('\n').length
  const adopted = {
    slug: 'oak',
    title: 'Oak, elm & ash',
    metaDescription: 'How oak lasts.',
    tags: ['blog'],
    isAdopted: true as const,
  }
  const open = () => restart({ files: { ...ASTRO, [PATH]: OAK, 'src/content/blog/bad.md': '---\ntitle: "\n---\n' } })

  it('are listed in the order of their paths, over several pages, with what their front matter has', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`src/content/blog/p${String(n).padStart(3, '0')}.md`, OAK]),
    )
    await restart({ files: { ...ASTRO, ...many, [PATH]: OAK, 'src/content/blog/bad.md': '---\ntitle: "\n---\n' } })
    const before = commits()
    const first = await cms().listPosts?.(null)
    if (first?.kind !== 'done') throw new Error('not listed')
    expect(first.value).toMatchObject({ hidden: 1, total: 64, next: expect.any(String) })
    expect(first.value.posts.find(({ postId }) => postId === PATH)).toEqual({
      postId: PATH,
      title: 'Oak & elm',
      url: 'https://shed.example/blog/oak/',
      status: 'published',
      publishedAt: '2026-01-05T00:00:00.000Z',
      changedAt: null,
      author: 'Jane Doe',
      language: 'en',
    })
    // A file that comes in between moves no other post to another page.
    standIn().repository.push({ 'src/content/blog/aaa.md': OAK.replace('draft: false', 'draft: true') })
    const second = await cms().listPosts?.(first.value.next)
    if (second?.kind !== 'done') throw new Error('not listed')
    const ids = [...first.value.posts, ...second.value.posts].map(({ postId }) => postId)
    expect([ids.length, new Set(ids).size, second.value.next]).toEqual([63, 63, null])
    const again = await cms().listPosts?.(null)
    const posts = again?.kind === 'done' ? again.value.posts : []
    expect(posts[0]).toMatchObject({ postId: 'src/content/blog/aaa.md', status: 'draft', url: null })
    expect(commits()).toBe(before + 1)
  })

  it('are read by path and by address, and no other file is', async () => {
    await open()
    const read = await cms().readPost?.({ postId: PATH })
    expect(read).toMatchObject({
      kind: 'done',
      value: {
        postId: PATH,
        slug: 'oak',
        title: 'Oak & elm',
        metaDescription: 'How oak lasts.',
        tags: ['blog', 'wood'],
        format: 'page',
        text: expect.stringContaining('<p>Oak <em>lasts</em> long.</p>'),
        owner: null,
      },
    })
    expect(await cms().readPost?.({ url: 'https://shed.example/blog/oak' })).toEqual(read)
    for (const ref of [
      { url: 'https://shed.example/blog/elm/' },
      { url: 'https://other.example/blog/oak/' },
      { postId: 'src/pages/about.md' },
      { postId: 'package.json' },
      { postId: 'src/content/blog/bad.md' },
    ])
      expect(await cms().readPost?.(ref)).toMatchObject({ kind: 'done', value: null })
  })

  it('change in the lines of the sent fields alone, and get no mark', async () => {
    await open()
    const update = (only: CmsField[], more = {}) =>
      cms().update(PATH, article({ ...adopted, ...more }), { intent: 'change', only })
    expect(await update(['title'])).toMatchObject({ kind: 'done' })
    expect(text(PATH)).toBe(OAK.replace("'Oak & elm'", "'Oak, elm & ash'"))
    expect(await update(['tags'])).toMatchObject({ kind: 'done' })
    expect(text(PATH)).toBe(OAK.replace("'Oak & elm'", "'Oak, elm & ash'").replace('[blog, wood]', '[blog]'))
    const count = commits()
    expect(await update(['title', 'tags'])).toMatchObject({ kind: 'done' })
    expect(commits()).toBe(count)
  })

  it('are taken down and shown again with the date and the text that they had', async () => {
    await open()
    expect(await cms().unpublish?.(PATH, article(adopted))).toMatchObject({ value: { status: 'draft' } })
    expect(text(PATH)).toBe(OAK.replace('draft: false', 'draft: true'))
    expect(await cms().update(PATH, article(adopted), { intent: 'complete', only: [] })).toMatchObject({
      value: { status: 'published' },
    })
    expect(text(PATH)).toBe(OAK)
  })

  it('show no code of MDX as text, and keep it in the file', async () => {
    await restart({ files: { ...ASTRO, [PATH]: OAK, [MDX]: OAK } })
    const read = await cms({ path: 'src/content/blog/{slug}.mdx' }).readPost?.({ postId: MDX })
    if (read?.kind !== 'done' || !read.value) throw new Error('not read')
    expect(read.value.text).not.toContain('Chart.astro')
    await cms().update(MDX, article(adopted), { intent: 'change', only: ['title'] })
    expect(text(MDX)).toBe(OAK.replace("'Oak & elm'", "'Oak, elm & ash'"))
  })
})
