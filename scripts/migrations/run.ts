import { sql } from 'drizzle-orm'
import { migrateOverNeon } from '../../local/database.ts'
import { missingAfter } from '../../local/migrations.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { type Database, openDatabase } from '../database.ts'
import { migratePostgres } from './apply.ts'

const LAST = 'select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1'

const lastOverNeon = async (run: SqlRunner): Promise<number> => {
  const [table] = await run<{ found: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (!table?.found) return 0
  const [last] = await run<{ created_at: string }>(sql.raw(LAST))
  return Number(last?.created_at ?? 0)
}

const migrateNeon = async ({ run, connectionString, neonUrl }: Extract<Database, { kind: 'neon' }>) => {
  const missing = missingAfter(await lastOverNeon(run))
  await migrateOverNeon(connectionString, neonUrl)
  return missing.map(({ tag }) => tag)
}

/** Migrates on one connection. Another one holds the lock that makes other migrations wait. */
const migrateOn = async (database: Extract<Database, { kind: 'postgres' }>): Promise<string[]> => {
  const holder = await openDatabase(undefined)
  if (holder.kind !== 'postgres') throw new Error('DATABASE_URL is not set')
  return await migratePostgres(database.client, holder.client).finally(holder.close)
}

/** Applies the missing migrations and prints their names. */
export const run = async (dir: string | undefined): Promise<void> => {
  const database = await openDatabase(dir)
  try {
    const applied = await (database.kind === 'postgres' ? migrateOn(database) : migrateNeon(database))
    const outcome = applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
    process.stdout.write(`${database.name}: ${outcome}\n`)
  } finally {
    await database.close()
  }
}
