import { join } from 'node:path'
import type { SQL } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/neon-http/migrator'
import type { SqlRunner } from '../src/accounts/admin.ts'
import { createDb, rowsOf } from '../src/db/client.ts'
import { ROOT } from './bundle.ts'

export const MIGRATIONS = join(ROOT, 'schema/migrations')

/** A statement runner over a Neon SQL-over-HTTP endpoint. */
export const neonRunner = (connectionString: string, neonUrl: string): SqlRunner => {
  const db = createDb(connectionString, `${neonUrl}/sql`)
  return <Row>(statement: SQL) => rowsOf<Row>(db, statement)
}

/** Applies the migrations that are missing, in order, over a Neon SQL-over-HTTP endpoint. */
export const migrateOverNeon = (connectionString: string, neonUrl: string): Promise<void> =>
  migrate(createDb(connectionString, `${neonUrl}/sql`), { migrationsFolder: MIGRATIONS })
