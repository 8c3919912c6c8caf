import { sql } from 'drizzle-orm'
import { WORKERS } from '../../../local/bundle.ts'
import type { Account } from '../access.ts'
import { openAccount } from '../access.ts'
import { publicAddress } from '../address.ts'
import { directUrl } from '../checks/database.ts'
import { CLOUDFLARE_API } from '../cloudflare.ts'
import { type EnvironmentName, scriptName } from '../environment.ts'
import { callHttp } from '../http.ts'
import { onDatabase } from '../migrations.ts'
import type { Options } from '../options.ts'
import type { Settings } from '../settings.ts'
import { type ClockRun, lastClockRun } from '../status.ts'
import type { Seen } from './list.ts'

const MINUTES_MS = 5 * 60_000

/** More than the number of events that the Workers have. */
const MOST_EVENTS = 100

type Group = { key: string; value: string | number | boolean | null }
type Aggregate = { value: number; groups?: Group[] }
type Answer = { calculations?: { aggregates?: Aggregate[] }[] }

/** Returns the event of a group; empty for lines that have none. */
const eventIn = (groups: readonly Group[] = []): string =>
  String(groups.find(({ key }) => key === 'event')?.value ?? '')

/**
 * Returns the log lines of warnings and errors in the last five minutes, by event. Undefined if the token may not read
 * them.
 *
 * Lines that the Workers did not write, such as an uncaught error, have an empty name.
 * https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query
 */
const eventsOf = async ({ cf, id }: Account, environment: EnvironmentName, now: Date): Promise<Seen['events']> => {
  const scripts = WORKERS.map(({ script }) => scriptName(environment, script))
  const answer = await cf<Answer>('POST', `/accounts/${id}/workers/observability/telemetry/query`, {
    queryId: 'galley-alarms',
    timeframe: { from: now.getTime() - MINUTES_MS, to: now.getTime() },
    view: 'calculations',
    // Cloudflare neither stores nor draws the query.
    dry: true,
    ignoreSeries: true,
    // Most groups. Without a limit, the API returns fewer.
    limit: MOST_EVENTS,
    parameters: {
      datasets: ['cloudflare-workers'],
      filterCombination: 'and',
      filters: [
        // The platform's own level, whatever the line contains.
        { key: '$metadata.level', operation: 'in', type: 'string', value: 'warn,error' },
        // Full names, because those of another environment begin alike.
        { key: '$metadata.service', operation: 'in', type: 'string', value: scripts.join(',') },
      ],
      calculations: [{ operator: 'count', alias: 'lines' }],
      groupBys: [{ type: 'string', value: 'event' }],
      orderBy: { value: 'lines', order: 'desc' },
      limit: MOST_EVENTS,
    },
  }).catch(() => undefined)
  const aggregates = answer?.calculations?.[0]?.aggregates
  return aggregates && Object.fromEntries(aggregates.map(({ value, groups }) => [eventIn(groups), value]))
}

/** Returns the seconds since the cron last ran. */
const ageOf = ({ isKnown, at }: ClockRun, now: Date): number | undefined => {
  if (!isKnown) return undefined
  return at ? Math.round((now.getTime() - at.getTime()) / 1000) : Number.POSITIVE_INFINITY
}

type Work = { overdue_s: number; dead: number }

const statusOf = async (url: string): Promise<number> =>
  await callHttp('The service', url).then(
    ({ status }) => status,
    () => 0,
  )

/** Takes all measurements that the alarms need. */
export const look = async (options: Options, settings: Settings, env: NodeJS.ProcessEnv, now: Date): Promise<Seen> => {
  const account = await openAccount(settings, env)
  const url = await publicAddress(settings.PUBLIC_URL, options.environment, account)
  const isHealthy = async () => (await statusOf(`${url}/healthz`)) === 200
  const jobs = scriptName(options.environment, 'galley-jobs')
  const [healthy, ready, clock, events, work] = await Promise.all([
    isHealthy().then((first) => first || isHealthy()),
    statusOf(`${url}/readyz`),
    lastClockRun(env.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE_API, account, jobs),
    eventsOf(account, options.environment, now),
    onDatabase(
      directUrl(settings),
      (run) =>
        run<Work>(sql`select
        coalesce(extract(epoch from now() - min(run_at) filter (where done_at is null and dead_at is null
          and run_at < now() and (lease_until is null or lease_until < now()))), 0)::int as overdue_s,
        count(*) filter (where dead_at > now() - interval '1 hour')::int as dead
        from outbox where done_at is null or dead_at is not null`),
      // If the database cannot be queried, `/readyz` shows it.
    ).catch(() => [] as Work[]),
  ])
  return {
    healthy,
    ready,
    overdueS: work[0]?.overdue_s ?? 0,
    deadInHour: work[0]?.dead ?? 0,
    clockAgeS: ageOf(clock, now),
    events,
  }
}
