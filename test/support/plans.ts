import { type SQL, sql } from 'drizzle-orm'
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
