import { sql } from 'drizzle-orm'
import { beforeAll, expect, inject, test } from 'vitest'
import { listDeadAndLate, retryJob, showJob } from '../../../src/platform/jobs/admin.ts'
import { type Api, newAccount, rowsIn, runnerOf } from '../../support/client.ts'

const stack = inject('stack')
const run = runnerOf(stack)
let api: Api

beforeAll(async () => {
  api = await newAccount(stack)
})

const newRow = async (key: string, columns: Record<string, string>): Promise<number> => {
  const values = { run_at: `now() + interval '30 days'`, ...columns }
  const [row] = await rowsIn<{ id: string }>(
    stack,
    sql`insert into outbox (account_id, job, key, payload, ${sql.raw(Object.keys(values).join(', '))})
      values (${api.accountId}::int, 'test.nothing', ${key}, '{"n": 1}', ${sql.raw(Object.values(values).join(', '))}) returning id`,
  )
  return Number(row?.id)
}

test('a job that was given up is listed with its reason, runs again when retried, and leaves an audit row', async () => {
  const id = await newRow(crypto.randomUUID(), { dead_at: 'now()', last_error: `'no use'`, attempts: '20' })
  const listed = (await listDeadAndLate(run, 100)).find((row) => Number(row.id) === id)
  expect(listed).toMatchObject({ state: 'dead', last_error: 'no use', payload: { n: 1 } })
  expect(await retryJob(run, id)).toMatchObject({ attempts: 0 })
  // No Worker knows this job: one that gets it postpones it at once.
  await expect.poll(async () => (await showJob(run, id)).state).toBe('waiting')
  const [audit] = await rowsIn<{ actor: string }>(
    stack,
    sql`select actor from audit_log where account_id = ${api.accountId}::int and action = 'job.retry' and subject = ${`job:${id}`}`,
  )
  expect(audit).toEqual({ actor: 'operator' })
  await rowsIn(stack, sql`delete from outbox where id = ${id}`)
})

test('done, running and replaced jobs are not retried, with the reason', async () => {
  const done = await newRow(crypto.randomUUID(), { done_at: 'now()' })
  await expect(retryJob(run, done)).rejects.toThrow(`Job ${done} is done; there is nothing to retry.`)
  const running = await newRow(crypto.randomUUID(), { lease_until: `now() + interval '1 minute'` })
  await expect(retryJob(run, running)).rejects.toThrow(`Job ${running} is running`)
  const key = crypto.randomUUID()
  const replaced = await newRow(key, { dead_at: 'now()' })
  await newRow(key, {})
  await expect(retryJob(run, replaced)).rejects.toThrow('took the place of job')
  await expect(retryJob(run, 2_000_000_000)).rejects.toThrow('There is no job 2000000000.')
})
