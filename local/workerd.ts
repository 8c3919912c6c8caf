import { mkdirSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join, relative } from 'node:path'
import { settingsFor } from '../src/platform/runtime/secrets.ts'
import { modulesIn, WORKERS } from './bundle.ts'
import { CLIENT_DOCUMENTS_WORKER } from './client-documents.ts'
import { EDGE_FLAG, EDGE_WORKER, ISOLATE_MB } from './edge.ts'
import { emailWorker } from './mail/binding.ts'
import { BUCKET_HEADER } from './r2/server.ts'
import { ended, serveConfig } from './serve-config.ts'
import { listenAt } from './start/ports.ts'
import type { WorkerConfig } from './workers.ts'

/**
 * Returns a Worker that fires the jobs Worker's `scheduled` handler, as the cron trigger does in production.
 *
 * Without clean-up, it reports every minute as the first of its hour, so that all minutes do the same.
 */
export const cronWorker = (cleansUp: boolean): string => `export default {
  async fetch(request, env) {
    const scheduledTime = new Date()
    ${cleansUp ? '' : 'scheduledTime.setUTCMinutes(0)'}
    const result = await env.JOBS.scheduled({ scheduledTime, cron: '* * * * *' })
    return Response.json(result, { status: result.outcome === 'ok' ? 200 : 500 })
  },
}`

/**
 * Workers that run the bundles of another release, with that release's bindings.
 *
 * They get every setting, because only that release knows what it needs. Workers that only the other release has run
 * beside them.
 */
export type OlderWorkers = { bundles: string; folders: readonly string[]; workers: readonly WorkerConfig[] }

export type WorkerdOptions = {
  /** Folder with `<worker>/index.js` of every Worker. */
  bundles: string
  older?: OlderWorkers
  /** Folder for the generated configuration. */
  dir: string
  /** 0 takes a free one. */
  port: number
  /** Settings and secrets of all Workers. Each Worker gets only its own secrets. */
  vars: Record<string, string>
  /** Address of the local R2. */
  r2Url: string
  /** Address of the stand-in for mail providers (local/mail). */
  mailUrl: string
  /** Address of Browser Run (local/browser). */
  browserUrl: string
  /** File that gets the Workers' logs. */
  logFile: string
  /** True if Cloudflare's limits on bodies and memory apply (see edge.ts). */
  limits?: boolean
  /** False turns off the hourly clean-up, which runs in production and by default. */
  cleansUp?: boolean
}

export type Workerd = {
  url: string
  port: number
  pid: number
  /** Answers when the minute's cron, fired by the request, has ended. */
  cronUrl: string
  /** Fires the minute's cron and waits for its end. Throws when it failed. */
  cron: () => Promise<void>
  /** Settles when the process has ended, for whatever reason. */
  ended: Promise<void>
  /** Ends the process at once, as a crash would. */
  kill: () => Promise<void>
  close: () => Promise<void>
}

/** Returns a text as Cap'n Proto writes it. */
export const quote = (text: string): string => JSON.stringify(text)

export const list = (items: readonly string[]): string => `[${items.map(quote).join(', ')}]`

/** Returns the name of a bucket's service in a workerd configuration. */
export const bucketService = (bucket: string): string => `r2 ${bucket}`

/** Returns buckets as services of a workerd configuration: the local R2, with the bucket's name in a header. */
export const bucketServices = (buckets: readonly string[], r2Url: string): string[] =>
  [...new Set(buckets)].map(
    (bucket) => `(name = ${quote(bucketService(bucket))}, external = (address = ${quote(new URL(r2Url).host)}, http = (
      injectRequestHeaders = [(name = ${quote(BUCKET_HEADER)}, value = ${quote(bucket)})])))`,
  )

/** Returns the name of the service for a Worker's static assets in a workerd configuration. */
export const assetService = (worker: string): string => `assets ${worker}`

/** Returns static assets as a service of a workerd configuration: the files of a folder, by its absolute path. */
export const filesService = (name: string, directory: string): string =>
  `(name = ${quote(name)}, disk = (path = ${quote(directory)}))`

/** Name of the service for Browser Run in a workerd configuration. */
export const BROWSER_RUN = 'browser run'

/** Name of the Worker that replaces Cloudflare's Email Service. */
export const EMAIL_SERVICE = 'email'

/** Name of the Worker between the internet and the Worker that reads client descriptions. */
const CLIENT_DOCUMENTS = 'documents'

/**
 * Returns a Worker as a workerd configuration names it in a service binding: its default entrypoint, or a named one.
 */
export const designator = (service: string, entrypoint?: string): string =>
  entrypoint === undefined ? quote(service) : `(name = ${quote(service)}, entrypoint = ${quote(entrypoint)})`

/** Function that returns the entrypoint for a binding; undefined if the callee does not have it. */
type EntrypointOf = (folder: string, entrypoint: string | undefined) => string | undefined

/** Returns entrypoints beside another release. Its Workers have only those that callers of that release use. */
const entrypointsBeside =
  (older: OlderWorkers | undefined): EntrypointOf =>
  (folder, entrypoint) => {
    const isKnown = older?.workers.some(({ services, entrypoints }) =>
      Object.entries(services).some(([key, callee]) => callee === folder && entrypoints[key] === entrypoint),
    )
    return older?.folders.includes(folder) && !isKnown ? undefined : entrypoint
  }

/** Environment of a Worker in a workerd configuration. */
type Surroundings = {
  /** Folder of the configuration. */
  dir: string
  /** Folder with the Worker's built files. */
  folder: string
  /** Its settings and secrets. */
  vars: Record<string, string>
  entrypointOf: EntrypointOf
  /** Service that gets its requests to the internet; absent: the service `internet`. */
  outbound?: string | undefined
  /** Services of Cloudflare that are there. A Worker gets no binding to another one. */
  has: { email: boolean; browser: boolean }
}

/** Returns a Worker as a constant of a workerd configuration. */
export const workerConst = (
  worker: WorkerConfig,
  { dir, folder, vars, entrypointOf, outbound, has }: Surroundings,
): string => {
  const file = (name: string): string => quote(relative(dir, join(folder, name)))
  const modules = [
    `(name = "index.js", esModule = embed ${file('index.js')})`,
    ...modulesIn(folder).map(({ name, kind }) => `(name = ${quote(name)}, ${kind} = embed ${file(name)})`),
  ]
  const bindings = [
    ...Object.entries({ ...worker.vars, ...vars }).map(
      ([key, value]) => `(name = ${quote(key)}, text = ${quote(value)})`,
    ),
    ...Object.entries(worker.services).map(
      ([key, callee]) =>
        `(name = ${quote(key)}, service = ${designator(callee, entrypointOf(callee, worker.entrypoints[key]))})`,
    ),
    ...Object.entries(worker.buckets).map(
      ([key, bucket]) => `(name = ${quote(key)}, r2Bucket = ${quote(bucketService(bucket))})`,
    ),
    ...(worker.assets
      ? [`(name = ${quote(worker.assets.binding)}, service = ${quote(assetService(worker.folder))})`]
      : []),
    ...(worker.email && has.email ? [`(name = ${quote(worker.email)}, service = ${quote(EMAIL_SERVICE)})`] : []),
    ...(worker.browser && has.browser ? [`(name = ${quote(worker.browser)}, service = ${quote(BROWSER_RUN)})`] : []),
  ]
  return `const ${worker.folder} :Workerd.Worker = (
  modules = [${modules.join(', ')}],
  compatibilityDate = ${quote(worker.compatibilityDate)},
  compatibilityFlags = ${list(worker.compatibilityFlags)},
  bindings = [${bindings.join(', ')}],${outbound === undefined ? '' : `\n  globalOutbound = ${quote(outbound)},`}
);`
}

/** Limits V8's space for new objects in an isolate, MB. It would take 16 MB three times for each of two dozen. */
export const YOUNG_MB = 4

const configuration = ({ bundles, older, dir, vars, r2Url, browserUrl, limits }: WorkerdOptions): string => {
  const served = [
    ...WORKERS.map((worker) => {
      const before = older?.folders.includes(worker.folder) && older.workers.find((one) => one.folder === worker.folder)
      return before ? { worker: before, isOlder: true } : { worker, isOlder: false }
    }),
    ...(older?.workers ?? [])
      .filter(({ folder }) => !WORKERS.some((one) => one.folder === folder))
      .map((worker) => ({ worker, isOlder: true })),
  ]
  const names = served.map(({ worker }) => worker.folder)
  const jobs = WORKERS.find(({ folder }) => folder === 'jobs')
  const buckets = bucketServices(
    served.flatMap(({ worker }) => Object.values(worker.buckets)),
    r2Url,
  )
  const assets = served.flatMap(({ worker }) =>
    worker.assets ? [filesService(assetService(worker.folder), worker.assets.directory)] : [],
  )
  const workers = served.map(({ worker, isOlder }) => {
    const folder = join(isOlder && older ? older.bundles : bundles, worker.folder)
    return workerConst(worker, {
      dir,
      folder,
      vars: isOlder ? vars : settingsFor(worker.secrets, vars),
      entrypointOf: entrypointsBeside(older),
      outbound: worker.folder === 'oauth' ? CLIENT_DOCUMENTS : undefined,
      has: { email: true, browser: true },
    })
  })
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
    ${[...names, 'edge', 'cron', CLIENT_DOCUMENTS, EMAIL_SERVICE].map((name) => `(name = ${quote(name)}, worker = .${name})`).join(',\n    ')},
    ${[...buckets, ...assets].map((service) => `${service},`).join('\n    ')}
    (name = ${quote(BROWSER_RUN)}, external = (address = ${quote(new URL(browserUrl).host)}, http = ())),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:0", http = (), service = ${quote(limits ? 'edge' : 'gateway')}),
    (name = "cron", address = "127.0.0.1:0", http = (), service = "cron"),
  ],
  v8Flags = ${list(limits ? [`--max-old-space-size=${ISOLATE_MB}`, `--max-semi-space-size=${YOUNG_MB}`] : [])},
);
${workers.join('\n')}
const edge :Workerd.Worker = (
  modules = [(name = "edge.js", esModule = embed "edge.js")],
  compatibilityDate = ${quote(jobs?.compatibilityDate ?? '')},
  compatibilityFlags = [${quote(EDGE_FLAG)}],
  bindings = [(name = "GATEWAY", service = "gateway")],
);
const ${CLIENT_DOCUMENTS} :Workerd.Worker = (
  modules = [(name = "documents.js", esModule = embed "documents.js")],
  compatibilityDate = ${quote(jobs?.compatibilityDate ?? '')},
);
const ${EMAIL_SERVICE} :Workerd.Worker = (
  modules = [(name = "email.js", esModule = embed "email.js")],
  compatibilityDate = ${quote(jobs?.compatibilityDate ?? '')},
);
const cron :Workerd.Worker = (
  modules = [(name = "cron.js", esModule = embed "cron.js")],
  compatibilityDate = ${quote(jobs?.compatibilityDate ?? '')},
  compatibilityFlags = ["service_binding_extra_handlers"],
  bindings = [(name = "JOBS", service = "jobs")],
);
`
}

/**
 * Runs the Workers' production bundles on workerd itself, with the service bindings of production.
 *
 * Only settings and tokens differ. Throws if workerd does not start, with EADDRINUSE if the port is taken.
 */
export const startWorkerd = async (options: WorkerdOptions): Promise<Workerd> => {
  mkdirSync(options.dir, { recursive: true })
  writeFileSync(join(options.dir, 'cron.js'), cronWorker(options.cleansUp ?? true))
  writeFileSync(join(options.dir, 'edge.js'), EDGE_WORKER)
  writeFileSync(join(options.dir, 'documents.js'), CLIENT_DOCUMENTS_WORKER)
  writeFileSync(join(options.dir, 'email.js'), emailWorker(options.mailUrl))
  const file = join(options.dir, 'config.capnp')
  writeFileSync(file, configuration(options))
  const listening: Record<string, Server> = options.port === 0 ? {} : { http: await listenAt(options.port) }
  const { child, ports } = await serveConfig(file, ['http', 'cron'], options.logFile, listening)
  const stop = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await ended(child)
  }
  const cronUrl = `http://127.0.0.1:${ports.cron}/`
  const cron = async () => {
    const response = await fetch(cronUrl)
    if (!response.ok) throw new Error(`the cron failed: ${await response.text()}`)
    await response.arrayBuffer()
  }
  const port = ports.http ?? options.port
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    cronUrl,
    cron,
    ended: ended(child),
    kill: () => stop('SIGKILL'),
    close: () => stop('SIGTERM'),
  }
}
