import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WORKERS } from '../../local/bundle.ts'
import { deployOrder, giveSecrets, readWorkers } from '../../local/workers.ts'
import { GROUPS } from '../../src/operations.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'galley-workers-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Writes a project of Workers: the gateway and the given folders, each with the Workers it calls. */
const project = (workers: Record<string, string[]>): void => {
  for (const [folder, calls] of Object.entries(workers)) {
    const own = join(root, 'functions', folder)
    mkdirSync(own, { recursive: true })
    const services = calls.map((one) => `{ binding = "${one.toUpperCase()}", service = "x-${one}" }`).join(', ')
    const isGateway = folder === 'gateway'
    writeFileSync(
      join(isGateway ? root : own, 'wrangler.toml'),
      `name = "x-${folder}"
main = "${isGateway ? 'functions/gateway/' : ''}index.ts"
compatibility_date = "2026-11-01"
compatibility_flags = ["nodejs_compat"]
services = [${services}]
r2_buckets = [{ binding = "FILES", bucket_name = "x-files" }]
[vars]
GREETING = "hello" # said to everyone
`,
    )
  }
}

it('reads each Worker from its wrangler.toml', () => {
  project({ gateway: ['pages'], pages: [] })
  expect(readWorkers(root)).toEqual([
    {
      folder: 'gateway',
      script: 'x-gateway',
      config: 'wrangler.toml',
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['nodejs_compat'],
      services: { PAGES: 'pages' },
      entrypoints: {},
      secrets: [],
      buckets: { FILES: 'x-files' },
      vars: { GREETING: 'hello' },
      browser: undefined,
      email: undefined,
      importsFiles: false,
      assets: undefined,
    },
    expect.objectContaining({ folder: 'pages', config: 'functions/pages/wrangler.toml', services: {} }),
  ])
})

it('reads which entrypoint a binding leads to', () => {
  project({ gateway: ['pages', 'keys'], pages: [], keys: [] })
  const file = join(root, 'wrangler.toml')
  const named = 'service = "x-keys", entrypoint = "internal"'
  writeFileSync(file, readFileSync(file, 'utf8').replace('service = "x-keys"', named))
  expect(readWorkers(root)[0]).toMatchObject({
    services: { PAGES: 'pages', KEYS: 'keys' },
    entrypoints: { KEYS: 'internal' },
  })
})

it('refuses a folder that has no Worker', () => {
  project({ gateway: [] })
  mkdirSync(join(root, 'functions/forgotten'))
  expect(() => readWorkers(root)).toThrow('functions/forgotten has no wrangler.toml')
})

it('refuses a binding to a Worker that does not exist', () => {
  project({ gateway: ['pages'] })
  expect(() => readWorkers(root)).toThrow('binds PAGES to x-pages')
})

it('names the file and the field of a wrangler.toml that is not valid', () => {
  project({ gateway: [] })
  writeFileSync(join(root, 'wrangler.toml'), 'name = "x"\nmain = "functions/gateway/index.ts"\n')
  expect(() => readWorkers(root)).toThrow(/wrangler\.toml: [\s\S]*compatibility_date/)
})

describe('a Worker of operations', () => {
  it.each(['gateway', 'mcp'])('is bound to the %s Worker by its own name', (folder) => {
    const services = WORKERS.find((worker) => worker.folder === folder)?.services
    expect(services).toMatchObject(
      Object.fromEntries(Object.values(GROUPS).map(({ worker }) => [worker.toUpperCase(), worker])),
    )
  })

  it('gives a Worker its declared secrets, and refuses an undeclared Worker', () => {
    project({ gateway: [], sample: [] })
    const given = giveSecrets(readWorkers(root), { gateway: [], sample: ['DATABASE_URL'] })
    expect(given.map(({ folder, secrets }) => [folder, secrets])).toEqual([
      ['gateway', []],
      ['sample', ['DATABASE_URL']],
    ])
    expect(() => giveSecrets(readWorkers(root), { gateway: [] })).toThrow('does not name functions/sample')
  })
})

describe('the order to deploy in', () => {
  const orderOf = () => deployOrder(readWorkers(root)).map(({ folder }) => folder)

  it('has each Worker after those it calls', () => {
    project({ gateway: ['a', 'b'], a: ['c'], b: ['a'], c: ['d'], d: [] })
    expect(orderOf()).toEqual(['d', 'c', 'a', 'b', 'gateway'])
  })

  it('may have a Worker that calls itself', () => {
    project({ gateway: ['a'], a: ['a', 'b'], b: [] })
    expect(orderOf()).toEqual(['b', 'a', 'gateway'])
  })

  it('is refused if Workers call each other', () => {
    project({ gateway: ['a'], a: ['b'], b: ['c'], c: ['a'] })
    expect(orderOf).toThrow('in a circle: gateway -> a -> b -> c -> a')
  })

  it('ends with the gateway of this project', () => {
    const order = deployOrder(WORKERS)
    expect(order.length).toBe(WORKERS.length)
    expect(order.at(-1)?.folder).toBe('gateway')
  })
})
