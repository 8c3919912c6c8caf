import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { eachInItsScene } from './each-scene.ts'
import { cron, deliveriesOf, flush, write } from './scene.ts'

const { access, scene } = eachInItsScene()

/** Returns an article whose delivery has waited for its retry for some minutes, and whose outbox row is lost. */
const stranded = async (minutes: number): Promise<number> => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  expect((await scene.publish(id)).body).toMatchObject({ status: 'retrying' })
  await scene.rows(
    sql`update deliveries set next_attempt_at = now() - make_interval(mins => ${minutes}) where article_id = ${id}`,
  )
  await scene.rows(
    sql`delete from outbox where key in (select 'deliver:' || id from deliveries where article_id = ${id})`,
  )
  return id
}

test('a delivery without an outbox row is continued five minutes after its time', async () => {
  const id = await stranded(6)
  await cron(access)
  await flush(access)
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('one that is late by less is left alone', async () => {
  const id = await stranded(4)
  await cron(access)
  await flush(access)
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'retrying', attempts: 1 }])
})

test('one with a waiting row gets no second one', async () => {
  await scene.mood({ mode: 'unavailable', retry_after: 3_000, times: 1 })
  const id = await write(scene)
  await scene.publish(id)
  await scene.rows(sql`update deliveries set next_attempt_at = now() - interval '1 hour' where article_id = ${id}`)
  const work = sql`select id, run_at from outbox where account_id = ${scene.api.accountId} and job = 'publishing.deliver' order by id`
  const before = await scene.rows(work)
  await cron(access)
  expect(await scene.rows(work)).toEqual(before)
})
