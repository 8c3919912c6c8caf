import { sql } from 'drizzle-orm'
import { expect, inject, it } from 'vitest'
import type { Deps } from '../../../src/platform/runtime/ctx.ts'
import { systemDeps } from '../../publishing/system.ts'
import { newAccount, rowsIn } from '../../support/client.ts'
import { sweepTable } from '../../support/sweep.ts'

const stack = inject('stack')

/** The means of a clean-up, and how many rows each of its statements took. */
const watched = (): { deps: Deps; taken: number[] } => {
  const deps = systemDeps(stack)
  const taken: number[] = []
  const execute = async (statement: Parameters<Deps['db']['execute']>[0]) => {
    const result = await deps.db.execute(statement)
    taken.push(result.rowCount ?? 0)
    return result
  }
  const db = new Proxy(deps.db, { get: (of, name) => (name === 'execute' ? execute : Reflect.get(of, name, of)) })
  return { deps: { ...deps, db }, taken }
}

const MANY = 1_500

it.each([
  [
    'kept answers',
    sql`insert into idempotency_records (account_id, operation, key, fingerprint, expires_at, lease_until)
      select a.id, 'test', n::text, '', now() + case when n > ${MANY} then interval '1 hour' else interval '-1 day' end, now()
      from accounts a, generate_series(1, ${MANY} + 2) n`,
    'idempotency_records',
  ],
  [
    'done work',
    sql`insert into outbox (account_id, job, key, payload, run_at, done_at)
      select a.id, 'test', 'clean-up:' || a.id || ':' || n, '{}', now(), now() - case when n > ${MANY} then interval '6 days' else interval '8 days' end
      from accounts a, generate_series(1, ${MANY} + 2) n`,
    'outbox',
  ],
] as const)('deletes old rows of %s in batches and keeps the rest', async (_, made, table) => {
  const { accountId } = await newAccount(stack)
  await rowsIn(stack, sql`${made} where a.id = ${accountId}::int`)
  const { deps, taken } = watched()
  expect(await sweepTable(stack, table, deps)).toBeGreaterThanOrEqual(MANY)
  expect(Math.max(...taken)).toBeLessThanOrEqual(1_000)
  const [left] = await rowsIn<{ n: number }>(
    stack,
    sql`select count(*)::int as n from ${sql.identifier(table)} where account_id = ${accountId}::int`,
  )
  expect(left?.n).toBe(2)
})
