import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { connectReceiver, rowsIn } from '../support/client.ts'
import { eachInItsScene } from './each-scene.ts'
import { awaitDeliveries, cron, flush, passTime, type Scene, wake, write } from './scene.ts'

const { access, scene } = eachInItsScene()
let next: RunningReceiver

const TOKEN = 'the-next-token'

beforeEach(async () => {
  next = await startReceiver({ port: 0, token: TOKEN })
})
afterEach(() => next.close())

type Row = { id: number; integration_id: number; status: string; error: string | null; replay_of: number | null }

const deliveries = (): Promise<Row[]> =>
  rowsIn<Row>(
    access,
    sql`select id, integration_id, status, error, replay_of from deliveries where project_id = ${scene.projectId}::int order by id`,
  )

const postsAt = async (receiver: RunningReceiver): Promise<{ article_id: string }[]> =>
  ((await (await fetch(`${receiver.url}/api/posts`)).json()) as { posts: { article_id: string }[] }).posts

const connectNext = async (): Promise<number> =>
  Number((await connectReceiver(scene.api, scene.projectId, next.url, TOKEN)).integration_id)

/** Waits until the article is published at the next target. */
const arrived = async (id: number): Promise<void> => {
  const there: Scene = { ...scene, receiver: next }
  await awaitDeliveries(there, id, 1)
  await flush(access)
}

test('a waiting delivery ends when another target is connected; a new delivery sends the article there', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  expect((await scene.publish(id)).body).toMatchObject({ status: 'retrying' })
  const first = Number(scene.integration.integration_id)
  const second = await connectNext()
  await arrived(id)
  expect(await deliveries()).toMatchObject([
    { integration_id: first, status: 'superseded', error: expect.stringContaining('Another CMS or webhook') },
    { integration_id: second, status: 'delivered', error: null },
  ])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  expect(await postsAt(next)).toMatchObject([{ article_id: String(id) }])
  expect(await scene.posts()).toEqual([])
})

test('a delivery that crashed at the earlier target goes to the new one as a new delivery', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  await scene.publish(id)
  await scene.rows(sql`update deliveries set status = 'sending', next_attempt_at = null, lease_until = now() + interval '1 minute'
    where article_id = ${id}`)
  const second = await connectNext()
  expect(await postsAt(next)).toEqual([])
  await wake(scene, id)
  const [old, made] = await deliveries()
  expect([old?.status, made?.status, made?.integration_id]).toEqual(['superseded', 'delivered', second])
})

test('a waiting replay ends without being sent', async () => {
  const id = await write(scene)
  expect((await scene.publish(id)).status).toBe(200)
  const [done] = await deliveries()
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  await scene.api.post(`/webhook-deliveries/${done?.id}/replay`)
  await connectNext()
  await passTime(scene)
  await cron(access)
  await flush(access, true)
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }, { replay_of: done?.id, status: 'superseded' }])
  expect(await postsAt(next)).toEqual([])
})

test('an article that failed without a target is published when one is connected', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  await scene.publish(id)
  await scene.api.del(`/integrations/${scene.integration.integration_id}`)
  await wake(scene, id)
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
  const second = await connectNext()
  await arrived(id)
  expect(await deliveries()).toMatchObject([{ status: 'failed' }, { integration_id: second, status: 'delivered' }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
})

test('an article that failed for another reason stays failed', async () => {
  await scene.mood({ mode: 'reject', times: 1 })
  const id = await write(scene)
  expect((await scene.publish(id)).body).toMatchObject({ status: 'failed' })
  await connectNext()
  await passTime(scene)
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
  expect(await postsAt(next)).toEqual([])
})

test('an article that failed on its date for another reason stays failed too', async () => {
  await scene.api.put(`/projects/${scene.projectId}`, { publishing_status: 'Publish Immediately' })
  await scene.mood({ mode: 'reject', times: 1 })
  const id = await write(scene, { content: `<p>${'Words that were claimed. '.repeat(100)}</p>` })
  await scene.rows(
    sql`update articles set status = 'Planned', scheduled_at = now() - interval '1 hour', claimed_at = now() where id = ${id}`,
  )
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
  await connectNext()
  await passTime(scene)
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'failed' })
  expect(await postsAt(next)).toEqual([])
})

test('an article whose date passed without a target is published when one is connected', async () => {
  await scene.api.put(`/projects/${scene.projectId}`, { publishing_status: 'Publish Immediately' })
  await scene.api.del(`/integrations/${scene.integration.integration_id}`)
  const id = await write(scene, { content: `<p>${'Words that were claimed. '.repeat(100)}</p>` })
  await scene.rows(
    sql`update articles set status = 'Planned', scheduled_at = now() - interval '1 hour', claimed_at = now() where id = ${id}`,
  )
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({
    PublishState: 'failed',
    PublishError: expect.stringContaining('No CMS or webhook'),
  })
  const { events } = (await scene.api.get('/events?limit=200')).body as { events: { type: string }[] }
  expect(events.filter(({ type }) => type === 'article.publish_failed')).toEqual([
    expect.objectContaining({ article_id: id, detail: { reason: expect.stringContaining('No CMS or webhook') } }),
  ])
  await connectNext()
  await arrived(id)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
})
