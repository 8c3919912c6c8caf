import { QueryPromise, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import { createDb, type Db } from '../../src/platform/db/client.ts'
import { rowsIn, type Target } from './client.ts'
import { startTestStack, type TestStack, targetOf } from './stack.ts'

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
 * Returns the stack for tests of query plans: on a real PostgreSQL one with its own database, else the given shared
 * one.
 *
 * In a shared database, transactions of other tests keep rows from being marked as visible to all. Then an index alone
 * cannot answer. The hooks that start and end the stack are registered here.
 */
export const ownPlans = (shared: Target): Target => {
  const own = { ...shared }
  let stack: TestStack | undefined
  beforeAll(async () => {
    if (!process.env.DATABASE_URL) return
    stack = await startTestStack()
    Object.assign(own, targetOf(stack))
  })
  afterAll(() => stack?.close())
  return own
}

/** Makes the SQL of a query instead of running it. */
export const UNSENT = createDb('postgresql://nobody:x@nowhere.example/none')

/** Hands over the SQL of a query instead of running it. */
export const TEXT = { execute: (query: SQL) => query } as unknown as Db

/** Returns a query as SQL that can be explained. */
export const explainable = (query: unknown): unknown => {
  if (!(query instanceof QueryPromise)) return query
  const { sql: text, params } = (query as unknown as { toSQL: () => { sql: string; params: unknown[] } }).toSQL()
  const pieces = text
    .split(/\$(\d+)/)
    .map((piece, at) => (at % 2 === 0 ? sql.raw(piece) : sql`${params[Number(piece) - 1]}`))
  return sql.join(pieces)
}

/** Vacuums and analyses tables. After that, an index that contains all requested columns can answer alone. */
export const vacuum = async (stack: Target, tables: readonly string[]): Promise<void> => {
  for (const table of tables) await rowsIn(stack, sql`vacuum analyze ${sql.identifier(table)}`)
}
