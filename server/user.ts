import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { reasonOf } from '../scripts/reason.ts'
import { ServerFault } from './fault.ts'

/** Name of the user, the role and the database, if root sets a service up. */
const NAME = 'galley'

/** Database that root creates: by PostgreSQL's socket, where the system's user is the proof and no password exists. */
export const OWN_DATABASE = `postgresql:///${NAME}?host=/var/run/postgresql&user=${NAME}`

const isRoot = (): boolean => process.getuid?.() === 0

const command = (name: string, args: readonly string[]): string => {
  try {
    return execFileSync(name, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new Error(stderr?.trim() || reasonOf(error))
  }
}

const asPostgres = (name: string, ...args: string[]): string =>
  command('runuser', ['-u', 'postgres', '--', name, ...args])

/** Creates role and database on the machine's own PostgreSQL, if they do not exist. */
const makeDatabase = (): void => {
  const exists = (query: string) => asPostgres('psql', '-tAc', query) === '1'
  try {
    if (!exists(`select 1 from pg_roles where rolname = '${NAME}'`)) asPostgres('createuser', NAME)
    if (exists(`select 1 from pg_database where datname = '${NAME}'`)) return
    const kind = ['--encoding', 'UTF8', '--template', 'template0', '--locale', 'C.UTF-8']
    asPostgres('createdb', '--owner', NAME, ...kind, NAME)
  } catch (error) {
    throw new ServerFault(
      `The database could not be created: ${reasonOf(error)}`,
      'Install PostgreSQL and Redis (apt-get install postgresql redis-server), or name a database in DATABASE_URL.',
    )
  }
}

/** Creates a user without a password or a shell, if there is none. Returns its ids. */
const makeUser = (user: string, home: string): { uid: number; gid: number } => {
  const ids = () => ({ uid: Number(command('id', ['-u', user])), gid: Number(command('id', ['-g', user])) })
  try {
    return ids()
  } catch {
    command('useradd', ['--system', '--user-group', '--home-dir', home, '--shell', '/usr/sbin/nologin', user])
    return ids()
  }
}

/**
 * Makes this process that of the user who owns a folder, if root started it. PostgreSQL knows the user by its socket, and
 * files that are written then belong to the service.
 */
export const becomeOwner = (folder: string): void => {
  const { uid = 0, gid = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {}
  if (!isRoot() || uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

/**
 * Creates the folder of a service. Root also creates the user and, if it is the machine's own, the database; then this
 * process goes on as that user. Returns the user's name.
 */
export const settleIn = (
  data: string,
  { user = NAME, databaseUrl }: { user?: string | undefined; databaseUrl: string },
): string => {
  if (isRoot() && databaseUrl === OWN_DATABASE) makeDatabase()
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (!isRoot()) return userInfo().username
  const { uid, gid } = makeUser(user, data)
  command('chown', ['-R', `${uid}:${gid}`, data])
  becomeOwner(data)
  return user
}
