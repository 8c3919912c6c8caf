import { expect, it } from 'vitest'
import { ghostApi } from '../../../../src/providers/cms/ghost/api.ts'
import { ghostConnection } from '../../../../src/providers/cms/ghost/connect.ts'
import { ghostCms } from '../../../../src/providers/cms/ghost/index.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { Cms } from '../../../../src/publishing/target/cms-adapter.ts'
import type { SitePost, SitePostPage } from '../../../../src/publishing/target/site-posts.ts'
import { type Clock, meansAt, ownArticle, postOf, proveWordsNamed, requestOf, valueIn } from '../../drive.ts'

/** Ghost under test: its address, its key, and an image that it serves. */
export type GhostSite = {
  url: string
  key: string
  image: string
  now: Clock
  makePage: (slug: string, title: string) => Promise<unknown>
}

export const cmsOf = ({ url, key, now }: GhostSite): Cms => {
  const opened = ghostConnection.connection({ api_url: `${url}/ghost/`, admin_api_key: key })
  return ghostCms({ id: 1, platform: 'ghost', url: opened.url, secrets: opened.secrets }, meansAt(now))
}

const HTML =
  '<p><a href="#steps">Steps</a></p><h2 id="steps">The Steps, &amp; more</h2><ul><li>One<ul><li>Half</li></ul></li></ul>' +
  '<dl><dt>Shed</dt><dd>A small house</dd></dl><table><tbody><tr><td>1</td></tr></tbody></table>'

const probes = (site: () => GhostSite): void => {
  it('proves address and key', async () => {
    expect(await cmsOf(site()).probe()).toEqual({
      kind: 'done',
      value: { name: expect.stringMatching(/./), url: `${site().url}/` },
    })
  })

  it.each([
    [
      'a wrong secret',
      (key: string) => `${key.slice(0, -6)}000000`,
      'auth_invalid',
      /invalid signature.*Admin API key/i,
    ],
    ['an unknown key', (key: string) => `${'0'.repeat(24)}${key.slice(24)}`, 'auth_invalid', /unknown admin api key/i],
  ])('refuses %s with the reason, without the key in it', async (_, change, code, reason) => {
    const key = change(site().key)
    const answer = await cmsOf({ ...site(), key }).probe()
    expect(answer).toMatchObject({ kind: 'refused', code, retryable: false, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(answer)).not.toContain(key.slice(25))
  })
}

const creations = (site: () => GhostSite): void => {
  it('makes a live post with everything, backdated', async () => {
    const cms = cmsOf(site())
    const given = ownArticle('live', {
      html: HTML,
      category: 'Guides',
      tags: ['news', 'Ünï', '#hidden'],
      author: 'olive owner',
      image: { url: 'https://images.example/a.png', alt: 'x'.repeat(250) },
      publishedAt: '2025-01-02T03:04:05.000Z',
    })
    const made = await cms.create(given)
    expect(made).toMatchObject({
      value: { slug: 'live', status: 'published', url: `${site().url}/live/`, marker: given.marker },
      notes: [expect.stringContaining('cut to 191')],
    })
    const kept = valueIn((await cms.read?.(postOf(made).remoteId)) ?? { kind: 'done', value: null })
    expect(kept).toMatchObject({
      title: given.title,
      meta_description: 'Sheds, step by step.',
      feature_image: 'https://images.example/a.png',
      feature_image_alt: 'x'.repeat(191),
      tags: ['Guides', 'News', 'Ünï', 'hidden', '#galley-00c0ffee-live'].map((name) => ({ name })),
    })
    expect(JSON.stringify(kept)).toContain('<dl><dt>Shed</dt>')
    expect(JSON.stringify(kept)).toContain('#the-steps-more')
  })

  it('makes a draft, then publishes it in place', async () => {
    const cms = cmsOf(site())
    const made = await cms.create(ownArticle('draft', { status: 'draft' }))
    expect(made).toMatchObject({ value: { status: 'draft', url: null, slug: 'draft' } })
    const live = await cms.update(
      postOf(made).remoteId,
      ownArticle('draft', { publishedAt: '2024-05-06T07:08:09.000Z' }),
    )
    expect(live).toMatchObject({
      value: { remoteId: postOf(made).remoteId, status: 'published', url: `${site().url}/draft/` },
    })
  })

  it('accepts addresses with characters that Ghost’s schema refuses', async () => {
    const url = 'https://i.example/größe [1]|100%.png?x={2}'
    const cms = cmsOf(site())
    const given = ownArticle('signs', {
      image: { url, alt: 'Signs' },
      canonicalUrl: 'https://shed.example/größe',
      status: 'draft',
    })
    const { remoteId } = postOf(await cms.create(given))
    expect(valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })).toMatchObject({
      feature_image: 'https://i.example/gr%C3%B6%C3%9Fe%20%5B1%5D%7C100%25.png?x=%7B2%7D',
      canonical_url: 'https://shed.example/gr%C3%B6%C3%9Fe',
    })
  })

  it('puts structured data into the head of the page, beside the code of people', async () => {
    const cms = cmsOf(site())
    const headOf = async (remoteId: string) =>
      (valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null }) as { codeinjection_head: string | null })
        .codeinjection_head
    const asking = (question: string) => `<h2>${question}?</h2><p>It is.</p><h2>Why?</h2><p>So.</p>`
    const { remoteId } = postOf(await cms.create(ownArticle('data', { html: asking('&lt;/script&gt; 1') })))
    const first = await headOf(remoteId)
    expect(first).toMatch(
      /^<script type="application\/ld\+json" id="[\w-]+">{.*"name":"\\u003c\/script> 1\?".*}<\/script>$/,
    )
    const api = ghostApi(meansAt(site().now), site().url, site().key)
    const latest = async () => {
      const known = await api.postWithContent(remoteId)
      return known.kind === 'got' ? known.value : null
    }
    const byPeople = async (fields: object) =>
      await api.change(remoteId, { ...fields, updated_at: (await latest())?.updated_at })
    await byPeople({ codeinjection_head: `<i></i>${first}<b></b>` })
    await cms.update(remoteId, ownArticle('data', { html: asking('2$&amp;') }))
    const second = `<i></i>${first?.replace('\\u003c/script> 1', () => '2$&')}<b></b>`
    expect(await headOf(remoteId)).toBe(second)
    await cms.update(remoteId, ownArticle('data', { title: 'Another' }), { intent: 'change', only: ['title'] })
    expect(await headOf(remoteId)).toBe(second)
    const from = (await latest())?.lexical ?? ''
    await cms.update(remoteId, ownArticle('data', { stored: { from, to: from } }))
    expect(await headOf(remoteId)).toBe(second)
    await cms.update(remoteId, ownArticle('data', { html: '<p>No question.</p>' }))
    expect(await headOf(remoteId)).toBe('<i></i><b></b>')
    // Readers who are no members would find the text of its questions in the head.
    await byPeople({ visibility: 'members' })
    await cms.update(remoteId, ownArticle('data', { html: asking('3') }))
    expect(await headOf(remoteId)).toBe('<i></i><b></b>')
  })

  it('reports that the author is not on the staff', async () => {
    expect(await cmsOf(site()).create(ownArticle('author', { status: 'draft', author: 'Nobody' }))).toMatchObject({
      kind: 'done',
      notes: [expect.stringContaining('"Nobody"')],
    })
  })

  it('refuses a taken slug and leaves nothing under another', async () => {
    const cms = cmsOf(site())
    await cms.create(ownArticle('taken'))
    const other = ownArticle('taken', { marker: 'galley-00c0ffee-other' })
    expect(await cms.create(other)).toMatchObject({ kind: 'refused', code: 'slug_taken', retryable: false })
    expect(valueIn(await cms.find({ marker: 'galley-00c0ffee-other', slug: 'taken-2', title: '' }))).toBe(null)
  })

  it('uses another slug for a reserved one, with a note', async () => {
    const cms = cmsOf(site())
    expect(await cms.create(ownArticle('rss'))).toMatchObject({
      value: { slug: 'rss-post', status: 'published', url: `${site().url}/rss-post/` },
      notes: [expect.stringContaining('keeps the slug "rss" for itself')],
    })
    const found = { marker: ownArticle('rss').marker, slug: 'rss', title: '' }
    expect(valueIn(await cms.find(found))).toMatchObject({ slug: 'rss-post', matchedBy: 'marker' })
  })

  it('names the page that has the slug, and leaves nothing', async () => {
    const cms = cmsOf(site())
    await site().makePage('about-us', 'About us')
    expect(await cms.create(ownArticle('about-us'))).toMatchObject({
      kind: 'refused',
      retryable: false,
      reason: expect.stringContaining('The page "About us" has the slug "about-us"'),
    })
    expect(valueIn(await cms.find({ marker: ownArticle('about-us').marker, slug: 'about-us-2', title: '' }))).toBe(null)
  })

  it('makes one post of two creations at once', async () => {
    const cms = cmsOf(site())
    const given = ownArticle('race')
    const answers = await Promise.all([cms.create(given), cms.create(given)])
    expect(answers.filter((answer) => answer.kind === 'done')).toHaveLength(1)
    expect(answers.find((answer) => answer.kind === 'refused')).toMatchObject({ code: 'conflict', retryable: true })
    expect(valueIn(await cms.find({ marker: '', slug: 'race-2', title: '' }))).toBe(null)
  })
}

const changes = (site: () => GhostSite): void => {
  it('changes a live post in place: slug and date stay, and a draft does not hide it', async () => {
    const cms = cmsOf(site())
    const made = postOf(await cms.create(ownArticle('edit', { author: 'olive' })))
    const next = ownArticle('edit-two', {
      status: 'draft',
      title: 'Next',
      html: '<p>Next.</p>',
      publishedAt: '2020-01-01T00:00:00Z',
    })
    expect(await cms.update(made.remoteId, next)).toMatchObject({
      value: { slug: 'edit', status: 'published', title: 'Next', url: `${site().url}/edit/` },
    })
    expect(JSON.stringify(valueIn((await cms.read?.(made.remoteId)) ?? { kind: 'done', value: null }))).toContain(
      'Next.',
    )
  })

  it('reports a missing post as gone', async () => {
    const cms = cmsOf(site())
    expect(valueIn(await cms.update('0123456789abcdef01234567', ownArticle('gone')))).toBe(null)
    expect(valueIn(await cms.update('17', ownArticle('gone')))).toBe(null)
    expect(valueIn((await cms.read?.('0123456789abcdef01234567')) ?? { kind: 'done', value: {} })).toBe(null)
  })

  it('names the words of editors that an update replaces', () =>
    proveWordsNamed(cmsOf(site()), site().now, { id: 'words', slug: 'words' }))

  it('restores a stored version', async () => {
    const cms = cmsOf(site())
    const made = postOf(await cms.create(ownArticle('back', { html: HTML, tags: ['Tools'] })))
    const readStored = async () => {
      const { changedAt: _, ...stored } =
        valueIn((await cms.read?.(made.remoteId)) ?? { kind: 'done', value: null }) ?? {}
      return stored
    }
    const kept = await readStored()
    await cms.update(made.remoteId, ownArticle('back', { title: 'Worse', html: '<p>Worse.</p>' }))
    expect(await cms.restore?.(made.remoteId, JSON.parse(JSON.stringify(kept)))).toMatchObject({
      value: { status: 'published', title: 'How to build a shed', slug: 'back' },
    })
    expect(await readStored()).toEqual(kept)
  })

  it('unpublishes a post, and the next update publishes it in place', async () => {
    const cms = cmsOf(site())
    const made = postOf(await cms.create(ownArticle('down')))
    expect(await cms.unpublish?.(made.remoteId, ownArticle('down'))).toMatchObject({
      value: { status: 'draft', slug: 'down', url: null },
    })
    expect(await cms.update(made.remoteId, ownArticle('down'))).toMatchObject({
      value: { remoteId: made.remoteId, status: 'published', url: `${site().url}/down/` },
    })
    expect(await cms.unpublish?.('0123456789abcdef01234567', ownArticle('down'))).toEqual({ kind: 'done', value: null })
  })

  it('sends a title for search engines and a canonical address, and leaves those people set', async () => {
    const cms = cmsOf(site())
    const given = { seoTitle: 'Sheds | Guide', canonicalUrl: 'https://first.example/shed' }
    const { remoteId } = postOf(await cms.create(ownArticle('seo', given)))
    await cms.update(remoteId, ownArticle('seo', { title: 'Next' }))
    expect(valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })).toMatchObject({
      title: 'Next',
      meta_title: given.seoTitle,
      canonical_url: given.canonicalUrl,
    })
  })

  it('changes only the given parts, and never an editor’s status or date', async () => {
    const target = cmsTarget(cmsOf(site()), 'Galley')
    const request = requestOf(site().now, { id: 'hidden', slug: 'hidden' })
    const made = await target.deliver(request)
    const remoteId = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
    const ghost = ghostApi(meansAt(site().now), site().url, site().key)
    const edit = async (fields: Record<string, unknown>) => {
      const before = await ghost.post(remoteId)
      if (before.kind !== 'got' || !before.value) throw new Error('no post')
      await ghost.change(remoteId, { ...fields, updated_at: before.value.updated_at })
    }
    const at = '2094-03-04T05:06:07.000Z'
    for (const [status, more] of [['draft'], ['scheduled', { published_at: at }]] as const) {
      await edit({ status, title: `By hand as ${status}`, slug: `moved-${status}`, ...more })
      const next = { ...request.article, external_id: remoteId, meta_description: `As ${status}.` }
      const outcome = await target.deliver({
        ...requestOf(site().now, next, true),
        only: ['metaDescription'],
      })
      expect(outcome).toMatchObject({
        kind: 'accepted',
        isHidden: true,
        notes: [expect.stringContaining(`"${status}"`)],
      })
      expect(await ghost.postWithContent(remoteId)).toMatchObject({
        value: { status, title: `By hand as ${status}`, meta_description: `As ${status}.`, ...more },
      })
    }
    const known = requestOf(site().now, { ...request.article, external_id: remoteId })
    expect(await target.unpublish?.(known)).toMatchObject({ kind: 'taken_down', remoteId })
    expect(await target.deliver(known)).toMatchObject({ kind: 'accepted', remoteId })
  })

  it('hosts an image', async () => {
    const hosted = await cmsOf(site()).hostImage?.({ url: site().image, alt: 'A shed' })
    expect(hosted).toMatchObject({ kind: 'done', value: expect.stringMatching(/^http.*\/content\/images\/.*\.png$/) })
  })
}

const searches = (site: () => GhostSite): void => {
  it('finds a post by remote id, by mark after a change of slug, by slug, and reports that there is none', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('found', { status: 'draft' })))
    const query = { marker: 'galley-00c0ffee-found', slug: 'found', title: '' }
    expect(valueIn(await cms.find({ ...query, remoteId }))).toMatchObject({ remoteId, matchedBy: 'remote_id' })
    expect(valueIn(await cms.find({ ...query, remoteId: '0123456789abcdef01234567', slug: 'x' }))).toMatchObject({
      remoteId,
      matchedBy: 'marker',
    })
    expect(valueIn(await cms.find({ ...query, marker: 'galley-1-1' }))).toMatchObject({
      remoteId,
      matchedBy: 'slug',
      marker: null,
    })
    expect(valueIn(await cms.find({ ...query, marker: 'galley-1-1', slug: 'none-such' }))).toBe(null)
  })

  it('completes a draft that a crash left', async () => {
    const cms = cmsOf(site())
    const target = cmsTarget(cms, 'Galley')
    const request = requestOf(site().now, { id: 'crash', slug: 'crash', published_at: '2025-03-04T05:06:07.000Z' })
    const { remoteId } = postOf(await cms.create(ownArticle('crash', { status: 'draft' })))
    expect(await target.find?.(request)).toEqual({ kind: 'absent', remoteId })
    expect(await target.deliver(request)).toMatchObject({ kind: 'accepted', remoteId, url: `${site().url}/crash/` })
    expect(await target.find?.(request)).toEqual({ kind: 'found', remoteId, url: `${site().url}/crash/` })
    expect(await target.deliver(request)).toMatchObject({ kind: 'accepted', remoteId })
  })
}

const lists = (site: () => GhostSite): void => {
  it('lists posts of every status page by page, with author, dates and address', async () => {
    const cms = cmsOf(site())
    const live = postOf(await cms.create(ownArticle('listed', { title: 'Listed & <live>' })))
    const draft = postOf(await cms.create(ownArticle('listed-draft', { status: 'draft' })))
    const posts = new Map<string, SitePost>()
    let cursor: string | null = null
    do {
      const page: SitePostPage | undefined = cms.listPosts && valueIn(await cms.listPosts(cursor))
      for (const one of page?.posts ?? []) posts.set(one.postId, one)
      cursor = page?.next ?? null
    } while (cursor !== null)
    expect(posts.get(live.remoteId)).toMatchObject({
      title: 'Listed & <live>',
      url: `${site().url}/listed/`,
      status: 'published',
      siteStatus: 'published',
      publishedAt: expect.stringMatching(/Z$/),
      changedAt: expect.stringMatching(/Z$/),
      author: expect.stringMatching(/./),
    })
    expect(posts.get(draft.remoteId)).toMatchObject({ status: 'draft', url: null })
  })

  it('reads a post by its id and by its address, in the form of its editor', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('stored', { tags: ['Sheds'], metaDescription: 'Told.' })))
    const whole = {
      postId: remoteId,
      slug: 'stored',
      format: 'lexical',
      text: expect.stringContaining('"root"'),
      html: expect.stringContaining('A shed keeps tools dry.'),
      metaDescription: 'Told.',
      tags: ['Sheds'],
      lock: expect.stringMatching(/Z$/),
      owner: null,
    }
    expect(await cms.readPost?.({ postId: remoteId })).toMatchObject({ kind: 'done', value: whole })
    expect(await cms.readPost?.({ url: `${site().url}/stored` })).toMatchObject({ kind: 'done', value: whole })
  })

  it('finds no post by an id or address that is none', async () => {
    const cms = cmsOf(site())
    await site().makePage('a-listed-page', 'A page')
    for (const ref of [
      { postId: '0'.repeat(24) },
      { postId: 'abc' },
      { url: `${site().url}/no-such-post/` },
      { url: `${site().url}/a-listed-page/` },
      { url: `${site().url}/` },
    ])
      expect(await cms.readPost?.(ref), JSON.stringify(ref)).toEqual({ kind: 'done', value: null })
  })
}

/** Tests of the real Ghost and of its stand-in alike. */
export const describeGhost = (site: () => GhostSite): void => {
  probes(site)
  creations(site)
  changes(site)
  searches(site)
  lists(site)
}
