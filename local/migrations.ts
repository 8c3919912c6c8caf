import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { ROOT } from './root.ts'

const MIGRATIONS = join(ROOT, 'schema/migrations')

export type Migration = {
  tag: string
  /** Time in drizzle's journal, ms. It identifies an applied migration. */
  when: number
  hash: string
  statements: string[]
}

/** Error for a database that was made before the first migration of this version, so that no migration leads on from it. */
export class TooOld extends Error {
  override readonly name = 'TooOld'
}

/** Returns the migrations of this version in order, as drizzle's own migrator reads and marks them. */
export const readMigrations = (): Migration[] => {
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

/**
 * Returns the migrations that a database lacks, in order.
 *
 * `last` is the `when` of the newest applied one, 0 for an empty database. Throws TooOld if it is older than the first
 * migration, which has the tables of release 0.3.0.
 */
export const missingAfter = (last: number, known: readonly Migration[] = readMigrations()): Migration[] => {
  const [first] = known
  if (first && last > 0 && last < first.when)
    throw new TooOld(
      'The database is from before release 0.3.0, and no migration leads on from there. Nothing was changed. Start with an empty database.',
    )
  return known.filter(({ when }) => when > last)
}
