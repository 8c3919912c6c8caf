import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { WORKERS } from '../../local/bundle.ts'
import { ROOT } from '../../local/root.ts'
import type { WorkerConfig } from '../../local/workers.ts'
import { type EnvironmentName, scriptName } from './environment.ts'

/** Destination of a deployment, and its address. */
export type Destination = {
  environment: EnvironmentName
  accountId: string
  /** Address for callers, without a slash at its end. */
  publicUrl: string
  /** Cloud region of the database, such as `aws:eu-central-1`. Undefined: Workers run near the caller. */
  region: string | undefined
}

/** Settings that are in no wrangler.toml, and if the Worker waits for the database. */
export type Build = { main: string; vars: Record<string, string>; nearDatabase: boolean }

const PUBLIC = 'gateway'

/**
 * True if an address is a domain of a zone in the account. Those below workers.dev, or on this machine, need no zone.
 */
export const needsZone = (publicUrl: string): boolean => {
  const { hostname } = new URL(publicUrl)
  return !hostname.endsWith('.workers.dev') && hostname !== '127.0.0.1'
}

const reachedBy = (folder: string, publicUrl: string) => {
  if (folder !== PUBLIC) return { workers_dev: false }
  if (!needsZone(publicUrl)) return { workers_dev: true }
  return { workers_dev: false, routes: [{ pattern: new URL(publicUrl).hostname, custom_domain: true }] }
}

/** Returns a limit's namespace in an environment. Limits in one namespace share their counts across an account. */
const namespaceIn = (environment: EnvironmentName, id: string): string => {
  if (environment === 'production') return id
  const prefix = 1 + (createHash('sha256').update(environment).digest().readUInt16BE() % 9_999)
  return `${prefix}${id.padStart(5, '0')}`
}

const scriptOf = (folder: string): string => {
  const worker = WORKERS.find((one) => one.folder === folder)
  if (!worker) throw new Error(`There is no Worker functions/${folder}`)
  return worker.script
}

/**
 * Returns wrangler's configuration of a Worker. No tracked file is edited for a deployment.
 *
 * It is the Worker's wrangler.toml with the bindings to the groups, the names of the environment, the address, the region and
 * the bundle that was built.
 */
export const wranglerConfig = (worker: WorkerConfig, to: Destination, build: Build): Record<string, unknown> => {
  const toml = parse(readFileSync(join(ROOT, worker.config), 'utf8'))
  const {
    minify: _,
    keep_names: __,
    services: ___,
    assets,
    ratelimits,
    r2_buckets: buckets,
    send_email: email,
    ...rest
  } = toml
  const limits = (ratelimits ?? []) as { namespace_id: string }[]
  const given = (buckets ?? []) as { binding: string; bucket_name: string }[]
  return {
    ...rest,
    name: scriptName(to.environment, worker.script),
    account_id: to.accountId,
    main: build.main,
    no_bundle: true,
    // Files that the bundle imports unchanged, such as WebAssembly, are beside it.
    find_additional_modules: worker.importsFiles,
    ...(worker.importsFiles ? { base_dir: dirname(build.main) } : {}),
    services: Object.entries(worker.services).map(([binding, folder]) => ({
      binding,
      service: scriptName(to.environment, scriptOf(folder)),
      ...(worker.entrypoints[binding] === undefined ? {} : { entrypoint: worker.entrypoints[binding] }),
    })),
    ...(limits.length > 0
      ? { ratelimits: limits.map((one) => ({ ...one, namespace_id: namespaceIn(to.environment, one.namespace_id) })) }
      : {}),
    // An account can do without the Email Service if the settings do not use it.
    ...(email && build.vars.MAIL_PROVIDER === 'cloudflare' ? { send_email: email } : {}),
    ...(given.length > 0
      ? {
          r2_buckets: given.map((one) => ({ ...one, bucket_name: scriptName(to.environment, one.bucket_name) })),
        }
      : {}),
    ...(worker.assets ? { assets: { ...(assets as object), directory: worker.assets.directory } } : {}),
    vars: { ...worker.vars, ...build.vars },
    ...(build.nearDatabase && to.region ? { placement: { region: to.region } } : {}),
    ...reachedBy(worker.folder, to.publicUrl),
  }
}
