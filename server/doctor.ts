import { sql } from 'drizzle-orm'
import { freeBytesAt, isDiskFull, NEEDED_BYTES } from '../local/disk.ts'
import { isError } from '../local/redis/backend.ts'
import { createRedisStore } from '../local/redis/backend-redis.ts'
import { reasonOf } from '../scripts/reason.ts'
import { workload } from '../src/platform/jobs/outbox.ts'
import { lastBackup } from './backup.ts'
import { stateOfService } from './control.ts'
import { ServerFault } from './fault.ts'
import { mailServer } from './mail.ts'
import { bucketOf } from './parts.ts'
import { placesIn } from './places.ts'
import { readSettings, type ServerSettings } from './settings.ts'
import { openStore, stateOf } from './store.ts'

/** State of one part: what was measured, and what to do if it is not well. */
export type Finding = { name: string; isWell: boolean; state: string; remedy?: string }

const well = (state: string): Omit<Finding, 'name'> => ({ isWell: true, state })
const ill = (state: string, remedy: string): Omit<Finding, 'name'> => ({ isWell: false, state, remedy })

const WAIT_MS = 10_000
const GIB = 1024 ** 3
/** Free space below which the disk is reported, though writing still works. */
const LITTLE_BYTES = GIB
const LATE_S = 300

const milliseconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const begun = performance.now()
  const result = await work()
  return [result, Math.round(performance.now() - begun)]
}

/** Writes a MiB that PostgreSQL drops at once. Its disk may be another one than that of the service's folder. */
const WRITE = sql`create temporary table galley_doctor on commit drop as
  select repeat(md5(n::text), 32) as text from generate_series(1, 1024) as n`

const checkDatabase = async (settings: ServerSettings): Promise<Omit<Finding, 'name'>> => {
  const database = await openStore(settings.DATABASE_URL)
  try {
    const [[row], ms] = await milliseconds(() =>
      database.run<{ version: string; fsync: string; bytes: string; read_only: string; encoding: string }>(
        sql`select current_setting('server_version') as version, current_setting('fsync') as fsync,
          current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as read_only, pg_database_size(current_database())::text as bytes`,
      ),
    )
    const { missing, isEmpty } = await stateOf(database.run)
    const state = `PostgreSQL ${row?.version}, ${Math.round(Number(row?.bytes ?? 0) / 1024 ** 2)} MiB, ${ms} ms`
    if (row?.read_only === 'on') return ill(`${state}; it takes no writes`, 'Use the primary server in DATABASE_URL.')
    if (row?.encoding !== 'UTF8')
      return ill(
        `${state}; its encoding is ${row?.encoding}`,
        'Create the database with createdb -E UTF8 -T template0.',
      )
    if (row?.fsync === 'off')
      return ill(`${state}; fsync is off`, 'Set fsync = on in postgresql.conf: a power failure would destroy the data.')
    const fault = await database.run(WRITE).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (isDiskFull(fault))
      return ill(`${state}; its disk is full`, 'Free some space there: reads go on meanwhile, and nothing is lost.')
    if (fault !== undefined) throw fault
    if (missing.length > 0 && !isEmpty)
      return ill(`${state}; ${missing.length} migrations are missing`, 'Run: galley-server migrate')
    return well(state)
  } finally {
    await database.close()
  }
}

const checkRedis = async ({ REDIS_URL: url }: ServerSettings): Promise<Omit<Finding, 'name'>> => {
  const store = createRedisStore(url)
  try {
    const [reply, ms] = await milliseconds(() => store.run(['PING']))
    return isError(reply) ? ill(reply.error, 'Correct REDIS_URL in galley.env.') : well(`answers in ${ms} ms`)
  } catch (error) {
    return ill(reasonOf(error), 'Start it (systemctl start redis-server), or correct REDIS_URL in galley.env.')
  } finally {
    await store.close()
  }
}

const checkWork = async (settings: ServerSettings): Promise<Omit<Finding, 'name'>> => {
  const database = await openStore(settings.DATABASE_URL)
  try {
    if ((await stateOf(database.run)).isEmpty) return well('nothing yet')
    const [row] = await database.run<{ dead: number; overdue_s: number }>(workload(new Date()))
    const { dead = 0, overdue_s: late = 0 } = row ?? {}
    if (late > LATE_S) return ill(`the oldest work is ${late} s late`, 'See: galley-server admin -- jobs list')
    if (dead > 0) return ill(`${dead} pieces of work were given up`, 'See: galley-server admin -- jobs list')
    return well(`nothing is late (${late} s)`)
  } finally {
    await database.close()
  }
}

/** Time without a successful minute after which planned articles are late. */
const MINUTES_MS = 180_000

const checkService = async (data: string): Promise<Omit<Finding, 'name'>> => {
  const state = await stateOfService(data)
  if (!state) return ill('it does not run', 'Start it: systemctl start galley (or npm run galley-server -- start)')
  if (state.workers_pid === undefined)
    return ill(`process ${state.pid} runs, the Workers do not`, 'Look at: galley-server logs')
  if (state.minute_at > 0 && Date.now() - state.minute_at > MINUTES_MS)
    return ill('the work of the minute fails', 'Look at: galley-server logs')
  return well(`process ${state.pid}, Workers ${state.workers_pid}, restarted ${state.restarts} times`)
}

/** Calls the public address as a caller would: name, TLS, proxy, service. */
const checkAddress = async ({ PUBLIC_URL: url }: ServerSettings): Promise<Omit<Finding, 'name'>> => {
  try {
    const [answer, ms] = await milliseconds(() => fetch(`${url}/readyz`, { signal: AbortSignal.timeout(WAIT_MS) }))
    const body = (await answer.json().catch(() => undefined)) as { status?: string } | undefined
    if (answer.ok && body?.status === 'ready') return well(`${url} is ready, ${ms} ms`)
    return body?.status
      ? ill(`${url} answers "${body.status}"`, 'The lines above say which part is missing.')
      : ill(`${url} answers ${answer.status}, and not as this service`, 'Let the proxy pass every path to LISTEN.')
  } catch (error) {
    return ill(`${url} does not answer: ${reasonOf(error)}`, 'Check the DNS entry, the proxy, and ports 80 and 443.')
  }
}

const checkMail = async (settings: ServerSettings): Promise<Omit<Finding, 'name'>> => {
  const { SMTP_URL: smtp, MAIL_API_KEY: key, MAIL_FROM: from } = settings
  if (smtp) {
    try {
      const [, ms] = await milliseconds(() => mailServer(smtp).verify())
      return well(`the mail server takes the sign-in, ${ms} ms`)
    } catch (error) {
      return ill(`the mail server: ${reasonOf(error)}`, 'Correct SMTP_URL in galley.env.')
    }
  }
  if (key && from) return well('Resend is set up; `galley-server owner` does without it')
  return ill(
    'no mail is sent: nobody can sign up or be invited',
    'Set SMTP_URL and MAIL_FROM in galley.env. Until then: galley-server owner',
  )
}

const checkDisk = (data: string): Omit<Finding, 'name'> => {
  const free = freeBytesAt(data)
  const state = `${(free / GIB).toFixed(1)} GiB are free at ${data}`
  if (free < NEEDED_BYTES) return ill(`${state}; nothing can be written`, 'Free some space: reads go on meanwhile.')
  return free < LITTLE_BYTES ? ill(state, 'Free some space before it is full.') : well(state)
}

const checkPictures = async (settings: ServerSettings, data: string): Promise<Omit<Finding, 'name'>> => {
  const bucket = bucketOf(settings, placesIn(data).pictures)
  if (!bucket) return well(`in ${placesIn(data).pictures}`)
  try {
    const [, ms] = await milliseconds(bucket.ask)
    return well(`the bucket answers in ${ms} ms`)
  } catch (error) {
    return ill(reasonOf(error), 'Correct PICTURES_S3_URL and its keys in galley.env. Articles go on; pictures wait.')
  }
}

const HOUR_MS = 3_600_000
/** Age of the last backup that is reported. */
const OLD_HOURS = 48

const checkBackup = async (data: string): Promise<Omit<Finding, 'name'>> => {
  const at = await lastBackup(data)
  const advice = 'Run: galley-server backup --to FOLDER, each night by cron.'
  if (at === undefined) return ill('there is none', advice)
  const hours = Math.round((Date.now() - at.getTime()) / HOUR_MS)
  return hours > OLD_HOURS ? ill(`the last one is ${hours} hours old`, advice) : well(`${hours} hours old`)
}

const CHECKS: readonly [string, (settings: ServerSettings, data: string) => Promise<Omit<Finding, 'name'>>][] = [
  ['database', checkDatabase],
  ['redis', checkRedis],
  ['disk', async (_, data) => checkDisk(data)],
  ['pictures', checkPictures],
  ['service', (_, data) => checkService(data)],
  ['address', checkAddress],
  ['work', checkWork],
  ['backup', (_, data) => checkBackup(data)],
  ['mail', checkMail],
]

/** Measures every part of a service. Throws a ServerFault if the settings cannot be read. */
export const examine = async (data: string): Promise<Finding[]> => {
  const settings = readSettings(data)
  const found = await Promise.all(
    CHECKS.map(async ([name, check]) => {
      const result = await check(settings, data).catch((error: unknown) =>
        error instanceof ServerFault
          ? ill(error.message, error.remedy)
          : ill(reasonOf(error), 'See docs/operations/own-machine.md'),
      )
      return { name, ...result }
    }),
  )
  return [{ name: 'settings', ...well('complete, and only readable for their user') }, ...found]
}

/** Returns findings as lines for people: ✓ or ✗, the part, its state, and the remedy. */
export const findingsText = (findings: readonly Finding[]): string =>
  findings
    .map(
      ({ name, isWell, state, remedy }) =>
        `${isWell ? '✓' : '✗'} ${name.padEnd(9)} ${state}${remedy === undefined ? '' : `\n            ${remedy}`}`,
    )
    .join('\n')
