import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { ACCOUNT_CLOSED } from '../../src/platform/jobs/job.ts'
import { deliverWaiting } from '../../src/publishing/send/deliver.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { replayDelivery } from '../../src/publishing/send/replay.ts'
import type { TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { ACCEPTED, eachRunByHand, lastDelivery, publishedIn } from './by-hand.ts'
import { eachInItsScene } from './each-scene.ts'
import { cron, deliveriesOf, heal, passTime, type Scene, wake, write } from './scene.ts'
import { overtaken } from './system.ts'

const suspend = (scene: Scene, at = sql`now()`) =>
  scene.rows(sql`update accounts set suspended_at = ${at} where id = ${scene.api.accountId}::int`)

describe('over the wire', () => {
  const { access, scene } = eachInItsScene({ publishing_status: 'Publish Immediately' })

  test('a retry of an account that was closed meanwhile is not sent: the delivery fails with that reason', async () => {
    const id = await write(scene)
    await scene.mood({ mode: 'down', times: 1 })
    await scene.publish(id)
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'retrying' }])
    const sent = (await scene.deliveries(id)).length
    await suspend(scene)
    await wake(scene, id)
    await suspend(scene, sql`null`)
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'failed', error: ACCOUNT_CLOSED }])
    expect(await scene.article(id)).toMatchObject({ PublishState: 'failed', PublishError: ACCOUNT_CLOSED })
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(sent)
    expect((await scene.publish(id)).body).toMatchObject({ status: 'published' })
  })

  test('an article whose date comes while its account is closed stays planned, and goes out once it is open again', async () => {
    const id = await write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
    await suspend(scene)
    await cron(access)
    expect(await scene.deliveries(id)).toEqual([])
    await suspend(scene, sql`null`)
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  })
})

describe('an account that is closed after the work was read and before it is claimed', () => {
  const { scene, ctx } = eachRunByHand()
  let sent = 0
  const targets: TargetFactory = () => ({
    deliver: async () => {
      sent += 1
      return ACCEPTED
    },
    probe: async () => ACCEPTED,
  })

  test('sends no publication, no retry and no replay', async () => {
    const live = await publishedIn(scene, ctx, targets)
    const replayed = await lastDelivery(scene, live)
    const waiting = await write(scene)
    const refuse: TargetFactory = () => ({
      probe: async () => ACCEPTED,
      deliver: async () => ({ kind: 'refused', reason: 'Not now.', retryable: true }),
    })
    await publishArticle(ctx, refuse, waiting)
    await passTime(scene)
    const [retried] = await deliveriesOf(scene, waiting)
    const fresh = await write(scene)
    sent = 0
    const closing = () => overtaken(ctx, () => suspend(scene))
    const works: (() => Promise<unknown>)[] = [
      () => publishArticle(closing(), targets, fresh),
      () => replayDelivery(closing(), targets, replayed),
    ]
    for (const work of works) {
      await expect(work()).rejects.toMatchObject({ code: 'account_inactive' })
      await suspend(scene, sql`null`)
    }
    expect(await deliverWaiting(closing(), targets, Number(retried?.id))).toEqual({ kind: 'done' })
    expect(await deliveriesOf(scene, waiting)).toMatchObject([{ status: 'failed', error: ACCOUNT_CLOSED }])
    expect(sent).toBe(0)
  })
})
