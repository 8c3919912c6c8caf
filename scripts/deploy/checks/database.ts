import { sql } from 'drizzle-orm'
import { createDb, rowsOf } from '../../../src/platform/db/client.ts'
import { openDatabase } from '../../database.ts'
import { reasonOf } from '../../reason.ts'
import { DeployFault } from '../fault.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

const WHERE =
  'Copy both strings from https://console.neon.tech, Connect: with connection pooling on for DATABASE_URL, off for DATABASE_URL_DIRECT.'
const MIN_VERSION = 150_000

type Identity = { database: string; oid: string; started: string; version: string; role: string; may_create: boolean }

/** Query with the same result on two connections only if they lead to the same database of the same server. */
const IDENTITY = sql`select current_database() as database, pg_postmaster_start_time()::text as started, current_user as role,
  (select oid::text from pg_database where datname = current_database()) as oid,
  current_setting('server_version_num') as version, has_database_privilege(current_database(), 'create') as may_create`

const hostOf = (name: string, url: string): string => {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return new URL(url).hostname
  throw new DeployFault(`${name} is not an address like postgresql://user:password@host/database.`, WHERE)
}

/** Returns the connection string for migrations: the given one, or the pooled one without `-pooler`. */
export const directUrl = (settings: Settings): string => {
  if (settings.DATABASE_URL_DIRECT) return settings.DATABASE_URL_DIRECT
  return settings.DATABASE_URL.replace(/-pooler(?=\.)/, '')
}

const isNeon = (host: string): boolean => host.endsWith('.neon.tech')

const checkHosts = (pooled: string, direct: string): void => {
  if (isNeon(pooled) && !pooled.split('.')[0]?.endsWith('-pooler'))
    throw new DeployFault(
      `DATABASE_URL names ${pooled}, which is not the pooled host. A hundred simultaneous jobs would use up its connections.`,
      WHERE,
    )
  if (direct.split('.')[0]?.endsWith('-pooler'))
    throw new DeployFault('DATABASE_URL_DIRECT names the pooled host, but migrations need their own session.', WHERE)
}

const askDirect = async (url: string): Promise<Identity> => {
  const database = await openDatabase(undefined, { DATABASE_URL: url }).catch((error: unknown) => {
    throw new DeployFault(`DATABASE_URL_DIRECT: ${reasonOf(error)}`, WHERE)
  })
  try {
    const [identity] = await database.run<Identity>(IDENTITY)
    return identity as Identity
  } finally {
    await database.close()
  }
}

/** Queries the database as the Workers do: by SQL over HTTP. */
const askPooled = async (url: string, endpoint: string | undefined): Promise<Identity> => {
  try {
    const [identity] = await rowsOf<Identity>(createDb(url, endpoint), IDENTITY)
    return identity as Identity
  } catch (error) {
    throw new DeployFault(`DATABASE_URL, called over HTTP as the Workers do: ${reasonOf(error)}`, WHERE)
  }
}

/**
 * Returns the region in a Neon host, in the form of Cloudflare's placement: `aws:eu-central-1`; undefined for another
 * host.
 */
export const databaseRegion = (url: string): string | undefined => {
  const [, region, cloud] = /\.([a-z0-9-]+)\.(aws|azure)\.neon\.tech$/.exec(new URL(url).hostname) ?? []
  return region && cloud ? `${cloud}:${region}` : undefined
}

/**
 * Checks that both strings lead to one database that can be migrated, the pooled one over HTTP as the Workers do.
 *
 * Throws a DeployFault.
 */
export const checkDatabase = async (settings: Settings, env: NodeJS.ProcessEnv): Promise<Findings> => {
  const direct = directUrl(settings)
  const [pooledHost, directHost] = [
    hostOf('DATABASE_URL', settings.DATABASE_URL),
    hostOf('DATABASE_URL_DIRECT', direct),
  ]
  checkHosts(pooledHost, directHost)
  const [there, here] = await Promise.all([
    askPooled(settings.DATABASE_URL, env.NEON_FETCH_ENDPOINT),
    askDirect(direct),
  ])
  if (there.oid !== here.oid || there.started !== here.started)
    throw new DeployFault(
      `DATABASE_URL and DATABASE_URL_DIRECT are not the same database: ${there.database} and ${here.database}. One would be migrated, the other used.`,
      WHERE,
    )
  if (Number(here.version) < MIN_VERSION)
    throw new DeployFault('PostgreSQL 15 or later is required.', 'Create a Neon project with a newer version.')
  if (!here.may_create)
    throw new DeployFault(
      `The role ${here.role} may not create tables in ${here.database}.`,
      'Use the role that owns the database.',
    )
  return {
    facts: [
      `Database    ${directHost}/${here.database}, PostgreSQL ${Math.floor(Number(here.version) / 10_000)}; both strings reach it`,
    ],
    warnings: [],
  }
}
