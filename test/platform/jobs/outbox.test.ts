import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { everyMinute } from '../../../functions/jobs/crons.ts'
import { offerRows, type Queue, type Wake } from '../../../src/platform/jobs/queue.ts'
import {
  accessOf,
  awaitDeliveries,
  cron,
  flush,
  heal,
  openScene,
  type StackAccess,
  write,
} from '../../publishing/scene.ts'
import { systemDeps } from '../../publishing/system.ts'
import { type Api, newAccount, rowsIn, tell } from '../../support/client.ts'
import { borrowTestStack, type TestStack } from '../../support/stack.ts'
import { sweepTable } from '../../support/sweep.ts'

let stack: TestStack
let access: StackAccess
let api: Api
let offered: Wake[][]

const queue: Queue = {
  offer: async (wakes) => {
    offered.push(wakes)
    return []
  },
  isGenuine: async () => true,
}
const away: Queue = { ...queue, offer: () => Promise.reject(new Error('the queue is away')) }

beforeAll(async () => {
  stack = await borrowTestStack()
  access = accessOf(stack)
  api = await newAccount(access)
})
afterAll(() => stack.close())
beforeEach(async () => {
  offered = []
  await rowsIn(access, sql`delete from outbox`)
})

let rowNumber = 0
const newRow = async (columns: Record<string, string> = {}): Promise<number> => {
  rowNumber += 1
  const values = { run_at: 'now()', ...columns }
  const [row] = await rowsIn<{ id: string }>(
    access,
    sql`insert into outbox (account_id, job, key, payload, ${sql.raw(Object.keys(values).join(', '))})
      values (${api.accountId}::int, 'publishing.receipt', ${`row:${rowNumber}`}, '{"article_id": 1}', ${sql.raw(Object.values(values).join(', '))}) returning id`,
  )
  return Number(row?.id)
}
const ids = () => offered.flat().map(({ id }) => id)

test('a row is offered once, with a time and a number of its own', async () => {
  const id = await newRow()
  expect(await offerRows(systemDeps(access), queue)).toBe(1)
  expect(await offerRows(systemDeps(access), queue)).toBe(0)
  expect(offered.flat()).toMatchObject([{ id, offers: 1 }])
  expect(offered[0]?.[0]?.notBefore).toBeUndefined()
})

test('rows hours ahead are offered for their time, rows further ahead wait', async () => {
  const soon = await newRow({ run_at: `now() + interval '5 hours'` })
  await newRow({ run_at: `now() + interval '7 hours'` })
  await offerRows(systemDeps(access), queue)
  expect(ids()).toEqual([soon])
  const [wake] = offered.flat()
  expect((wake?.notBefore?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4.9 * 3_600_000)
})

test('a row in hand, done or dead is not offered', async () => {
  await newRow({ lease_until: `now() + interval '1 minute'` })
  await newRow({ done_at: 'now()' })
  await newRow({ dead_at: 'now()' })
  expect(await offerRows(systemDeps(access), queue)).toBe(0)
})

test('an offer without effect is made again after a minute, under another number', async () => {
  const fresh = await newRow({ offered_at: `now() - interval '30 seconds'`, run_at: `now() - interval '5 minutes'` })
  const lost = await newRow({
    offered_at: `now() - interval '61 seconds'`,
    run_at: `now() - interval '5 minutes'`,
    offers: '3',
  })
  await newRow({ offered_at: `now() - interval '5 minutes'`, run_at: 'now()' })
  await offerRows(systemDeps(access), queue)
  expect(offered.flat()).toMatchObject([{ id: lost, offers: 4 }])
  expect(ids()).not.toContain(fresh)
})

test('a run that died leaves its row to the sweep once its lease has ended', async () => {
  const stale = `now() - interval '5 minutes'`
  const id = await newRow({ lease_until: `now() - interval '1 second'`, offered_at: stale, run_at: stale })
  await offerRows(systemDeps(access), queue)
  expect(ids()).toEqual([id])
})

test('rows that the queue refuses are offered by the next sweep', async () => {
  const id = await newRow()
  expect(await offerRows(systemDeps(access), away)).toBe(0)
  expect(await offerRows(systemDeps(access), queue)).toBe(1)
  expect(offered.flat()).toMatchObject([{ id, offers: 2 }])
})

test('if the queue refuses one message of a batch, only its row is offered again', async () => {
  const [refused, taken] = [await newRow(), await newRow()]
  const picky: Queue = { ...queue, offer: async () => [{ id: refused, reason: 'quota maxRetries exceeded' }] }
  const lines: string[] = []
  const deps = systemDeps(access, { log: (...line) => void lines.push(JSON.stringify(line)) })
  expect(await offerRows(deps, picky)).toBe(1)
  expect(lines.join()).toContain('quota maxRetries exceeded')
  expect(await offerRows(systemDeps(access), queue)).toBe(1)
  expect(ids()).toEqual([refused])
  expect(ids()).not.toContain(taken)
})

const together: Queue = {
  isGenuine: async () => true,
  offer: (wakes) => queue.offer(wakes),
  together: new Set(['publishing.receipt']),
}

test('rows of a job share a message for the last one’s time; a row that ran before has its own', async () => {
  const from = Date.now() + 3_600_000
  const at = (seconds: number) => ({ run_at: `'${new Date(from + seconds * 1_000).toISOString()}'` })
  const near = [await newRow(at(30)), await newRow(at(35))]
  const far = await newRow(at(60))
  const failed = await newRow({ ...at(31), attempts: '1' })
  const died = await newRow({ ...at(32), lease_until: `now() - interval '1 second'` })
  expect(await offerRows(systemDeps(access), together)).toBe(5)
  const wakes = offered.flat()
  const withNear = wakes.find(({ id, also = [] }) => [id, ...also].includes(near[0] ?? 0))
  expect([withNear?.id, ...(withNear?.also ?? [])].sort()).toEqual(near.sort())
  expect(withNear?.notBefore).toEqual(new Date(from + 35_000))
  for (const alone of [far, failed, died]) expect(wakes.find(({ id }) => id === alone)?.also).toBeUndefined()
  expect(wakes).toHaveLength(4)
})

test('a message the queue refuses is offered again with all its rows', async () => {
  const made = await Promise.all([newRow(), newRow(), newRow()])
  const picky = { ...together, offer: async ([wake]: Wake[]) => [{ id: wake?.id ?? 0, reason: 'no' }] }
  expect(await offerRows(systemDeps(access), picky)).toBe(0)
  expect(await offerRows(systemDeps(access), together)).toBe(3)
  expect(
    offered
      .flat()
      .flatMap(({ id, also = [] }) => [id, ...also])
      .sort(),
  ).toEqual(made.sort())
})

test('offers without a run wait longer each time, and trigger an alarm', async () => {
  const ago = (seconds: number) => `now() - interval '${seconds} seconds'`
  const base = { run_at: ago(7_200), unanswered_offers: '4' }
  await newRow({ ...base, offered_at: ago(400) })
  const waited = await newRow({ ...base, offered_at: ago(490) })
  await offerRows(systemDeps(access), queue)
  expect(ids()).toEqual([waited])
  const unheard = await newRow({ ...base, unanswered_offers: '5', offered_at: ago(1_000) })
  const lines: string[] = []
  await offerRows(systemDeps(access, { log: (...line) => void lines.push(JSON.stringify(line)) }), queue)
  expect(ids()).toContain(unheard)
  expect(lines.join()).toContain('queue.not_arriving')
})

test('dead and late work is counted in the minute’s line and in /readyz', async () => {
  await newRow({ dead_at: 'now()' })
  await newRow({ run_at: `now() - interval '90 seconds'` })
  const lines: [string, Record<string, unknown>][] = []
  const deps = {
    ...systemDeps(access),
    log: (_: string, event: string, fields = {}) => void lines.push([event, fields]),
  }
  await everyMinute(deps, queue, new Date('2026-11-22T10:16:00Z'))
  const [, minute] = lines.find(([event]) => event === 'cron.minute') ?? expect.fail('no line')
  expect(minute).toMatchObject({ dead: 1 })
  expect(minute.overdue_s).toBeGreaterThanOrEqual(90)
  const { jobs } = (await (await fetch(`${access.url}/readyz`)).json()) as { jobs: Record<string, number> }
  expect(jobs.dead).toBe(1)
  expect(jobs.overdue_s).toBeGreaterThanOrEqual(90)
})

test('two sweeps at once hand out every row once', { tags: ['services'] }, async () => {
  const made = await Promise.all(Array.from({ length: 60 }, () => newRow()))
  const counts = await Promise.all(Array.from({ length: 4 }, () => offerRows(systemDeps(access), queue)))
  expect(counts.reduce((a, b) => a + b, 0)).toBe(60)
  expect(ids().sort((a, b) => a - b)).toEqual(made.sort((a, b) => a - b))
})

test('more rows than one batch: the oldest first, the rest with the next sweeps', async () => {
  await rowsIn(
    access,
    sql`insert into outbox (account_id, job, key, payload, run_at)
      select ${api.accountId}::int, 'publishing.receipt', 'bulk:' || n, '{"article_id": 1}', now() - n * interval '1 second' from generate_series(1, 150) n`,
  )
  expect(await offerRows(systemDeps(access), queue)).toBe(100)
  expect(await offerRows(systemDeps(access), queue)).toBe(50)
  expect(new Set(ids()).size).toBe(150)
})

test('rows done a week ago are forgotten; younger ones and open ones stay', async () => {
  await newRow({ done_at: `now() - interval '8 days'` })
  const kept = [
    await newRow({ done_at: `now() - interval '6 days'` }),
    await newRow({ run_at: `now() - interval '9 days'` }),
  ]
  await sweepTable(access, 'outbox')
  const rows = await rowsIn<{ id: string }>(access, sql`select id from outbox order by id`)
  expect(rows.map(({ id }) => Number(id))).toEqual(kept)
})

test('if the queue refuses everything, nothing is lost: the next cron offers it', async () => {
  const scene = await openScene(access)
  await scene.mood({ mode: 'down', times: 1 })
  await tell(access.qstashUrl, '/_faults', { path: '/v2/', status: 500 })
  const id = await write(scene)
  expect(await scene.publish(id)).toMatchObject({ status: 202, body: { status: 'retrying' } })
  await cron(access)
  await flush(access, true)
  expect(await scene.deliveries(id)).toHaveLength(1)
  await tell(access.qstashUrl, '/_faults')
  await heal(scene)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  expect(await scene.deliveries(id)).toHaveLength(2)
  await scene.receiver.close()
})

test('the queue taking an offer without saying so wakes the row twice, and it runs once', async () => {
  const scene = await openScene(access)
  await scene.mood({ mode: 'down', times: 1 })
  await tell(access.qstashUrl, '/_faults', { path: '/v2/', drop: 'after', times: 4 })
  const id = await write(scene)
  await scene.publish(id)
  await awaitDeliveries(scene, id, 2)
  await tell(access.qstashUrl, '/_faults')
  await heal(scene)
  expect(await scene.deliveries(id)).toHaveLength(2)
  expect(await scene.article(id)).toMatchObject({ Status: 'Published' })
  await scene.receiver.close()
})
