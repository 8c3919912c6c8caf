import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachInItsScene } from './each-scene.ts'
import { cron, deliveriesOf, flush, passTime, write } from './scene.ts'

const { access, scene } = eachInItsScene()

const archive = async (): Promise<void> => {
  expect((await scene.api.post(`/projects/${scene.projectId}/archive`)).status).toBe(200)
}

const REFUSED = {
  status: 409,
  body: { error: 'project_archived', code: 'project_archived', retryable: false, next_calls: [{ method: 'POST' }] },
}

test('nothing in an archived project is published, synced, unpublished or replayed: 409 with what to do', async () => {
  const [fresh, live] = [await write(scene), await write(scene)]
  expect((await scene.publish(live)).status).toBe(200)
  const [sent] = await deliveriesOf(scene, live)
  await archive()
  const refused = await scene.publish(fresh)
  expect(refused).toMatchObject(REFUSED)
  expect(refused.body.next_calls).toMatchObject([{ path: `/projects/${scene.projectId}/unarchive` }])
  expect(await scene.api.post(`/articles/${live}/sync`, { title: 'Another title' })).toMatchObject(REFUSED)
  expect(await scene.api.post(`/articles/${live}/unpublish`)).toMatchObject(REFUSED)
  expect(await scene.api.put(`/articles/${live}`, { title: 'Another title', sync: true })).toMatchObject(REFUSED)
  expect(await scene.api.post(`/webhook-deliveries/${sent?.id}/replay`)).toMatchObject(REFUSED)
  expect(await scene.api.post(`/integrations/${scene.integration.integration_id}/test`)).toMatchObject(REFUSED)
  expect(await scene.deliveries()).toHaveLength(1)
  expect((await scene.article(live)).Title).not.toBe('Another title')
  await scene.api.post(`/projects/${scene.projectId}/unarchive`)
  expect((await scene.publish(fresh)).status).toBe(200)
})

test('a save in an archived project says that nothing will be published', async () => {
  const id = await write(scene, { status: 'Planned', scheduled_date: '2031-05-05T10:00:00Z' })
  await archive()
  const { status, body } = await scene.api.put(`/articles/${id}`, { title: 'Another title' })
  expect(status).toBe(200)
  expect(body.message).toContain(`POST /projects/${scene.projectId}/unarchive`)
  expect(body.message).not.toContain('on its date')
  expect(body).not.toHaveProperty('will_be_written')
})

test('a delivery that still waits when the project is archived ends without being sent', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  await scene.publish(id)
  await scene.rows(sql`update projects set status = 'Archived' where id = ${scene.projectId}`)
  await passTime(scene)
  await cron(access)
  await flush(access, true)
  expect(await deliveriesOf(scene, id)).toMatchObject([
    { status: 'failed', error: expect.stringContaining('archived') },
  ])
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('an article that was claimed before the project was archived waits, and is published when it is restored', async () => {
  await scene.api.put(`/projects/${scene.projectId}`, { publishing_status: 'Publish Immediately' })
  const id = await write(scene, { content: `<p>${'Words that were claimed. '.repeat(100)}</p>` })
  await scene.rows(sql`update articles set status = 'Planned', scheduled_at = now() - interval '1 hour', claimed_at = now(),
    due_taken_at = now() where id = ${id}`)
  await scene.rows(sql`insert into outbox (account_id, job, key, payload, run_at) values (${scene.api.accountId},
    'publishing.publish_due', ${`publish_due:${id}:1`}, ${JSON.stringify({ article_id: id, live: true })}::jsonb, now())`)
  await scene.rows(sql`update projects set status = 'Archived' where id = ${scene.projectId}`)
  await cron(access)
  await flush(access, true)
  expect(await scene.deliveries(id)).toEqual([])
  expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'idle', PublishError: null })
  await scene.rows(sql`update projects set status = 'Active' where id = ${scene.projectId}`)
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})
