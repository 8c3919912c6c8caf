import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { bundleWorkers, ROOT } from './bundle.ts'
import { type NeonProcess, spawnNeon } from './neon/spawn.ts'
import { type QStash, startQStash } from './qstash/server.ts'
import { type RunningReceiver, startReceiver } from './receiver/server.ts'
import type { RedisBackend } from './redis/backend.ts'
import { createRedisStore } from './redis/backend-redis.ts'
import { createMemoryStore } from './redis/memory.ts'
import { type RedisServer, startRedis } from './redis/server.ts'
import { startWorkerd, type Workerd } from './workerd.ts'

/** Credentials of the local cloud. They open nothing but services on this machine's loopback. */
const LOCAL = {
  connectionString: 'postgresql://galley:galley@db.localtest.neon/galley',
  redisToken: 'local-redis-token',
  qstashToken: 'local-qstash-token',
  signingKeys: { current: 'sig_local_current_key', next: 'sig_local_next_key' },
  receiverToken: 'local-receiver-token',
  secretsKeys: `local:${createHash('sha256').update('local sealing key').digest('base64')}`,
}

export type StackOptions = {
  /** Port of the public address; 0 takes a free one. */
  port?: number
  /** Port of the sample receiver; 0 or absent takes a free one. */
  receiverPort?: number
  /** Where data stays; absent: in memory only. */
  dir?: string
  /** Where logs and generated files go. */
  workDir: string
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  /** How much shorter than in production the waits between retries are. */
  timeScale?: number
  /** Settings on top of the usual ones. */
  vars?: Record<string, string>
  onBuild?: () => void
}

export type Stack = {
  /** `http://127.0.0.1:<port>`, without the `/api/v1` prefix. */
  url: string
  port: number
  timeScale: number
  neon: NeonProcess
  redis: RedisServer
  qstash: QStash
  receiver: RunningReceiver
  receiverToken: string
  /** The connection string for Neon's HTTP endpoint at `neon.url`. */
  connectionString: string
  workers: () => Workerd
  /** Ends the Workers as a crash would and starts them again at the same address. */
  crash: () => Promise<void>
  restart: () => Promise<void>
  close: () => Promise<void>
}

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const below = (dir: string | undefined, name: string): { dir?: string } => {
  if (dir === undefined) return {}
  const path = join(dir, name)
  mkdirSync(path, { recursive: true })
  return { dir: path }
}

const storeOf = ({ redisUrl, dir }: StackOptions): RedisBackend =>
  redisUrl ? createRedisStore(redisUrl) : createMemoryStore(below(dir, 'redis'))

const template = (): string => {
  const folder = join(ROOT, '.galley/cache')
  mkdirSync(folder, { recursive: true })
  return join(folder, 'pglite-0.5.16.tar')
}

/**
 * Starts everything the service needs on this machine: database, Redis and queue endpoints that speak Neon's, Upstash's
 * and QStash's wire, a sample receiver, and every Worker. Throws when a port is taken or a Worker does not build.
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const timeScale = options.timeScale ?? 1
  mkdirSync(options.workDir, { recursive: true })
  const bundling = bundleWorkers(options.onBuild)
  const port = options.port || (await freePort())
  const url = `http://127.0.0.1:${port}`
  const [bundles, neon, redis, qstash, receiver] = await Promise.all([
    bundling,
    spawnNeon({
      port: 0,
      ...below(options.dir, 'database'),
      template: template(),
      ...(options.databaseUrl ? { databaseUrl: options.databaseUrl } : {}),
    }),
    startRedis({ port: 0, token: LOCAL.redisToken, store: storeOf(options) }),
    startQStash({
      port: 0,
      token: LOCAL.qstashToken,
      signingKeys: LOCAL.signingKeys,
      timeScale,
      ...below(options.dir, 'qstash'),
    }),
    startReceiver({ port: options.receiverPort ?? 0, token: LOCAL.receiverToken, ...below(options.dir, 'receiver') }),
  ])
  const vars: Record<string, string> = {
    DATABASE_URL: LOCAL.connectionString,
    NEON_FETCH_ENDPOINT: `${neon.url}/sql`,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: LOCAL.redisToken,
    QSTASH_URL: qstash.url,
    QSTASH_TOKEN: LOCAL.qstashToken,
    QSTASH_CURRENT_SIGNING_KEY: LOCAL.signingKeys.current,
    QSTASH_NEXT_SIGNING_KEY: LOCAL.signingKeys.next,
    PUBLIC_URL: url,
    SERVICE_NAME: 'Galley',
    SECRETS_KEYS: LOCAL.secretsKeys,
    ALLOW_PRIVATE_HOSTS: 'true',
    RETRY_TIME_SCALE: String(timeScale),
    ...options.vars,
  }
  const start = () =>
    startWorkerd({
      bundles,
      dir: join(options.workDir, 'workerd'),
      port,
      vars,
      logFile: join(options.workDir, 'workers.log'),
    })
  let workers = await start()
  return {
    url,
    port,
    timeScale,
    neon,
    redis,
    qstash,
    receiver,
    receiverToken: LOCAL.receiverToken,
    connectionString: LOCAL.connectionString,
    workers: () => workers,
    crash: () => workers.kill(),
    restart: async () => {
      workers = await start()
    },
    close: async () => {
      await workers.close()
      await Promise.all([qstash.close(), redis.close(), receiver.close()])
      await neon.close()
    },
  }
}
