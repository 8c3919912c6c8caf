import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FULL } from '../../content/writing/scene.ts'
import {
  accessOf,
  cron,
  deliveriesOf,
  flush,
  openScene,
  passTime,
  type Scene,
  type StackAccess,
  write,
} from '../../publishing/scene.ts'
import { newAccount } from '../../support/client.ts'
import { expectError } from '../../support/contract.ts'
import { borrowTestStack, type TestStack } from '../../support/stack.ts'
import { setPolicy } from './set.ts'

let stack: TestStack
let access: StackAccess
let scene: Scene

beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
})
afterAll(() => stack.close())
beforeEach(async () => {
  scene = await openScene(access, { publishing_status: 'Publish Immediately' })
})
afterEach(() => scene.receiver.close())

/** Does one minute's work: cron, and all that the queue has. */
const tick = async (): Promise<void> => {
  await cron(access)
  await flush(access, true)
}

const planned = (hour: number) => write(scene, { status: 'Planned', scheduled_date: `2026-01-05T0${hour}:00:00Z` })
const policy = (clauses: Parameters<typeof setPolicy>[2] = {}) => setPolicy(access, scene.projectId, clauses)
const sent = async () => (await scene.posts()).map(({ article_id }) => Number(article_id)).reverse()
const events = async (article: number) =>
  (
    (await scene.api.get('/events?limit=200')).body.events as { type: string; article_id: number; detail: object }[]
  ).filter((event) => event.article_id === article)

/** Returns quiet hours that include the present time. */
const quietNow = () => {
  const hour = new Date().getUTCHours()
  const text = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`
  return { quiet_hours: { from: text(hour - 1), to: text(hour + 2) } }
}

describe('the clock', () => {
  test.each([
    ['frozen', () => ({ frozen: true }), 'It waits because a person froze the project.'],
    ['quiet_hours', quietNow, 'It waits for the end of the project’s quiet hours.'],
    [
      'max_publications_per_day',
      () => ({ max_publications_per_day: 0 }),
      'It waits for another day: the project’s daily maximum of publications is reached.',
    ],
  ])(
    'keeps articles planned during %s, with the reason, and then publishes each once, in order',
    async (rule, clauses, why) => {
      const ids = [await planned(3), await planned(1), await planned(2)] as const
      const inOrder = [ids[1], ids[2], ids[0]]
      await policy(clauses())
      await tick()
      await tick()
      for (const id of ids)
        expect(await scene.article(id)).toMatchObject({ Status: 'Planned', PublishState: 'idle', PublishError: why })
      expect(await sent()).toEqual([])
      const told = (await events(ids[0])).filter(({ type }) => type === 'article.waits_for_policy')
      expect(told).toMatchObject([{ detail: { rule } }])
      await policy()
      for (let n = 0; n < 4; n += 1) await tick()
      expect(await sent()).toEqual(inOrder)
      for (const id of ids)
        expect(await scene.article(id)).toMatchObject({ Status: 'Published', PublishState: 'idle', PublishError: null })
      expect(await scene.deliveries()).toHaveLength(3)
    },
  )

  test('sends as many as a day may have, and a call for another one is refused', async () => {
    const ids = [await planned(1), await planned(2), await planned(3)] as const
    await policy({ max_publications_per_day: 2 })
    for (let n = 0; n < 4; n += 1) await tick()
    expect(await sent()).toEqual([ids[0], ids[1]])
    const refused = await scene.publish(ids[2])
    expectError(refused, 'policy')
    expect(refused.body).toMatchObject({
      rule: 'max_publications_per_day',
      project: scene.projectId,
      message: expect.stringContaining('At most 2 articles go live a day'),
    })
    expect(await scene.article(ids[2])).toMatchObject({ Status: 'Planned' })
    // A change of a live article does not count toward the limit.
    expect((await scene.api.post(`/articles/${ids[0]}/sync`, { title: 'Another title' })).status).toBe(200)
  })

  test('fails an article whose target is not allowed, with the rule', async () => {
    const id = await planned(1)
    await policy({ allowed_targets: ['ghost'] })
    await tick()
    expect(await scene.article(id)).toMatchObject({
      Status: 'Planned',
      PublishState: 'failed',
      PublishError: 'Only these targets are allowed: ghost.',
    })
    expect(await events(id)).toContainEqual(
      expect.objectContaining({
        type: 'article.publish_failed',
        detail: expect.objectContaining({ rule: 'allowed_targets' }),
      }),
    )
    expect(await sent()).toEqual([])
  })
})

test('a waiting retry stays during a freeze, and is sent when it ends', async () => {
  await scene.mood({ mode: 'unavailable' })
  const id = await write(scene)
  expect((await scene.publish(id)).status).toBe(202)
  await scene.mood({ mode: 'ok' })
  await policy({ frozen: true })
  for (let n = 0; n < 2; n += 1) {
    await passTime(scene)
    await tick()
  }
  expect(await scene.deliveries(id)).toHaveLength(1)
  await policy()
  await passTime(scene)
  await tick()
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  expect(await deliveriesOf(scene, id)).toMatchObject([{ status: 'delivered' }])
})

test('a failed publication no longer counts for the day, nor does a repeat of the same article', async () => {
  const [first, second] = [await write(scene), await write(scene)]
  await policy({ max_publications_per_day: 1 })
  await scene.mood({ mode: 'reject' })
  expect((await scene.publish(first)).status).toBe(202)
  expect(await scene.article(first)).toMatchObject({ PublishState: 'failed' })
  await scene.mood({ mode: 'ok' })
  expect((await scene.publish(second)).status).toBe(200)
  expectError(await scene.publish(first), 'policy')
  expect((await scene.publish(second)).status).toBe(200)
})

test('the policy of one account does not affect another', async () => {
  await policy({ frozen: true })
  const other = await openScene(access)
  const id = await write(other)
  expect((await other.publish(id)).status).toBe(200)
  await other.receiver.close()
  const outsider = await newAccount(access)
  expectError(await outsider.get(`/projects/${scene.projectId}/policy`), 'forbidden')
  expectError(await outsider.get('/projects/2147483000/policy'), 'not_found')
})

test('the writer obeys the monthly budget of credits, for calls and on dates', async () => {
  const { api, projectId } = scene
  await policy({ monthly_budget: { article_credits: 1, crowdwork_dollars: null } })
  // The writer can make an article of these, so their credit does not come back.
  const { content, ...brief } = FULL
  const notes = { project_id: projectId, ...brief, source_content: content }
  expect((await api.post('/articles/generate', notes)).status).toBe(202)
  const refused = await api.post('/articles/generate', { ...notes, keyword: 'larch sheds' })
  expectError(refused, 'policy')
  expect(refused.body).toMatchObject({ rule: 'monthly_budget', project: projectId })
  const [left] = await scene.rows<{ credits: number; used: number }>(
    sql`select a.article_credits as credits, p.credits_used as used from projects p join accounts a on a.id = p.account_id where p.id = ${projectId}::int`,
  )
  expect(left?.used).toBe(1)
  const id = await write(scene, { status: 'Planned', scheduled_date: '2026-01-05T09:00:00Z', content: '' })
  await cron(access)
  expect(await scene.article(id)).toMatchObject({
    Status: 'Planned',
    PublishState: 'failed',
    PublishError: expect.stringContaining('monthly budget'),
  })
  await policy({ monthly_budget: { article_credits: 2, crowdwork_dollars: null } })
  await scene.rows(sql`update articles set write_after = null where id = ${id}::int`)
  await cron(access)
  // Of nothing but a keyword the writer can make no article, which it says as soon as it has begun.
  const { being_written: isWritten, GenerationError: end } = await scene.article(id)
  expect(isWritten || end !== null).toBe(true)
})
