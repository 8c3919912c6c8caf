import { afterEach, describe, expect, test } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { eachInItsScene } from '../publishing/each-scene.ts'
import { cron, deliveriesOf, flush, heal, write } from '../publishing/scene.ts'
import { type Answer, anotherKey, tell } from '../support/client.ts'
import { LIMITER_WAIT_MS } from '../support/stack.ts'

const { access, scene } = eachInItsScene({ publishing_status: 'Publish Immediately' }, { timeScale: 100 })
afterEach(async () => {
  await database()
  await redis()
})

/** Sets the behaviour of the database's endpoint; without a rule it works. */
const database = (rule?: FaultRule | FaultRule[]) => tell(access.neonUrl, '/_faults', rule)
const redis = (rule?: FaultRule | FaultRule[]) => tell(access.redisUrl, '/_faults', rule)

const expectUnavailable = ({ status, headers, body }: Answer) => {
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('5')
  expect(body).toMatchObject({ code: 'unavailable', retryable: true, retry_after: 5 })
}

const expectPublishedOnce = async (id: number, requests: number): Promise<void> => {
  await heal(scene)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
  expect(await scene.posts()).toHaveLength(1)
  const sent = await scene.deliveries(id)
  expect(sent).toHaveLength(requests)
  expect(new Set(sent.map((d) => d.idempotency_key)).size).toBe(1)
  expect((await deliveriesOf(scene, id)).map((d) => d.status)).toEqual(['delivered'])
}

/** Statements are sent as text, so a rule can recognize one by a unique part. */
const parts = { claim: String.raw`insert into \"deliveries\"`, finish: 'article.publish' }

describe('the database is away', () => {
  test.each([
    ['answers 500', { status: 500 }],
    ['drops connections', { drop: 'before' }],
  ] as [string, FaultRule][])(
    '%s: 503 everywhere, nothing is sent, and afterwards everything works',
    async (_, rule) => {
      const id = await write(scene)
      const api = await anotherKey(access, scene.api)
      await database(rule)
      expectUnavailable(await api.post(`/articles/${id}/publish`))
      expectUnavailable(await api.get(`/articles/${id}`))
      expectUnavailable(await api.put(`/articles/${id}`, { title: 'Other' }))
      await database()
      expect(await scene.deliveries()).toHaveLength(0)
      expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
      expect((await scene.publish(id)).status).toBe(200)
      await expectPublishedOnce(id, 1)
    },
  )

  test('fails before the claim: 503, nothing is sent', async () => {
    const id = await write(scene)
    await database({ body: parts.claim, status: 500, times: 1 })
    expectUnavailable(await scene.publish(id))
    expect(await scene.deliveries()).toHaveLength(0)
    expect((await scene.publish(id)).status).toBe(200)
    await expectPublishedOnce(id, 1)
  })

  test('claims, but the answer is lost: 503, and the article is published automatically', async () => {
    const id = await write(scene)
    await database({ body: parts.claim, drop: 'after', times: 1 })
    expectUnavailable(await scene.publish(id))
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
    await expectPublishedOnce(id, 1)
  })

  test('fails after the receiver accepted it: 503, and one post in the end', async () => {
    const id = await write(scene)
    await database({ body: parts.finish, status: 500, times: 1 })
    expectUnavailable(await scene.publish(id))
    expect(await scene.posts()).toHaveLength(1)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'publishing' })
    await expectPublishedOnce(id, 2)
  })

  test('writes the end, but the answer is lost: 503, then 200 without sending again', async () => {
    const id = await write(scene)
    await database({ body: parts.finish, drop: 'after', times: 1 })
    expectUnavailable(await scene.publish(id))
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published', article_id: id } })
    await expectPublishedOnce(id, 1)
  })

  test('is away while the jobs run: they are repeated until it is back', async () => {
    const id = await write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })
    await cron(access)
    await database([
      { body: 'update outbox o set lease_until', status: 500, times: 2 },
      { body: parts.claim, status: 500, times: 1 },
      { body: parts.finish, status: 500, times: 1 },
    ])
    await flush(access, true)
    await expectPublishedOnce(id, 2)
  })
})

/** Much later than the limiter waits, also on a machine that stalls for seconds. */
const TOO_LATE_MS = 15 * LIMITER_WAIT_MS

describe('Redis is away', () => {
  test.each([
    ['answers 500', { status: 500 }],
    ['drops connections', { drop: 'before' }],
    ['answers too late', { delay_ms: TOO_LATE_MS }],
  ] as [string, FaultRule][])('%s: publishing continues, without the header that needs it', async (_, rule) => {
    const id = await write(scene)
    await redis(rule)
    const startedAt = performance.now()
    const answer = await scene.publish(id)
    expect(performance.now() - startedAt).toBeLessThan(TOO_LATE_MS)
    expect(answer).toMatchObject({ status: 200, body: { status: 'published' } })
    expect(answer.headers.get('ratelimit')).toBeNull()
    expect(answer.headers.get('ratelimit-policy')).not.toBeNull()
    await redis()
    await expectPublishedOnce(id, 1)
  })

  test('the same limits apply, counted by the Worker itself', async () => {
    const api = await anotherKey(access, scene.api)
    await redis({ status: 500 })
    const answers: Answer[] = []
    // Each copy of a Worker keeps the limit for itself then, and they take turns.
    const copies = Number(process.env.COPIES ?? '1')
    for (let n = 0; n < 6 * copies; n += 1) answers.push(await api.post('/articles/2147483647/publish'))
    const passed = Array.from({ length: 5 * copies }, () => 404)
    expect(answers.map((a) => a.status)).toEqual([...passed, ...Array.from({ length: copies }, () => 429)])
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('database, Redis and queue are all away in turn: every article goes out once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 4 }, () => write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })),
  )
  await tell(access.qstashUrl, '/_faults', { status: 500 })
  await cron(access)
  await tell(access.qstashUrl, '/_faults')
  await redis({ drop: 'before' })
  await database({ drop: 'after', times: 3 })
  await cron(access).catch(() => {})
  await flush(access, true)
  await database()
  await redis()
  await heal(scene)
  for (const id of ids) expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  expect(await scene.posts()).toHaveLength(4)
  for (const id of ids) expect(new Set((await scene.deliveries(id)).map((d) => d.idempotency_key)).size).toBe(1)
})
