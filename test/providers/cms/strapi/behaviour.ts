import { expect, it } from 'vitest'
import { cmsTarget } from '../../../../src/providers/cms/posts.ts'
import { strapiConnection } from '../../../../src/providers/cms/strapi/connect.ts'
import { strapiCms } from '../../../../src/providers/cms/strapi/index.ts'
import type { Cms } from '../../../../src/publishing/target/cms-adapter.ts'
import { type Clock, meansAt, ownArticle, postOf, proveWordsNamed, requestOf, valueIn } from '../../drive.ts'
import { OF_COLLECTION, proveMisfits, proveOwnFields } from '../../own-fields.ts'

/** Strapi under test: its address, its tokens, and an image. `edit` changes an entry's draft as an editor does. */
export type StrapiSite = {
  url: string
  token: string
  adminToken: string
  image: string
  now: Clock
  edit: (documentId: string, values: Record<string, unknown>) => Promise<void>
}

export const cmsOf = ({ url, token, adminToken, now }: StrapiSite, more: Record<string, unknown> = {}): Cms => {
  const given = {
    api_url: `${url}/admin/`,
    api_token: token,
    admin_token: adminToken,
    content_type: 'posts',
    url_prefix: 'https://shed.example/blog',
    ...more,
  }
  const opened = strapiConnection.connection(given)
  return strapiCms({ id: 1, platform: 'strapi', url: opened.url, secrets: opened.secrets }, meansAt(now))
}

/** Returns the values that the adapter keeps of a post: those that readers see, if it is public. */
const kept = async (cms: Cms, remoteId: string): Promise<Record<string, unknown>> =>
  valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })?.values as Record<string, unknown>

/** Tests that hold at the stand-in and at a real Strapi. */
export const describeStrapi = (site: () => StrapiSite): void => {
  it('shows its fields, and gives them the article’s own values', async () => {
    const cms = cmsOf(site())
    const { fields } = valueIn((await cms.schema?.()) ?? { kind: 'done', value: { collection: '', fields: [] } })
    expect(fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'title', type: 'text', filledBy: 'title', isRequired: true }),
        expect.objectContaining({ name: 'rating', type: 'integer', nativeType: 'integer', min: 1, max: 5 }),
        expect.objectContaining({ name: 'layout', nativeType: 'enumeration', choices: ['wide', 'narrow'] }),
        expect.objectContaining({ name: 'takeaways', type: 'html', nativeType: 'richtext' }),
      ]),
    )
    await proveOwnFields(cms, site().now, {
      ...OF_COLLECTION,
      read: async (remoteId) => {
        const headers = { authorization: `Bearer ${site().token}` }
        const filter = `filters[documentId][$eq]=${remoteId}&status=published`
        const found = await fetch(`${site().url}/api/posts?${filter}`, { headers })
        const [document = {}] = ((await found.json()) as { data: Record<string, unknown>[] }).data
        return { ...document, takeaways: String(document.takeaways).trim() }
      },
    })
  })

  it('refuses values that do not fit its fields, and writes nothing', () =>
    proveMisfits(cmsOf(site()), site().now, [
      [{ ratings: 4 }, 'there is no field “ratings”. There are: '],
      [{ rating: 6 }, '“rating” must be a whole number from 1 to 5'],
      [{ layout: 'broad' }, '“layout” must be one of these: wide, narrow'],
      [{ content: '<p>Own</p>' }, '“content” gets the article’s body'],
    ]))

  it('proves address, token and content type, and says how fields are used', async () => {
    expect(await cmsOf(site()).probe()).toEqual({
      kind: 'done',
      value: { name: expect.stringMatching(/^127\.0\.0\.1/), url: 'https://shed.example' },
      notes: [
        'Fields used: title → title, slug → slug, body → content, meta_description → description, image → cover, date → date, author → author, category → category, tags → tags, marker → externalId.',
      ],
    })
  })

  it('refuses a wrong token with Strapi’s words, without the token', async () => {
    const answer = await cmsOf({ ...site(), token: 'a-wrong-token' }).probe()
    expect(answer).toMatchObject({ kind: 'refused', code: 'auth_invalid', retryable: false })
    expect(JSON.stringify(answer)).toMatch(/Missing or invalid credentials.*API Tokens/)
    expect(JSON.stringify(answer)).not.toContain('a-wrong-token')
  })

  it('names the content types that fit, with the use of their fields, if none is given', async () => {
    expect(await cmsOf(site(), { content_type: undefined }).probe()).toMatchObject({
      kind: 'refused',
      code: 'validation',
      reason: expect.stringMatching(
        /^content_type is needed\. These fit as they are: posts \(title → title, slug → slug/,
      ),
    })
  })

  it('makes a public entry with everything, backdated, and takes it down and up again', async () => {
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
      content: '## Why\n\nA shed keeps tools dry.',
      description: given.metaDescription,
      cover: expect.any(Number),
      author: 'Olive',
      category: 'Guides',
      tags: ['Wood', 'Ünï'],
    })
    expect(await cms.unpublish?.(remoteId, given)).toMatchObject({ value: { remoteId, status: 'draft', url: null } })
    expect(await cms.find({ marker: given.marker, slug: 'live', title: '' })).toMatchObject({
      value: { remoteId, status: 'draft', matchedBy: 'marker' },
    })
    expect(await cms.unpublish?.(remoteId, given)).toMatchObject({ value: { remoteId, status: 'draft' } })
    expect(await cms.update(remoteId, given)).toMatchObject({ value: { remoteId, status: 'published' } })
  })

  it('makes a draft although the API publishes by itself, changes it unseen, then publishes it in place', async () => {
    const cms = cmsOf(site())
    const made = await cms.create(ownArticle('draft', { status: 'draft' }))
    expect(made).toMatchObject({ value: { status: 'draft', url: null, slug: 'draft' } })
    const { remoteId } = postOf(made)
    const change = { intent: 'change', only: ['title'] } as const
    expect(await cms.update(remoteId, ownArticle('draft', { title: 'Still hidden' }), change)).toMatchObject({
      value: { status: 'draft', title: 'Still hidden' },
    })
    expect(await cms.find({ marker: ownArticle('draft').marker, slug: 'draft', title: '' })).toMatchObject({
      value: { status: 'draft' },
    })
    expect(await cms.update(remoteId, ownArticle('draft', { title: 'Public now' }))).toMatchObject({
      value: { remoteId, status: 'published', title: 'Public now', url: 'https://shed.example/blog/draft' },
    })
  })

  it('changes what readers see of a public entry, only the parts that are sent, and never slug and date', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('part', { tags: ['Old'] })))
    const changed = await cms.update(
      remoteId,
      ownArticle('part', { title: 'New title', slug: 'other', html: '<p>Not sent.</p>', tags: ['New'] }),
      { intent: 'change', only: ['title'] },
    )
    expect(changed).toMatchObject({ value: { title: 'New title', slug: 'part', status: 'published' } })
    expect(await kept(cms, remoteId)).toMatchObject({
      title: 'New title',
      content: '## Why\n\nA shed keeps tools dry.',
      tags: ['Old'],
    })
  })

  it('says which changes of an editor went live with a change', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('pending')))
    site().now.pass(1_000)
    await site().edit(remoteId, { author: 'An editor' })
    expect(await kept(cms, remoteId)).toMatchObject({ author: null })
    const changed = await cms.update(remoteId, ownArticle('pending', { title: 'Ours' }), {
      intent: 'change',
      only: ['title'],
    })
    expect(changed).toMatchObject({ notes: [expect.stringMatching(/had published yet went live.*: author\.$/)] })
  })

  it('refuses a slug that a public entry has', async () => {
    const cms = cmsOf(site())
    await cms.create(ownArticle('taken'))
    expect(await cms.create(ownArticle('taken', { marker: 'galley-00c0ffee-other' }))).toMatchObject({
      kind: 'refused',
      code: 'slug_taken',
      retryable: false,
    })
    expect(await cms.find({ marker: 'galley-00c0ffee-other', slug: '', title: '' })).toMatchObject({ value: null })
  })

  it('refuses to replace words that somebody wrote after they were read', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('raced')))
    const seen = valueIn((await cms.read?.(remoteId)) ?? { kind: 'done', value: null })
    site().now.pass(1_000)
    await site().edit(remoteId, { title: 'By an editor' })
    const late = await cms.update(
      remoteId,
      ownArticle('raced', { title: 'Ours' }),
      { intent: 'change' },
      seen?.changedAt,
    )
    expect(late).toMatchObject({ kind: 'refused', code: 'changed', retryable: true })
    const found = await cms.find({ marker: '', slug: 'raced', title: '' })
    expect(found).toMatchObject({ value: { title: 'By an editor' } })
  })

  it('knows that an entry is gone', async () => {
    const cms = cmsOf(site())
    const { remoteId } = postOf(await cms.create(ownArticle('gone')))
    expect(await cms.discard?.(remoteId)).toBe(true)
    expect(await cms.update(remoteId, ownArticle('gone'))).toEqual({ kind: 'done', value: null })
    expect(await cms.unpublish?.(remoteId, ownArticle('gone'))).toEqual({ kind: 'done', value: null })
    expect(await cms.find({ marker: ownArticle('gone').marker, slug: 'gone', title: '', remoteId })).toMatchObject({
      value: null,
    })
  })

  it('stores an image once, and goes on without one that cannot be fetched', async () => {
    const cms = cmsOf(site())
    const image = { url: site().image, alt: 'A shed' }
    const first = postOf(await cms.create(ownArticle('pictured', { image })))
    const second = postOf(await cms.create(ownArticle('pictured-too', { image })))
    expect((await kept(cms, first.remoteId)).cover).toBe((await kept(cms, second.remoteId)).cover)
    const broken = await cms.create(ownArticle('broken', { image: { url: 'http://127.0.0.1:1/broken.png', alt: '' } }))
    expect(broken).toMatchObject({
      value: { status: 'published' },
      notes: [expect.stringContaining('The image was left out')],
    })
  })

  it('takes nothing down without an admin token, and says so', async () => {
    const cms = cmsOf(site(), { admin_token: undefined })
    const { remoteId } = postOf(await cms.create(ownArticle('no-admin')))
    expect(await cms.unpublish?.(remoteId, ownArticle('no-admin'))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('admin_token'),
    })
    expect(await cms.find({ marker: ownArticle('no-admin').marker, slug: '', title: '' })).toMatchObject({
      value: { status: 'published' },
    })
  })

  it('names an editor’s words that an update replaces, and puts them back', async () => {
    await proveWordsNamed(cmsOf(site()), site().now, { id: 'words', slug: 'words' })
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
