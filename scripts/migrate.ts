import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { MIGRATIONS, migrateOverNeon } from '../local/database.ts'
import type { SqlRunner } from '../src/accounts/admin.ts'
import { type Database, openDatabase, reasonOf } from './database.ts'

const USAGE = `Applies the migrations in schema/migrations that the database lacks. Running it again changes nothing.

  --dir D   folder of the running local service (default .galley)

Acts on the database that DATABASE_URL names, else on that of the local service (npm start), which applies them itself.
`

/** Any number, as long as it is this one everywhere: whoever holds it migrates, others wait. */
const LOCK = 7_104_115_321
const WAIT_FOR_OTHERS = '60s'
/** A migration that waits for a busy table holds up every request behind it: better to fail and be repeated. */
const WAIT_FOR_TABLES = '10s'

type Migration = { tag: string; when: number; hash: string; statements: string[] }

/** The migrations of this version in order, as drizzle's own migrator reads and marks them. */
const readMigrations = (): Migration[] => {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash, folderMillis, sql: statements }, i) => ({
    tag: journal.entries[i]?.tag ?? String(folderMillis),
    when: folderMillis,
    hash,
    statements,
  }))
}

const LAST = 'select created_at from drizzle.__drizzle_migrations order by created_at desc limit 1'

const TABLE = `create schema if not exists drizzle;
  create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`

const applyPending = async (client: pg.Client): Promise<string[]> => {
  await client.query(TABLE)
  const { rows } = await client.query<{ created_at: string }>(LAST)
  const pending = readMigrations().filter(({ when }) => when > Number(rows[0]?.created_at ?? 0))
  for (const { tag, when, hash, statements } of pending) {
    try {
      for (const statement of statements) await client.query(statement)
    } catch (error) {
      throw new Error(`Migration ${tag} failed, and nothing was changed: ${reasonOf(error)}`)
    }
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when])
  }
  return pending.map(({ tag }) => tag)
}

/**
 * All of it in one transaction, under a lock that ends with the transaction: a lock of the session would outlive this
 * process where a pooler stands in between.
 */
const migratePostgres = async (client: pg.Client): Promise<string[]> => {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${WAIT_FOR_OTHERS}'`)
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    await client.query(`set local lock_timeout = '${WAIT_FOR_TABLES}'`)
    const applied = await applyPending(client)
    await client.query('commit')
    return applied
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

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

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) {
    process.stdout.write(USAGE)
    return
  }
  const database = await openDatabase(values.dir)
  try {
    const applied = await (database.kind === 'postgres' ? migratePostgres(database.client) : migrateNeon(database))
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
