import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Delivery } from '../../local/receiver/deliveries.ts'
import { publishArticle, publishByClock } from '../../src/publishing/send/publish.ts'
import { anotherKey } from '../support/client.ts'
import { openScene, type Scene, write } from './scene.ts'
import { systemFor } from './system.ts'
import { publishInTurn } from './waits.ts'

const stack = inject('stack')
let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack)
})
afterEach(() => scene.receiver.close())

/** Requests that arrived while another was still open. */
const overlaps = (deliveries: Delivery[]): number =>
  deliveries.filter((one, n) => {
    const before = deliveries[n - 1]
    return before && Date.parse(one.received_at) < Date.parse(before.received_at) + (before.answer.after_ms ?? 0)
  }).length

const lock = (until: string) =>
  scene.rows(sql`update projects set publishing_delivery_id = 0, publishing_until = now() + ${until}::interval
    where id = ${scene.projectId}::int`)

const target = { deliver: async () => ({ kind: 'accepted' as const, url: 'https://site.example/post' }) }
const targets = () => ({ ...target, probe: target.deliver })

describe('one publication at a time per project', () => {
  test('many called at once all go, one after the other', { tags: ['services'] }, async () => {
    await scene.mood({ mode: 'slow', delay_ms: 120 })
    const ids = await Promise.all(Array.from({ length: 8 }, () => write(scene)))
    const keys = await Promise.all(ids.map(() => anotherKey(stack, scene.api)))
    const answers = await Promise.all(keys.map((api, n) => publishInTurn(api, ids[n] ?? 0)))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const deliveries = await scene.deliveries()
    expect(deliveries).toHaveLength(8)
    expect(overlaps(deliveries)).toBe(0)
  })

  test('the turn is returned after any end, so the next one does not wait', async () => {
    // The first one's retry is after this test.
    for (const mood of [{ mode: 'unavailable', retry_after: 3_000 }, { mode: 'reject' }, { mode: 'ok' }]) {
      await scene.mood(mood)
      await scene.publish(await write(scene))
      const [row] = await scene.rows(
        sql`select publishing_delivery_id, publishing_until from projects where id = ${scene.projectId}::int`,
      )
      expect(row).toEqual({ publishing_delivery_id: null, publishing_until: null })
    }
  })

  test('without a turn within 10 s: 409, and nothing is sent; an expired turn delays no one', async () => {
    const id = await write(scene)
    await lock('1 minute')
    let waited = 0
    const wait = async (ms: number) => {
      waited += ms
    }
    const ctx = systemFor(stack, scene.api.accountId, { wait })
    await expect(publishArticle(ctx, targets, id)).rejects.toMatchObject({
      code: 'publish_in_progress',
      extras: { retry_after: 5 },
    })
    expect(waited).toBeGreaterThan(8_000)
    expect(waited).toBeLessThan(12_000)
    expect(await scene.article(id)).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
    const back = await publishByClock(ctx, targets, id, true)
    expect(back.kind === 'later' && back.at.getTime() - Date.now()).toBeLessThan(3_000)
    await lock('-1 second')
    expect(await scene.publish(id)).toMatchObject({ status: 200 })
    expect(await scene.deliveries()).toHaveLength(1)
  })
})

describe('at most 50 publications a minute per account', () => {
  const NOW = new Date('2030-01-01T10:00:20.000Z')
  const ctx = () => systemFor(stack, scene.api.accountId, { now: () => NOW })
  const counted = (publications: number) =>
    scene.rows(sql`update accounts set publish_minute = '2030-01-01T10:00:00Z', published_in_minute = ${publications}::int
      where id = ${scene.api.accountId}::int`)
  const publications = async () =>
    (await scene.rows(sql`select published_in_minute from accounts where id = ${scene.api.accountId}::int`))[0]

  test('scheduled publications wait for the next minute; a manual one is sent and counts', async () => {
    await counted(49)
    const ids = [await write(scene), await write(scene), await write(scene)] as const
    expect(await publishByClock(ctx(), targets, ids[0], true)).toEqual({ kind: 'done' })
    expect(await publications()).toEqual({ published_in_minute: 50 })
    const back = await publishByClock(ctx(), targets, ids[1], true)
    expect(back.kind === 'later' && back.at.toISOString().slice(0, 16)).toBe('2030-01-01T10:01')
    expect(await scene.article(ids[1])).toMatchObject({ Status: 'Draft', PublishState: 'idle' })
    expect(await publishArticle(ctx(), targets, ids[2])).toMatchObject({ status: 200 })
    expect(await publications()).toEqual({ published_in_minute: 51 })
  })

  test('a new minute begins again', async () => {
    await counted(50)
    await scene.rows(
      sql`update accounts set publish_minute = '2030-01-01T09:59:00Z' where id = ${scene.api.accountId}::int`,
    )
    expect(await publishByClock(ctx(), targets, await write(scene), true)).toEqual({ kind: 'done' })
    expect(await publications()).toEqual({ published_in_minute: 1 })
  })
})
