import { expect, test } from 'vitest'
import type { PublishRequest } from '../../../../src/publishing/target/publish-target.ts'
import { keepingFor, proveWordsNamed } from '../../drive.ts'
import { change, edited, onlyPost, publishedPost, type Scene, type Way } from './scene.ts'

/** Tests a WordPress whose editors changed the post since it was sent. */
export const conductAfterEditors = (scene: Scene, way: Way): void => {
  const one = (request: PublishRequest) => onlyPost(scene, request)
  const deliverLive = (request: PublishRequest) => publishedPost(scene, way, request)

  // google-docs-add-on#62, WordPress-iOS#22930, gutenberg#9396
  test.each([
    ['draft', {}],
    ['private', {}],
    ['pending', {}],
    ['archived', {}],
    ['future', { date_gmt: '2094-03-05T06:07:08' }],
  ])('a change keeps the status "%s" that an editor gave the post, and names it', async (status, more) => {
    const request = scene.request()
    const { id } = await deliverLive(request)
    await scene.ask(`posts/${id}`, { method: 'POST', json: { status, ...more } })
    const [before] = await scene.posts(request.article.slug)
    const next = edited(request, { content_html: '<p>One more sentence.</p>', external_id: String(id) })
    const outcome = await scene.target(way).deliver(change(next))
    expect(outcome).toMatchObject({
      kind: 'accepted',
      isHidden: true,
      notes: [expect.stringContaining(`"${status}"`)],
    })
    const after = await one(request)
    expect(after).toMatchObject({ id, status, date_gmt: before?.date_gmt })
    expect(after.content.raw).toContain('One more sentence.')
    expect(await scene.target(way).unpublish?.(next)).toMatchObject({ kind: 'taken_down', remoteId: String(id) })
    expect((await one(request)).status).toBe('draft')
    expect(await scene.target(way).deliver(next)).toMatchObject({ kind: 'accepted', remoteId: String(id) })
    expect(await one(request)).toMatchObject({ id, status: 'publish' })
  })

  test('a post that editors made a page is neither gone nor created again', async () => {
    const request = scene.request()
    const { id } = await deliverLive(request)
    await scene.ask(`posts/${id}`, { method: 'POST', json: { test_kind: 'page' } })
    const known = edited(request, { external_id: String(id), content_html: '<p>One more sentence.</p>' })
    const refusal = {
      kind: 'refused',
      retryable: false,
      reason: expect.stringMatching(/is a page .* detach the art/),
    }
    for (const outcome of [
      await scene.target(way).deliver(change(known)),
      await scene.target(way).unpublish?.(known),
      await scene.target(way).deliver(known),
      await scene.target(way).restore?.(
        known,
        { title: 'Old', content: 'Old' },
        keepingFor(() => []),
      ),
    ])
      expect(outcome).toMatchObject(refusal)
    expect(await scene.posts(request.article.slug)).toEqual([])
  })

  test('a post with a password is reported as such', async () => {
    const request = scene.request()
    const { id } = await deliverLive(request)
    await scene.ask(`posts/${id}`, { method: 'POST', json: { password: 'tea' } })
    const known = edited(request, { external_id: String(id) })
    const told = { kind: 'accepted', notes: [expect.stringContaining('only readers who know its password')] }
    expect(await scene.target(way).deliver(change(known))).toMatchObject(told)
    expect(await scene.target(way).deliver(known)).toMatchObject(told)
  })

  test('a post with a lost answer that an editor moved is found, and not created again', async () => {
    const request = scene.request()
    const path = way === 'core' ? 'POST /wp-json/wp/v2/posts' : 'POST /wp-json/galley/v1/articles'
    scene.proxy.misbehave({ path, drop: 'after', times: 1 })
    expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'unknown' })
    const { id } = await one(request)
    const moved = { title: 'Another name', slug: `moved-${request.article.slug}` }
    await scene.ask(`posts/${id}`, { method: 'POST', json: moved })
    expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'accepted', remoteId: String(id) })
    expect(await scene.posts(request.article.slug)).toEqual([])
    expect(await scene.posts(moved.slug)).toMatchObject([{ id, status: 'publish' }])
  })

  test('a category that exists below another one, under a slug of its own, is not made again', async () => {
    const make = async (json: object) =>
      ((await scene.ask('categories', { method: 'POST', json })).json as { id: number }).id
    const parent = await make({ name: `Help ${scene.run} ${way}` })
    const name = `Q&A on "oak" ${scene.run} ${way}`
    const id = await make({ name, slug: `own-${scene.run}-${way}`, parent })
    const request = scene.request({ category: name })
    expect(await scene.target(way).deliver(request)).toMatchObject({ kind: 'accepted' })
    expect((await one(request)).categories).toEqual([id])
  })

  test('a category that editors chose is named where an update replaces it', async () => {
    const request = scene.request({ category: `Ours ${scene.run}` })
    const { id } = await deliverLive(request)
    const keeping = keepingFor(() => [request.article])
    const known = edited(request, { external_id: String(id) })
    expect(await scene.target(way).deliver(change(known), keeping)).not.toHaveProperty('notes')
    const name = `By an editor ${scene.run} ${way}`
    const made = (await scene.ask('categories', { method: 'POST', json: { name } })).json as { id: number }
    await scene.ask(`posts/${id}`, { method: 'POST', json: { categories: [made.id] } })
    const part = change(edited(known, { title: 'Another' }), { only: ['title'] })
    expect(await scene.target(way).deliver(part, keeping)).not.toHaveProperty('notes')
    expect((await one(request)).categories).toEqual([made.id])
    expect(await scene.target(way).deliver(change(known), keeping)).toMatchObject({
      notes: [expect.stringContaining(`category (it was “${name}”)`)],
    })
  })

  // gutenberg#13318, #8275, #12029
  test('a post that editors renamed, moved, locked and rewrote is the same post', async () => {
    const request = scene.request()
    const { id } = await deliverLive(request)
    const moved = {
      title: 'Another name',
      slug: `moved-${request.article.slug}`,
      content: '<!-- wp:paragraph --><p>Rewritten in blocks.</p><!-- /wp:paragraph -->',
      password: 'tea',
    }
    await scene.ask(`posts/${id}`, { method: 'POST', json: moved })
    const known = edited(request, { external_id: String(id) })
    expect(await scene.target(way).deliver(change(known))).toMatchObject({ kind: 'accepted', remoteId: String(id) })
    const [post] = await scene.posts(moved.slug)
    expect(post).toMatchObject({ id, status: 'publish', title: { raw: request.article.title } })
    expect(await scene.target(way).unpublish?.(known)).toMatchObject({ kind: 'taken_down', remoteId: String(id) })
    expect((await scene.posts(moved.slug))[0]?.status).toBe('draft')
    expect(await scene.target(way).deliver(known)).toMatchObject({ kind: 'accepted', remoteId: String(id) })
    expect(await scene.posts(request.article.slug)).toEqual([])
  })

  test('a change of one part leaves the others as editors corrected them', async () => {
    const request = scene.request({ tags: [`First ${scene.run}`] })
    const { id } = await deliverLive(request)
    const corrected = { title: 'Corrected', content: '<p>Corrected by hand.</p>', excerpt: 'Corrected too.' }
    await scene.ask(`posts/${id}`, { method: 'POST', json: corrected })
    const tagged = edited(request, { tags: [`Second ${scene.run}`], external_id: String(id) })
    const outcome = await scene.target(way).deliver(change(tagged, { only: ['tags'] }))
    expect(outcome).toMatchObject({ kind: 'accepted', remoteId: String(id) })
    const after = await one(request)
    expect([after.title.raw, after.content.raw, after.excerpt.raw]).toEqual(Object.values(corrected))
    const names = (await scene.ask(`tags?include=${after.tags.join(',')}`)).json as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual([`Second ${scene.run}`])
  })

  // google-docs-add-on#62
  test('an update names the words of editors that it replaces', () => {
    const { id, slug } = scene.request().article
    return proveWordsNamed(scene.cms(way), { now: () => new Date(), pass: () => {} }, { id, slug })
  })
}
