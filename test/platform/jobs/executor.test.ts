import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { execute } from '../../../src/platform/jobs/executor.ts'
import { type Handler, handle, type JobResult, type Next, registryOf } from '../../../src/platform/jobs/job.ts'
import { ApiError } from '../../../src/platform/lib/errors.ts'
import type { Ctx, Deps } from '../../../src/platform/runtime/ctx.ts'
import { systemDeps } from '../../publishing/system.ts'
import { type Api, newAccount, rowsIn } from '../../support/client.ts'
import { newOutboxRow, type OutboxRow, outboxRow } from './outbox-row.ts'

const stack = inject('stack')
let api: Api
let runs: unknown[]
let givenUp: unknown[]

beforeAll(async () => {
  api = await newAccount(stack)
})
beforeEach(() => {
  runs = []
  givenUp = []
})

const newRow = (job?: string, payload?: unknown) => newOutboxRow(stack, api.accountId, job, payload)
const rowOf = (id: number) => outboxRow(stack, id)

const job = (run: (payload: { n: number }) => Promise<JobResult>): Handler =>
  handle(
    { name: 'test.job', pace: undefined, whenClosed: 'ends', payload: z.object({ n: z.number() }) },
    {
      run: (_, payload) => {
        runs.push(payload)
        return run(payload)
      },
      gaveUp: async (_, payload, reason) => void givenUp.push({ ...payload, reason }),
    },
  )

const DAY_MS = 86_400_000

/**
 * Returns a clock that only `passed` moves, so that the test decides how long a run takes.
 *
 * It is a day ahead, so that no sweep runs postponed rows.
 */
const clock = (passed: () => number = () => 0): (() => Date) => {
  const startedAt = Date.now() + DAY_MS
  return () => new Date(startedAt + passed())
}

const runRows = (ids: readonly number[], definition: Handler, changes: Partial<Deps> = {}) =>
  execute(
    systemDeps(stack, { now: clock(), ...changes }),
    registryOf([definition]),
    JSON.stringify({ outbox_id: ids[0], also: ids.slice(1) }),
    () => {},
  )

const runRow = (id: number, definition: Handler, changes: Partial<Deps> = {}) => runRows([id], definition, changes)

describe('the end of a run', () => {
  test.each<[string, JobResult]>([
    ['done', { kind: 'done' }],
    ['given up', { kind: 'never', reason: 'no' }],
  ])('%s, after the same work was requested: it runs once more', async (_, result) => {
    const id = await newRow()
    const woken = vi.fn(async () => {})
    const again = job(async () => {
      // As `enqueue` with `open: 'move'` does, which meets the row of this run.
      if (runs.length === 1)
        await rowsIn(
          stack,
          sql`update outbox set run_at = now() + interval '29 days', offered_at = null where id = ${id}`,
        )
      return result
    })
    await runRow(id, again, { wakeQueue: woken })
    expect(await rowOf(id)).toMatchObject({ done: false, dead: false, leased: false, attempts: 0 })
    expect(woken).toHaveBeenCalledTimes(1)
    await runRow(id, again, { wakeQueue: woken })
    expect(runs).toHaveLength(2)
    expect(await rowOf(id)).toMatchObject({ done: result.kind === 'done', dead: result.kind === 'never' })
    expect(woken).toHaveBeenCalledTimes(1)
  })

  test('later, after the same work was requested at once: it runs at once', async () => {
    const id = await newRow()
    const asked = new Date(Date.now() + 20 * DAY_MS)
    const later = job(async () => {
      // As `enqueue` with `open: 'move'` does, which meets the row of this run.
      await rowsIn(
        stack,
        sql`update outbox set run_at = ${asked.toISOString()}::timestamptz, offered_at = null where id = ${id} returning id`,
      )
      return { kind: 'later', at: new Date(asked.getTime() + 20 * DAY_MS) }
    })
    await runRow(id, later)
    expect(new Date((await rowOf(id)).run_at).getTime()).toBe(asked.getTime())
  })

  test('a run that is done answers 200 and never runs again', async () => {
    const id = await newRow()
    const done = job(async () => ({ kind: 'done' }))
    expect(await runRow(id, done)).toMatchObject({ status: 200 })
    expect(await rowOf(id)).toMatchObject({ done: true, dead: false, leased: false, attempts: 1 })
    expect(await runRow(id, done)).toEqual({ status: 200, body: { nothing_to_do: true } })
    expect(runs).toEqual([{ n: 1 }])
  })

  test('again: 500 with the reason kept, free for the next run', async () => {
    const id = await newRow()
    const again = job(async () => ({ kind: 'again', reason: 'not yet' }))
    expect(await runRow(id, again)).toMatchObject({ status: 500 })
    expect(await rowOf(id)).toMatchObject({ done: false, dead: false, leased: false, last_error: 'not yet' })
    expect(await runRow(id, again)).toMatchObject({ status: 500 })
    expect(runs).toHaveLength(2)
  })

  test('a run that failed twenty times answers 489, and its row is dead', async () => {
    const id = await newRow()
    const again = job(async () => ({ kind: 'again', reason: 'not yet' }))
    for (let n = 1; n < 20; n += 1) expect(await runRow(id, again)).toMatchObject({ status: 500 })
    expect(await runRow(id, again)).toMatchObject({ status: 489 })
    expect(await rowOf(id)).toMatchObject({ dead: true, attempts: 20 })
    expect((await rowOf(id)).last_error).toContain('not yet')
    expect(await runRow(id, again)).toMatchObject({ status: 200, body: { nothing_to_do: true } })
  })

  test('a run that ends as never answers 489, and its row is dead with the reason', async () => {
    const id = await newRow()
    expect(
      await runRow(
        id,
        job(async () => ({ kind: 'never', reason: 'no use' })),
      ),
    ).toMatchObject({ status: 489 })
    expect(await rowOf(id)).toMatchObject({ dead: true, leased: false, last_error: 'no use' })
  })

  test('later: 200, woken at its time', async () => {
    const id = await newRow()
    const at = new Date(Date.now() + 40 * 86_400_000)
    expect(
      await runRow(
        id,
        job(async () => ({ kind: 'later', at })),
      ),
    ).toMatchObject({ status: 200 })
    const row = await rowOf(id)
    expect(row).toMatchObject({ done: false, dead: false, leased: false })
    expect(new Date(row.run_at).getTime()).toBe(at.getTime())
  })

  test('waiting, however often, is no failure: the count starts again', async () => {
    const id = await newRow()
    const at = new Date(Date.now() + 40 * 86_400_000)
    for (let n = 0; n < 25; n += 1)
      await runRow(
        id,
        job(async () => ({ kind: n % 2 ? 'settled' : 'later', at })),
      )
    expect(await rowOf(id)).toMatchObject({ done: false, dead: false, attempts: 0 })
    expect(
      await runRow(
        id,
        job(async () => ({ kind: 'again', reason: 'not yet' })),
      ),
    ).toMatchObject({ status: 500 })
    expect(await rowOf(id)).toMatchObject({ dead: false, attempts: 1 })
  })

  /** Returns the row that follows on a run: another row of the account, written as held, with this payload. */
  const following = (n: number): Next => ({
    held: (leaseUntil) =>
      sql`insert into outbox (account_id, job, key, payload, run_at, offered_at, lease_until, attempts)
        values (${api.accountId}::int, 'test.job', ${crypto.randomUUID()}, ${JSON.stringify({ n })}::jsonb, now() + interval '30 days',
          now() + interval '30 days', ${leaseUntil.toISOString()}::timestamptz, 1) returning id, payload`,
    queued: async () => void queued.push(n),
  })
  let queued: number[] = []
  beforeEach(() => {
    queued = []
  })

  const rowsWith = (ns: readonly number[]) =>
    rowsIn<OutboxRow & { n: string }>(
      stack,
      sql`select payload->>'n' as n, attempts, done_at is not null as done, dead_at is not null as dead, lease_until is not null as leased,
        last_error, run_at from outbox where account_id = ${api.accountId}::int and payload->>'n' = any(${sql.param(ns.map(String))}::text[]) order by id`,
    )

  test('following work runs at once, row by row, and new work is offered once at the end', async () => {
    const woken = vi.fn(async () => {})
    const id = await newRow('test.job', { n: 101 })
    const chain = job(async ({ n }) => (n < 103 ? { kind: 'done', next: following(n + 1) } : { kind: 'done' }))
    const waking = {
      ...chain,
      run: async (ctx: Ctx, payload: unknown) => {
        void ctx.wakeQueue()
        return await chain.run(ctx, payload)
      },
    }
    expect(await runRow(id, waking, { wakeQueue: woken })).toEqual({ status: 200, body: { done: true } })
    expect(runs).toEqual([{ n: 101 }, { n: 102 }, { n: 103 }])
    const ended = { attempts: 1, done: true, leased: false }
    expect(await rowsWith([101, 102, 103])).toMatchObject([ended, ended, ended])
    expect(woken).toHaveBeenCalledTimes(1)
    expect(queued).toEqual([])
  })

  test('a run that follows and fails is tried again in a moment, by the queue; the message before it had its reply', async () => {
    const woken = vi.fn(async () => {})
    const id = await newRow('test.job', { n: 201 })
    const chain = job(async ({ n }) =>
      n === 201 ? { kind: 'done', next: following(202) } : { kind: 'again', reason: 'not yet' },
    )
    expect(await runRow(id, chain, { wakeQueue: woken })).toMatchObject({ status: 200 })
    const [row] = await rowsWith([202])
    expect(row).toMatchObject({ done: false, dead: false, leased: false, attempts: 1, last_error: 'not yet' })
    expect(new Date(row?.run_at ?? 0).getTime() - Date.now()).toBeLessThan(DAY_MS + 15_000)
    expect(woken).toHaveBeenCalledTimes(1)
  })

  test('a run continues for 20 s; later follow-up work is left to the queue', async () => {
    const id = await newRow('test.job', { n: 301 })
    let passedMs = 0
    const chain = job(async ({ n }) => {
      passedMs += 8_000
      return { kind: 'done', next: following(n + 1) }
    })
    await runRow(id, chain, { now: clock(() => passedMs) })
    expect(runs).toEqual([{ n: 301 }, { n: 302 }, { n: 303 }])
    expect(queued).toEqual([304])
  })

  test('the other free rows of a message run after the first; a failure affects only its own row', async () => {
    const ids = await Promise.all([401, 402, 403, 404].map((n) => newRow('test.job', { n })))
    await rowsIn(stack, sql`update outbox set lease_until = now() + interval '2 days' where id = ${ids[1]}`)
    const some = job(async ({ n }) => (n === 403 ? { kind: 'again', reason: 'not yet' } : { kind: 'done' }))
    expect(await runRows(ids, some)).toEqual({ status: 200, body: { done: true } })
    expect(runs).toEqual([{ n: 401 }, { n: 403 }, { n: 404 }])
    const rows = await Promise.all(ids.map(rowOf))
    expect(rows.map(({ done }) => done)).toEqual([true, false, false, true])
    expect(rows[2]).toMatchObject({ leased: false, attempts: 1, last_error: 'not yet' })
    expect(await runRows(ids, some)).toMatchObject({ body: { nothing_to_do: true } })
    expect(runs).toEqual([{ n: 401 }, { n: 403 }, { n: 404 }, { n: 403 }])
  })

  test('rows of a message that do not start within 20 s are offered again', async () => {
    const ids = await Promise.all([501, 502, 503, 504].map((n) => newRow('test.job', { n })))
    await rowsIn(stack, sql`update outbox set offered_at = now() where id = any(${sql.param(ids)}::bigint[])`)
    const woken = vi.fn(async () => {})
    let passedMs = 0
    const slow = job(async () => {
      passedMs += 12_000
      return { kind: 'done' }
    })
    await runRows(ids, slow, { now: clock(() => passedMs), wakeQueue: woken })
    expect(runs).toEqual([{ n: 501 }, { n: 502 }])
    const offered = await rowsIn<{ id: string }>(
      stack,
      sql`select id from outbox where id = any(${sql.param(ids)}::bigint[]) and offered_at is null order by id`,
    )
    expect(offered.map(({ id }) => Number(id))).toEqual(ids.slice(2).sort((a, b) => a - b))
    expect(woken).toHaveBeenCalledTimes(1)
  })

  test('the last statements of a run and the end of its row happen together or not at all', async () => {
    const noting = sql`update outbox set request_id = 'written' where payload->>'n' = '601' returning id`
    const failing = sql`select 1 / (select count(*) - count(*) from outbox)`
    const id = await newRow('test.job', { n: 601 })
    const fails = job(async () => ({ kind: 'done', last: [noting, failing] }))
    expect(await runRow(id, fails)).toMatchObject({ status: 500 })
    expect(await rowOf(id)).toMatchObject({ done: false, leased: false, attempts: 1, last_error: 'internal' })
    expect(
      await runRow(
        id,
        job(async () => ({ kind: 'done', last: [noting] })),
      ),
    ).toMatchObject({ status: 200 })
    expect(await rowOf(id)).toMatchObject({ done: true, leased: false })
    const [row] = await rowsIn<{ request_id: string }>(stack, sql`select request_id from outbox where id = ${id}`)
    expect(row?.request_id).toBe('written')
  })

  test('a job with an unknown name or payload waits a day for a Worker that knows it, then is dead', async () => {
    const done = job(async () => ({ kind: 'done' }))
    const misfit = await newRow('test.job', { n: 'one' })
    const unknown = await newRow('test.unknown')
    for (const id of [misfit, unknown]) {
      const reply = await runRow(id, done, { now: () => new Date() })
      expect(reply).toMatchObject({ status: 200, body: { later: expect.any(String) } })
      const waitMs = new Date(String(reply.body.later)).getTime() - Date.now()
      expect(waitMs).toBeGreaterThan(9 * 60_000)
      expect(waitMs).toBeLessThanOrEqual(10 * 60_000)
      expect(await rowOf(id)).toMatchObject({ dead: false, leased: false })
    }
    const dayLater = { now: () => new Date(Date.now() + 86_500_000) }
    expect(await runRow(misfit, done, dayLater)).toMatchObject({ status: 489 })
    expect(await runRow(unknown, done, dayLater)).toMatchObject({ status: 489 })
    expect(await rowOf(unknown)).toMatchObject({ dead: true, last_error: 'no job named test.unknown' })
    expect(runs).toEqual([])
  })

  test('a job that keeps crashing its process is given up before another run', async () => {
    const id = await newRow()
    const done = job(async () => ({ kind: 'done' }))
    const dies = { step: () => Promise.reject(new Error('died')) }
    const at = (minutes: number) => ({ now: () => new Date(Date.now() + minutes * 180_000) })
    for (let n = 0; n < 4; n += 1) await expect(runRow(id, done, { ...dies, ...at(n) })).rejects.toThrow('died')
    expect(await runRow(id, done, at(4))).toMatchObject({ status: 489 })
    expect(runs).toEqual([])
    expect(givenUp).toEqual([{ n: 1, reason: 'gave up: 4 runs crashed without reporting' }])
    expect(await rowOf(id)).toMatchObject({ dead: true })
  })

  test.each([
    ['another lease', "attempts = 1, lease_until = now() + interval '300 seconds'", 1],
    ['another attempt', 'attempts = attempts + 1', 2],
  ])('a run that was overtaken by %s writes nothing, whatever its result', async (_, taken, attempts) => {
    const results: JobResult[] = [
      { kind: 'done' },
      { kind: 'settled' },
      { kind: 'later', at: new Date(Date.now() + 50 * 86_400_000) },
      { kind: 'again', reason: 'slow' },
      { kind: 'never', reason: 'slow' },
    ]
    for (const result of results) {
      const id = await newRow()
      // While this run stalls past its lease another takes the row, waits, and a third has it in hand.
      const stalls = job(async () => {
        await rowsIn(stack, sql`update outbox set ${sql.raw(taken)} where id = ${id}`)
        return result
      })
      await runRow(id, stalls)
      expect(await rowOf(id), result.kind).toMatchObject({
        done: false,
        dead: false,
        leased: true,
        attempts,
        last_error: null,
      })
    }
  })

  test('a refusal of ours is tried again under its code; the message of any other error is not passed on', async () => {
    const refused = await newRow()
    const apiError = job(() => Promise.reject(new ApiError('unavailable', 'away')))
    expect(await runRow(refused, apiError)).toEqual({ status: 500, body: { reason: 'unavailable' } })
    const thrown = await newRow()
    const lines: string[] = []
    const throwing = job(() => Promise.reject(new Error('select secret from somewhere')))
    const reply = await runRow(thrown, throwing, { log: (...line) => void lines.push(JSON.stringify(line)) })
    expect(reply).toEqual({ status: 500, body: { reason: 'internal' } })
    expect(lines.join()).toContain('job.failed')
    expect(lines.join()).not.toContain('secret')
  })
})

describe('one run at a time', () => {
  test('two messages for one row: one runs, the other finds nothing to do', { tags: ['services'] }, async () => {
    const id = await newRow()
    let finish = () => {}
    const until = new Promise<void>((resolve) => {
      finish = resolve
    })
    let started = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    const slow = job(async () => {
      started()
      await until
      return { kind: 'done' }
    })
    const first = runRow(id, slow)
    await running
    expect(await runRow(id, slow)).toEqual({ status: 200, body: { nothing_to_do: true } })
    finish()
    expect(await first).toMatchObject({ status: 200, body: { done: true } })
    expect(runs).toHaveLength(1)
  })

  test('ten messages at the same moment: one runs', { tags: ['services'] }, async () => {
    const id = await newRow()
    const done = job(async () => ({ kind: 'done' }))
    const replies = await Promise.all(Array.from({ length: 10 }, () => runRow(id, done)))
    expect(replies.filter((r) => r.body.done === true)).toHaveLength(1)
    expect(runs).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ attempts: 1 })
  })

  test('a crashed run keeps its row only until the lease ends', async () => {
    const id = await newRow()
    const died = runRow(
      id,
      job(async () => ({ kind: 'done' })),
      {
        step: () => Promise.reject(new Error('died')),
      },
    )
    await expect(died).rejects.toThrow('died')
    const done = job(async () => ({ kind: 'done' }))
    expect(await runRow(id, done)).toMatchObject({ body: { nothing_to_do: true } })
    const later = { now: clock(() => 121_000) }
    expect(await runRow(id, done, later)).toMatchObject({ status: 200, body: { done: true } })
    expect(runs).toHaveLength(1)
  })
})
