import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { build } from 'esbuild'
import { ROOT } from '../../local/bundle.ts'

export type Bare = { url: string; pid: number; close: () => Promise<void> }

const COMPATIBILITY_DATE = '2026-11-01'

/** A Hono Worker that asks nobody and answers every path with a fixed body of its own. */
const source = (bodies: Record<string, string>): string => `
import { Hono } from 'hono'
const bodies = ${JSON.stringify(bodies)}
const app = new Hono()
for (const [path, body] of Object.entries(bodies))
  app.get(path, (c) => c.body(body, 200, { 'Content-Type': 'application/json' }))
export default app`

const configuration = (): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "bare", worker = .bare)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "bare")],
);
const bare :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "index.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`

const portOf = async (control: Readable): Promise<number> => {
  let text = ''
  for await (const chunk of control) {
    text += String(chunk)
    const port = /"port":\s*(\d+)/.exec(text)?.[1]
    if (port) return Number(port)
  }
  throw new Error('workerd ended before it listened')
}

/** Bundles `code` as a Worker and runs it alone on workerd. Throws when it does not start. */
const startAlone = async (dir: string, code: string): Promise<Bare> => {
  const stdin = { contents: code, resolveDir: ROOT, loader: 'js' as const }
  await build({ stdin, bundle: true, minify: true, format: 'esm', outfile: join(dir, 'index.js'), logLevel: 'silent' })
  const file = join(dir, 'config.capnp')
  writeFileSync(file, configuration())
  const binary = join(ROOT, 'node_modules/workerd/bin/workerd')
  const child = spawn(binary, ['serve', '--control-fd=3', file, 'config'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const port = await portOf(child.stdio[3] as Readable)
  const close = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, close }
}

/** Runs a bare Hono Worker on workerd that answers each path of `bodies` with its body: the least a Worker can cost. */
export const startBare = async (bodies: Record<string, string>): Promise<Bare> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-bare-'))
  const bare = await startAlone(dir, source(bodies))
  return {
    ...bare,
    close: async () => {
      await bare.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
