import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server that a test kills and starts again on its data. */
export type KillableServer = {
  url: string
  start: () => Promise<void>
  kill: () => Promise<void>
  remove: () => Promise<void>
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** Starts a program until it is up. PostgreSQL refuses while processes of a killed one still have its memory. */
const startUntilUp = async (
  [program, args]: [string, string[]],
  isUp: () => boolean | Promise<boolean>,
): Promise<ChildProcess> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const child = spawn(program, args, { stdio: 'ignore' })
    while (child.exitCode === null) {
      if (await isUp()) return child
      await sleep(50)
    }
    await sleep(200)
  }
  throw new Error(`${program} did not start`)
}

const killed = async (child: ChildProcess | undefined): Promise<void> => {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const bin = process.env.GALLEY_PG_BIN ?? ''

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
const asPostgres = (program: string, args: readonly string[]): [string, string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]]

/** Starts a PostgreSQL with data of its own, which are written to the disk as in production. */
export const ownPostgres = async (port: number): Promise<KillableServer> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-pg-'))
  chmodSync(dir, 0o777)
  const data = join(dir, 'data')
  const run = (program: string, ...args: string[]) => {
    const [name, all] = asPostgres(join(bin, program), args)
    execFileSync(name, all, { stdio: 'pipe' })
  }
  run('initdb', '-D', data, '-U', 'galley', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8')
  let child: ChildProcess | undefined
  const start = async () => {
    const flags = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${dir}`]
    const isUp = () => spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0
    child = await startUntilUp(asPostgres(join(bin, 'postgres'), ['-D', data, ...flags]), isUp)
  }
  await start()
  run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'galley', 'galley')
  /** Kills the first process. The others notice it and end; only then can it start again. */
  const kill = async () => {
    const pid = execFileSync('head', ['-n', '1', join(data, 'postmaster.pid')], { encoding: 'utf8' }).trim()
    process.kill(Number(pid), 'SIGKILL')
    await killed(child)
    while (await isListening(port)) await sleep(50)
  }
  return {
    url: `postgresql://galley@127.0.0.1:${port}/galley`,
    start,
    kill,
    remove: async () => {
      await kill().catch(() => undefined)
      rmSync(dir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Starts a Redis that keeps nothing. */
export const ownRedis = async (port: number): Promise<KillableServer> => {
  let child: ChildProcess | undefined
  const start = async () => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    child = await startUntilUp(['redis-server', flags], () => isListening(port))
  }
  await start()
  return { url: `redis://127.0.0.1:${port}`, start, kill: () => killed(child), remove: () => killed(child) }
}
