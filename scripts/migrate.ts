import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { migrateOverNeon } from '../local/database.ts'
import type { SqlRunner } from '../src/accounts/admin.ts'
import { type Database, openDatabase, reasonOf } from './database.ts'
import { migratePostgres } from './migrations/apply.ts'
import { readMigrations } from './migrations/read.ts'

const USAGE = `Applies the migrations in schema/migrations that the database lacks. Running it again changes nothing.

  --dir D   folder of the running local service (default .galley)

Acts on the database that DATABASE_URL names, else on that of the local service (npm start), which applies them itself.
`

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
  const last = await lastOverNeon(run)
  await migrateOverNeon(connectionString, neonUrl)
  return readMigrations()
    .filter(({ when }) => when > last)
    .map(({ tag }) => tag)
}

/** Two connections: one migrates, the other holds the lock that makes others wait. */
const migrateOn = async (database: Extract<Database, { kind: 'postgres' }>): Promise<string[]> => {
  const holder = await openDatabase(undefined)
  if (holder.kind !== 'postgres') throw new Error('DATABASE_URL is not set')
  return await migratePostgres(database.client, holder.client).finally(holder.close)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const database = await openDatabase(values.dir)
  try {
    const applied = await (database.kind === 'postgres' ? migrateOn(database) : migrateNeon(database))
    const outcome = applied.length === 0 ? 'up to date' : `applied ${applied.join(', ')}`
    process.stdout.write(`${database.name}: ${outcome}\n`)
  } finally {
    await database.close()
  }
}

main().catch((error: unknown) => {
  const isUsage = String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(isUsage ? `${reasonOf(error)}\n\n${USAGE}` : `${reasonOf(error)}\n`)
  process.exitCode = isUsage ? 2 : 1
})
