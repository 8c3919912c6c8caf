import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MIGRATIONS } from '../../local/database.ts'

export type Migration = {
  tag: string
  /** Time in drizzle's journal, ms. It identifies an applied migration. */
  when: number
  hash: string
  statements: string[]
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
