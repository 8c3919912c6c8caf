import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newAccount } from '../support/client.ts'
import { eachInItsScene } from './each-scene.ts'
import { callExecutor, flush, passTime, write } from './scene.ts'

const { access, scene } = eachInItsScene()

const lastDelivery = async (): Promise<Record<string, unknown>> => {
  const { body } = await scene.api.get(`/webhook-deliveries?project_id=${scene.projectId}&limit=1`)
  return (body.deliveries as Record<string, unknown>[])[0] ?? {}
}

/** Returns the article without its receipt, which comes by itself some seconds later. */
const unchanging = async (id: number): Promise<Record<string, unknown>> => {
  const { Receipt: _, ...rest } = await scene.article(id)
  return rest
}

const published = async (): Promise<{ id: number; delivery: Record<string, unknown> }> => {
  const id = await write(scene)
  expect((await scene.publish(id)).status).toBe(200)
  return { id, delivery: await lastDelivery() }
}

test('a replay is a new delivery with the same key and content, and makes no second post', async () => {
  const { id, delivery } = await published()
  const { status, body } = await scene.api.post(`/webhook-deliveries/${delivery.id}/replay`)
  expect(status).toBe(201)
  expect(body).toMatchObject({ replay_of: delivery.id, status: 'published', article_id: id })
  const copy = await lastDelivery()
  expect(copy).toMatchObject({ id: body.delivery_id, replay_of: delivery.id, status: 'delivered', attempt_count: 1 })
  expect(copy.idempotency_key).toBe(delivery.idempotency_key)
  const [first, second] = await scene.deliveries(id)
  expect(second?.idempotency_key).toBe(first?.idempotency_key)
  const [a, b] = [first, second].map((d) => (JSON.parse(d?.raw_body ?? '{}') as { data: unknown }).data)
  expect(b).toEqual(a)
  expect(await scene.posts()).toHaveLength(1)
})

test('the replay of a failed delivery publishes the present text of the article', async () => {
  await scene.mood({ mode: 'reject', times: 1 })
  const id = await write(scene, { content: '<p>The first words.</p>' })
  const { body } = await scene.publish(id)
  await scene.api.put(`/articles/${id}`, { content: '<p>The second words.</p>' })
  const replay = await scene.api.post(`/webhook-deliveries/${body.delivery_id}/replay`)
  expect(replay).toMatchObject({ status: 201, body: { replay_of: body.delivery_id, status: 'published' } })
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  expect((await scene.posts())[0]?.content_html).toContain('The second words.')
})

test('a delivery that is still under way is not replayed: 409', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000 })
  const { body } = await scene.publish(await write(scene))
  const replay = await scene.api.post(`/webhook-deliveries/${body.delivery_id}/replay`)
  expect(replay).toMatchObject({ status: 409, body: { code: 'delivery_in_progress', retryable: true } })
  expect(await scene.deliveries()).toHaveLength(1)
})

test('a replay that fails for now is retried and leaves the published article alone', async () => {
  const { id, delivery } = await published()
  const before = await unchanging(id)
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const { status, body } = await scene.api.post(`/webhook-deliveries/${delivery.id}/replay`)
  expect(status).toBe(201)
  expect(body).toMatchObject({ replay_of: delivery.id, status: 'retrying', error: expect.stringContaining('503') })
  expect(await unchanging(id)).toEqual(before)
  const [job] = await scene.rows<{ id: string }>(
    sql`select id from outbox where key = ${`deliver:${body.delivery_id}`} and done_at is null`,
  )
  await passTime(scene)
  await callExecutor(access, JSON.stringify({ outbox_id: Number(job?.id) }))
  await flush(access)
  expect(await lastDelivery()).toMatchObject({ id: body.delivery_id, status: 'delivered', attempt_count: 2 })
  expect(await unchanging(id)).toEqual(before)
  expect(await scene.posts()).toHaveLength(1)
})

test('a refused replay says that the replay is retried, not the publication', async () => {
  const { delivery } = await published()
  await scene.mood({ mode: 'reject', times: 1 })
  const { body } = await scene.api.post(`/webhook-deliveries/${delivery.id}/replay`)
  expect(body).toMatchObject({ replay_of: delivery.id, status: 'failed' })
  expect(body.message).toContain(`POST /webhook-deliveries/${body.delivery_id}/replay`)
  const again = await scene.api.post(`/webhook-deliveries/${body.delivery_id}/replay`)
  expect(again.body).toMatchObject({ status: 'published' })
})

test('a crashed replay is continued', async () => {
  const { delivery } = await published()
  const { body } = await scene.api.post(`/webhook-deliveries/${delivery.id}/replay`)
  // As if the process had died before it wrote the end.
  const copy = Number(body.delivery_id)
  await scene.rows(
    sql`update deliveries set status = 'sending', lease_until = now() - interval '1 second' where id = ${copy}`,
  )
  const [job] = await scene.rows<{ id: string }>(
    sql`update outbox set done_at = null, lease_until = null where key = ${`deliver:${copy}`} returning id`,
  )
  await callExecutor(access, JSON.stringify({ outbox_id: Number(job?.id) }))
  await flush(access)
  expect(await lastDelivery()).toMatchObject({ id: copy, status: 'delivered', attempt_count: 2 })
  expect(await scene.posts()).toHaveLength(1)
})

test('only a forced replay sends an article that was deleted before it was published', async () => {
  await scene.mood({ mode: 'reject', times: 1 })
  const id = await write(scene)
  const { body } = await scene.publish(id)
  expect((await scene.api.del(`/articles/${id}`)).body.message).toBe('Article deleted.')
  const replay = (given?: object) => scene.api.post(`/webhook-deliveries/${body.delivery_id}/replay`, given)
  expect(await replay()).toMatchObject({ status: 409, body: { code: 'superseded' } })
  expect(await scene.posts()).toEqual([])
  expect(await replay({ force: true })).toMatchObject({ status: 201, body: { status: 'published', article_id: null } })
})

test('a replay answers 404 for a missing delivery, 403 for another account’s, and 400 without a target', async () => {
  const { delivery } = await published()
  const outsider = await newAccount(access)
  expect(await scene.api.post('/webhook-deliveries/2147483647/replay')).toMatchObject({ status: 404 })
  expect(await outsider.post(`/webhook-deliveries/${delivery.id}/replay`)).toMatchObject({ status: 403 })
  await scene.api.del(`/integrations/${scene.integration.integration_id}`)
  expect(await scene.api.post(`/webhook-deliveries/${delivery.id}/replay`)).toMatchObject({
    status: 400,
    body: { error: 'no_cms_integration' },
  })
  expect(await scene.deliveries()).toHaveLength(1)
})
