import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleWorkers, endBuilding } from '../local/bundle.ts'
import { requireSpace, watchDisk } from '../local/disk.ts'
import { type Answer, json, send } from '../local/receiver/answers.ts'
import { ROOT } from '../local/root.ts'
import { reasonOf } from '../scripts/reason.ts'
import { VERSION } from '../src/platform/lib/version.generated.ts'
import { alarmMail, createAlarm } from './alarm.ts'
import type { ServiceState } from './control.ts'
import { examine } from './doctor.ts'
import { ServerFault } from './fault.ts'
import { serveFront } from './front.ts'
import { turnLog } from './log.ts'
import { serveMail } from './mail.ts'
import { metricsOf, OPEN_METRICS } from './metrics.ts'
import { bucketOf, serveDatabase, servePictures, serveRedis, socketsIn } from './parts.ts'
import { placesIn } from './places.ts'
import { serveQueue } from './queue.ts'
import { DEFAULT_LISTEN, hostAndPort, networksIn, readSettings, type ServerSettings } from './settings.ts'
import { type Serving, serveAt } from './socket.ts'
import { forgetWakes, migrate, openStore, stateOf } from './store.ts'
import { newTokens, type RunningWorkers, startWorkers } from './workers.ts'

const DEFAULT_PROXIES = '127.0.0.0/8,::1/128'

/** True if a running service answers at the control socket of a folder. */
const isRunning = (data: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketsIn(placesIn(data).run).control)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Creates the tables of an empty database. Throws a ServerFault if the tables are those of an earlier release. */
const prepareStore = async ({ DATABASE_URL: url }: ServerSettings): Promise<void> => {
  const database = await openStore(url)
  try {
    const { isEmpty, missing } = await stateOf(database.run)
    if (missing.length > 0 && !isEmpty)
      throw new ServerFault(
        `The database has the tables of an earlier release: ${missing.length} migrations are missing.`,
        'Make a copy (galley-server backup), then: galley-server migrate',
      )
    if (isEmpty) {
      say('Creating the tables …')
      await migrate(url)
    }
    const rows = await forgetWakes(database.run)
    if (rows > 0) say(`${rows} pieces of work that an earlier start had planned are queued again.`)
  } finally {
    await database.close()
  }
}

const EXAMINED_EVERY_MS = 5 * 60_000
/** Time for running requests and jobs to end when the service stops. systemd kills it after 90 s. */
const GRACE_MS = 30_000
const RESTART_AFTER_MS = 500
/** Time for which a request waits for Workers that start again. */
const WAIT_FOR_WORKERS_MS = 20_000

/**
 * Runs the Workers, and starts them again whenever they end by themselves.
 *
 * `ready` resolves with their socket as soon as they run; undefined if they do not run in time.
 */
const keepWorkers = async (start: () => Promise<RunningWorkers>) => {
  let workers: RunningWorkers | undefined = await start()
  let isStopping = false
  let restarts = 0
  let waiting: (() => void)[] = []
  const keep = async (): Promise<void> => {
    while (!isStopping) {
      await workers?.ended
      workers = undefined
      if (isStopping) return
      restarts += 1
      say('The Workers have ended; starting them again.')
      await sleep(RESTART_AFTER_MS)
      workers = await start().catch((error: unknown) => {
        process.stderr.write(`${reasonOf(error)}\n`)
        return undefined
      })
      if (workers) for (const go of waiting.splice(0)) go()
    }
  }
  void keep()
  const now = (): RunningWorkers | undefined => workers
  return {
    now,
    restarts: () => restarts,
    ready: async (): Promise<string | undefined> => {
      if (now()) return now()?.socket
      const wait = new Promise<void>((resolve) => waiting.push(resolve))
      await Promise.race([wait, sleep(WAIT_FOR_WORKERS_MS, undefined, { ref: false })])
      return now()?.socket
    },
    stop: async (): Promise<void> => {
      isStopping = true
      waiting = []
      await workers?.stop()
    },
  }
}

/** Fires the minute's work at every full minute, one after the other. Returns a function that ends it. */
const tick = (cron: () => Promise<void>): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  const fire = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    await cron()
      .catch((error: unknown) => process.stderr.write(`The minute's work failed: ${reasonOf(error)}\n`))
      .finally(() => {
        isRunning = false
      })
  }
  const next = () => {
    timer = setTimeout(
      () => {
        next()
        void fire()
      },
      60_000 - (Date.now() % 60_000),
    )
  }
  next()
  void fire()
  return () => clearTimeout(timer)
}

/** Runs the service until a signal ends it. Throws a ServerFault that says what to do if it cannot start. */
export const start = async (data: string): Promise<void> => {
  const settings = readSettings(data)
  const places = placesIn(data)
  const sockets = socketsIn(places.run)
  if (await isRunning(data))
    throw new ServerFault(`A service already runs on ${data}.`, 'Stop it first: systemctl stop galley')
  requireSpace(data)
  await prepareStore(settings)
  for (const folder of [places.run, places.pictures, join(data, 'log')])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  const bundles = await bundleWorkers(() => say('Building the Workers …'), data)
  await endBuilding()
  const tokens = newTokens()
  let startsOf = 0
  const parts: Serving[] = [
    await serveDatabase(sockets.database, {
      databaseUrl: settings.DATABASE_URL,
      connectionString: tokens.connectionString,
    }),
    await serveRedis(sockets.redis, { redisUrl: settings.REDIS_URL, token: tokens.redis }),
    await servePictures(sockets.pictures, places.pictures, bucketOf(settings, places.pictures)),
    ...(settings.SMTP_URL ? [await serveMail(sockets.mail, settings.SMTP_URL)] : []),
  ]
  let socketOfWorkers: () => string | undefined = () => undefined
  const queue = await serveQueue(sockets.queue, {
    token: tokens.queue,
    signingKey: tokens.signing,
    publicUrl: settings.PUBLIC_URL,
    workers: () => socketOfWorkers(),
  })
  const workers = await keepWorkers(() => {
    startsOf += 1
    return startWorkers(
      { settings, tokens, sockets },
      { bundles, dir: join(places.run, `workers-${startsOf % 2}`), logFile: places.log },
    )
  })
  socketOfWorkers = () => workers.now()?.socket
  const { host, port } = hostAndPort(settings.LISTEN ?? DEFAULT_LISTEN) ?? { host: '127.0.0.1', port: 8787 }
  const front = await serveFront({
    host,
    port,
    publicUrl: settings.PUBLIC_URL,
    trustedProxies: networksIn(settings.TRUSTED_PROXIES ?? DEFAULT_PROXIES),
    workers: workers.ready,
  }).catch(async (error: unknown): Promise<never> => {
    await workers.stop()
    throw error
  })
  let minuteAt = 0
  const state = (): ServiceState => ({
    minute_at: minuteAt,
    pid: process.pid,
    release: VERSION,
    root: ROOT,
    address: `${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${front.port}`,
    workers_pid: workers.now()?.pid,
    restarts: workers.restarts(),
    requests: front.counts,
    open_requests: front.open(),
    queue: queue.state(),
  })
  const metrics = async (): Promise<Answer> => ({
    status: 200,
    headers: { 'content-type': OPEN_METRICS },
    body: await metricsOf(state(), { data, databaseUrl: settings.DATABASE_URL }),
  })
  const failure = () => json(500, {})
  const control = await serveAt(
    sockets.control,
    async (req, res) => send(res, req.url === '/metrics' ? await metrics() : json(200, state())),
    failure,
  )
  const toMeasure = hostAndPort(settings.METRICS_LISTEN ?? '')
  if (toMeasure)
    parts.push(
      await serveAt(
        toMeasure,
        async (req, res) => send(res, req.url === '/metrics' ? await metrics() : json(404, {})),
        failure,
      ),
    )
  const stopTicking = tick(async () => {
    try {
      await workers.now()?.cron()
      minuteAt = Date.now()
    } finally {
      // Last, because it fails on a full disk.
      turnLog(places.log)
    }
  })
  const mailAlarm = alarmMail(settings)
  if (mailAlarm) {
    const hear = createAlarm(mailAlarm, settings.PUBLIC_URL)
    setInterval(() => {
      examine(data)
        .then(hear)
        .catch((error: unknown) => process.stderr.write(`The alarm was not mailed: ${reasonOf(error)}\n`))
    }, EXAMINED_EVERY_MS).unref()
  }
  watchDisk(data, say)
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    say('Stopping …')
    stopTicking()
    await Promise.all([front.close(GRACE_MS), queue.close(GRACE_MS)])
    await workers.stop()
    await Promise.all([control, ...parts].map((part) => part.close()))
    if (existsSync(places.run)) rmSync(places.run, { recursive: true, force: true })
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  say(`Galley runs for ${settings.PUBLIC_URL}; the proxy calls ${host}:${front.port}.`)
}
