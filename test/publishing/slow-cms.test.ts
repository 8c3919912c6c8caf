import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { rollbackArticle } from '../../src/publishing/live/rollback.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import { unpublishArticle } from '../../src/publishing/live/unpublish.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import type { PublishTarget, TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { ACCEPTED, auditedOf, eachRunByHand, keepAVersion, lastDelivery, publishedIn } from './by-hand.ts'
import { deliveriesOf, write } from './scene.ts'
import { systemFor } from './system.ts'

const { access, scene, ctx } = eachRunByHand()

const targets: TargetFactory = () => ({
  deliver: async () => ACCEPTED,
  restore: async () => ACCEPTED,
  probe: async () => ACCEPTED,
})

/** Returns an article that its target took. */
const published = () => publishedIn(scene, ctx, targets)

test('a slow CMS does not block its caller, and gets the article once', async () => {
  const id = await write(scene)
  await scene.rows(sql`update integrations set platform = 'ghost' where account_id = ${scene.api.accountId}::int`)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let sent = 0
  const slowTargets: TargetFactory = (connection) => ({
    ...(targets(connection) as PublishTarget),
    deliver: async () => {
      sent += 1
      await released
      return ACCEPTED
    },
  })
  const waits: number[] = []
  const deferred: Promise<unknown>[] = []
  const hurried = systemFor(access, scene.api.accountId, { wait: async (ms) => void waits.push(ms) })
  const hand: Ctx = { ...hurried, defer: (work) => void deferred.push(work) }

  const answer = await publishArticle(hand, slowTargets, id)
  expect(waits).toEqual([25_000])
  const [delivery] = await deliveriesOf(scene, id)
  expect(answer).toEqual({
    status: 202,
    body: {
      status: 'unknown',
      article_id: id,
      delivery_id: delivery?.id,
      error: 'ghost has not answered within 25 s.',
      message: expect.stringContaining(`GET /webhook-deliveries/${delivery?.id} `),
      next_attempt_at: expect.any(String),
    },
  })
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
  await expect(publishArticle(ctx, slowTargets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })

  release()
  await Promise.all(deferred)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', Url: ACCEPTED.url })
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  expect(sent).toBe(1)
})

/** Returns a project at a CMS whose target answers on command, and a caller with the usual longest wait. */
const slowCms = async () => {
  await scene.rows(sql`update integrations set platform = 'ghost' where account_id = ${scene.api.accountId}::int`)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let sent = 0
  const slowly = async <T>(outcome: T): Promise<T> => {
    sent += 1
    await released
    return outcome
  }
  const slowTargets: TargetFactory = () => ({
    deliver: () => slowly(ACCEPTED),
    restore: () => slowly(ACCEPTED),
    unpublish: () => slowly({ kind: 'taken_down' as const, remoteId: 'post-1' }),
    probe: async () => ACCEPTED,
  })
  const waits: number[] = []
  const deferred: Promise<unknown>[] = []
  const hurried = systemFor(access, scene.api.accountId, { wait: async (ms) => void waits.push(ms) })
  const hand: Ctx = { ...hurried, defer: (work) => void deferred.push(work) }
  const end = async () => {
    release()
    await Promise.all(deferred)
    return sent
  }
  return { hand, slowTargets, waits, end }
}

test('a slow sync does not block its caller: the edit is saved, and sent once', async () => {
  const id = await published()
  const { hand, slowTargets, waits, end } = await slowCms()
  const error = await syncArticle(hand, slowTargets, id, { title: 'Edited' }).catch((thrown: unknown) => thrown)
  expect(waits).toEqual([25_000])
  const delivery = await lastDelivery(scene, id)
  expect(error).toMatchObject({
    code: 'sync_failed',
    message: expect.stringMatching(/^ghost has not answered within 25 s\. The edit is saved and still being sent: /),
    extras: { saved: true, delivery_id: delivery, next_calls: [{ path: `/webhook-deliveries/${delivery}` }] },
  })
  expect(await scene.article(id)).toMatchObject({ Title: 'Edited', PublishState: 'publishing' })
  await expect(syncArticle(ctx, slowTargets, id, { title: 'Again' })).rejects.toMatchObject({
    code: 'sync_in_progress',
  })
  expect(await end()).toBe(1)
  expect(await scene.article(id)).toMatchObject({ Title: 'Edited', PublishState: 'idle', PublishError: null })
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'delivered', attempts: 1 })
})

test('a slow rollback or unpublish does not block its caller either', async () => {
  const rollback = await slowCms()
  const id = await published()
  await keepAVersion(scene, id)
  await expect(rollbackArticle(rollback.hand, rollback.slowTargets, id, {})).rejects.toMatchObject({
    code: 'rollback_failed',
    message: expect.stringContaining(`GET /articles/${id}`),
  })
  expect(await scene.article(id)).toMatchObject({ PublishState: 'publishing' })
  expect(await rollback.end()).toBe(1)
  expect(await scene.article(id)).toMatchObject({ PublishState: 'idle', PublishError: null })
  expect(await auditedOf(scene, 'article.rollback')).toBe(1)

  const unpublish = await slowCms()
  await expect(unpublishArticle(unpublish.hand, unpublish.slowTargets, id)).rejects.toMatchObject({
    code: 'unpublish_failed',
    message: expect.stringContaining(`GET /articles/${id}`),
  })
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'publishing' })
  expect([unpublish.waits, await unpublish.end()]).toEqual([[25_000], 1])
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
})
