import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ModuleFile } from '../../local/bundle.ts'
import { ROOT } from '../../local/root.ts'
import { list, quote } from '../../local/workerd.ts'

/** A Worker's code as one module, and its environment. */
export type Program = {
  code: string
  vars?: Record<string, string>
  /** Names of service bindings; all lead to a Worker that answers 204. */
  services?: readonly string[]
  /** Names of bindings of object storage; they lead there too. */
  buckets?: readonly string[]
  compatibilityFlags?: readonly string[]
  /** Files that the code imports, and their folder. */
  files?: { folder: string; modules: readonly ModuleFile[] }
}

/** A Worker that runs alone on a workerd of its own. */
export type Alone = { url: string; pid: number; close: () => Promise<void> }

const COMPATIBILITY_DATE = '2026-11-01'

const configuration = ({ vars = {}, services = [], buckets = [], compatibilityFlags = [], files }: Program): string => {
  const modules = (files?.modules ?? []).map(
    ({ name, kind }) => `, (name = ${quote(name)}, ${kind} = embed ${quote(name)})`,
  )
  const bindings = [
    ...Object.entries(vars).map(([name, value]) => `(name = ${quote(name)}, text = ${quote(value)})`),
    ...services.map((name) => `(name = ${quote(name)}, service = "nothing")`),
    ...buckets.map((name) => `(name = ${quote(name)}, r2Bucket = "nothing")`),
  ]
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "alone", worker = .alone), (name = "nothing", worker = .nothing)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "alone")],
);
const alone :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "index.js")${modules.join('')}],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  compatibilityFlags = ${list(compatibilityFlags)},
  bindings = [${bindings.join(', ')}],
);
const nothing :Workerd.Worker = (
  modules = [(name = "nothing.js", esModule = "export default { fetch: () => new Response(null, { status: 204 }) }")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`
}

const portOf = async (control: Readable): Promise<number> => {
  let text = ''
  for await (const chunk of control) {
    text += String(chunk)
    const port = /"port":\s*(\d+)/.exec(text)?.[1]
    if (port) return Number(port)
  }
  throw new Error('workerd ended before it listened')
}

const spawnIn = (dir: string): ChildProcess =>
  spawn(
    join(ROOT, 'node_modules/workerd/bin/workerd'),
    ['serve', '--control-fd=3', join(dir, 'config.capnp'), 'config'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  )

/** Writes a program into a new folder for `start`. The caller removes the folder. */
export const prepare = (program: Program): string => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-alone-'))
  writeFileSync(join(dir, 'index.js'), program.code)
  for (const { name } of program.files?.modules ?? [])
    copyFileSync(join(program.files?.folder ?? '', name), join(dir, name))
  writeFileSync(join(dir, 'config.capnp'), configuration(program))
  return dir
}

/** Runs a prepared program. Throws when it does not come to listen. */
export const start = async (dir: string): Promise<Alone> => {
  const child = spawnIn(dir)
  const exited = once(child, 'exit')
  const port = await portOf(child.stdio[3] as Readable)
  const close = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, close }
}

/** Prepares and runs a program; `close` ends it and removes its folder. */
export const runAlone = async (program: Program): Promise<Alone> => {
  const dir = prepare(program)
  const alone = await start(dir)
  const close = async () => {
    await alone.close()
    rmSync(dir, { recursive: true, force: true })
  }
  return { ...alone, close }
}
