import { describe, expect, test } from 'vitest'
import { nextAttempt } from '../../src/publishing/send/rules.ts'
import { eachInItsScene } from './each-scene.ts'
import { deliveriesOf, flush, heal, passTime, wake, write } from './scene.ts'

const now = new Date('2026-03-01T12:00:00Z')
const waitS = (
  event: 'publish_articles' | 'update_articles',
  attempts: number,
  random: number,
  retryAfterS?: number,
) => {
  const at = nextAttempt(event, attempts, { now, random, scale: 1, retryAfterS })
  return at && (at.getTime() - now.getTime()) / 1000
}

describe('the schedule', () => {
  test.each([
    [1, 24, 30, 36],
    [2, 96, 120, 144],
    [3, 384, 480, 576],
  ])('after attempt %i the wait is between %i and %i … %i s', (attempts, least, middle, most) => {
    expect(waitS('publish_articles', attempts, 0)).toBeCloseTo(least, 6)
    expect(waitS('publish_articles', attempts, 0.5)).toBeCloseTo(middle, 6)
    expect(waitS('publish_articles', attempts, 1)).toBeCloseTo(most, 6)
  })

  test('ends after the third retry', () => {
    expect(waitS('publish_articles', 4, 0.5)).toBeUndefined()
    expect(waitS('publish_articles', 4, 0.5, 10)).toBeUndefined()
    expect(waitS('publish_articles', 40, 0.5)).toBeUndefined()
  })

  test('does not exist for updates, which are sent once', () => {
    expect(waitS('update_articles', 1, 0.5)).toBeUndefined()
    expect(waitS('update_articles', 1, 0.5, 10)).toBeUndefined()
  })

  test('yields to the target’s own Retry-After, and is divided by the time scale', () => {
    expect(waitS('publish_articles', 1, 0.5, 3_600)).toBe(3_600)
    expect(waitS('publish_articles', 1, 0.5, 0)).toBe(0)
    const scaled = nextAttempt('publish_articles', 1, { now, random: 0.5, scale: 10 })
    expect(scaled?.getTime()).toBe(now.getTime() + 3_000)
  })
})

describe('over the wire, time passed by hand', () => {
  const { access, scene } = eachInItsScene()

  /** Makes an attempt and checks the time of the next one, in seconds from the attempt's beginning and end. */
  const expectNext = async (attempt: () => Promise<unknown>, least: number, most: number): Promise<void> => {
    const before = Date.now()
    const next = Date.parse(String(await attempt()))
    expect((next - before) / 1000).toBeGreaterThanOrEqual(least)
    expect((next - Date.now()) / 1000).toBeLessThanOrEqual(most)
  }

  test('waits 30 s, 2 min and 8 min ± 20 %, then fails; every attempt carries the same key', async () => {
    await scene.mood({ mode: 'down' })
    const id = await write(scene)
    await expectNext(async () => (await scene.publish(id)).body.next_attempt_at, 24, 36)
    const again = async () => {
      await wake(scene, id)
      const { deliveries } = (await scene.api.get(`/webhook-deliveries?status=retrying`)).body
      return (deliveries as { next_attempt_at: string }[])[0]?.next_attempt_at
    }
    for (const [least, most] of [
      [96, 144],
      [384, 576],
    ] as const) {
      await expectNext(again, least, most)
      expect(await scene.article(id)).toMatchObject({ PublishState: 'retrying' })
    }
    await wake(scene, id)
    expect(await scene.article(id)).toMatchObject({
      Status: 'Draft',
      PublishState: 'failed',
      PublishError: 'The receiver answered HTTP 500 (The blog is down.).',
    })
    const deliveries = await scene.deliveries(id)
    expect(deliveries).toHaveLength(4)
    expect(new Set(deliveries.map((d) => d.idempotency_key)).size).toBe(1)
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(4)
  })

  test('the list and the detail of deliveries show every attempt', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene)
    const { body: answer } = await scene.publish(id)
    await wake(scene, id)
    const list = (await scene.api.get(`/webhook-deliveries?project_id=${scene.projectId}&status=delivered`)).body
    expect(list.deliveries).toMatchObject([
      {
        id: answer.delivery_id,
        article_id: id,
        status: 'delivered',
        attempt_count: 2,
        next_attempt_at: null,
        error: null,
      },
    ])
    const { delivery } = (await scene.api.get(`/webhook-deliveries/${answer.delivery_id}`)).body as {
      delivery: Record<string, unknown>
    }
    expect(delivery).toMatchObject({
      attempt_count: 2,
      attempts: [
        { number: 1, status: 'retrying', http_status: 500 },
        { number: 2, status: 'delivered', http_status: 200, error: null },
      ],
    })
    expect(JSON.stringify(delivery)).toContain('The blog is down.')
  })

  test('signature and timestamp are made again for every attempt', async () => {
    await scene.mood({ signing_secret: scene.integration.signing_secret, mode: 'down', times: 1, store: true })
    const id = await write(scene)
    await scene.publish(id)
    const sentAt = Math.floor(Date.now() / 1000)
    while (Math.floor(Date.now() / 1000) === sentAt) await passTime(scene)
    await wake(scene, id)
    const [first, second] = await scene.deliveries(id)
    expect([first?.signature, second?.signature]).toEqual(['valid', 'valid'])
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']))
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    expect(second?.idempotency_key).toBe(first?.idempotency_key)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const [a, b] = [first, second].map((d) => JSON.parse(d?.raw_body ?? '{}') as { timestamp: string; data: unknown })
    expect(b?.timestamp).not.toBe(a?.timestamp)
    expect(b?.data).toEqual(a?.data)
  })

  test('publishing manually during retries sends the same content with the same key at once', async () => {
    await scene.mood({ mode: 'close_after_read', times: 1 })
    const id = await write(scene)
    expect(await scene.publish(id)).toMatchObject({ status: 202, body: { status: 'retrying' } })
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
    const [first, second] = await scene.deliveries(id)
    expect(second?.idempotency_key).toBe(first?.idempotency_key)
    const [a, b] = [first, second].map((d) => (JSON.parse(d?.raw_body ?? '{}') as { data: unknown }).data)
    expect(b).toEqual(a)
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(2)
    expect(await scene.posts()).toHaveLength(1)
  })

  test('after it has failed, publishing by hand works under the same key', async () => {
    await scene.mood({ mode: 'down' })
    const id = await write(scene)
    await scene.publish(id)
    for (let n = 0; n < 3; n += 1) await wake(scene, id)
    expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
    await scene.mood({ mode: 'ok' })
    expect(await scene.publish(id)).toMatchObject({ status: 200, body: { status: 'published' } })
    const deliveries = await scene.deliveries(id)
    expect(deliveries).toHaveLength(5)
    expect(new Set(deliveries.map((d) => d.idempotency_key)).size).toBe(1)
    expect(await scene.posts()).toHaveLength(1)
  })

  test('an edit during retries is sent with a new key, and the old delivery is superseded', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene, { content: '<p>The first words.</p>' })
    await scene.publish(id)
    expect((await scene.api.put(`/articles/${id}`, { content: '<p>The second words.</p>' })).status).toBe(200)
    await wake(scene, id)
    const [first, second] = await scene.deliveries(id)
    expect(second?.idempotency_key).not.toBe(first?.idempotency_key)
    expect(second?.raw_body).toContain('The second words.')
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'superseded' }, { status: 'delivered' }])
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    await heal(scene)
    expect(await scene.deliveries(id)).toHaveLength(2)
  })

  test('an edit, then publishing by hand, replaces the delivery that waits', async () => {
    await scene.mood({ mode: 'close_after_read', times: 1 })
    const id = await write(scene, { content: '<p>The first words.</p>' })
    await scene.publish(id)
    await scene.api.put(`/articles/${id}`, { content: '<p>The second words.</p>' })
    expect(await scene.publish(id)).toMatchObject({ status: 200 })
    await heal(scene)
    expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'superseded' }, { status: 'delivered' }])
    const posts = await scene.posts()
    expect(posts).toHaveLength(1)
    expect(posts[0]?.content_html).toContain('The second words.')
  })

  test('an edit that empties the article ends its retries with that reason', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene)
    await scene.publish(id)
    await scene.api.put(`/articles/${id}`, { content: '' })
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'failed' })
    expect(String((await scene.article(id)).PublishError)).toMatch(/content/)
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test('deleting the article calls its retries off', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene)
    const { body } = await scene.publish(id)
    expect((await scene.api.del(`/articles/${id}`)).status).toBe(200)
    await heal(scene)
    expect(await scene.deliveries()).toHaveLength(1)
    const shown = (await scene.api.get(`/webhook-deliveries/${body.delivery_id}`)).body.delivery
    expect(shown).toMatchObject({ status: 'superseded', article_id: null, next_attempt_at: null })
  })

  test('disconnecting the target ends the retries with that reason', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene)
    await scene.publish(id)
    await scene.api.del(`/integrations/${scene.integration.integration_id}`)
    await heal(scene)
    expect(await scene.article(id)).toMatchObject({ PublishState: 'failed' })
    expect(String((await scene.article(id)).PublishError)).toMatch(/disconnected/)
    expect(await scene.deliveries(id)).toHaveLength(1)
  })

  test('an early message sends nothing before the time', async () => {
    await scene.mood({ mode: 'down', times: 1 })
    const id = await write(scene)
    await scene.publish(id)
    await flush(access, true)
    await flush(access, true)
    expect(await scene.deliveries(id)).toHaveLength(1)
    expect(await scene.article(id)).toMatchObject({ PublishState: 'retrying' })
    await wake(scene, id)
    expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  })
})
