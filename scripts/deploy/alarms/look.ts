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
import { analyticsOf, type ClockRun, lastClockRun } from '../status.ts'
import type { Lines, Seen } from './list.ts'

const MINUTE_MS = 60_000

/** More than the number of events that the Workers have. */
const MOST_EVENTS = 100

type Group = { key: string; value: string | number | boolean | null }
type Aggregate = { value: number; groups?: Group[] }
type Answer = { calculations?: { aggregates?: Aggregate[] }[] }

/** Span of time that a look covers. */
type Span = { from: Date; to: Date }

/** Returns a field of a group; empty for lines that have none. */
const fieldIn = (groups: readonly Group[] = [], name: string): string =>
  String(groups.find(({ key }) => key === name)?.value ?? '')

/**
 * Returns the log lines of warnings and errors, by event and step. Undefined if the token may not read them.
 *
 * Lines that the Workers did not write, such as an uncaught error, have an empty name.
 * https://developers.cloudflare.com/api/resources/workers/subresources/observability/subresources/telemetry/methods/query
 */
const linesIn = async ({ cf, id }: Account, environment: EnvironmentName, span: Span): Promise<Seen['lines']> => {
  const scripts = WORKERS.map(({ script }) => scriptName(environment, script))
  const answer = await cf<Answer>('POST', `/accounts/${id}/workers/observability/telemetry/query`, {
    queryId: 'galley-alarms',
    timeframe: { from: span.from.getTime(), to: span.to.getTime() },
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
      groupBys: ['event', 'step'].map((value) => ({ type: 'string', value })),
      orderBy: { value: 'lines', order: 'desc' },
      limit: MOST_EVENTS,
    },
  }).catch(() => undefined)
  const aggregates = answer?.calculations?.[0]?.aggregates
  return aggregates?.map(
    ({ value, groups }): Lines => ({
      event: fieldIn(groups, 'event'),
      step: fieldIn(groups, 'step') || undefined,
      count: value,
    }),
  )
}

const REQUESTS =
  'query ($account: string!, $from: Time!, $to: Time!) { viewer { accounts(filter: {accountTag: $account}) { workersInvocationsAdaptive(limit: 1000, filter: {datetime_geq: $from, datetime_leq: $to}) { sum { requests } dimensions { scriptName } } } } }'

type Invocations = { workersInvocationsAdaptive?: { sum: { requests: number }; dimensions: { scriptName: string } }[] }

/**
 * Returns the number of requests to each Worker, by its name in production. Undefined if the token may not read it.
 *
 * https://developers.cloudflare.com/analytics/graphql-api/tutorials/querying-workers-metrics/
 */
const requestsIn = async (
  base: string,
  account: Account,
  environment: EnvironmentName,
  { from, to }: Span,
): Promise<Seen['requests']> => {
  const rows = await analyticsOf<Invocations>(base, account, REQUESTS, {
    from: from.toISOString(),
    to: to.toISOString(),
  })
  const found = rows?.workersInvocationsAdaptive
  if (!found) return undefined
  const counts = new Map<string, number>()
  for (const { sum, dimensions } of found)
    counts.set(dimensions.scriptName, (counts.get(dimensions.scriptName) ?? 0) + sum.requests)
  return Object.fromEntries(WORKERS.map(({ script }) => [script, counts.get(scriptName(environment, script)) ?? 0]))
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
  const span = { from: new Date(now.getTime() - options.minutes * MINUTE_MS), to: now }
  const base = env.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE_API
  const account = await openAccount(settings, env)
  const url = await publicAddress(settings.PUBLIC_URL, options.environment, account)
  const isHealthy = async () => (await statusOf(`${url}/healthz`)) === 200
  const jobs = scriptName(options.environment, 'galley-jobs')
  const [healthy, ready, clock, lines, requests, work] = await Promise.all([
    isHealthy().then((first) => first || isHealthy()),
    statusOf(`${url}/readyz`),
    lastClockRun(base, account, jobs),
    linesIn(account, options.environment, span),
    requestsIn(base, account, options.environment, span),
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
    lines,
    requests,
  }
}
