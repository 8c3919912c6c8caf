import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessOf, callExecutor, cron, heal, openScene, type StackAccess } from '../../publishing/scene.ts'
import { newArticle } from '../../support/client.ts'
import { borrowTestStack, type TestStack } from '../../support/stack.ts'

let stack: TestStack
let access: StackAccess

beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
})
afterAll(() => stack.close())

const PAST = '2026-01-05T09:00:00Z'

test('a delivery whose runs keep failing is failed with a reason, and can be published again', async () => {
  const scene = await openScene(access)
  const id = await newArticle(scene.api, scene.projectId)
  await scene.mood({ mode: 'down', times: 1 })
  expect((await scene.publish(id)).status).toBe(202)
  const [kept] = await scene.rows<{ sealed_secrets: string }>(
    sql`select sealed_secrets from integrations where project_id = ${scene.projectId}`,
  )
  await scene.rows(sql`update integrations set sealed_secrets = 'lost.AAAA.AAAA' where project_id = ${scene.projectId}`)
  // Marked as offered: an offer after the publication may still be on its way, and the queue would run the row first.
  const [row] = await scene.rows<{ id: string }>(
    sql`update outbox set attempts = 19, run_at = now(), offered_at = now() where key like 'deliver:%' and done_at is null returning id`,
  )
  await scene.rows(sql`update deliveries set next_attempt_at = now() where article_id = ${id}`)
  const answer = await callExecutor(access, JSON.stringify({ outbox_id: Number(row?.id) }))
  expect(answer.status).toBe(489)
  expect(await scene.article(id)).toMatchObject({
    PublishState: 'failed',
    PublishError: expect.stringContaining('Publish it again'),
  })
  await scene.rows(
    sql`update integrations set sealed_secrets = ${kept?.sealed_secrets ?? ''} where project_id = ${scene.projectId}`,
  )
  expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
  expect(await scene.posts()).toHaveLength(1)
  await scene.receiver.close()
})

test('a planned article that failed by hand before its date is tried again on its date', async () => {
  const scene = await openScene(access)
  const id = await newArticle(scene.api, scene.projectId, { status: 'Planned', scheduled_date: '2030-01-05T09:00:00Z' })
  await scene.mood({ mode: 'reject', times: 1 })
  expect((await scene.publish(id)).body).toMatchObject({ status: 'failed' })
  await scene.rows(sql`update articles set scheduled_at = ${PAST}::timestamptz where id = ${id}`)
  await cron(access)
  await heal(scene)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishError: null })
  expect(await scene.posts()).toHaveLength(1)
  await scene.receiver.close()
})
