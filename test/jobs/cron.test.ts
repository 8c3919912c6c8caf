import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { setAccount } from '../../src/accounts/admin.ts'
import { takeDueArticles } from '../../src/publishing/due.ts'
import { cron, flush, heal, type Means, meansOf, openScene, type Scene, write } from '../publishing/scene.ts'
import { systemDeps } from '../publishing/system.ts'
import { rowsIn, runnerOf, tell } from '../support/client.ts'
import { startTestStack, type TestStack } from '../support/stack.ts'

let stack: TestStack
let means: Means
let scene: Scene

beforeAll(async () => {
  stack = await startTestStack({ timeScale: 100 })
  means = meansOf(stack)
})
afterAll(() => stack.close())
beforeEach(async () => {
  scene = await openScene(means, { publishing_status: 'Publish Immediately', timezone: 'Europe/Berlin' })
})
afterEach(() => scene.receiver.close())

const planned = (scheduled_date: string, fields: Record<string, unknown> = {}) =>
  write(scene, { status: 'Planned', scheduled_date, ...fields })
const takeAt = (instant: string) => takeDueArticles(systemDeps(means, { now: () => new Date(instant) }))

test('an article is due at its instant and not a moment before, also across a change of clocks', async () => {
  // 02:30 does not exist on this night in Berlin; the clock goes from 02:00 to 03:00 at 01:00 UTC.
  await planned('2027-03-28T02:30:00')
  expect(await takeAt('2027-03-28T01:29:59.999Z')).toEqual({ taken: 0, drafted: 0 })
  expect(await takeAt('2027-03-28T01:30:00.000Z')).toEqual({ taken: 1, drafted: 0 })
  // 02:30 is shown twice on this one, first at 00:30 UTC.
  await planned('2027-10-31T02:30:00')
  expect(await takeAt('2027-10-31T00:29:59.999Z')).toEqual({ taken: 0, drafted: 0 })
  expect(await takeAt('2027-10-31T00:30:00.000Z')).toEqual({ taken: 1, drafted: 0 })
})

test('each due article is taken once', async () => {
  await planned('2030-01-01T00:00:00Z')
  expect(await takeAt('2030-01-02T00:00:00Z')).toEqual({ taken: 1, drafted: 0 })
  expect(await takeAt('2030-01-03T00:00:00Z')).toEqual({ taken: 0, drafted: 0 })
})

test('two crons at the same moment take every article once', async () => {
  await Promise.all(Array.from({ length: 30 }, () => planned('2026-01-05T09:00:00Z')))
  const results = await Promise.all(Array.from({ length: 4 }, () => takeDueArticles(systemDeps(means))))
  expect(results.reduce((sum, { taken }) => sum + taken, 0)).toBe(30)
  const [jobs] = await scene.rows<{ count: string }>(
    sql`select count(*) as count from outbox where account_id = ${scene.api.accountId}::int and job = 'publishing.publish_due'`,
  )
  expect(Number(jobs?.count)).toBe(30)
  await heal(scene)
  expect(await scene.deliveries()).toHaveLength(30)
  expect(await scene.posts()).toHaveLength(30)
})

test('the cron fired several times at once, all the way: every article once', async () => {
  await Promise.all(Array.from({ length: 12 }, () => planned('2026-01-05T09:00:00Z')))
  await Promise.all(Array.from({ length: 3 }, () => cron(means)))
  await flush(means, true)
  await heal(scene)
  expect(await scene.deliveries()).toHaveLength(12)
  expect(await scene.posts()).toHaveLength(12)
})

test('after an outage the articles that were due go late, not lost', async () => {
  const id = await planned('2026-01-05T09:00:00Z')
  await tell(means.neonUrl, '/_faults', { status: 500 })
  await expect(cron(means)).rejects.toThrow('the cron failed')
  await tell(means.neonUrl, '/_faults')
  await cron(means)
  await flush(means, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('a suspended account waits; active again, its article goes', async () => {
  const id = await planned('2026-01-05T09:00:00Z')
  const suspend = (suspended: boolean) => setAccount(runnerOf(means), String(scene.api.accountId), { suspended })
  await suspend(true)
  await cron(means)
  await flush(means, true)
  expect(await scene.deliveries()).toHaveLength(0)
  await suspend(false)
  await cron(means)
  await flush(means, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('articles of one account are not held up by another’s', async () => {
  await planned('2026-01-05T09:00:00Z', { content: '' })
  const other = await openScene(means, { publishing_status: 'Publish Immediately' })
  const id = await write(other, { status: 'Planned', scheduled_date: '2026-01-06T09:00:00Z' })
  await cron(means)
  await flush(means, true)
  expect(await other.article(id)).toMatchObject({ Status: 'Published' })
  await other.receiver.close()
})

test('more due articles than one minute takes: all of them within a few', async () => {
  await rowsIn(
    means,
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at)
      select ${scene.api.accountId}::int, ${scene.projectId}::int, 'Planned', 'Article ' || n, 'word ' || n, 'bulk-' || n, '<p>Words.</p>', now() - interval '1 hour'
      from generate_series(1, 230) n`,
  )
  const first = await takeDueArticles(systemDeps(means))
  const second = await takeDueArticles(systemDeps(means))
  expect([first.taken, second.taken]).toEqual([200, 30])
  await heal(scene)
  const [row] = await scene.rows<{ count: string }>(
    sql`select count(*) as count from articles where project_id = ${scene.projectId}::int and status = 'Published'`,
  )
  expect(Number(row?.count)).toBe(230)
  expect(await scene.posts()).toHaveLength(230)
}, 60_000)
