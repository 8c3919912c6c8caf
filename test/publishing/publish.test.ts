import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { newAccount, newArticle, newProject } from '../support/client.ts'
import { awaitDeliveries, deliveriesOf, flush, openScene, type Scene, write } from './scene.ts'

const stack = inject('stack')
let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack)
})
afterEach(() => scene.receiver.close())

test('publishes once: 200 with the url, and the same answer again without sending', async () => {
  const id = await write(scene)
  const first = await scene.publish(id)
  expect(first.status).toBe(200)
  const url = `${scene.receiver.url}/posts/${(await scene.article(id)).Slug}`
  expect(first.body).toMatchObject({ status: 'published', article_id: id, url })

  const second = await scene.publish(id)
  expect(second.status).toBe(200)
  expect(second.body).toEqual(first.body)
  expect(await scene.deliveries(id)).toHaveLength(1)
  expect(await scene.posts()).toMatchObject([{ article_id: String(id), url, status: 'Published' }])
})

test('a published article shows its url, date and an idle state', async () => {
  const before = Date.now()
  const id = await write(scene)
  await scene.publish(id)
  const article = await scene.article(id)
  expect(article).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  expect(article.Url).toBe(`${scene.receiver.url}/posts/${article.Slug}`)
  const publishedAt = Date.parse(String(article.PublishedAt))
  expect(String(article.PublishedAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(publishedAt).toBeGreaterThanOrEqual(before)
  expect(publishedAt).toBeLessThanOrEqual(Date.now())
})

test('a published article can neither be changed nor deleted', async () => {
  const id = await write(scene)
  await scene.publish(id)
  const put = await scene.api.put(`/articles/${id}`, { title: 'Another' })
  expect(put).toMatchObject({ status: 400, body: { error: 'published_article', code: 'published_article' } })
  const del = await scene.api.del(`/articles/${id}`)
  expect(del).toMatchObject({ status: 400, body: { code: 'published_article' } })
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('without a connected target: 400 no_cms_integration with where to connect, and nothing changes', async () => {
  const projectId = await newProject(scene.api)
  const id = await newArticle(scene.api, projectId)
  const { status, body } = await scene.publish(id)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: 'no_cms_integration', code: 'no_cms_integration', retryable: false })
  expect(body.connect_url).toBe(`${stack.url}/settings/integrations?project_id=${projectId}`)
  expect(body.next_calls).toMatchObject([{ method: 'GET', path: `/integrations/catalog?project_id=${projectId}` }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle', PublishError: null })
})

test('after the target was disconnected publishing is 400 no_cms_integration', async () => {
  const id = await write(scene)
  const gone = await scene.api.del(`/integrations/${scene.integration.integration_id}`)
  expect(gone.status).toBe(200)
  expect(await scene.publish(id)).toMatchObject({ status: 400, body: { error: 'no_cms_integration' } })
  expect(await scene.deliveries()).toHaveLength(0)
})

test.each(['', '   ', '<p></p>', '<p>&nbsp;</p><div><br></div>'])(
  'empty content %j: 400 and nothing is sent',
  async (content) => {
    const id = await write(scene, { content })
    expect(await scene.publish(id)).toMatchObject({
      status: 400,
      body: { code: 'empty_content', retryable: false, next_calls: [{ method: 'GET', path: `/articles/${id}/brief` }] },
    })
    expect(await scene.deliveries(id)).toHaveLength(0)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
  },
)

test('content that is only a picture is content', async () => {
  const id = await write(scene, { content: '<img src="https://images.example/a.png" alt="A picture">' })
  expect((await scene.publish(id)).status).toBe(200)
})

test('a missing article is 404, another account’s is 403, an invalid id is 400', async () => {
  const outsider = await newAccount(stack)
  const id = await write(scene)
  expect(await scene.publish(2_147_483_647)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await outsider.post(`/articles/${id}/publish`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await scene.api.post('/articles/abc/publish')).toMatchObject({ status: 400, body: { code: 'invalid_id' } })
  expect(await scene.deliveries()).toHaveLength(0)
})

test('a planned article can be published by hand before its date', async () => {
  const id = await write(scene, { status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' })
  expect((await scene.publish(id)).status).toBe(200)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('during retries the article says so, with the reason', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  const { status, body } = await scene.publish(id)
  expect([status, body]).toMatchObject([202, { status: 'retrying', error: expect.stringContaining('HTTP 503') }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'retrying', PublishError: body.error })
})

test('202 with the reason and the next attempt while it is retried', async () => {
  await scene.mood({ mode: 'down', times: 1 })
  const id = await write(scene)
  const before = Date.now()
  const { status, body } = await scene.publish(id)
  const after = Date.now()
  expect(status).toBe(202)
  expect(body).toMatchObject({
    status: 'retrying',
    article_id: id,
    error: 'The receiver answered HTTP 500 (The blog is down.).',
    upstream: { status: 500 },
  })
  // A tenth of 30 s ± 20 % on this stack.
  const next = Date.parse(String(body.next_attempt_at))
  expect(next - before).toBeGreaterThan(2_300)
  expect(next - after).toBeLessThanOrEqual(3_600)
})

test('202 without a next attempt if none can help', async () => {
  await scene.mood({ mode: 'reject' })
  const id = await write(scene, { status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' })
  const { status, body } = await scene.publish(id)
  expect(status).toBe(202)
  expect(body).toMatchObject({ status: 'failed', article_id: id, upstream: { status: 401 } })
  expect(String(body.error)).toContain('401')
  expect(body).not.toHaveProperty('next_attempt_at')
  expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed', PublishError: body.error })

  await scene.mood({ mode: 'ok' })
  expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
  const [first, second] = await deliveriesOf(scene, id)
  expect(second?.idempotency_key).toBe(first?.idempotency_key)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
})

test('an Idempotency-Key replays the answer to a publish and sends nothing more', async () => {
  const id = await write(scene)
  const headers = { 'idempotency-key': `publish-${id}` }
  const first = await scene.api.post(`/articles/${id}/publish`, undefined, { headers })
  const again = await scene.api.post(`/articles/${id}/publish`, undefined, { headers })
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(again.body).toEqual(first.body)
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('an Idempotency-Key replays a 202 too, so that a repeated call makes no second attempt', async () => {
  await scene.mood({ mode: 'reject' })
  const id = await write(scene)
  const headers = { 'idempotency-key': `publish-${id}` }
  const first = await scene.api.post(`/articles/${id}/publish`, undefined, { headers })
  const again = await scene.api.post(`/articles/${id}/publish`, undefined, { headers })
  expect([first.status, again.status]).toEqual([202, 202])
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('is retried by the queue, not before its time, until the receiver accepts it', async () => {
  await scene.mood({ mode: 'down', times: 2 })
  const id = await write(scene)
  const { body } = await scene.publish(id)
  await awaitDeliveries(scene, id, 3)
  await flush(scene.access)
  const deliveries = await scene.deliveries(id)
  expect(deliveries).toHaveLength(3)
  const second = Date.parse(deliveries[1]?.received_at ?? '')
  expect(second).toBeGreaterThanOrEqual(Date.parse(String(body.next_attempt_at)))
  const third = Date.parse(deliveries[2]?.received_at ?? '')
  // A tenth of 2 min - 20 %.
  expect(third - second).toBeGreaterThanOrEqual(9_600)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  expect(await scene.posts()).toHaveLength(1)
})
