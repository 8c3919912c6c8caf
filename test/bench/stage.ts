import { startTestStack, type TestStack } from '../support/stack.ts'
import { type Sql, sqlOver } from './seed.ts'

/** A running stack with a database of its own, and a way to its tables. */
export type Stage = TestStack & { sql: Sql }

/** Starts a stack for one part of the bench, with settings on top of the local ones. `close` removes everything. */
export const openStage = async (vars: Record<string, string> = {}): Promise<Stage> => {
  const stack = await startTestStack({ vars })
  return { ...stack, sql: sqlOver(stack.neon.url, stack.connectionString) }
}

/** Returns the database's version as the table's head shows it. */
export const databaseFacts = async ({ sql, neon }: Stage): Promise<string> => {
  const [row] = await sql<{ version: string }>(`select split_part(version(), ' on ', 1) as version`)
  return `${row?.version ?? 'unknown'} (${neon.backend === 'pglite' ? 'embedded' : 'real'})`
}
