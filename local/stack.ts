import { join } from 'node:path'
import type { SqlRunner } from '../src/platform/db/client.ts'
import { type BrowserOptions, type BrowserServer, startBrowser } from './browser/server.ts'
import { bundleWorkers } from './bundle.ts'
import { startWordpress, type WordpressStandIn } from './cms/wordpress.ts'
import { startCopies } from './copies.ts'
import { type RunningCrowdwork, startCrowdwork } from './crowdwork/server.ts'
import { makeFolder } from './damaged-file.ts'
import { neonRunner } from './database.ts'
import { subjectsIn } from './google/data.ts'
import { type RunningGoogle, startGoogle } from './google/server.ts'
import { startIndexNow } from './indexnow/server.ts'
import { type MailServer, startMail } from './mail/server.ts'
import { type NeonProcess, spawnNeon } from './neon/spawn.ts'
import { type ProviderAccounts, type Providers, startProviders } from './providers.ts'
import { type QStash, startQStash } from './qstash/server.ts'
import { type R2Server, startR2 } from './r2/server.ts'
import { type RunningReceiver, startReceiver } from './receiver/server.ts'
import type { RedisBackend } from './redis/backend.ts'
import { createRedisStore } from './redis/backend-redis.ts'
import { createMemoryStore } from './redis/memory.ts'
import { type RedisServer, startRedis } from './redis/server.ts'
import { LOCAL, settingsOf } from './settings.ts'
import { type RunningTelegram, startTelegram } from './social/telegram.ts'
import { type RunningZernio, startZernio } from './social/zernio.ts'
import type { StandIn } from './stand-in.ts'
import { atFreePort, saysTaken } from './start/ports.ts'
import { type RunningStripe, startStripe } from './stripe/server.ts'
import { emptyTemplate, schemaTemplate } from './template.ts'
import { type OlderWorkers, startWorkerd, type Workerd } from './workerd.ts'

/** Settings of a local cloud. */
export type StackOptions = {
  /** Port of the public address; 0 takes a free one. */
  port?: number
  /** Port of the sample receiver; a free one if it is taken, 0 or absent. */
  receiverPort?: number
  /** Port of the old blog, a WordPress; a free one if it is taken, 0 or absent. */
  blogPort?: number
  /** Folder of the data; absent: in memory only. */
  dir?: string
  /** Folder of logs and generated files. */
  workDir: string
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  /** Factor by which waits between retries are shorter than in production. */
  timeScale?: number
  /**
   * True if the queue delivers at the requested times, as in production. Otherwise it divides the waits by the time
   * scale again.
   */
  punctual?: boolean
  /** True if Cloudflare's limits on bodies and memory apply. */
  limits?: boolean
  /** False turns off the hourly clean-up, which runs in production and by default. */
  cleansUp?: boolean
  /** The service's own accounts at data providers. Stand-ins replace the others. */
  accounts?: ProviderAccounts
  /** Number of copies of every Worker, which take turns; 1 by default. */
  copies?: number
  /** Settings on top of the usual ones. */
  vars?: Record<string, string>
  /** Browser for screenshots; absent: an installed one. */
  browser?: BrowserOptions
  onBuild?: () => void
  /** Called with a sentence if some data is not as the last run left it, and what happens to it. */
  say?: (notice: string) => void
  /** Work on the database, done while the other parts start. */
  onDatabase?: (neon: NeonProcess, connectionString: string) => Promise<void>
  /** Workers of another release to run instead of these. Called at every start. */
  older?: () => OlderWorkers
}

/** Running local cloud. */
export type Stack = {
  /** `http://127.0.0.1:<port>`, without the `/api/v1` prefix. */
  url: string
  port: number
  timeScale: number
  neon: NeonProcess
  redis: RedisServer
  qstash: QStash
  r2: R2Server
  browser: BrowserServer
  receiver: RunningReceiver
  /** The old blog: a WordPress whose posts the service did not make. */
  blog: WordpressStandIn
  providers: Providers
  google: RunningGoogle
  receiverToken: string
  /** The stand-in of the provider of all social networks. */
  zernio: RunningZernio
  /** The stand-in of the provider of crowdwork. */
  crowdwork: RunningCrowdwork
  /** Mails of the service, which are sent nowhere from here. */
  mail: MailServer
  telegram: RunningTelegram
  stripe: RunningStripe
  indexNow: StandIn
  /** The connection string for Neon's HTTP endpoint at `neon.url`. */
  connectionString: string
  workers: () => Workerd
  /** Settings and secrets of all Workers, as `wrangler dev --env-file` takes them. */
  settings: () => Record<string, string>
  /** Ends the Workers as a crash would; `restart` starts them again at the same address. */
  crash: () => Promise<void>
  /** Starts the Workers again, with changed settings if there are any. */
  restart: (changes?: Record<string, string>) => Promise<void>
  close: () => Promise<void>
}

/** Starts a site at its port, or at a free one if that is taken. */
const openAt = async <T>(port: number, start: (port: number) => Promise<T>): Promise<T> => {
  try {
    return await start(port)
  } catch (error) {
    if (!saysTaken(error)) throw error
    return await start(0)
  }
}

/** Resolves with all parts. If one does not start, closes the others and throws its error. */
const allOrNone = async <T extends { close: () => Promise<void> }[]>(
  starting: { [K in keyof T]: Promise<T[K]> },
): Promise<T> => {
  const parts = await Promise.allSettled(starting)
  const failed = parts.find((part) => part.status === 'rejected')
  if (!failed) return (await Promise.all(starting)) as T
  await Promise.all(parts.map((part) => (part.status === 'fulfilled' ? part.value.close() : undefined)))
  throw failed.reason
}

const below = (dir: string | undefined, name: string): { dir?: string } => {
  if (dir === undefined) return {}
  const path = join(dir, name)
  makeFolder(path)
  return { dir: path }
}

/** Returns the database's endpoint, after the work of `onDatabase`. */
const openDatabase = async (options: StackOptions): Promise<NeonProcess> => {
  const neon = await spawnNeon({
    port: 0,
    ...below(options.dir, 'database'),
    template: schemaTemplate() ?? emptyTemplate(),
    ...(options.databaseUrl ? { databaseUrl: options.databaseUrl } : {}),
  })
  try {
    await options.onDatabase?.(neon, LOCAL.connectionString)
    return neon
  } catch (error) {
    await neon.close()
    throw error
  }
}

const storeOf = ({ redisUrl }: StackOptions): RedisBackend =>
  redisUrl ? createRedisStore(redisUrl) : createMemoryStore()

/**
 * Starts everything the service needs on this machine: stand-ins of its providers, a sample receiver, and every Worker.
 *
 * Throws if a port is taken or a Worker does not build. No stand-in keeps running then.
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const timeScale = options.timeScale ?? 1
  makeFolder(options.workDir)
  const bundling = bundleWorkers(options.onBuild, options.workDir)
  let url = ''
  let neonUrl = ''
  const runSql: SqlRunner = (statement) => neonRunner(LOCAL.connectionString, neonUrl)(statement)
  const [
    bundles,
    neon,
    redis,
    qstash,
    receiver,
    blog,
    r2,
    browser,
    zernio,
    mail,
    providers,
    google,
    telegram,
    stripe,
    crowdwork,
    indexNow,
  ] = await allOrNone([
    bundling.then((folder) => ({ folder, close: async () => {} })),
    openDatabase(options),
    startRedis({ port: 0, token: LOCAL.redisToken, store: storeOf(options) }),
    startQStash({
      port: 0,
      token: LOCAL.qstashToken,
      signingKeys: LOCAL.signingKeys,
      timeScale,
      punctual: options.punctual ?? false,
      say: options.say,
      ...below(options.dir, 'qstash'),
    }),
    openAt(options.receiverPort ?? 0, (port) =>
      startReceiver({ port, token: LOCAL.receiverToken, ...below(options.dir, 'receiver') }),
    ),
    openAt(options.blogPort ?? 0, (port) => startWordpress({ port, pagesIn: '/posts', ...below(options.dir, 'blog') })),
    startR2({ dir: join(options.dir ?? options.workDir, 'r2'), say: options.say }),
    startBrowser({ say: options.say, ...options.browser }),
    startZernio({ key: LOCAL.socialKey, ...below(options.dir, 'social') }),
    // The limit is for each second of the faster clock.
    startMail({ port: 0, perSecond: 5 * timeScale, eventsUrl: () => `${url}/mail/events` }),
    startProviders(options.accounts),
    // Tests rely on the sample's data. A service with a folder has visitors, and queries from the project's keywords.
    startGoogle({
      ...below(options.dir, 'google'),
      ...(options.dir === undefined ? {} : { subjectsOf: subjectsIn(runSql) }),
    }),
    startTelegram({ token: LOCAL.telegramToken }),
    startStripe(() => `${url}/stripe/events`),
    // With a folder, campaigns progress by the clock. In tests, the test decides what workers do.
    startCrowdwork({ key: LOCAL.crowdworkKey, clock: options.dir !== undefined, ...below(options.dir, 'crowdwork') }),
    startIndexNow(),
  ])
  neonUrl = neon.url
  const parts = { neon, redis, qstash, mail, zernio, telegram, google, stripe, indexNow, crowdwork, providers }
  const vars = settingsOf(parts, options.accounts, timeScale)
  const startOne = (name: string, port: number) =>
    startWorkerd({
      bundles: bundles.folder,
      ...(options.older ? { older: options.older() } : {}),
      dir: join(options.workDir, name),
      port,
      vars,
      r2Url: r2.url,
      mailUrl: mail.url,
      browserUrl: browser.url,
      logFile: join(options.workDir, 'workers.log'),
      limits: options.limits ?? false,
      cleansUp: options.cleansUp ?? true,
    })
  const startAt = (port: number) =>
    options.copies && options.copies > 1
      ? startCopies(options.copies, port, (copy) => startOne(`workerd-${copy}`, 0))
      : startOne('workerd', port)
  const publishAt = (port: number): Promise<Workerd> => {
    url = `http://127.0.0.1:${port}`
    Object.assign(vars, { PUBLIC_URL: url, ...options.vars })
    return startAt(port)
  }
  const closeParts = async () => {
    await Promise.all([
      qstash.close(),
      redis.close(),
      receiver.close(),
      blog.close(),
      r2.close(),
      browser.close(),
      zernio.close(),
      crowdwork.close(),
      mail.close(),
      providers.close(),
      google.close(),
      telegram.close(),
      stripe.close(),
      indexNow.close(),
    ])
    await neon.close()
  }
  let workers = await (options.port ? publishAt(options.port) : atFreePort(publishAt)).catch(
    async (error: unknown): Promise<never> => {
      await closeParts()
      throw error
    },
  )
  const { port } = workers
  return {
    url,
    port,
    timeScale,
    neon,
    redis,
    qstash,
    r2,
    browser,
    receiver,
    blog,
    mail,
    providers,
    google,
    receiverToken: LOCAL.receiverToken,
    zernio,
    telegram,
    stripe,
    indexNow,
    crowdwork,
    connectionString: LOCAL.connectionString,
    workers: () => workers,
    settings: () => ({ ...vars }),
    crash: () => workers.kill(),
    restart: async (changes = {}) => {
      Object.assign(vars, changes)
      workers = await startAt(port)
    },
    close: async () => {
      await workers.close()
      await closeParts()
    },
  }
}
