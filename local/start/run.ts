import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { endBuilding } from '../bundle.ts'
import { DamagedFile, damageIn, makeFolder } from '../damaged-file.ts'
import { migrateOverNeon, neonRunner } from '../database.ts'
import { DiskFull, isDiskFull, requireSpace, watchDisk } from '../disk.ts'
import { ISOLATE_MB } from '../edge.ts'
import { TooOld } from '../migrations.ts'
import type { NeonProcess } from '../neon/spawn.ts'
import { type Stack, startStack } from '../stack.ts'
import {
  describeDamage,
  describeFull,
  type Earlier,
  earlierFile,
  earlierStart,
  lastStartIn,
  missingIn,
  moveAside,
} from './data.ts'
import { keyFor, moveIntegrations, OWNER, projectsIn } from './database.ts'
import { acquireLock, FolderInUse, type Lock, type Owner } from './lock.ts'
import { commandWith, type Options, shown } from './options.ts'
import { freePortFrom, isGalley, saysTaken, tryPort } from './ports.ts'
import { makeSample } from './sample.ts'

/** Returns settings as the lines of a file for `wrangler dev --env-file`. */
const envFile = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('')

/** Returns the contents of service.json for a running service, for scripts. */
const describe = (stack: Stack, apiKey: string, dir: string, sample: number | undefined) => ({
  base_url: `${stack.url}/api/v1`,
  api_key: apiKey,
  ...(sample === undefined ? {} : { sample_project_id: sample }),
  receiver_url: stack.receiver.url,
  receiver_webhook_url: `${stack.receiver.url}/webhook`,
  receiver_token: stack.receiverToken,
  blog_url: stack.blog.url,
  blog_password: stack.blog.passwordOf('admin'),
  mail_url: stack.mail.url,
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

/** Returns calls to try: five on the sample project if there is one. */
const callsOf = ({ base_url: base, api_key: key, sample_project_id: sample }: ReturnType<typeof describe>): string => {
  const curl = (path: string) => `  curl -H "Authorization: Bearer ${key}" "${base}${path}"`
  if (sample === undefined) return `Try it:\n\n${curl('/projects')}`
  const calls = [
    `/articles?project_id=${sample}`,
    `/search-console?project_id=${sample}&compare=true&limit=5`,
    `/search-console/history?project_id=${sample}&days=30`,
    `/suggestions?project_id=${sample}`,
    `/suggestions/effects?project_id=${sample}`,
  ]
  return `Project ${sample} is a sample: a blog about garden sheds with articles and made-up search data. Try it:\n\n${calls.map(curl).join('\n')}`
}

/** Returns the text that is printed when the service runs. */
const welcome = (s: ReturnType<typeof describe>, seconds: string): string => `
Galley is running (${seconds} s).

  Base URL   ${s.base_url}
  API key    ${s.api_key}
  Receiver   ${s.receiver_url}   (a sample blog that articles are delivered to)
  Old blog   ${s.blog_url}   (a sample WordPress${s.sample_project_id === undefined ? '' : ' with posts that were there before'}; user admin, password ${s.blog_password})
  Pages      ${s.public_url}/p   (sign up as ${OWNER} to see ${s.sample_project_id === undefined ? 'the account of this key' : 'the sample projects'}; the mail to confirm it is at Mails)
  Documents  ${s.public_url}/docs   (every call, every error, a quickstart)
  Mails      ${s.mail_url}   (what the service would mail)
  Logs       ${s.workers_log}

Retries wait ${s.time_scale} times shorter than in production. The clock that publishes planned articles ticks every minute.

${callsOf(s)}

See an article published from end to end:  npm run demo
Stop with Ctrl-C; data stays in place until you start with --fresh.
`

const say = (text: string) => process.stdout.write(`${text}\n`)

const portOf = (url: string | undefined): number | undefined =>
  url && URL.canParse(url) ? Number(new URL(url).port) : undefined

/** Returns a sentence about a lock.json that cannot be read. It mentions service.json if that file can be read. */
const unreadAt = (dir: string): string => {
  const found = earlierStart(join(dir, 'service.json'))
  const isRead = typeof found !== 'string' && found.base_url !== undefined
  return `. Its lock.json cannot be read${isRead ? '; service.json says where it answers' : ''}`
}

const inUse = async (options: Options, { pid, url }: Owner): Promise<string> => {
  const { dir, port } = options
  const other = await freePortFrom(port + 3, [])
  const where = url === '' ? ', which is still starting' : ` at ${url}`
  return `A service already runs on ${shown(dir)}: process ${pid}${url === undefined ? unreadAt(dir) : where}.
Use that one, stop it with Ctrl-C or "kill ${pid}", or start another beside it with data of its own:

  ${commandWith({ ...options, dir: `${dir}-2`, port: other, fresh: false })}`
}

const portTaken = async (options: Options, kept: number | undefined): Promise<Error> => {
  const { port } = options
  const by = (await isGalley(port)) ? 'another Galley' : 'another program'
  const other = await freePortFrom(port + 1, kept === undefined ? [] : [kept])
  return new Error(`Port ${port} is taken by ${by}. This one is free:\n\n  ${commandWith({ ...options, port: other })}`)
}

/** Fires the minute's cron at every full minute, as Cloudflare does. */
const tick = (stack: Stack): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    const untilMinuteMs = 60_000 - (Date.now() % 60_000)
    timer = setTimeout(() => {
      next()
      const { cron } = stack.workers()
      cron().catch((error: unknown) => process.stderr.write(`cron: ${String(error)}\n`))
    }, untilMinuteMs)
  }
  next()
  return () => clearTimeout(timer)
}

/** Does work on the database. A failure of the embedded database is thrown as DiskFull or as a DamagedFile. */
const onData = async <T>({ backend }: NeonProcess, data: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (backend !== 'pglite' || error instanceof TooOld) throw error
    if (isDiskFull(error)) throw new DiskFull(data)
    throw new DamagedFile(join(data, 'database'), error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
}

/** Moves integrations to the new address of a local site, and reports it. */
const follow = async (run: SqlRunner, name: string, earlier: string | undefined, now: string): Promise<void> => {
  const before = earlier?.replace(/\/$/, '')
  if (!before || before === now) return
  const count = await moveIntegrations(run, before, now)
  if (count === 0) return
  say(`${name} has moved from ${before} to ${now}: its port was taken.
${count === 1 ? 'The integration' : `The ${count} integrations`} connected to it moved with it; links to its posts keep the old address.`)
}

/** Returns the API key, and moves integrations to the new addresses of the local sites. */
const openData = async (stack: Stack, earlier: Earlier): Promise<string> => {
  const run = neonRunner(stack.connectionString, stack.neon.url)
  const key = await keyFor(run, earlier.api_key)
  await follow(run, 'The sample receiver', earlier.receiver_url, stack.receiver.url)
  await follow(run, 'The old blog', earlier.blog_url, stack.blog.url)
  return key
}

/**
 * Makes the sample project and returns its id. Returns undefined if that fails, because the service works without it.
 */
const sampleOf = async (stack: Stack): Promise<number | undefined> => {
  say('Making the sample projects …')
  try {
    return await makeSample(stack, neonRunner(stack.connectionString, stack.neon.url), process.env)
  } catch (error) {
    say(`There is no sample project: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

const RESTART_AFTER_MS = 500

const writeProcesses = (stack: Stack, lock: Lock): void =>
  lock.update({ url: stack.url, children: [stack.neon.pid, stack.workers().pid] })

/**
 * Restarts the Workers whenever they end by themselves, as Cloudflare does with an isolate that uses too much memory.
 */
const keepWorkers = async (stack: Stack, lock: Lock, isStopping: () => boolean): Promise<void> => {
  for (;;) {
    await stack.workers().ended
    if (isStopping()) return
    say(`The Workers have ended (one that needs more than ${ISOLATE_MB} MB ends them all here); starting them again.`)
    await sleep(RESTART_AFTER_MS)
    await stack.restart()
    writeProcesses(stack, lock)
  }
}

const stopOnSignals = (stack: Stack, lock: Lock, dir: string): void => {
  const stopTicking = tick(stack)
  watchDisk(join(dir, 'data'), say)
  let stopping = false
  keepWorkers(stack, lock, () => stopping).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  })
  const stop = async () => {
    if (stopping) return
    stopping = true
    stopTicking()
    say('\nStopping …')
    await stack.close()
    renameSync(join(dir, 'service.json'), lastStartIn(dir))
    lock.release()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
}

const runWith = async (options: Options, lock: Lock): Promise<void> => {
  const startedAt = Date.now()
  const { dir, port } = options
  const [data, file] = [join(dir, 'data'), join(dir, 'service.json')]
  if (lock.ended.length > 0) say(`Ended what a start that was killed left running: ${lock.ended.join(', ')}.`)
  const written = earlierFile(dir)
  const found = options.fresh ? 'missing' : earlierStart(written)
  if (found === 'unreadable') say(`${shown(written)} could not be read; a new one is written, with a new API key.`)
  const earlier: Earlier = typeof found === 'string' ? {} : found
  const kept = portOf(earlier.receiver_url)
  /** Throws an error that names a free port, if the port is taken now or before the Workers listen there. */
  const tellTaken = async (error: unknown): Promise<never> => {
    throw saysTaken(error) ? await portTaken(options, kept) : error
  }
  if (port !== 0) await tryPort(port).catch(tellTaken)
  const old = options.fresh ? moveAside(dir, new Date()) : undefined
  if (old) say(`The data so far is in ${shown(old)}.`)
  makeFolder(data)
  requireSpace(data)
  if (!old) for (const sentence of missingIn(dir, Boolean(process.env.DATABASE_URL))) say(sentence)
  say('Starting the local cloud …')
  const stack = await startStack({
    port,
    receiverPort: port === 0 ? 0 : (kept ?? port + 1),
    blogPort: port === 0 ? 0 : (portOf(earlier.blog_url) ?? port + 2),
    dir: data,
    workDir: dir,
    databaseUrl: process.env.DATABASE_URL,
    redisUrl: process.env.REDIS_URL,
    accounts: process.env,
    timeScale: options.timeScale,
    punctual: true,
    limits: true,
    say,
    onBuild: () => say('Building the Workers …'),
    onDatabase: (neon, connectionString) => onData(neon, data, () => migrateOverNeon(connectionString, neon.url)),
  }).catch(tellTaken)
  await endBuilding()
  writeProcesses(stack, lock)
  const apiKey = await onData(stack.neon, data, () => openData(stack, earlier))
  if (earlier.api_key !== undefined && apiKey !== earlier.api_key)
    say('The database does not know the API key of the start before, so there is a new one.')
  const isFirst = earlier.api_key === undefined
  // Without service.json, or after a start that was killed half way, the data may exist nevertheless.
  const there = await projectsIn(neonRunner(stack.connectionString, stack.neon.url))
  const isNew = isFirst && there.isEmpty
  const sample = isNew ? options.sample && (await sampleOf(stack)) : (earlier.sample_project_id ?? there.sample)
  const service = describe(stack, apiKey, dir, sample || undefined)
  writeFileSync(`${file}.new`, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  rmSync(lastStartIn(dir), { force: true })
  writeFileSync(join(dir, 'workers.env'), envFile(stack.settings()), { mode: 0o600 })
  stopOnSignals(stack, lock, dir)
  say(welcome(service, ((Date.now() - startedAt) / 1000).toFixed(1)))
}

/** Runs the service until a signal ends it. If it cannot start, throws an error that says what to do. */
export const run = async (options: Options): Promise<void> => {
  let lock: Lock | undefined
  try {
    lock = await acquireLock(options.dir)
    await runWith(options, lock)
  } catch (error) {
    lock?.release()
    if (error instanceof FolderInUse) throw new Error(await inUse(options, error.owner))
    if (error instanceof TooOld)
      throw new Error(
        `${error.message} To move the old data aside and start anew:\n\n  ${commandWith({ ...options, fresh: true })}`,
      )
    if (isDiskFull(error)) throw new Error(describeFull(error instanceof DiskFull ? error : new DiskFull(options.dir)))
    const damage = damageIn(error)
    throw damage ? new Error(describeDamage(damage, options.dir)) : error
  }
}
