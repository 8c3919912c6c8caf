import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { ROOT } from '../../local/root.ts'

type Service = {
  sample_project_id?: number
  base_url: string
  api_key: string
  receiver_url: string
  receiver_webhook_url: string
  receiver_token: string
  blog_url: string
  public_url: string
  mail_url: string
}
export type Running = { child: ChildProcess; said: () => string; service: Service }

/** For tests that start the service several times. */
export const TIMEOUT_MS = 600_000
/** Processes that `endAll` ends. */
export const running: ChildProcess[] = []
const folders: string[] = []

/** Ends everything that a test has started and removes its folders: for `afterEach`. */
export const endAll = async (): Promise<void> => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
}

/** Returns a data folder of its own, which `endAll` removes. */
export const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-start-'))
  folders.push(dir)
  return dir
}

const launch = (dir: string, given: string[]) => {
  const args = given.includes('--sample') ? given.filter((arg) => arg !== '--sample') : [...given, '--no-sample']
  const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env
  const child = spawn(process.execPath, [join(ROOT, 'local/start.ts'), '--dir', dir, ...args], { cwd: ROOT, env })
  running.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk))
  return { child, said: () => said }
}

/** Starts a service and waits until it says that it runs. */
export const start = async (dir: string, ...args: string[]): Promise<Running> => {
  const { child, said } = launch(dir, args)
  while (!said().includes('Galley is running')) {
    if (child.exitCode !== null) throw new Error(said())
    await sleep(50)
  }
  const service = JSON.parse(readFileSync(join(dir, 'service.json'), 'utf8')) as Service
  return { child, said, service }
}

/** Starts a service that must refuse to start. Returns its message. */
export const refusal = async (dir: string, ...args: string[]): Promise<string> => {
  const { child, said } = launch(dir, args)
  const [code] = await once(child, 'close')
  expect({ code, said: said() }).toMatchObject({ code: 1 })
  return said()
}

/** Makes one call with the API key of a running service; the answer’s body. */
export const call = async ({ service }: Running, method: string, path: string, body?: object) => {
  const response = await fetch(service.base_url + path, {
    method,
    headers: { authorization: `Bearer ${service.api_key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as Record<string, unknown>
}

/** Makes a project; its id. */
export const newProject = async (on: Running): Promise<number> => {
  const { project_id } = await call(on, 'POST', '/projects', { website_url: 'https://my-bakery.example' })
  return Number(project_id)
}

/** Returns the projects that a service has. */
export const projectsOf = async (on: Running) => (await call(on, 'GET', '/projects')).projects as { ID: number }[]

/** Ends a service as Ctrl-C does, and waits for its end. */
export const stop = async ({ child }: Pick<Running, 'child'>): Promise<void> => {
  child.kill('SIGTERM')
  await once(child, 'exit')
}
