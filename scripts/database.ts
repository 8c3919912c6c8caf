import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import { ROOT } from '../local/root.ts'
import type { SqlRunner } from '../src/platform/db/client.ts'
import { reasonOf } from './reason.ts'

/** Database that an operator's command uses: the one in DATABASE_URL, or that of the running local service. */
export type Database = {
  /** Its place, for people, without credentials. */
  name: string
  run: SqlRunner
  close: () => Promise<void>
} & ({ kind: 'postgres'; client: pg.Client } | { kind: 'neon'; connectionString: string; neonUrl: string })

/** No database can be reached. The message says which one was tried and what to do. */
export class NoDatabaseError extends Error {
  override readonly name = 'NoDatabaseError'
}

const CONNECT_WITHIN_MS = 10_000

/**
 * Sets the TLS mode that the driver uses anyway for these modes. So it does not warn, and its next version does not
 * change it.
 */
const withExplicitTls = (url: string): string =>
  url.includes('uselibpqcompat=')
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

const openPostgres = async (url: string): Promise<Database> => {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new NoDatabaseError('DATABASE_URL is not an address like postgresql://user:password@host/database.')
  const { host, pathname } = new URL(url)
  const name = `${host || 'the local socket'}${pathname} (DATABASE_URL)`
  // Each driver is loaded only if it is used: loading both takes longer than the command.
  const [{ drizzle }, { Client }] = await Promise.all([import('drizzle-orm/node-postgres'), import('pg')])
  const client = new Client({
    connectionString: withExplicitTls(url),
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    application_name: 'galley-operator',
  })
  // Without a listener, a connection lost between two statements would end the process with a stack trace.
  client.on('error', () => undefined)
  try {
    await client.connect()
    // The role's own limit is meant for requests. Through a pooler, this setting would stay on a connection that others
    // use.
    if (!host.split('.')[0]?.endsWith('-pooler')) await client.query('set statement_timeout = 0')
  } catch (error) {
    throw new NoDatabaseError(`The database at ${name} does not answer: ${reasonOf(error)}`)
  }
  const db = drizzle(client)
  return {
    kind: 'postgres',
    name,
    client,
    run: async <Row>(statement: SQL) => (await db.execute(statement)).rows as Row[],
    close: () => client.end().catch(() => undefined),
  }
}

const START = 'Start the service with npm start, or set DATABASE_URL.'

type Service = { neon_url: string; connection_string: string }

const readService = (file: string, shown: string): Service => {
  if (!existsSync(file))
    throw new NoDatabaseError(`DATABASE_URL is not set, and ${shown} of a running service is not there. ${START}`)
  try {
    const { neon_url, connection_string } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Service>
    if (typeof neon_url === 'string' && typeof connection_string === 'string') return { neon_url, connection_string }
  } catch {
    // Not JSON: reported below, like a file without the fields.
  }
  throw new NoDatabaseError(`${shown} does not name a database. ${START}`)
}

const openService = async (dir: string): Promise<Database> => {
  const file = join(dir, 'service.json')
  const shown = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file)
  const { neon_url: neonUrl, connection_string: connectionString } = readService(file, shown)
  const { neonRunner } = await import('../local/database.ts')
  const run = neonRunner(connectionString, neonUrl)
  try {
    await run(sql`select 1`)
  } catch {
    throw new NoDatabaseError(`The service that ${shown} describes does not answer at ${neonUrl}. ${START}`)
  }
  const name = `${neonUrl} (${shown})`
  return { kind: 'neon', name, run, connectionString, neonUrl, close: async () => undefined }
}

/**
 * Opens the database that DATABASE_URL names, else that of the service running in `dir` (default `.galley`). Throws
 * NoDatabaseError when it cannot be reached.
 */
export const openDatabase = (dir: string | undefined, env: NodeJS.ProcessEnv = process.env): Promise<Database> =>
  env.DATABASE_URL ? openPostgres(env.DATABASE_URL) : openService(resolve(dir ?? join(ROOT, '.galley')))
