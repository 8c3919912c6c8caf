/** @module-tag services */
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openScene, type Scene, write } from '../../publishing/scene.ts'
import { anotherKey, rowsIn } from '../../support/client.ts'
import { setPolicy } from './set.ts'

const stack = inject('stack')

/** Class of the advisory lock that shows a test that another claim holds its rows. */
const CLAIMED = 4711

let scene: Scene

beforeEach(async () => {
  scene = await openScene(stack)
})
afterEach(() => scene.receiver.close())

// The embedded database has one connection, so nothing there waits for another transaction.
test.runIf(process.env.DATABASE_URL)(
  'a publication that is committed while a call waits takes the last place of the day',
  async () => {
    const [other, article] = [await write(scene), await write(scene)]
    await scene.publish(other)
    const of = `where article_id = ${other}`
    await rowsIn(stack, sql.raw(`update deliveries set created_at = now() - interval '2 days' ${of}`))
    await setPolicy(stack, scene.projectId, { max_publications_per_day: 1 })
    // Holds the locks of another claim of the project, and commits when the call waits for it.
    const { accountId } = scene.api
    const claiming = rowsIn(
      stack,
      sql.raw(`do $$ begin
      perform 1 from policies where project_id = ${scene.projectId} for no key update;
      perform 1 from accounts where id = ${accountId} for no key update;
      update deliveries set created_at = now() ${of};
      perform pg_advisory_xact_lock(${CLAIMED}, ${accountId});
      while not exists (select from pg_locks where not granted and pg_blocking_pids(pid) @> array[pg_backend_pid()]) loop
        perform pg_sleep(0.01);
      end loop;
    end $$`),
    )
    const claimed = sql`select 1 from pg_locks where locktype = 'advisory' and classid = ${CLAIMED} and objid = ${accountId}
    and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(() => rowsIn(stack, claimed)).toHaveLength(1)
    const { status, body } = await scene.publish(article)
    await claiming
    expect([status, body.rule]).toEqual([403, 'max_publications_per_day'])
  },
)

test('calls at once never publish more articles than a day may have', async () => {
  await setPolicy(stack, scene.projectId, { max_publications_per_day: 3 })
  const ids = await Promise.all(Array.from({ length: 8 }, () => write(scene)))
  const answers = await Promise.all(
    ids.map(async (id) => (await anotherKey(stack, scene.api)).post(`/articles/${id}/publish`)),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  for (const { status, body } of answers)
    if (status !== 200) expect(body).toMatchObject({ code: 'policy', rule: 'max_publications_per_day' })
  expect(await scene.posts()).toHaveLength(3)
})
