import { expect, test } from 'vitest'
import type { CmsResult } from '../../../../src/publishing/target/cms-adapter.ts'
import type { SitePost, SitePostPage } from '../../../../src/publishing/target/site-posts.ts'
import type { Scene, Way } from './scene.ts'

type Made = { id: number; link: string; slug: string }

/** Tests of any WordPress, real or stand-in, whose posts are listed and read. */
export const conductLists = (scene: () => Scene, way: Way): void => {
  const make = async (fields: Record<string, unknown>): Promise<Made> =>
    (await scene().ask('posts', { method: 'POST', json: fields })).json as Made

  const listAll = async (user: 'admin' | 'author' = 'admin') => {
    const cms = scene().cms(way, user)
    const posts: SitePost[] = []
    let hidden = 0
    let cursor: string | null = null
    do {
      const page: CmsResult<SitePostPage> | undefined = await cms.listPosts?.(cursor)
      if (page?.kind !== 'done') throw new Error(JSON.stringify(page))
      posts.push(...page.value.posts)
      hidden += page.value.hidden
      cursor = page.value.next
    } while (cursor !== null)
    return { posts, hidden }
  }

  const read = async (ref: { postId: string } | { url: string }) => {
    const found = await scene().cms(way).readPost?.(ref)
    if (found?.kind !== 'done') throw new Error(JSON.stringify(found))
    return found.value
  }

  test('posts of every status are listed with author and dates, and those in the trash are not', async () => {
    const live = await make({ title: 'A listed &amp; live post', content: 'Words.', status: 'publish' })
    const draft = await make({ title: 'A listed draft', content: 'Words.', status: 'draft' })
    const gone = await make({ title: 'A listed post in the trash', content: 'Words.', status: 'publish' })
    await scene().ask(`posts/${gone.id}`, { method: 'DELETE' })
    const { posts, hidden } = await listAll()
    const of = ({ id }: Made) => posts.find(({ postId }) => postId === String(id))
    expect(of(live)).toMatchObject({
      title: 'A listed & live post',
      url: live.link,
      status: 'published',
      siteStatus: 'publish',
      publishedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      author: 'admin',
    })
    expect(of(draft)).toMatchObject({ status: 'draft', url: null, publishedAt: null })
    expect(of(gone)).toBeUndefined()
    expect(hidden).toBe(0)
  })

  test('a page has at most a hundred posts, and the next one continues it without a gap', async () => {
    const before = (await listAll()).posts.length
    for (let n = before; n < 103; n += 1) await make({ title: `Post ${n}`, content: 'Words.', status: 'publish' })
    const first = await scene().cms(way).listPosts?.(null)
    expect(first).toMatchObject({ kind: 'done', value: { next: expect.stringMatching(/^\d+$/), hidden: 0 } })
    const { posts } = await listAll()
    expect(new Set(posts.map(({ postId }) => postId)).size).toBe(posts.length)
    expect(posts.length).toBeGreaterThan(100)
    expect(await scene().cms(way).listPosts?.('999999')).toMatchObject({
      kind: 'done',
      value: { posts: [], next: null },
    })
  })

  test.skipIf(way === 'plugin')('posts that the user may not edit are counted, not shown', async () => {
    await make({ title: 'A post of the administrator', content: 'Words.', status: 'publish' })
    const [own, all] = [await listAll('author'), await listAll()]
    expect(own.hidden).toBeGreaterThan(0)
    expect(own.posts.length + own.hidden).toBe(all.posts.length)
  })

  test.each([
    [
      'blocks',
      '<!-- wp:paragraph {"dropCap":true} -->\n<p class="has-drop-cap">One &amp; two.</p>\n<!-- /wp:paragraph -->',
    ],
    ['classic', 'Bare lines.\n\nAnother one, with [gallery ids="1"] and a\\backslash.'],
  ])('a stored text comes back byte for byte: %s', async (format, content) => {
    const { id, link, slug } = await make({
      title: 'T',
      content,
      excerpt: 'An excerpt.',
      status: 'publish',
      password: '',
    })
    const whole = { postId: String(id), slug, format, text: content, excerpt: 'An excerpt.', lock: null, owner: null }
    expect(await read({ postId: String(id) })).toMatchObject(whole)
    expect(await read({ url: link })).toMatchObject(whole)
  })

  test.each([
    ['Divi', '[et_pb_section][et_pb_text]Words[/et_pb_text][/et_pb_section]'],
    ['WPBakery', '[vc_row][vc_column]Words[/vc_column][/vc_row]'],
    ['Avada', '[fusion_builder_container]Words[/fusion_builder_container]'],
    ['Beaver Builder', '<!-- wp:fl-builder/layout --><p>Words</p><!-- /wp:fl-builder/layout -->'],
  ])('a text of the page builder %s has it as its owner', async (owner, content) => {
    const { id } = await make({ title: owner, content, status: 'publish' })
    expect(await read({ postId: String(id) })).toMatchObject({ owner, text: content })
  })

  test('a post with a password is named as such, without the password', async () => {
    const { id } = await make({ title: 'Secret', content: 'Words.', status: 'publish', password: 'open-sesame' })
    const post = await read({ postId: String(id) })
    expect(post).toMatchObject({ onlyFor: 'readers who know its password' })
    expect(JSON.stringify(post)).not.toContain('open-sesame')
  })

  test('an id or address of no post finds none', async () => {
    const { id } = await make({ title: 'Thrown away', content: 'Words.', status: 'publish' })
    await scene().ask(`posts/${id}`, { method: 'DELETE' })
    const origin = scene().proxy.url
    for (const ref of [
      { postId: String(id) },
      { postId: '99999999' },
      { postId: 'abc' },
      { url: `${origin}/no-such-post/` },
      { url: `${origin}/` },
      { url: `${origin}/?p=99999999` },
    ])
      expect(await read(ref), JSON.stringify(ref)).toBeNull()
  })
}
