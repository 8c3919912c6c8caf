import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleWorkers, bytesInBundle, modulesIn, WORKERS } from '../../local/bundle.ts'
import type { WorkerConfig } from '../../local/workers.ts'
import { LIMIT_KIB } from '../../scripts/bundles/size.ts'
import { settingsFor } from '../../src/platform/runtime/secrets.ts'
import { type Program, prepare, start } from './alone.ts'
import { exactCpuOf } from './machine.ts'
import type { Findings, Line } from './report.ts'
import { sized } from './sizes.ts'
import { median } from './statistics.ts'

/** CPU until every Worker along a path has given its first answer, over an empty Worker's. */
const START_GOAL = 8

/** Workers along what users wait for. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  save: ['gateway', 'articles', 'texts'],
  publish: ['gateway', 'publishing', 'cms'],
  page: ['gateway', 'pages'],
  job: ['jobs'],
  'tool call': ['gateway', 'mcp', 'articles'],
}
const ROUNDS = sized(9, 1)
const TOP = 8

/** Settings with which a Worker builds. The requested answer needs none of them. */
const VARS = {
  DATABASE_URL: 'postgresql://nobody:nothing@db.localtest.neon/none',
  NEON_FETCH_ENDPOINT: 'http://127.0.0.1:1/sql',
  UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:1',
  UPSTASH_REDIS_REST_TOKEN: 'none',
  QSTASH_URL: 'http://127.0.0.1:1',
  QSTASH_TOKEN: 'none',
  QSTASH_CURRENT_SIGNING_KEY: 'sig_none',
  QSTASH_NEXT_SIGNING_KEY: 'sig_none',
  PUBLIC_URL: 'http://127.0.0.1:1',
  SECRETS_KEYS: `bench:${Buffer.alloc(32).toString('base64')}`,
}

type Bundle = { program: Program; gzippedKiB: number; packages: Record<string, number> }

/** Returns the package a bundled file belongs to; the project's own files count together. */
const packageOf = (path: string): string => {
  const [, inside] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return inside ?? 'this project'
}

const packagesOf = (files: Record<string, number>): Record<string, number> => {
  const bytes = new Map<string, number>()
  for (const [path, size] of Object.entries(files)) bytes.set(packageOf(path), (bytes.get(packageOf(path)) ?? 0) + size)
  return Object.fromEntries([...bytes].sort(([, a], [, b]) => b - a).slice(0, TOP))
}

/** Returns a Worker as it is deployed, with its contents. */
const bundleOf = async (worker: WorkerConfig, bundles: string): Promise<Bundle> => {
  const folder = join(bundles, worker.folder)
  const code = readFileSync(join(folder, 'index.js'), 'utf8')
  const program = {
    code,
    vars: { ...worker.vars, ...settingsFor(worker.secrets, VARS) },
    services: Object.keys(worker.services),
    buckets: Object.keys(worker.buckets),
    compatibilityFlags: worker.compatibilityFlags,
    files: { folder, modules: modulesIn(folder) },
  }
  return { program, gzippedKiB: gzipSync(code).length / 1024, packages: packagesOf(await bytesInBundle(worker)) }
}

const firstAnswer = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    asking.on('error', reject)
    asking.end()
  })

/** From the start of workerd to the Worker's first answer, ms: time, and CPU of the process. */
type Start = { time: number; cpu: number }

/** Starts a Worker and asks it once. Throws when the Worker fails. */
const startUp = async (name: string, dir: string): Promise<Start> => {
  const startedAt = performance.now()
  const alone = await start(dir)
  try {
    const status = await firstAnswer(`${alone.url}/api/v1/none`)
    if (status >= 500) throw new Error(`the Worker ${name} answered ${status}`)
    return { time: performance.now() - startedAt, cpu: exactCpuOf(alone.pid) }
  } finally {
    await alone.close()
  }
}

const EMPTY: Program = { code: 'export default { fetch: () => new Response(null, { status: 204 }) }' }

/** Start-up of each program, in turns. */
const startUps = async (programs: Record<string, Program>): Promise<Record<string, Start>> => {
  const dirs = Object.entries(programs).map(([name, program]) => [name, prepare(program)] as const)
  const samples: Record<string, Start[]> = {}
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, dir] of dirs) samples[name] = [...(samples[name] ?? []), await startUp(name, dir)]
  } finally {
    for (const [, dir] of dirs) rmSync(dir, { recursive: true, force: true })
  }
  const middle = (starts: readonly Start[], of: keyof Start): number => median(starts.map((one) => one[of]))
  return Object.fromEntries(
    Object.entries(samples).map(([name, starts]) => [
      name,
      { time: middle(starts, 'time'), cpu: middle(starts, 'cpu') },
    ]),
  )
}

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`

const pathLine = (
  path: string,
  workers: readonly string[],
  started: Record<string, Start | undefined>,
  empty: Start,
): Line => {
  const above = workers.map((name) => (started[name]?.cpu ?? Number.NaN) - empty.cpu)
  const cpu = above.reduce((sum, one) => sum + one, empty.cpu)
  return {
    part: 'weight',
    name: `${path}: first answer of all its Workers`,
    kind: 'ratio',
    value: cpu / empty.cpu,
    unit: '×',
    goal: { max: START_GOAL },
    note: `CPU ${cpu.toFixed(0)} ms, an empty Worker's ${empty.cpu.toFixed(0)} ms; above it ${workers.map((name, n) => `${name} ${above[n]?.toFixed(0)}`).join(', ')} (medians of ${ROUNDS})`,
  }
}

const sizeLine = (name: string, { program, gzippedKiB, packages }: Bundle): Line => ({
  part: 'weight',
  name: `${name}: gzipped`,
  kind: 'size',
  value: gzippedKiB,
  unit: 'KiB',
  goal: { max: LIMIT_KIB },
  note: `${kib(Buffer.byteLength(program.code))} before; ${Object.entries(packages)
    .map(([pack, bytes]) => `${pack} ${kib(bytes)}`)
    .join(', ')}`,
})

/** Measures the weight of each Worker as it is deployed, and the CPU until the first answer along each path. */
export const weight = async (): Promise<Findings> => {
  const folder = await bundleWorkers()
  const bundles: [string, Bundle][] = []
  for (const worker of WORKERS) bundles.push([worker.folder, await bundleOf(worker, folder)])
  const started: Record<string, Start | undefined> = await startUps({
    empty: EMPTY,
    ...Object.fromEntries(bundles.map(([name, { program }]) => [name, program])),
  })
  const { empty } = started
  if (!empty) throw new Error('the empty Worker was not started')
  const lines = [
    ...Object.entries(PATHS).map(([path, workers]) => pathLine(path, workers, started, empty)),
    ...bundles.map(([name, built]) => sizeLine(name, built)),
  ]
  const details = Object.fromEntries(bundles.map(([name, { packages }]) => [name, { packages, start: started[name] }]))
  return { lines, notes: [], details }
}
