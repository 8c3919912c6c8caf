import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { databaseRestored } from '../scripts/admin/restored.ts'
import { DUMP, PICTURES, unpack } from './backup.ts'
import { sendAll } from './bucket.ts'
import { ServerFault } from './fault.ts'
import { furnish } from './init.ts'
import { bucketOf } from './parts.ts'
import { placesIn } from './places.ts'
import { command, postgresProgram, withDatabase } from './programs.ts'
import { SETTINGS_FILE, settingsIn, withValues } from './settings.ts'
import { migrate, openStore } from './store.ts'
import { settleIn } from './user.ts'

type Options = { file: string; data: string; user?: string | undefined }

/** Throws a ServerFault if a database has tables, so that no restore mixes with other data. */
const requireEmpty = async (databaseUrl: string): Promise<void> => {
  const database = await openStore(databaseUrl)
  try {
    const [row] = await database.run<{ tables: number }>(
      sql`select count(*)::int as tables from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    if ((row?.tables ?? 0) > 0)
      throw new ServerFault(
        'The database is not empty, so nothing was restored.',
        'Name an empty one in DATABASE_URL, or drop this one and create it again.',
      )
  } finally {
    await database.close()
  }
}

/** Ends again what may have ended after the backup, and moves ids ahead. Returns what was done, in words. */
const endAgain = async (databaseUrl: string, replaced: string | undefined): Promise<string> => {
  const database = await openStore(databaseUrl)
  try {
    const env = { DATABASE_URL: databaseUrl, ...(replaced ? { DATABASE_URL_REPLACED: replaced } : {}) }
    return (await databaseRestored(database.run, {}, env)).text
  } finally {
    await database.close()
  }
}

/**
 * Sets a service up from a backup, in a new folder and an empty database. Returns what the operator must know.
 *
 * DATABASE_URL, REDIS_URL and LISTEN of the environment replace those in the backup. The settings are written last, so
 * that no service starts on a database in which ended keys still work.
 */
export const restore = async ({ file, data, user }: Options, env: NodeJS.ProcessEnv): Promise<string> => {
  if (existsSync(join(data, SETTINGS_FILE)))
    throw new ServerFault(`${join(data, SETTINGS_FILE)} exists already.`, 'Nothing was changed. Choose another folder.')
  await mkdir(data, { recursive: true, mode: 0o700 })
  const work = await mkdtemp(join(data, 'restore-'))
  try {
    const { at, release } = await unpack(file, work, env.BACKUP_PASSWORD)
    const { DATABASE_URL, REDIS_URL, LISTEN } = env
    const text = withValues(await readFile(join(work, SETTINGS_FILE), 'utf8'), { DATABASE_URL, REDIS_URL, LISTEN })
    const settings = settingsIn(text, SETTINGS_FILE)
    const { DATABASE_URL: databaseUrl } = settings
    const owner = settleIn(data, { user, databaseUrl })
    await requireEmpty(databaseUrl)
    const flags = ['--no-owner', '--no-acl', '--no-comments', '--exit-on-error', '--single-transaction']
    await withDatabase(databaseUrl, (given) =>
      command(postgresProgram('pg_restore'), [...flags, `--dbname=${given.PGDATABASE}`, join(work, DUMP)], given),
    )
    await migrate(databaseUrl)
    const ended = await endAgain(databaseUrl, env.DATABASE_URL_REPLACED)
    const bucket = bucketOf(settings, placesIn(data).pictures)
    if (bucket) await sendAll(join(work, PICTURES), bucket)
    else await rename(join(work, PICTURES), placesIn(data).pictures)
    const next = furnish(data, owner, text)
    return `Restored: the state of ${at}, of release ${release}.\n\n${ended}\n\n${next}`
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
