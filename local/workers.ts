import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import type { SecretName } from '../src/platform/runtime/secrets.ts'

const Config = z.looseObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z._default(z.array(z.string()), []),
  services: z._default(
    z.array(z.object({ binding: z.string(), service: z.string(), entrypoint: z.optional(z.string()) })),
    [],
  ),
  r2_buckets: z._default(z.array(z.object({ binding: z.string(), bucket_name: z.string() })), []),
  vars: z._default(z.record(z.string(), z.string()), {}),
  browser: z.optional(z.object({ binding: z.string() })),
  send_email: z._default(z.array(z.object({ name: z.string() })), []),
  rules: z._default(z.array(z.unknown()), []),
  assets: z.optional(z.object({ directory: z.string(), binding: z.string() })),
})

/** One Worker as its wrangler.toml declares it. */
export type WorkerConfig = {
  /** Its folder below `functions`. */
  folder: string
  /** The name it is deployed under. */
  script: string
  /** Path of its wrangler.toml from the root. */
  config: string
  compatibilityDate: string
  compatibilityFlags: string[]
  /** Service bindings: name of the binding to the folder of the Worker it calls. */
  services: Record<string, string>
  /** Service bindings that lead to a named entrypoint: name of the binding to that of the entrypoint. */
  entrypoints: Record<string, string>
  /** Names of its secrets: none until `giveSecrets` adds them. */
  secrets: readonly SecretName[]
  /** Bindings of object storage: name of the binding to the bucket. */
  buckets: Record<string, string>
  /** Settings in the file. A deployment's environment adds to them. */
  vars: Record<string, string>
  /** Name of its binding to Browser Run, if it has one. */
  browser: string | undefined
  /** Name of its binding to Cloudflare's Email Service, if it has one. */
  email: string | undefined
  /** True if its bundle imports other files beside it, for which the wrangler.toml has rules. */
  importsFiles: boolean
  /** Its static assets, if it has any: the name of the binding that reads them, and their folder. */
  assets: { binding: string; directory: string } | undefined
}

type Parsed = { config: string; folder: string; toml: z.infer<typeof Config> }

const readConfig = (root: string, config: string): Parsed => {
  const result = Config.safeParse(parse(readFileSync(join(root, config), 'utf8')))
  if (!result.success) throw new Error(`${config}: ${z.prettifyError(result.error)}`)
  const toml = result.data
  // `main` is relative to its wrangler.toml: functions/<folder>/index.ts from the root, index.ts from the folder
  // itself.
  const folder = join(config, '..', toml.main).split('/').at(-2) ?? ''
  return { config, folder, toml }
}

const configsIn = (root: string): string[] => [
  'wrangler.toml',
  ...readdirSync(join(root, 'functions'))
    .sort()
    .map((folder) => `functions/${folder}/wrangler.toml`)
    .filter((path) => existsSync(join(root, path))),
]

/**
 * Returns every Worker: from the root's wrangler.toml (the gateway), and from that of each folder below `functions`.
 *
 * Throws if a file is not valid, a folder has no Worker, or a Worker is bound to one that does not exist.
 */
export const readWorkers = (root: string): WorkerConfig[] => {
  const parsed = configsIn(root).map((config) => readConfig(root, config))
  const folders = new Map(parsed.map(({ toml, folder }) => [toml.name, folder]))
  const lost = readdirSync(join(root, 'functions')).filter((folder) => !parsed.some((one) => one.folder === folder))
  if (lost.length > 0) throw new Error(`functions/${lost[0]} has no wrangler.toml`)
  return parsed.map(({ config, folder, toml }) => ({
    folder,
    script: toml.name,
    config,
    compatibilityDate: toml.compatibility_date,
    compatibilityFlags: toml.compatibility_flags,
    services: Object.fromEntries(
      toml.services.map(({ binding, service }) => {
        const target = folders.get(service)
        if (!target) throw new Error(`${config} binds ${binding} to ${service}, and no wrangler.toml has that name`)
        return [binding, target]
      }),
    ),
    entrypoints: Object.fromEntries(
      toml.services.flatMap(({ binding, entrypoint }) => (entrypoint === undefined ? [] : [[binding, entrypoint]])),
    ),
    secrets: [],
    buckets: Object.fromEntries(toml.r2_buckets.map((one) => [one.binding, one.bucket_name])),
    vars: toml.vars,
    browser: toml.browser?.binding,
    email: toml.send_email[0]?.name,
    importsFiles: toml.rules.length > 0,
    assets: toml.assets && { ...toml.assets, directory: join(root, config, '..', toml.assets.directory) },
  }))
}

/**
 * Returns the Workers with their secrets. Throws if one has no entry, because it would start without the secrets it
 * needs.
 */
export const giveSecrets = (
  workers: readonly WorkerConfig[],
  secrets: Readonly<Record<string, readonly SecretName[]>>,
): WorkerConfig[] =>
  workers.map((worker) => {
    const own = Object.hasOwn(secrets, worker.folder) ? secrets[worker.folder] : undefined
    if (own) return { ...worker, secrets: own }
    throw new Error(`src/platform/runtime/secrets.ts does not name functions/${worker.folder}`)
  })

/** Returns the Workers in the order to deploy them: each after those it calls. Throws if two call each other. */
export const deployOrder = (workers: readonly WorkerConfig[]): WorkerConfig[] => {
  const byFolder = new Map(workers.map((worker) => [worker.folder, worker]))
  const done = new Set<WorkerConfig>()
  const visit = (worker: WorkerConfig, callers: readonly string[]): void => {
    if (callers.includes(worker.folder))
      throw new Error(`Workers call each other in a circle: ${[...callers, worker.folder].join(' -> ')}`)
    if (done.has(worker)) return
    for (const folder of Object.values(worker.services)) {
      const callee = byFolder.get(folder)
      // A Worker may call itself: it is there as soon as it is uploaded.
      if (callee && callee !== worker) visit(callee, [...callers, worker.folder])
    }
    done.add(worker)
  }
  for (const worker of workers) visit(worker, [])
  return [...done]
}
