import { type SQL, sql } from 'drizzle-orm'
import { rowsIn, type Target } from './client.ts'
import type { SharedStack } from './global.ts'
import { startTestStack, targetOf } from './stack.ts'

type Plan = { 'QUERY PLAN': [{ Plan: Record<string, number>; 'Execution Time': number }] | string }

/** Runs a query; how many blocks of the database it looked at, and how long it took. */
export const costOf = async (stack: Target, query: unknown): Promise<{ buffers: number; ms: number }> => {
  const [row] = await rowsIn<Plan>(stack, sql`explain (analyze, buffers, format json) ${query as SQL}`)
  const given = row?.['QUERY PLAN']
  const [plan] = (typeof given === 'string' ? JSON.parse(given) : given) as [
    { Plan: Record<string, number>; 'Execution Time': number },
  ]
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plan.Plan
  return { buffers: hit + read, ms: plan['Execution Time'] }
}

/**
 * The stack whose queries are explained: on a real PostgreSQL one with a database of its own, as transactions of other tests
 * keep rows from being marked as seen by all, and an index alone is not enough to answer then. `close` ends it.
 */
export const ownPlans = async (shared: SharedStack): Promise<{ stack: Target; close: () => Promise<void> }> => {
  if (!process.env.DATABASE_URL) return { stack: shared, close: async () => {} }
  const stack = await startTestStack()
  return { stack: targetOf(stack), close: stack.close }
}

/** Vacuums and analyses tables: an index that holds all that is asked for is enough to answer after it. */
export const vacuum = async (stack: Target, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await rowsIn(stack, sql`vacuum analyze ${sql.identifier(table)}`)
}
