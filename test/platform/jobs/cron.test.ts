import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setAccount } from '../../../src/platform/accounts/admin.ts'
import { claimDueArticles } from '../../../src/publishing/send/clock.ts'
import { eachInItsScene } from '../../publishing/each-scene.ts'
import { cron, flush, heal, openScene, write } from '../../publishing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { loseMessages, loseNoMessages } from '../../publishing/waits.ts'
import { newProject, rowsIn, runnerOf, tell } from '../../support/client.ts'

const { access, scene } = eachInItsScene({
  publishing_status: 'Publish Immediately',
  timezone: 'Europe/Berlin',
})

const planned = (scheduled_date: string, fields: Record<string, unknown> = {}) =>
  write(scene, { status: 'Planned', scheduled_date, ...fields })
const takeAt = (instant: string) => claimDueArticles(systemDeps(access, { now: () => new Date(instant) }))

/** Publishing jobs the account ever had. */
const queued = async (): Promise<number> => {
  const [jobs] = await scene.rows<{ count: string }>(
    sql`select count(*) as count from outbox where account_id = ${scene.api.accountId}::int and job = 'publishing.publish_due'`,
  )
  return Number(jobs?.count)
}

/** Marks taken articles as published, because a day's late articles go out one after the other. */
const publishTaken = () =>
  scene.rows(
    sql`update articles set status = 'Published', published_at = now() where account_id = ${scene.api.accountId}::int and due_taken_at is not null`,
  )

test('an article is due at its instant and not a moment before, also across a change of clocks', async () => {
  // 02:30 does not exist on this night in Berlin; the clock goes from 02:00 to 03:00 at 01:00 UTC.
  await planned('2027-03-28T02:30:00')
  expect(await takeAt('2027-03-28T01:29:59.999Z')).toEqual({ taken: 0, drafted: 0 })
  expect(await takeAt('2027-03-28T01:30:00.000Z')).toEqual({ taken: 1, drafted: 0 })
  await publishTaken()
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

test('simultaneous crons take one article of a project, once; the others follow, each once', {
  tags: ['services'],
}, async () => {
  await Promise.all(Array.from({ length: 15 }, () => planned('2099-01-05T09:00:00Z')))
  await loseMessages(access)
  await scene.rows(sql`update articles set scheduled_at = now() where account_id = ${scene.api.accountId}::int`)
  const results = await Promise.all(Array.from({ length: 4 }, () => claimDueArticles(systemDeps(access))))
  expect(results.reduce((sum, { taken }) => sum + taken, 0)).toBe(1)
  expect(await queued()).toBe(1)
  await loseNoMessages(access)
  await heal(scene)
  expect(await queued()).toBe(15)
  expect(await scene.deliveries()).toHaveLength(15)
  expect(await scene.posts()).toHaveLength(15)
})

test('the cron fired several times at once, all the way: every article once', { tags: ['services'] }, async () => {
  await Promise.all(Array.from({ length: 12 }, () => planned('2026-01-05T09:00:00Z')))
  await Promise.all(Array.from({ length: 3 }, () => cron(access)))
  await flush(access, true)
  await heal(scene)
  expect(await scene.deliveries()).toHaveLength(12)
  expect(await scene.posts()).toHaveLength(12)
})

test('after an outage the articles that were due go late, not lost', async () => {
  const id = await planned('2026-01-05T09:00:00Z')
  await tell(access.neonUrl, '/_faults', { status: 500 })
  await expect(cron(access)).rejects.toThrow('the cron failed')
  await tell(access.neonUrl, '/_faults')
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  expect(await scene.deliveries(id)).toHaveLength(1)
})

test('a step of the minute that fails stops no other', async () => {
  const id = await planned('2026-01-05T09:00:00Z')
  await tell(access.neonUrl, '/_faults', { body: 'article_credits', status: 500, times: 1 })
  await expect(cron(access)).rejects.toThrow('the cron failed')
  await tell(access.neonUrl, '/_faults')
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('a suspended account waits; active again, its article goes', async () => {
  const id = await planned('2026-01-05T09:00:00Z')
  const suspend = (suspended: boolean) => setAccount(runnerOf(access), String(scene.api.accountId), { suspended })
  await suspend(true)
  await cron(access)
  await flush(access, true)
  expect(await scene.deliveries()).toHaveLength(0)
  await suspend(false)
  await cron(access)
  await flush(access, true)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
})

test('articles of one account do not wait for another’s', async () => {
  await planned('2026-01-05T09:00:00Z', { content: '' })
  const other = await openScene(access, { publishing_status: 'Publish Immediately' })
  const id = await write(other, { status: 'Planned', scheduled_date: '2026-01-06T09:00:00Z' })
  await cron(access)
  await flush(access, true)
  expect(await other.article(id)).toMatchObject({ Status: 'Published' })
  await other.receiver.close()
})

test('a project with many late articles does not delay another’s', async () => {
  const other = await openScene(access, { publishing_status: 'Publish Immediately' })
  const drafts = await newProject(scene.api, { publishing_status: 'Save as Drafts' })
  await rowsIn(
    access,
    sql`insert into articles (account_id, project_id, status, title, main_keyword, slug, content, scheduled_at)
      select ${scene.api.accountId}::int, project, 'Planned', 'Article ' || n, 'word ' || n, 'bulk-' || n, '<p>Words.</p>', now() + interval '1 year'
      from generate_series(1, 450) n, unnest(${sql.param([scene.projectId, drafts])}::int[]) project`,
  )
  const id = await write(other, { status: 'Planned', scheduled_date: '2099-01-05T09:00:00Z' })
  await loseMessages(access)
  await rowsIn(
    access,
    sql`update articles set scheduled_at = case when id = ${id}::int then now() - interval '1 minute' else now() - interval '2 hours' end
      where account_id in (${scene.api.accountId}::int, ${other.api.accountId}::int)`,
  )
  expect(await claimDueArticles(systemDeps(access))).toEqual({ taken: 2, drafted: 450 })
  await loseNoMessages(access)
  await other.receiver.close()
})
