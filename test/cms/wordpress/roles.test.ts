import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../providers/cms/wordpress/scene.ts'
import { realSite } from './site.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene(realSite())
})
afterAll(() => scene.close())

test('an author: the mark survives the filter of HTML, lost parts are reported, the post is found by it', async () => {
  const request = scene.request({
    author: 'Contributor Person',
    content_html:
      '<p>Watch\nthis:</p>\n<iframe src="https://www.youtube.com/embed/x"></iframe>\n<pre>a\n  b</pre>\n<p>\n  end\n</p>',
  })
  const probed = await scene.cms('core', 'author').probe()
  expect(probed).toMatchObject({ kind: 'done', notes: expect.arrayContaining([expect.stringContaining('videos')]) })
  const target = scene.target('core', 'author')
  const outcome = await target.deliver(request)
  expect(outcome).toMatchObject({
    kind: 'accepted',
    notes: expect.arrayContaining([expect.stringContaining('videos')]),
  })
  const [post] = await scene.posts(request.article.slug)
  expect(post?.content.raw).toContain(`<!-- galley-test-${request.article.id} -->`)
  expect(post?.content.raw).not.toContain('iframe')
  expect(post?.content.rendered).toContain('<pre>a\n  b</pre>')
  expect(post?.content.rendered).not.toContain('<br')
  const { slug, title } = { slug: request.article.slug, title: 'x' }
  const found = await scene.cms('core', 'author').find({ marker: `galley-test-${request.article.id}`, slug, title })
  expect(found).toMatchObject({ kind: 'done', value: { matchedBy: 'marker' } })
  expect(await target.deliver(request)).toMatchObject({ kind: 'accepted' })
  expect(await scene.posts(slug)).toHaveLength(1)
})

test('a contributor may write drafts and gets a message that publishing is not allowed; a subscriber may do nothing', async () => {
  const probed = await scene.cms('core', 'contributor').probe()
  expect(probed).toMatchObject({
    kind: 'done',
    notes: expect.arrayContaining([expect.stringContaining('may not publish')]),
  })
  const request = scene.request({ image_url: scene.picture('role'), category: `Role ${scene.run}` })
  const outcome = await scene.target('core', 'contributor').deliver(request)
  expect(outcome).toMatchObject({
    kind: 'refused',
    retryable: false,
    reason: expect.stringContaining('rest_cannot_publish'),
  })
  const draft = { ...request, article: { ...request.article, status: 'Draft' as const } }
  const sent = await scene.target('core', 'contributor').deliver(draft)
  expect(sent).toMatchObject({
    kind: 'accepted',
    notes: [expect.stringContaining('category'), expect.stringContaining('image')],
  })
  expect((await scene.posts(request.article.slug)).map((post) => post.status)).toEqual(['draft'])
  expect(await scene.cms('core', 'subscriber').probe()).toMatchObject({ kind: 'refused', code: 'auth_forbidden' })
  expect(await scene.target('core', 'subscriber').deliver(scene.request())).toMatchObject({
    kind: 'refused',
    retryable: false,
  })
})

test('a slug and a trashed post that a person changed in between', async () => {
  const request = scene.request({ status: 'Draft' })
  const made = await scene.target('core').deliver(request)
  const id = made.kind === 'accepted' ? (made.remoteId ?? '') : ''
  await scene.ask(`posts/${id}`, { method: 'POST', json: { slug: `chosen-${scene.run}` } })
  const live = { ...request, article: { ...request.article, status: 'Published' as const, external_id: id } }
  expect(await scene.target('core').deliver(live)).toMatchObject({ url: `${scene.site.url}/chosen-${scene.run}/` })
  await scene.ask(`posts/${id}`, { method: 'DELETE' })
  expect(await scene.target('core').deliver({ ...live, updateOnly: true })).toMatchObject({
    kind: 'refused',
    retryable: false,
  })
  expect(await scene.target('core').deliver(live)).toMatchObject({ kind: 'accepted' })
  expect((await scene.posts(request.article.slug)).map((post) => post.status)).toEqual(['publish'])
})
