import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../local/root.ts'
import { type Api, clientOf } from '../support/client.ts'
import { type Ended, runScript } from '../support/command.ts'
import { type OwnDatabase, ownDatabase } from '../support/databases.ts'

/** Service on one's own machine, in a folder and a database of its own. */
export type Machine = {
  data: string
  /** Address of the front; the public address is another one. */
  url: () => string
  start: () => Promise<void>
  /** Ends the service as an operator does. Returns its exit code. */
  stop: () => Promise<number | null>
  /** Ends the first process at once, as a crash would. */
  kill: () => Promise<void>
  run: (command: string, ...args: string[]) => Promise<Ended>
  /** Returns a client with a new key of the owner. */
  owner: () => Promise<Api>
  /** Ends the service at once, and removes its folder and its database. */
  remove: () => Promise<void>
}

const MAIN = 'server/main.ts'
const PUBLIC_URL = 'https://galley.example'
const { REDIS_URL = '' } = process.env

/** Runs a command of `galley-server` on a folder. */
export const runServer = (
  data: string,
  command: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Ended> => runScript(MAIN, [command, '--data', data, ...args], env)

/** Returns the service in a folder that has settings. */
export const adoptMachine = (data: string, database: OwnDatabase): Machine => {
  const run: Machine['run'] = (command, ...args) => runServer(data, command, args)
  let child: ChildProcess | undefined
  let url = ''
  const ended = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return null
    const exit = once(child, 'exit') as Promise<[number | null]>
    child.kill(signal)
    const [code] = await exit
    return code
  }
  const start = async (): Promise<void> => {
    const { DATABASE_URL: _, ...env } = process.env
    const started = spawn(process.execPath, [join(ROOT, MAIN), 'start', '--data', data], { env })
    child = started
    let out = ''
    url = await new Promise((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        out += chunk
        const [, port] = /the proxy calls [^:]+:(\d+)/.exec(out) ?? []
        if (port) resolve(`http://127.0.0.1:${port}`)
      }
      started.stdout.on('data', hear)
      started.stderr.on('data', hear)
      started.once('exit', () => reject(new Error(`It did not start:\n${out}`)))
    })
  }
  return {
    data,
    url: () => url,
    start,
    stop: () => ended('SIGTERM'),
    kill: async () => void (await ended('SIGKILL')),
    run,
    owner: async () => {
      const { out, err } = await run('owner', '--key')
      const [key] = /gly_live_\w+/.exec(out) ?? []
      if (!key) throw new Error(out + err)
      return clientOf(url, key, 0)
    },
    remove: async () => {
      await ended('SIGKILL')
      await database.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Sets up a service with `init`. `settings`: more lines of its file. `servers`: its own PostgreSQL and Redis. */
export const newMachine = async (
  settings: Record<string, string> = {},
  servers?: { url: string; redisUrl: string },
): Promise<Machine> => {
  const database = servers ? { url: servers.url, drop: async () => {} } : await ownDatabase()
  const data = mkdtempSync(join(tmpdir(), 'galley-own-'))
  const made = await runServer(
    data,
    'init',
    ['--address', PUBLIC_URL, '--owner', 'jo@example.com', '--user', userInfo().username],
    { DATABASE_URL: database.url ?? '', REDIS_URL: servers?.redisUrl ?? REDIS_URL, LISTEN: '127.0.0.1:0' },
  )
  if (made.code !== 0) throw new Error(made.err)
  appendFileSync(
    join(data, 'galley.env'),
    Object.entries({ ALLOW_PRIVATE_HOSTS: 'true', ...settings })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  return adoptMachine(data, database)
}
