import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { createAccount, createKey, type SqlRunner } from '../src/accounts/admin.ts'
import { sha256 } from '../src/lib/crypto.ts'
import { ROOT } from './bundle.ts'
import { migrateOverNeon, neonRunner } from './database.ts'
import { type Stack, startStack } from './stack.ts'

const OWNER = 'owner@galley.local'
const DEFAULT_PORT = 8787
const DEFAULT_TIME_SCALE = 10

const USAGE = `Runs the whole service on this machine.

  --port N         port of the public address (default ${DEFAULT_PORT})
  --dir D          where data and service.json go (default .galley)
  --fresh          starts with empty data
  --time-scale N   how much shorter the waits between retries are (default ${DEFAULT_TIME_SCALE})
`

type Options = { port: number; dir: string; fresh: boolean; timeScale: number }

const readOptions = (argv: string[]): Options => {
  const { values } = parseArgs({
    args: argv,
    options: {
      port: { type: 'string' },
      dir: { type: 'string' },
      fresh: { type: 'boolean' },
      'time-scale': { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    process.exit(0)
  }
  const port = Number(values.port ?? DEFAULT_PORT)
  const timeScale = Number(values['time-scale'] ?? DEFAULT_TIME_SCALE)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port takes a number from 0 to 65535')
  if (!(timeScale >= 1 && timeScale <= 1_000)) throw new Error('--time-scale takes a number from 1 to 1000')
  return { port, dir: resolve(values.dir ?? join(ROOT, '.galley')), fresh: values.fresh ?? false, timeScale }
}

const isTaken = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(false)))
  })

/** The key of an earlier start, if the database still knows it; else a new key, for a new owner where there is none. */
const keyFor = async (run: SqlRunner, earlier: string | undefined): Promise<string> => {
  if (earlier) {
    const known = await run(
      sql`select id from api_keys where key_hash = ${await sha256(earlier)} and revoked_at is null`,
    )
    if (known.length > 0) return earlier
  }
  const [owner] = await run<{ id: number }>(sql`select id from accounts where lower(email) = ${OWNER}`)
  if (!owner) await createAccount(run, OWNER, { plan: 'pro', projects: 50 })
  const { key } = await createKey(run, OWNER, { name: 'First key', scopes: ['read', 'write'], kind: 'test' })
  return key
}

type Earlier = { api_key?: string; receiver_url?: string }

/** What the last start in this folder wrote, if it can be read. */
const earlierStart = (file: string): Earlier => {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Earlier
  } catch {
    return {}
  }
}

/** The receiver keeps its port over restarts, so that projects connected to it stay connected; else one beside the service's. */
const receiverPort = async ({ receiver_url: url }: Earlier, port: number): Promise<number> => {
  const wanted = url && URL.canParse(url) ? Number(new URL(url).port) : port + 1
  return port === 0 || (await isTaken(wanted)) ? 0 : wanted
}

const describe = (stack: Stack, apiKey: string, dir: string) => ({
  base_url: `${stack.url}/api/v1`,
  api_key: apiKey,
  receiver_url: stack.receiver.url,
  receiver_webhook_url: `${stack.receiver.url}/webhook`,
  receiver_token: stack.receiverToken,
  public_url: stack.url,
  neon_url: stack.neon.url,
  connection_string: stack.connectionString,
  database: stack.neon.backend,
  redis_url: stack.redis.url,
  qstash_url: stack.qstash.url,
  time_scale: stack.timeScale,
  workers_log: join(dir, 'workers.log'),
  pid: process.pid,
})

type Service = ReturnType<typeof describe>

const welcome = (s: Service, seconds: string): string => `
Galley is running (${seconds} s).

  Base URL   ${s.base_url}
  API key    ${s.api_key}
  Receiver   ${s.receiver_url}   (a sample blog that articles are delivered to)
  Logs       ${s.workers_log}

Retries wait ${s.time_scale} times shorter than in production. The clock that publishes planned articles ticks every minute.

Try it:

  curl -H "Authorization: Bearer ${s.api_key}" ${s.base_url}/projects

See an article published from end to end:  npm run demo
Stop with Ctrl-C; data stays in place until you start with --fresh.
`

/** Fires the minute's cron at every full minute, as Cloudflare does. */
const tick = (stack: Stack): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    timer = setTimeout(
      async () => {
        next()
        await stack
          .workers()
          .cron()
          .catch((error: unknown) => process.stderr.write(`cron: ${String(error)}\n`))
      },
      60_000 - (Date.now() % 60_000),
    )
  }
  next()
  return () => clearTimeout(timer)
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const run = async (options: Options): Promise<void> => {
  const startedAt = Date.now()
  const { dir, port } = options
  if (port !== 0 && (await isTaken(port)))
    throw new Error(
      `Port ${port} is taken, perhaps by a service that already runs. Stop that one, or choose another port: npm start -- --port ${port + 1}`,
    )
  const data = join(dir, 'data')
  if (options.fresh) for (const old of [data, join(dir, 'service.json')]) rmSync(old, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  const file = join(dir, 'service.json')
  const earlier = earlierStart(file)
  say('Starting the local cloud …')
  const stack = await startStack({
    port,
    receiverPort: await receiverPort(earlier, port),
    dir: data,
    workDir: dir,
    databaseUrl: process.env.DATABASE_URL,
    redisUrl: process.env.REDIS_URL,
    timeScale: options.timeScale,
    onBuild: () => say('Building the Workers …'),
  })
  await migrateOverNeon(stack.connectionString, stack.neon.url)
  const apiKey = await keyFor(neonRunner(stack.connectionString, stack.neon.url), earlier.api_key)
  const service = describe(stack, apiKey, dir)
  writeFileSync(file, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 })
  const stopTicking = tick(stack)
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    stopTicking()
    say('\nStopping …')
    await stack.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  say(welcome(service, ((Date.now() - startedAt) / 1000).toFixed(1)))
}

try {
  await run(readOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
