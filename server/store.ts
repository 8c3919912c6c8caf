import { sql } from 'drizzle-orm'
import { missingAfter } from '../local/migrations.ts'
import { type Database, openDatabase } from '../scripts/database.ts'
import { migratePostgres } from '../scripts/migrations/apply.ts'
import { reasonOf } from '../scripts/reason.ts'
import type { SqlRunner } from '../src/platform/db/client.ts'
import { ServerFault } from './fault.ts'

/** Oldest supported PostgreSQL, as `server_version_num`. */
const OLDEST = 150_000

/** Opens PostgreSQL. Throws a ServerFault if it does not answer or is too old. */
export const openStore = async (databaseUrl: string): Promise<Database & { kind: 'postgres' }> => {
  const database = await openDatabase(undefined, { DATABASE_URL: databaseUrl }).catch((error: unknown) => {
    throw new ServerFault(
      `PostgreSQL cannot be used: ${reasonOf(error)}`,
      'Start it (systemctl start postgresql), or correct DATABASE_URL in galley.env. If it ends again, is its disk full?',
    )
  })
  if (database.kind !== 'postgres') throw new Error('not a PostgreSQL')
  const [row] = await database.run<{ number: number; version: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  if ((row?.number ?? 0) >= OLDEST) return database
  await database.close()
  throw new ServerFault(`PostgreSQL ${row?.version} is too old.`, 'Use PostgreSQL 15 or later.')
}

/** Returns the `when` of the newest applied migration, 0 for an empty database. */
const lastApplied = async (run: SqlRunner): Promise<number> => {
  const [table] = await run<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!table?.there) return 0
  const [row] = await run<{ last: string | null }>(
    sql`select max(created_at)::text as last from drizzle.__drizzle_migrations`,
  )
  return Number(row?.last ?? 0)
}

/** Returns the names of the migrations that the database lacks, and whether it is empty. Throws TooOld. */
export const stateOf = async (run: SqlRunner): Promise<{ isEmpty: boolean; missing: string[] }> => {
  const last = await lastApplied(run)
  return { isEmpty: last === 0, missing: missingAfter(last).map(({ tag }) => tag) }
}

/** Applies the missing migrations. Returns their names. */
export const migrate = async (databaseUrl: string): Promise<string[]> => {
  const [database, holder] = await Promise.all([openStore(databaseUrl), openStore(databaseUrl)])
  try {
    return await migratePostgres(database.client, holder.client)
  } finally {
    await Promise.all([database.close(), holder.close()])
  }
}

/**
 * Offers again the work whose wake was only in the memory of an earlier start. Rows that a run has leased are left to
 * the minute's sweep, because the run may have survived.
 */
export const forgetWakes = async (run: SqlRunner): Promise<number> => {
  const rows = await run(sql`update outbox set offered_at = null where done_at is null and dead_at is null
    and offered_at is not null and (lease_until is null or lease_until <= now()) returning id`)
  return rows.length
}
