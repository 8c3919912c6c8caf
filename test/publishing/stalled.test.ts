import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { readIfMatch } from '../../src/platform/lib/etag.ts'
import type { Ctx } from '../../src/platform/runtime/ctx.ts'
import { rollbackArticle } from '../../src/publishing/live/rollback.ts'
import { syncArticle } from '../../src/publishing/live/sync.ts'
import { deliverWaiting } from '../../src/publishing/send/deliver.ts'
import { publishArticle } from '../../src/publishing/send/publish.ts'
import { replayDelivery } from '../../src/publishing/send/replay.ts'
import type { PublishOutcome, PublishTarget, TargetFactory } from '../../src/publishing/target/publish-target.ts'
import { ACCEPTED, auditedOf, eachRunByHand, keepAVersion, lastDelivery, publishedIn } from './by-hand.ts'
import { deliveriesOf, passTime, write } from './scene.ts'
import { overtaken, systemFor } from './system.ts'

const { access, scene, ctx } = eachRunByHand()
let outcomes: PublishOutcome[] = []
beforeEach(() => {
  outcomes = []
})

const NOT_NOW: PublishOutcome = { kind: 'refused', reason: 'Not now.', retryable: true }
const TOO_LATE: PublishOutcome = { kind: 'refused', reason: 'Too late to matter.', retryable: false }

const targets: TargetFactory = () => ({
  deliver: async () => outcomes.shift() ?? ACCEPTED,
  restore: async () => outcomes.shift() ?? ACCEPTED,
  probe: async () => ACCEPTED,
})

type Stalled = { end: () => Promise<void> }

/**
 * Begins work that stalls after its target has answered, or before the request to it (`claimed`).
 *
 * `end` lets the work continue and waits for its end, successful or not.
 */
const stall = async (
  work: (stalled: Ctx) => Promise<unknown>,
  at: 'claimed' | 'answered' = 'answered',
): Promise<Stalled> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: answered, resolve: reach } = Promise.withResolvers<void>()
  const stalled = systemFor(access, scene.api.accountId, {
    step: async (name) => {
      if (name !== at) return
      reach()
      await released
    },
  })
  const running = work(stalled).catch(() => undefined)
  await answered
  return {
    end: async () => {
      release()
      await running
    },
  }
}

/** Returns an article that its target took. */
const published = () => publishedIn(scene, ctx, targets)

test('a stalled replay changes nothing while the next attempt has the delivery', async () => {
  const id = await published()
  const first = await lastDelivery(scene, id)
  outcomes = [TOO_LATE]
  const slow = await stall((stalled) => replayDelivery(stalled, targets, first))
  await passTime(scene)
  const replay = await lastDelivery(scene, id)
  const next = await stall((stalled) => deliverWaiting(stalled, targets, replay))
  await slow.end()
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'sending', attempts: 2, error: null })
  await next.end()
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'delivered', attempts: 2, error: null })
})

test('the same is true if the next attempt’s clock is behind, and its lease ends no later', async () => {
  const id = await published()
  const first = await lastDelivery(scene, id)
  outcomes = [TOO_LATE]
  const slow = await stall((stalled) => replayDelivery(stalled, targets, first))
  await scene.rows(sql`update deliveries set lease_until = now() - interval '10 minutes' where article_id = ${id}::int`)
  const behind = { now: () => new Date(Date.now() - 60_000) }
  const replay = await lastDelivery(scene, id)
  const next = await stall((stalled) => deliverWaiting({ ...stalled, ...behind }, targets, replay))
  await slow.end()
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'sending', attempts: 2, error: null })
  await next.end()
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'delivered', attempts: 2, error: null })
})

test('a waiting replay is continued by one of two runs', { tags: ['services'] }, async () => {
  const id = await published()
  outcomes = [NOT_NOW]
  await replayDelivery(ctx, targets, await lastDelivery(scene, id))
  await passTime(scene)
  const replay = await lastDelivery(scene, id)
  const taken: Stalled[] = []
  const late = overtaken(ctx, async () => {
    taken.push(await stall((stalled) => deliverWaiting(stalled, targets, replay)))
  })
  expect(await deliverWaiting(late, targets, replay)).toMatchObject({ kind: 'later' })
  await taken[0]?.end()
  expect((await deliveriesOf(scene, id)).at(-1)).toMatchObject({ status: 'delivered', attempts: 2 })
})

test('a stalled sync changes nothing after a later sync has ended', async () => {
  const id = await published()
  outcomes = [TOO_LATE]
  const slow = await stall((stalled) => syncArticle(stalled, targets, id, { title: 'First' }))
  await passTime(scene)
  await syncArticle(ctx, targets, id, { title: 'Second' })
  await slow.end()
  expect(await scene.article(id)).toMatchObject({ Title: 'Second', PublishState: 'idle', PublishError: null })
  expect(await auditedOf(scene, 'article.sync_failed')).toBe(0)
})

const OLDER = /held up sent an older version.+POST \/articles\/\d+\/sync/

test.each([
  ['publication', (stalled: Ctx, id: number) => publishArticle(stalled, targets, id)],
  ['sync', (stalled: Ctx, id: number) => syncArticle(stalled, targets, id, { title: 'First' })],
])('a %s that is sent after a newer one ended is reported on the article until a sync', async (kind, begin) => {
  const id = kind === 'sync' ? await published() : await write(scene)
  const slow = await stall((stalled) => begin({ ...stalled, wait: () => new Promise(() => {}) }, id), 'claimed')
  await passTime(scene)
  if (kind === 'sync') await syncArticle(ctx, targets, id, { title: 'Second' })
  else {
    await scene.api.put(`/articles/${id}`, { title: 'Second' })
    await publishArticle(ctx, targets, id)
  }
  expect(await scene.article(id)).toMatchObject({ Title: 'Second', Status: 'Published', PublishState: 'idle' })
  await slow.end()
  expect(await scene.article(id)).toMatchObject({
    Title: 'Second',
    Status: 'Published',
    PublishState: 'failed',
    PublishError: expect.stringMatching(OLDER),
  })
  await syncArticle(ctx, targets, id, {})
  expect(await scene.article(id)).toMatchObject({ Title: 'Second', PublishState: 'idle', PublishError: null })
})

test.each([
  ['was answered before the newer one began', 'answered', ACCEPTED],
  ['was refused', 'claimed', TOO_LATE],
] as const)('not so one that %s', async (_, at, late) => {
  const id = await published()
  outcomes = at === 'answered' ? [late] : [ACCEPTED, late]
  const slow = await stall((stalled) => syncArticle(stalled, targets, id, { title: 'First' }), at)
  await passTime(scene)
  await syncArticle(ctx, targets, id, { title: 'Second' })
  await slow.end()
  expect(await scene.article(id)).toMatchObject({ Title: 'Second', PublishState: 'idle', PublishError: null })
})

/** Publishes, and adds the caller's answer to `answers`. */
const publishing = (id: number, answers: unknown[]) => async (stalled: Ctx) => {
  answers.push(await publishArticle(stalled, targets, id))
}

test('a publication that is sent after its article was deleted is not called published', async () => {
  const id = await write(scene)
  const answers: unknown[] = []
  const slow = await stall(publishing(id, answers), 'claimed')
  await passTime(scene)
  expect((await scene.api.del(`/articles/${id}`)).body).toMatchObject({ deleted: true })
  await slow.end()
  const error = 'The article was deleted while it was being sent.'
  const message = expect.stringContaining('a post that has no article here: https://cms.example/post')
  expect(answers).toMatchObject([{ status: 202, body: { status: 'failed', article_id: id, error, message } }])
})

const REFUSED: PublishOutcome = {
  kind: 'refused',
  reason: 'The token is not valid.',
  retryable: false,
  httpStatus: 401,
}

test.each([
  ['was refused', REFUSED, 'failed'],
  ['waits to be made again', NOT_NOW, 'retrying'],
  ['is not known', { kind: 'unknown', reason: 'No answer.' }, 'unknown'],
] as const)(
  'a publication that is accepted after the next attempt %s is recorded as published',
  async (_, next, state) => {
    const id = await write(scene)
    const answers: unknown[] = []
    outcomes = [next]
    const slow = await stall(publishing(id, answers), 'claimed')
    await passTime(scene)
    await deliverWaiting(ctx, targets, await lastDelivery(scene, id))
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: state })
    await slow.end()
    expect(answers).toMatchObject([{ status: 200, body: { status: 'published', article_id: id, url: ACCEPTED.url } }])
    expect(await scene.article(id)).toMatchObject({
      Status: 'Published',
      PublishState: 'idle',
      PublishError: null,
      Url: ACCEPTED.url,
    })
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', error: null }])
    expect(await auditedOf(scene, 'article.publish')).toBe(1)
  },
)

test('a publication that was edited meanwhile has the older text, with a note', async () => {
  const id = await write(scene)
  const answers: unknown[] = []
  outcomes = [REFUSED]
  const slow = await stall(publishing(id, answers), 'claimed')
  await passTime(scene)
  await scene.api.put(`/articles/${id}`, { title: 'Second' })
  await publishArticle(ctx, targets, id)
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'failed' })
  await slow.end()
  expect(answers).toMatchObject([{ status: 200, body: { status: 'published' } }])
  expect(await scene.article(id)).toMatchObject({
    Title: 'Second',
    Status: 'Published',
    PublishState: 'failed',
    PublishError: expect.stringContaining(`the newer words did not go out. Send them with POST /articles/${id}/sync.`),
  })
})

/** Returns a publication that its target took while the next attempt is under way, which the target refuses. */
const takenBesideNext = async (wait: (next: Stalled) => Promise<void>, atOnce = false) => {
  const id = await write(scene)
  const answers: unknown[] = []
  outcomes = [ACCEPTED, REFUSED]
  const nexts: Stalled[] = []
  const waiting = async () => {
    for (const next of nexts) await wait(next)
  }
  const slow = await stall((stalled) => publishing(id, answers)({ ...stalled, wait: waiting }))
  await passTime(scene)
  const delivery = await lastDelivery(scene, id)
  nexts.push(await stall((stalled) => deliverWaiting(stalled, targets, delivery)))
  await Promise.all([slow.end(), atOnce && nexts[0]?.end()])
  return { id, answers, end: async () => await nexts[0]?.end() }
}

test('a publication that is accepted during the next attempt waits for its end', async () => {
  const { id, answers } = await takenBesideNext((next) => next.end())
  expect(answers).toMatchObject([{ status: 200, body: { status: 'published', article_id: id } }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
})

test('if that takes too long, the caller gets publish_in_progress', async () => {
  const { id, answers, end } = await takenBesideNext(async () => {})
  const error = 'This call was delayed, and another one is sending the article.'
  expect(answers).toMatchObject([{ status: 202, body: { status: 'unknown', article_id: id, error } }])
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
  await end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed', PublishError: REFUSED.reason })
})

test('the same is true if both end at once', { tags: ['services'] }, async () => {
  for (let n = 0; n < 5; n += 1) {
    const { id, answers } = await takenBesideNext((next) => next.end(), true)
    expect(answers).toMatchObject([{ status: 200, body: { status: 'published', article_id: id } }])
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  }
})

test.each([
  ['was published', ACCEPTED, { status: 200, body: { status: 'published', url: ACCEPTED.url } }],
  ['waits to be made again', NOT_NOW, { status: 202, body: { status: 'retrying', error: NOT_NOW.reason } }],
] as const)('a publication that is refused after it %s by the next attempt is answered so', async (_, next, answer) => {
  const id = await write(scene)
  const answers: unknown[] = []
  outcomes = [next, TOO_LATE]
  const slow = await stall(publishing(id, answers), 'claimed')
  await passTime(scene)
  await deliverWaiting(ctx, targets, await lastDelivery(scene, id))
  await slow.end()
  expect(answers).toMatchObject([answer])
  expect(await scene.article(id)).toMatchObject({ PublishError: next === ACCEPTED ? null : NOT_NOW.reason })
})

test('a sync that read the article before another changed it is refused, and reverts nothing', async () => {
  const id = await published()
  const late = overtaken(ctx, () => syncArticle(ctx, targets, id, { content: '<p>The other words.</p>' }))
  const { Title: title, Revision: revision } = await scene.article(id)
  await expect(syncArticle(late, targets, id, { title: 'Too late' })).rejects.toMatchObject({
    code: 'sync_in_progress',
  })
  expect(await scene.article(id)).toMatchObject({
    Title: title,
    Content: '<p>The other words.</p>',
    Revision: Number(revision) + 1,
    PublishState: 'idle',
  })
})

test('a sync of the version that a caller saw is refused if the article changed after it was read', async () => {
  const id = await published()
  const seen = (await scene.api.get(`/articles/${id}`)).headers.get('etag') ?? undefined
  const same = () =>
    scene.rows(sql`update articles set updated_at = updated_at + interval '1 second' where id = ${id} returning id`)
  const late = overtaken({ ...ctx, ifMatch: readIfMatch(seen) }, same)
  await expect(syncArticle(late, targets, id, { title: 'Too late' })).rejects.toMatchObject({
    code: 'changed_meanwhile',
  })
  expect((await scene.article(id)).Title).not.toBe('Too late')
})

test('a publication whose delivery has ended since its read sends nothing, and keeps no lease', async () => {
  const id = await write(scene)
  outcomes = [NOT_NOW]
  await publishArticle(ctx, targets, id)
  await passTime(scene)
  outcomes = [TOO_LATE]
  const late = overtaken(ctx, async () => await deliverWaiting(ctx, targets, await lastDelivery(scene, id)))
  await expect(publishArticle(late, targets, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  expect(await scene.article(id)).toMatchObject({ PublishState: 'failed', PublishError: TOO_LATE.reason })
})

test('a publication that read an article before it was sent as a draft makes no second post', async () => {
  // An article of the caller's own: publication changes nothing of it, so that its revision stays.
  const id = await write(scene, { content: `<h2>Own words</h2><p>${'word '.repeat(400)}</p>` })
  await scene.api.put(`/articles/${id}`, { status: 'Planned', scheduled_date: '2099-01-01T10:00:00Z' })
  const events: string[] = []
  const noting: TargetFactory = (row) => ({
    ...(targets(row) as PublishTarget),
    deliver: async ({ event }) => {
      events.push(event)
      return ACCEPTED
    },
  })
  const late = overtaken(ctx, () => publishArticle(ctx, noting, id, false))
  await expect(publishArticle(late, noting, id)).rejects.toMatchObject({ code: 'publish_in_progress' })
  await publishArticle(ctx, noting, id)
  expect(events).toEqual(['publish_articles', 'update_articles'])
})

test('a replay that waits is in the way of no publication', async () => {
  const id = await published()
  outcomes = [NOT_NOW]
  await replayDelivery(ctx, targets, await lastDelivery(scene, id))
  await scene.rows(sql`update articles set status = 'Draft', published_at = null where id = ${id}::int`)
  expect(await publishArticle(ctx, targets, id)).toMatchObject({ status: 200, body: { status: 'published' } })
  expect((await deliveriesOf(scene, id)).map(({ status }) => status)).toEqual(['delivered', 'retrying', 'delivered'])
})

test('a stalled sync does not change an article in a rollback', async () => {
  const id = await published()
  await keepAVersion(scene, id)
  outcomes = [TOO_LATE]
  const slowSync = await stall((stalled) => syncArticle(stalled, targets, id, { title: 'Edited' }))
  await passTime(scene)
  const slowRollback = await stall((stalled) => rollbackArticle(stalled, targets, id, {}))
  await slowSync.end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'publishing', PublishError: null })
  await slowRollback.end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'idle', PublishError: null })
  expect(await auditedOf(scene, 'article.rollback')).toBe(1)
})

test('a delivery that is given up does not change an article in a rollback', async () => {
  const id = await published()
  await keepAVersion(scene, id)
  outcomes = [TOO_LATE]
  const slowSync = await stall((stalled) => syncArticle(stalled, targets, id, { title: 'Edited' }))
  await passTime(scene)
  const slowRollback = await stall((stalled) => rollbackArticle(stalled, targets, id, {}))
  expect(await deliverWaiting(ctx, targets, await lastDelivery(scene, id))).toEqual({ kind: 'done' })
  expect(await scene.article(id)).toMatchObject({ PublishState: 'publishing' })
  await slowRollback.end()
  await slowSync.end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'idle', PublishError: null })
})

test('a stalled rollback changes nothing during a later one', async () => {
  const id = await published()
  await keepAVersion(scene, id)
  outcomes = [TOO_LATE]
  const slow = await stall((stalled) => rollbackArticle(stalled, targets, id, {}))
  await passTime(scene)
  const later = await stall((stalled) => rollbackArticle(stalled, targets, id, {}))
  await slow.end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'publishing' })
  await later.end()
  expect(await scene.article(id)).toMatchObject({ PublishState: 'idle', PublishError: null })
  expect(await auditedOf(scene, 'article.rollback_failed')).toBe(0)
})

test('an article whose project is archived after its read is not sent', async () => {
  const id = await write(scene)
  const sent: string[] = []
  const noting: TargetFactory = (row) => ({
    ...(targets(row) as PublishTarget),
    deliver: async ({ key }) => {
      sent.push(key)
      return ACCEPTED
    },
  })
  const archive = () =>
    scene.rows(sql`update projects set status = 'Archived' where id = ${scene.projectId} returning id`)
  await expect(publishArticle(overtaken(ctx, archive), noting, id)).rejects.toThrow()
  expect([sent, await deliveriesOf(scene, id)]).toEqual([[], []])
  expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
})
