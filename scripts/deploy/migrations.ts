import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { missingAfter, TooOld } from '../../local/migrations.ts'
import { ROOT } from '../../local/root.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { openDatabase } from '../database.ts'
import { reasonOf } from '../reason.ts'
import { DeployFault } from './fault.ts'

/** Runs `work` on the database of a direct connection string. */
export const onDatabase = async <T>(directUrl: string, work: (run: SqlRunner) => Promise<T>): Promise<T> => {
  const database = await openDatabase(undefined, { DATABASE_URL: directUrl })
  try {
    return await work(database.run)
  } finally {
    await database.close()
  }
}

/** Returns the migrations a database lacks, in order, by their names. Throws a DeployFault if it is too old. */
export const pendingMigrations = (directUrl: string): Promise<string[]> =>
  onDatabase(directUrl, async (run) => {
    const [table] = await run<{ found: boolean }>(
      sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
    )
    const [last] = table?.found
      ? await run<{ at: string | null }>(sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`)
      : []
    try {
      return missingAfter(Number(last?.at ?? 0)).map(({ tag }) => tag)
    } catch (error) {
      throw error instanceof TooOld ? new DeployFault(error.message, 'Set DATABASE_URL to an empty database.') : error
    }
  })

/** Less than the 10 s after which the Workers stop waiting. So abandoned statements end too. */
const STATEMENT_TIMEOUT = '9s'

/** Limits the role's statements in this database. Open connections keep their limit. */
export const limitStatements = async (directUrl: string): Promise<void> => {
  try {
    await onDatabase(directUrl, async (run) => {
      await run(sql`do $$ begin execute format('alter role %I in database %I set statement_timeout = %L',
        current_user, current_database(), '${sql.raw(STATEMENT_TIMEOUT)}'); end $$`)
    })
  } catch (error) {
    throw new DeployFault(
      `The role's statement_timeout cannot be set: ${reasonOf(error)}`,
      `Run as a role that may: alter role … in database … set statement_timeout = '${STATEMENT_TIMEOUT}'`,
    )
  }
}

/** Applies the missing migrations. Throws a DeployFault with the database's message. */
export const applyMigrations = (directUrl: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/migrate.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DATABASE_URL: directUrl },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0
        ? resolve(out.trim())
        : reject(
            new DeployFault(
              `The migrations stopped: ${err.trim()}`,
              'No Worker was changed; the service runs as before. Fix this and run the same command again.',
            ),
          ),
    )
  })
