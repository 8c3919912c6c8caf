import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { ServerFault } from './fault.ts'

type Environment = Readonly<Record<string, string>>

/** Runs a program and returns what it printed. Throws an error with its own words if it fails. */
export const command = (program: string, args: readonly string[], env: Environment = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err = (err + chunk).slice(-2_000)
    })
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`${program} is not installed`) : error),
    )
    child.once('close', (code) =>
      code === 0 ? resolve(out.trim()) : reject(new Error(err.trim() || `${program}: ${code}`)),
    )
  })

const DEBIAN = '/usr/lib/postgresql'

/** Returns the newest installed version of a program of PostgreSQL. An older one cannot read a newer server. */
export const postgresProgram = (name: 'pg_dump' | 'pg_restore'): string => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(DEBIAN, version, 'bin', name)).find(existsSync) ?? name
}

/** Runs a program of PostgreSQL with the database in its environment, because arguments can be seen by other users. */
export const withDatabase = async (
  databaseUrl: string,
  work: (env: Environment) => Promise<unknown>,
): Promise<void> => {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const mode = new URL(databaseUrl).searchParams.get('sslmode')
  const env = {
    PGHOST: host,
    PGPORT: String(port),
    ...(user ? { PGUSER: user } : {}),
    ...(database ? { PGDATABASE: database } : {}),
    ...(typeof password === 'string' && password !== '' ? { PGPASSWORD: password } : {}),
    ...(mode ? { PGSSLMODE: mode } : {}),
  }
  await work(env).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ServerFault(
      `PostgreSQL's program failed: ${reason}`,
      'Install the client of the server’s version (apt-get install postgresql-client), or look at the server.',
    )
  })
}
