import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { WORKERS } from '../local/bundle.ts'
import { EDGE_FLAG, EDGE_WORKER, ISOLATE_MB } from '../local/edge.ts'
import { emailWorker } from '../local/mail/binding.ts'
import { BUCKET_HEADER } from '../local/r2/server.ts'
import { ended, serveConfig } from '../local/serve-config.ts'
import {
  assetService,
  bucketService,
  cronWorker,
  EMAIL_SERVICE,
  filesService,
  list,
  quote,
  workerConst,
  YOUNG_MB,
} from '../local/workerd.ts'
import { secretsFor, usesDatabase, varsOf } from '../scripts/deploy/secrets.ts'
import type { Settings } from '../scripts/deploy/settings.ts'
import type { Sockets } from './parts.ts'
import type { ServerSettings } from './settings.ts'

/** Parts of the machine that Workers reach by a name, beside the internet. Only the Worker between them knows the names. */
const INSIDE = ['database', 'redis', 'queue', 'mail'] as const

type Inside = (typeof INSIDE)[number]

/** Domain of those names. No customer's address may be in it: `.internal` is a private name. */
const DOMAIN = 'galley.internal'

const hostOf = (part: Inside): string => `${part}.${DOMAIN}`

/** Secrets of one start, between the Workers and the parts of this machine. */
export type Tokens = { connectionString: string; redis: string; queue: string; signing: string }

/** Returns new secrets. They are stored nowhere: what runs together starts together. */
export const newTokens = (): Tokens => {
  const [database, redis, queue, signing] = Array.from({ length: 4 }, () => crypto.randomUUID())
  return {
    connectionString: `postgresql://galley:${database}@${hostOf('database')}/galley`,
    redis: redis ?? '',
    queue: queue ?? '',
    signing: signing ?? '',
  }
}

/** Worker between the others and the network: it leads names of this machine to its parts, and the rest to the internet. */
const OUTBOUND_WORKER = `const INSIDE = ${JSON.stringify(Object.fromEntries(INSIDE.map((part) => [hostOf(part), part.toUpperCase()])))}
export default {
  fetch(request, env) {
    const binding = INSIDE[new URL(request.url).hostname]
    return binding === undefined ? fetch(request) : env[binding].fetch(request)
  },
}`

const OUTBOUND = 'outbound'

/** Returns the settings of a deployment that mean this machine. */
const deploymentOf = (settings: ServerSettings, tokens: Tokens): Settings => {
  const { SMTP_URL: smtp, DATABASE_URL: _, ...rest } = settings
  return {
    ...rest,
    DATABASE_URL: tokens.connectionString,
    UPSTASH_REDIS_REST_URL: `http://${hostOf('redis')}`,
    UPSTASH_REDIS_REST_TOKEN: tokens.redis,
    QSTASH_URL: `http://${hostOf('queue')}`,
    QSTASH_TOKEN: tokens.queue,
    QSTASH_CURRENT_SIGNING_KEY: tokens.signing,
    QSTASH_NEXT_SIGNING_KEY: tokens.signing,
    // The database is on this machine and costs nothing while idle: every minute sweeps for lost wakes.
    CRON_REST_MINUTES: '0',
    MAIL_PROVIDER: smtp ? 'cloudflare' : 'resend',
  }
}

/** Companies that a deployment to the cloud needs, and this machine does not. */
const NOT_HERE = /^(?:cloudflare|neon|upstash)(?:@|$)/

/** Returns the settings and secrets of one Worker. */
const settingsOf = (
  worker: (typeof WORKERS)[number],
  settings: ServerSettings,
  tokens: Tokens,
): Record<string, string> => {
  const deployment = deploymentOf(settings, tokens)
  const { DATA_PROCESSORS: processors, ...vars } = varsOf(worker, deployment, settings.PUBLIC_URL)
  const own = processors?.split(',').filter((one) => !NOT_HERE.test(one))
  return {
    ...vars,
    ...secretsFor(worker, deployment),
    ...(own ? { DATA_PROCESSORS: own.join(',') } : {}),
    ...(usesDatabase(worker) ? { NEON_FETCH_ENDPOINT: `http://${hostOf('database')}/sql` } : {}),
    // The network below refuses private addresses, whatever a name resolves to at that moment.
    DNS_QUERY_URL: '',
    ALLOW_PRIVATE_HOSTS: settings.ALLOW_PRIVATE_HOSTS === 'true' ? 'true' : '',
  }
}

const external = (name: string, path: string, more = ''): string =>
  `(name = ${quote(name)}, external = (address = ${quote(`unix:${path}`)}, http = (${more})))`

type Parts = { settings: ServerSettings; tokens: Tokens; sockets: Sockets }

const configuration = (
  { settings, tokens, sockets }: Parts,
  { bundles, dir, http, cron }: { bundles: string; dir: string; http: string; cron: string },
): string => {
  const hasMail = Boolean(settings.SMTP_URL)
  const inside = INSIDE.filter((part) => hasMail || part !== 'mail')
  const buckets = [...new Set(WORKERS.flatMap((worker) => Object.values(worker.buckets)))]
  const networks = settings.ALLOW_PRIVATE_HOSTS === 'true' ? ['public', 'private'] : ['public']
  const services = [
    `(name = "internet", network = (allow = ${list(networks)}, tlsOptions = (trustBrowserCas = true)))`,
    ...inside.map((part) => external(hostOf(part), sockets[part])),
    ...buckets.map((bucket) =>
      external(
        bucketService(bucket),
        sockets.pictures,
        `injectRequestHeaders = [(name = ${quote(BUCKET_HEADER)}, value = ${quote(bucket)})]`,
      ),
    ),
    ...WORKERS.flatMap(({ assets, folder }) => (assets ? [filesService(assetService(folder), assets.directory)] : [])),
    ...[...WORKERS.map(({ folder }) => folder), OUTBOUND, 'edge', 'cron', ...(hasMail ? [EMAIL_SERVICE] : [])].map(
      (name) => `(name = ${quote(name)}, worker = .${name})`,
    ),
  ]
  const workers = WORKERS.map((worker) =>
    workerConst(worker, {
      dir,
      folder: join(bundles, worker.folder),
      vars: settingsOf(worker, settings, tokens),
      entrypointOf: (_, entrypoint) => entrypoint,
      outbound: OUTBOUND,
      has: { email: hasMail, browser: false },
    }),
  )
  const date = quote(WORKERS[0]?.compatibilityDate ?? '')
  const own = (name: string, more: string): string => `const ${name} :Workerd.Worker = (
  modules = [(name = "${name}.js", esModule = embed "${name}.js")],
  compatibilityDate = ${date},${more}
);`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${services.join(',\n    ')},
  ],
  sockets = [
    (name = "http", address = ${quote(`unix:${http}`)}, http = (forwardedProtoHeader = "X-Forwarded-Proto"), service = "edge"),
    (name = "cron", address = ${quote(`unix:${cron}`)}, http = (), service = "cron"),
  ],
  v8Flags = ["--max-old-space-size=${ISOLATE_MB}", "--max-semi-space-size=${YOUNG_MB}"],
);
${workers.join('\n')}
${own('edge', `\n  compatibilityFlags = [${quote(EDGE_FLAG)}],\n  bindings = [(name = "GATEWAY", service = "gateway")],`)}
${own('cron', '\n  compatibilityFlags = ["service_binding_extra_handlers"],\n  bindings = [(name = "JOBS", service = "jobs")],')}
${own(OUTBOUND, `\n  bindings = [${inside.map((part) => `(name = ${quote(part.toUpperCase())}, service = ${quote(hostOf(part))})`).join(', ')}],\n  globalOutbound = "internet",`)}
${hasMail ? own(EMAIL_SERVICE, `\n  globalOutbound = ${quote(OUTBOUND)},`) : ''}
`
}

/** Running Workers. `cron` does a minute's work and throws if it failed. */
export type RunningWorkers = {
  pid: number
  socket: string
  cron: () => Promise<void>
  ended: Promise<void>
  stop: () => Promise<void>
}

const CRON_MS = 10 * 60_000

/** Fires the minute's work at a socket. Throws if it failed. */
const fireCron = (socketPath: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = request({ socketPath, path: '/', agent: false, timeout: CRON_MS }, (answer) => {
      answer.resume()
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error('the minute’s work failed'))))
      answer.on('error', reject)
    })
    call.on('timeout', () => call.destroy(new Error('the minute’s work took too long')))
    call.on('error', reject)
    call.end()
  })

/**
 * Starts the Workers that a deployment would upload, on workerd, with this machine's parts around them.
 *
 * Everything is below `dir`, a folder of this user alone, because the configuration has secrets.
 */
export const startWorkers = async (
  parts: Parts,
  { bundles, dir, logFile }: { bundles: string; dir: string; logFile: string },
): Promise<RunningWorkers> => {
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const [http, cron] = [join(dir, 'http.sock'), join(dir, 'cron.sock')]
  writeFileSync(join(dir, 'edge.js'), EDGE_WORKER)
  writeFileSync(join(dir, 'cron.js'), cronWorker(true))
  writeFileSync(join(dir, `${OUTBOUND}.js`), OUTBOUND_WORKER)
  writeFileSync(join(dir, `${EMAIL_SERVICE}.js`), emailWorker(`http://${hostOf('mail')}`))
  const file = join(dir, 'config.capnp')
  writeFileSync(file, configuration(parts, { bundles, dir, http, cron }), { mode: 0o600 })
  const { child } = await serveConfig(file, ['http', 'cron'], logFile)
  return {
    pid: child.pid ?? 0,
    socket: http,
    cron: () => fireCron(cron),
    ended: ended(child),
    stop: async () => {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}
