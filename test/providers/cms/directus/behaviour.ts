import { expect, it } from 'vitest'
import { directusConnection } from '../../../../src/providers/cms/directus/connect.ts'
import { directusCms } from '../../../../src/providers/cms/directus/index.ts'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import type { Cms } from '../../../../src/publishing/target/cms-adapter.ts'
import { type Clock, meansAt, ownArticle, postOf, proveWordsNamed, requestOf, valueIn } from '../../drive.ts'
import { OF_COLLECTION, proveMisfits, proveOwnFields } from '../../own-fields.ts'

/** Directus under test: its address, its token, and an image that it may fetch. */
export type DirectusSite = { url: string; token: string; image: string; now: Clock }

export const cmsOf = ({ url, token, now }: DirectusSite, more: Record<string, unknown> = {}): Cms => {
  const given = {
    api_url: `${url}/admin/`,
    access_token: token,
    collection: 'posts',
    url_prefix: 'https://shed.example/blog',
    ...more,
  }
  const opened = directusConnection.connection(given)
  return directusCms({ id: 1, platform: 'directus', url: opened.url, secrets: opened.secrets }, meansAt(now))
}

/** Returns the values that the adapter keeps of a post. */
const kept = async (cms: Cms, remoteId: string): Promise<Record<string, unknown>> =>
  valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })?.values as Record<string, unknown>

/** Tests that hold at the stand-in and at a real Directus. */
export const describeDirectus = (site: () => DirectusSite): void => {
  it('proves address, token and collection, and says how fields are used', async () => {
    expect(await cmsOf(site()).probe()).toEqual({
      kind: 'done',
      value: { name: expect.stringMatching(/./), url: 'https://shed.example' },
      notes: [
        'Fields used: title → title, slug → slug, body → content, meta_description → description, image → image, image_alt → image_alt, date → date, author → author, category → category, tags → tags, status → status. Public: published; draft: draft.',
      ],
    })
  })

  it('refuses a wrong token with Directus’s words, without the token', async () => {
    const answer = await cmsOf({ ...site(), token: 'wrong-token-of-somebody' }).probe()
    expect(answer).toMatchObject({ kind: 'refused', code: 'auth_invalid', retryable: false })
    expect(JSON.stringify(answer)).toMatch(/Invalid user credentials.*static token/)
    expect(JSON.stringify(answer)).not.toContain('wrong-token')
  })

  it('names the collections that fit, with the use of their fields, if none is given', async () => {
    expect(await cmsOf(site(), { collection: undefined }).probe()).toMatchObject({
      kind: 'refused',
      code: 'validation',
      reason: expect.stringMatching(
        /^collection is needed\. These fit as they are: .*posts \(title → title, slug → slug/,
      ),
    })
    expect(await cmsOf(site(), { collection: 'nothing' }).probe()).toMatchObject({
      code: 'auth_forbidden',
      reason: expect.stringContaining('"nothing"'),
    })
  })

  it('shows its fields, and gives them the article’s own values', async () => {
    const cms = cmsOf(site())
    const { fields } = valueIn((await cms.schema?.()) ?? { kind: 'done', value: { collection: '', fields: [] } })
    expect(fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'title', type: 'text', filledBy: 'title', isRequired: true, maxLength: 255 }),
        expect.objectContaining({ name: 'id', type: 'other' }),
        expect.objectContaining({ name: 'rating', type: 'integer', nativeType: 'input', isRequired: false }),
        expect.objectContaining({ name: 'layout', type: 'text', choices: ['wide', 'narrow'] }),
        expect.objectContaining({ name: 'badges', type: 'choices', choices: ['new', 'top'] }),
        expect.objectContaining({ name: 'takeaways', type: 'html', nativeType: 'input-rich-text-md' }),
      ]),
    )
    await proveOwnFields(cms, site().now, {
      ...OF_COLLECTION,
      read: async (remoteId) => {
        const headers = { authorization: `Bearer ${site().token}` }
        const filter = JSON.stringify({ id: { _eq: remoteId } })
        const found = await fetch(`${site().url}/items/posts?filter=${encodeURIComponent(filter)}`, { headers })
        const [item = {}] = ((await found.json()) as { data: Record<string, unknown>[] }).data
        return { ...item, takeaways: String(item.takeaways).trim() }
      },
    })
  })

  it('refuses values that do not fit its fields, and writes nothing', () =>
    proveMisfits(cmsOf(site()), site().now, [
      [{ ratings: 4 }, 'there is no field “ratings”. There are: '],
      [{ rating: 'good' }, '“rating” must be a whole number'],
      [{ featured: 1 }, '“featured” must be true or false'],
      [{ layout: 'broad' }, '“layout” must be one of these: wide, narrow'],
      [{ badges: ['new', 'old'] }, '“badges” must be of these: new, top'],
      [{ title: 'Own' }, '“title” gets the article’s title'],
      [{ image: 'https://images.example/a.png' }, '“image” gets the article’s image'],
      [{ date_updated: '2026-01-01' }, '“date_updated” is of the type'],
    ]))

  it('makes a public item with everything, backdated, and takes it down and up again', async () => {
    const cms = cmsOf(site())
    const given = ownArticle('live', {
      category: 'Guides',
      tags: ['Wood', 'Ünï'],
      author: 'Olive',
      image: { url: site().image, alt: 'A shed' },
      publishedAt: '2025-01-02T03:04:05.000Z',
    })
    const made = await cms.create(given)
    expect(made).toEqual({
      kind: 'done',
      value: expect.objectContaining({
        slug: 'live',
        status: 'published',
        url: 'https://shed.example/blog/live',
        marker: given.marker,
      }),
    })
    const { remoteId } = postOf(made)
    expect(await kept(cms, remoteId)).toEqual({
      title: given.title,
      content: given.html,
      description: given.metaDescription,
      image: expect.stringMatching(/^[0-9a-f-]{36}$/),
      image_alt: 'A shed',
      author: 'Olive',
      category: 'Guides',
      tags: ['Wood', 'Ünï'],
    })
    expect(await cms.unpublish?.(remoteId, given)).toMatchObject({ value: { remoteId, status: 'draft', url: null } })
    expect(await cms.find({ marker: given.marker, slug: 'live', title: '' })).toMatchObject({
      value: { remoteId, status: 'draft', matchedBy: 'marker' },
    })
    expect(await cms.update(remoteId, given)).toMatchObject({ value: { remoteId, status: 'published' } })
  })

  it('makes a draft although the collection publishes new items, then publishes it in place', async () => {
    const cms = cmsOf(site())
    const made = await cms.create(ownArticle('draft', { status: 'draft' }))
    expect(made).toMatchObject({ value: { status: 'draft', siteStatus: 'draft', url: null, slug: 'draft' } })
    const { remoteId } = postOf(made)
    expect(await cms.update(remoteId, ownArticle('draft', { title: 'Public now' }))).toMatchObject({
      value: { remoteId, status: 'published', title: 'Public now', url: 'https://shed.example/blog/draft' },
    })
  })

  it('makes one item of a creation that is sent twice', async () => {
    const cms = cmsOf(site())
    await cms.create(ownArticle('twice', { slug: 'twice' }))
    const again = await cms.create(ownArticle('twice', { slug: 'twice-other' }))
    expect(again).toMatchObject({ kind: 'refused', code: 'conflict', retryable: true })
    expect(valueIn(await cms.find({ marker: 'galley-00c0ffee-none', slug: 'twice-other', title: '' }))).toBe(null)
  })

  it('refuses a taken slug', async () => {
    const cms = cmsOf(site())
    await cms.create(ownArticle('taken'))
    expect(await cms.create(ownArticle('taken', { marker: 'galley-00c0ffee-other' }))).toMatchObject({
      kind: 'refused',
      code: 'slug_taken',
      retryable: false,
    })
  })

  it('changes only the parts that are sent, and never status, date and slug', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('part', { tags: ['Old'] })))
    await cms.unpublish?.(remoteId, ownArticle('part'))
    const changed = await cms.update(
      remoteId,
      ownArticle('part', { title: 'New title', slug: 'other', html: '<p>Not sent.</p>', tags: ['New'] }),
      { intent: 'change', only: ['title'] },
    )
    expect(changed).toMatchObject({ value: { title: 'New title', slug: 'part', status: 'draft' } })
    expect(await kept(cms, remoteId)).toMatchObject({
      title: 'New title',
      content: ownArticle('part').html,
      tags: ['Old'],
    })
  })

  it('refuses to replace words that somebody wrote after they were read', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('raced')))
    const seen = valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })
    site().now.pass(1_000)
    await cms.update(remoteId, ownArticle('raced', { title: 'By an editor' }), { intent: 'change', only: ['title'] })
    const late = await cms.update(
      remoteId,
      ownArticle('raced', { title: 'Ours' }),
      { intent: 'change' },
      seen?.changedAt,
    )
    expect(late).toMatchObject({ kind: 'refused', code: 'changed', retryable: true })
    expect(await kept(cms, remoteId)).toMatchObject({ title: 'By an editor' })
  })

  it('knows that an item is gone', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('gone')))
    expect(await cms.discard?.(remoteId)).toBe(true)
    expect(await cms.update(remoteId, ownArticle('gone'))).toEqual({ kind: 'done', value: null })
    expect(await cms.unpublish?.(remoteId, ownArticle('gone'))).toEqual({ kind: 'done', value: null })
    expect(await cms.find({ marker: ownArticle('gone').marker, slug: 'gone', title: '', remoteId })).toMatchObject({
      value: null,
    })
    expect(await cms.find({ marker: '', slug: 'gone', title: '', remoteId: 'no-key' })).toMatchObject({ value: null })
  })

  it('stores an image once, and goes on without one that Directus cannot fetch', async () => {
    const cms = cmsOf(site())
    const image = { url: site().image, alt: 'A shed' }
    const first = postOf(await cms.create(ownArticle('pictured', { image })))
    const second = postOf(await cms.create(ownArticle('pictured-too', { image })))
    expect((await kept(cms, first.remoteId)).image).toBe((await kept(cms, second.remoteId)).image)
    const broken = await cms.create(ownArticle('broken', { image: { url: 'http://127.0.0.1:1/broken.png', alt: '' } }))
    expect(broken).toMatchObject({ value: { status: 'published' }, notes: [expect.stringContaining("Couldn't fetch")] })
  })

  it('names an editor’s words that an update replaces, and puts them back', async () => {
    const clock = site().now
    await proveWordsNamed(cmsOf(site()), clock, { id: 'words', slug: 'words' })
  })

  it('publishes, updates and unpublishes as the service does', async () => {
    const target = cmsTarget(cmsOf(site()), 'Galley')
    const request = requestOf(site().now, { id: 'whole', slug: 'whole' })
    const made = await target.deliver(request)
    expect(made).toMatchObject({ kind: 'accepted', url: 'https://shed.example/blog/whole' })
    const external_id = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
    const more = { ...request.article, external_id, content_html: '<p>Second words.</p>' }
    expect(await target.deliver(requestOf(site().now, more, true))).toMatchObject({
      kind: 'accepted',
      remoteId: external_id,
    })
    expect(await target.unpublish?.(requestOf(site().now, more))).toMatchObject({ kind: 'taken_down' })
  })
}
