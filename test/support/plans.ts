import { type SQL, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rowsIn } from './client.ts'
import type { SharedStack } from './global.ts'

type Plan = { 'QUERY PLAN': [{ Plan: Record<string, number>; 'Execution Time': number }] | string }

/** Runs a query; how many blocks of the database it looked at, and how long it took. */
export const costOf = async (stack: SharedStack, query: unknown): Promise<{ buffers: number; ms: number }> => {
  const [row] = await rowsIn<Plan>(stack, sql`explain (analyze, buffers, format json) ${query as SQL}`)
  const given = row?.['QUERY PLAN']
  const [plan] = (typeof given === 'string' ? JSON.parse(given) : given) as [
    { Plan: Record<string, number>; 'Execution Time': number },
  ]
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan.Plan
  return { buffers: hit + read, ms: plan['Execution Time'] }
}

/**
 * Vacuums and analyses tables once no transaction is left that began before: rows that each of them can see are marked so, and
 * an index that holds all that is asked for is enough to answer.
 */
export const vacuum = async (stack: SharedStack, tables: readonly string[]): Promise<void> => {
  const [written] = await rowsIn<{ id: string }>(stack, sql`select pg_current_xact_id()::text as id`)
  const older = sql`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null
      and age(backend_xmin) >= age(${written?.id}::xid8::text::xid)`
  await expect.poll(async () => (await rowsIn<{ n: number }>(stack, older))[0]?.n).toBe(0)
  for (const table of tables) await rowsIn(stack, sql`vacuum analyze ${sql.identifier(table)}`)
}
