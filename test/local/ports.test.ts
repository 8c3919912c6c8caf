import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROOT } from '../../local/root.ts'
import { ended, serveConfig } from '../../local/serve-config.ts'
import { startStack } from '../../local/stack.ts'
import { atFreePort, freePort, isTaken, listenAt } from '../../local/start/ports.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'galley-ports-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const closed = (server: Server) => new Promise((resolve) => server.close(resolve))

it('a port is taken from its choice until workerd has ended', async () => {
  const config = join(dir, 'config.capnp')
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = "export default { fetch: () => new Response('served') }")],
  compatibilityDate = "2026-11-01",
);
`,
  )
  const port = await freePort()
  const server = await listenAt(port)
  expect(await isTaken(port)).toBe(true)
  const { child, ports } = await serveConfig(config, ['http'], join(dir, 'log'), { http: server })
  expect(ports).toEqual({ http: port })
  // workerd answers each request, not the process that chose the port.
  for (let n = 0; n < 20; n += 1) expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('served')
  expect(await isTaken(port)).toBe(true)
  child.kill()
  await ended(child)
  expect(await isTaken(port)).toBe(false)
})

it('no two processes are given the same port, nor one near it', async () => {
  const COUNT = 150
  const module = new URL('../../local/start/ports.ts', import.meta.url).href
  // The process runs until its end is requested. Until then, its ports belong to it.
  const script = `const { freePort } = await import('${module}')
    const given = []
    while (given.length < ${COUNT}) given.push(await freePort())
    console.log(JSON.stringify(given))
    process.stdin.resume()`
  const taking = [1, 2].map(() => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    return { child, line: once(createInterface(child.stdout), 'line') }
  })
  const given = (await Promise.all(taking.map(({ line }) => line))) as [string][]
  for (const { child } of taking) child.stdin.end()
  await Promise.all(taking.map(({ child }) => once(child, 'close')))
  const all = given.flatMap(([line]) => JSON.parse(line) as number[]).sort((a, b) => a - b)
  const gaps = all.slice(1).map((port, at) => port - (all[at] ?? 0))
  expect(all).toHaveLength(2 * COUNT)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10)
})

it('work with a taken port is repeated at another port', async () => {
  const tried: number[] = []
  let thief: Server | undefined
  const server = await atFreePort(async (port) => {
    tried.push(port)
    thief ??= await listenAt(port)
    return await listenAt(tried.length === 1 ? port : port + 1)
  })
  expect(tried).toHaveLength(2)
  expect(tried[0]).not.toBe(tried[1])
  await Promise.all([closed(server), closed(thief as Server)])
  await expect(
    atFreePort(async () => {
      throw new Error('something else')
    }),
  ).rejects.toThrow('something else')
})

it('a stack with a taken port reports it, and leaves no process running', async () => {
  const port = await freePort()
  const server = await listenAt(port)
  const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
  const before = children()
  await expect(startStack({ port, workDir: dir })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  // Node counts a process that has ended for a moment longer.
  await expect.poll(children, { timeout: 10_000 }).toBeLessThanOrEqual(before)
  await closed(server)
})

it('shell scripts get ports that no other one has while they run', async () => {
  const COUNT = 60
  // Each keeps its ports: by itself, or through a process that outlives it.
  const script = `. scripts/free-port.sh; for _ in $(seq ${COUNT}); do free_port; echo "$port"; done; read -r _`
  const taking = [1, 2].map(() => {
    const child = spawn('bash', ['-euc', script], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines: number[] = []
    const all = new Promise<number[]>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        if (lines.push(Number(line)) === COUNT) resolve(lines)
      })
    })
    return { child, all }
  })
  const given = (await Promise.all(taking.map(({ all }) => all))).flat()
  for (const { child } of taking) child.stdin.end()
  await Promise.all(taking.map(({ child }) => once(child, 'close')))
  expect(new Set(given).size).toBe(2 * COUNT)
  for (const port of given) expect(port).toSatisfy((one: number) => one >= 10_000 && one < 10_500)
})
