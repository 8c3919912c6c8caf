import { afterEach, expect, test } from 'vitest'
import type { FaultRule } from '../../local/faults.ts'
import { eachInItsScene } from '../publishing/each-scene.ts'
import { cron, flush, heal, write } from '../publishing/scene.ts'
import { publishInTurn } from '../publishing/waits.ts'
import { tell } from '../support/client.ts'

const { access, scene } = eachInItsScene({ publishing_status: 'Publish Immediately' }, { timeScale: 100 })
afterEach(async () => {
  await tell(access.qstashUrl, '/_delivery_faults')
  await tell(access.qstashUrl, '/_control', { sign_with: 'current' })
})

const ARTICLES = 5

const someDue = () =>
  Promise.all(
    Array.from({ length: ARTICLES }, () => write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z' })),
  )

const rules: [string, FaultRule][] = [
  ['repeats every message', { repeat: 3 }],
  ['changes the order', { reorder: 3 }],
  ['delays', { delay_ms: 300 }],
  ['drops messages before they are delivered', { drop: 'before', times: 7 }],
  ['loses the answers', { drop: 'after', times: 7 }],
  ['pretends that our executor failed', { status: 500, times: 7 }],
  ['pretends that our executor succeeded', { status: 200, times: 7 }],
]

test.each(rules)('the queue %s: articles due go out once', async (_, rule) => {
  const ids = await someDue()
  await tell(access.qstashUrl, '/_delivery_faults', rule)
  await cron(access)
  await flush(access, true)
  await heal(scene)
  for (const id of ids) {
    expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
    expect(await scene.deliveries(id)).toHaveLength(1)
  }
  expect(await scene.posts()).toHaveLength(ARTICLES)
})

test.each(rules)('the queue %s: retries are made once each', async (_, rule) => {
  await scene.mood({ mode: 'down', times: ARTICLES })
  const ids = await Promise.all(Array.from({ length: ARTICLES }, () => write(scene)))
  await tell(access.qstashUrl, '/_delivery_faults', rule)
  const answers = await Promise.all(ids.map((id) => publishInTurn(scene.api, id)))
  // They are sent one after the other, so on a slow machine a retry of the first may precede the last one's first attempt.
  for (const { status } of answers) expect([200, 202]).toContain(status)
  await heal(scene)
  for (const id of ids) expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle' })
  expect(await scene.deliveries()).toHaveLength(2 * ARTICLES)
  expect(await scene.posts()).toHaveLength(ARTICLES)
})

test('a message delivered twice while the receiver is slow: sent once', async () => {
  await scene.mood({ mode: 'slow', delay_ms: 400 })
  const [id] = await someDue()
  await tell(access.qstashUrl, '/_delivery_faults', { repeat: 2 })
  await cron(access)
  await flush(access, true)
  await heal(scene)
  expect(await scene.deliveries(id)).toHaveLength(1)
  expect(await scene.deliveries()).toHaveLength(ARTICLES)
})

test('keys are rotated: messages signed with the next key are accepted', async () => {
  await tell(access.qstashUrl, '/_control', { sign_with: 'next' })
  const ids = await someDue()
  await heal(scene)
  for (const id of ids) expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})
