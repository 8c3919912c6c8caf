import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT, WORKERS } from '../../local/bundle.ts'
import { limitOf } from '../../scripts/bundles/size.ts'
import { adapterLines } from './adapters.ts'
import { type Program, prepare, start } from './alone.ts'
import type { Findings, Line } from './report.ts'
import { median } from './statistics.ts'

/** A Worker's first answer over an empty one's. */
const START_GOAL = 2
const ROUNDS = 9
const TOP = 8

/** Settings that let a Worker build itself; the answer asked for needs none of them. */
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
/** Inner Workers that answer nothing without the modules or bindings beside them: weighed, but not started alone. */
const NOT_ALONE = new Set(['background', 'cards'])
const SERVICES = ['PROJECTS', 'ARTICLES', 'PUBLISHING', 'RESEARCH', 'JOBS', 'WRITER', 'CMS']

type Bundle = { code: string; gzippedKiB: number; packages: Record<string, number> }

const buildOne = (config: string, outdir: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
    const options = ['deploy', '--dry-run', '-c', join(ROOT, config), '--outdir', outdir, '--metafile']
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }
    const child = spawn(process.execPath, [wrangler, ...options], { cwd: ROOT, env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`wrangler could not build ${config}`))))
  })

/** The package a bundled file belongs to; the project's own files count together. */
const packageOf = (path: string): string => {
  const [, inside] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return inside ?? 'this project'
}

type Metafile = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> }

const packagesOf = (metafile: Metafile): Record<string, number> => {
  const bytes = new Map<string, number>()
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      bytes.set(packageOf(path), (bytes.get(packageOf(path)) ?? 0) + bytesInOutput)
  return Object.fromEntries([...bytes].sort(([, a], [, b]) => b - a).slice(0, TOP))
}

/** Bundles a Worker as a deploy would, and tells what is in it. */
const bundle = async (config: string): Promise<Bundle> => {
  const dir = mkdtempSync(join(tmpdir(), 'galley-weight-'))
  try {
    await buildOne(config, dir)
    const code = readFileSync(join(dir, 'index.js'), 'utf8')
    const metafile = JSON.parse(readFileSync(join(dir, 'bundle-meta.json'), 'utf8')) as Metafile
    return { code, gzippedKiB: gzipSync(code).length / 1024, packages: packagesOf(metafile) }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const firstAnswer = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', reject)
  })

/** Time from the start of workerd to the Worker's first answer, ms. Throws when the Worker fails. */
const startUp = async (dir: string): Promise<number> => {
  const startedAt = performance.now()
  const alone = await start(dir)
  try {
    const status = await firstAnswer(`${alone.url}/api/v1/none`)
    if (status >= 500) throw new Error(`the Worker answered ${status}`)
    return performance.now() - startedAt
  } finally {
    await alone.close()
  }
}

const EMPTY: Program = { code: 'export default { fetch: () => new Response(null, { status: 204 }) }' }

/** Start-up of each program, in turns. */
const startUps = async (programs: Record<string, Program>): Promise<Record<string, number>> => {
  const dirs = Object.entries(programs).map(([name, program]) => [name, prepare(program)] as const)
  const samples: Record<string, number[]> = {}
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, dir] of dirs) {
        const took = await startUp(dir)
        samples[name] = [...(samples[name] ?? []), took]
      }
  } finally {
    for (const [, dir] of dirs) rmSync(dir, { recursive: true, force: true })
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`

const startLine = (name: string, startMs: number, emptyMs: number): Line => ({
  part: 'weight',
  name: `${name}: start-up`,
  kind: 'ratio',
  value: startMs / emptyMs,
  unit: '×',
  goal: { max: START_GOAL },
  note: `first answer after ${startMs.toFixed(0)} ms, an empty Worker's after ${emptyMs.toFixed(0)} ms (medians of ${ROUNDS})`,
})

const linesOf = (name: string, built: Bundle, startMs: number | undefined, emptyMs: number): Line[] => [
  {
    part: 'weight',
    name: `${name}: gzipped`,
    kind: 'size',
    value: built.gzippedKiB,
    unit: 'KiB',
    goal: { max: limitOf(name) },
    note: `${kib(Buffer.byteLength(built.code))} before; ${Object.entries(built.packages)
      .map(([pack, bytes]) => `${pack} ${kib(bytes)}`)
      .join(', ')}`,
  },
  ...(startMs === undefined ? [] : [startLine(name, startMs, emptyMs)]),
]

/** What each Worker weighs when deployed, and how long it takes to its first answer. */
export const weight = async (): Promise<Findings> => {
  const bundles: Record<string, Bundle> = {}
  for (const { folder, config } of WORKERS) bundles[folder] = await bundle(config)
  const programs = Object.entries(bundles)
    .filter(([name]) => !NOT_ALONE.has(name))
    .map(([name, { code }]) => [name, { code, vars: VARS, services: SERVICES }])
  const started = await startUps({ empty: EMPTY, ...Object.fromEntries(programs) })
  const lines = Object.entries(bundles).flatMap(([name, built]) =>
    linesOf(name, built, started[name], started.empty ?? Number.NaN),
  )
  const details = Object.fromEntries(Object.entries(bundles).map(([name, { packages }]) => [name, { packages }]))
  return { lines: [...lines, ...(await adapterLines())], notes: [], details }
}
