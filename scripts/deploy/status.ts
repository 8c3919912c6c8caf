import { sql } from 'drizzle-orm'
import { readMigrations } from '../../local/migrations.ts'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import { type Account, openAccount } from './access.ts'
import { publicAddress } from './address.ts'
import { directUrl } from './checks/database.ts'
import { whyNoMail } from './checks/mail.ts'
import { CLOUDFLARE_API } from './cloudflare.ts'
import { scriptName } from './environment.ts'
import { callHttp } from './http.ts'
import { onDatabase } from './migrations.ts'
import type { Options } from './options.ts'
import { releaseIn } from './release.ts'
import { scriptsOf } from './rollback.ts'
import { readSettings, type Settings } from './settings.ts'

type Work = { overdue: number; oldest_s: number | null; dead: number; dead_day: number; offers: number }

/** Returns counts of late and dead work in the outbox. `oldest_s`: age of the oldest late row, in seconds. */
const workIn = async (run: SqlRunner): Promise<Work | undefined> => {
  const [row] = await run<Work>(sql`select
      count(*) filter (where done_at is null and dead_at is null and run_at < now() - interval '2 minutes'
        and (lease_until is null or lease_until < now()))::int as overdue,
      extract(epoch from now() - min(run_at) filter (where done_at is null and dead_at is null and run_at < now()
        and (lease_until is null or lease_until < now())))::int as oldest_s,
      count(*) filter (where dead_at is not null)::int as dead,
      count(*) filter (where dead_at > now() - interval '1 day')::int as dead_day,
      coalesce(max(offers) filter (where done_at is null and dead_at is null), 0)::int as offers
    from outbox where done_at is null or dead_at is not null`)
  return row
}

type LastMail = { how: string; last_error: string | null }

/** Returns the outcome of the newest mail. */
const lastMailIn = async (run: SqlRunner): Promise<LastMail | undefined> => {
  const [row] = await run<LastMail>(sql`select payload->>'end' as how, last_error from outbox
    where job = 'people.mail' and done_at is not null order by id desc limit 1`)
  return row
}

const signUpText = (settings: Settings, last: LastMail | undefined): string => {
  const why = whyNoMail(settings)
  if (why) return `people can sign up: no, because mail is not set up: ${why}`
  return last?.how === 'refused'
    ? `people can sign up: no, because the newest mail was refused (${last.last_error}); see runbook.md, "Mails are not accepted"`
    : `people can sign up: yes${last ? '' : '; no mail was sent in the last week'}`
}

const migrationIn = async (run: SqlRunner): Promise<string> => {
  const [last] = await run<{ at: string | null }>(
    sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`,
  )
  const known = readMigrations()
  const applied = known.find(({ when }) => when === Number(last?.at))
  const missing = known.filter(({ when }) => when > Number(last?.at ?? 0)).map(({ tag }) => tag)
  const name = applied?.tag ?? 'one that this version does not know'
  return missing.length > 0 ? `${name}; this version also has ${missing.join(', ')}` : name
}

const CLOCK =
  'query ($account: string!, $script: string!) { viewer { accounts(filter: {accountTag: $account}) { workersInvocationsScheduled(filter: {scriptName: $script}, limit: 1, orderBy: [datetime_DESC]) { datetime status } } } }'

type Runs = { workersInvocationsScheduled?: { datetime: string; status: string }[] }

/** Last run of the clock. `isKnown` is false if Cloudflare does not show it to the token. */
export type ClockRun = { isKnown: boolean; at?: Date; status?: string }

/** Returns the account's rows of a query of Cloudflare's analytics; undefined if the token may not read them. */
export const analyticsOf = async <Rows>(
  base: string,
  { access, id }: Account,
  query: string,
  variables: Record<string, string>,
): Promise<Rows | undefined> => {
  if (!access.token) return undefined
  const answer = await callHttp("Cloudflare's analytics", `${base}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { account: id, ...variables } }),
  }).catch(() => undefined)
  const { data } = (answer?.json ?? {}) as { data?: { viewer?: { accounts?: Rows[] } } | null }
  return data?.viewer?.accounts?.[0]
}

/** Returns the time of the clock's last run, by Cloudflare's count (https://developers.cloudflare.com/analytics/graphql-api). */
export const lastClockRun = async (base: string, account: Account, script: string): Promise<ClockRun> => {
  const rows = await analyticsOf<Runs>(base, account, CLOCK, { script })
  const runs = rows?.workersInvocationsScheduled
  if (!runs) return { isKnown: false }
  const [last] = runs
  return last ? { isKnown: true, at: new Date(last.datetime), status: last.status } : { isKnown: true }
}

const clockText = ({ isKnown, at, status }: ClockRun, now: Date): string => {
  if (!isKnown) return 'not known: the token needs Account Analytics Read'
  if (!at) return 'has not run yet'
  return `ran ${Math.round((now.getTime() - at.getTime()) / 1000)} s ago, ${status}`
}

const workText = (work: Work | undefined): string[] => {
  if (!work) return []
  const late = work.oldest_s === null ? 'nothing is due' : `the oldest due row waits for ${work.oldest_s} s`
  return [
    `Work        ${work.overdue} rows late by more than 2 minutes; ${late}; most offers of one row: ${work.offers}`,
    `Dead        ${work.dead} rows in all, ${work.dead_day} of them in the last day`,
  ]
}

/**
 * Returns the versions of every Worker, the newest migration, late and dead work, the last cron run, and the answer of
 * /readyz.
 */
export const statusText = async (options: Options, env: NodeJS.ProcessEnv, now: Date): Promise<string> => {
  const settings = readSettings(options.file, options.fileNamed, env)
  const account = await openAccount(settings, env)
  const [scripts, url] = await Promise.all([
    scriptsOf(account.cf, account.id, options.environment),
    publicAddress(settings.PUBLIC_URL, options.environment, account),
  ])
  const versions = scripts.map(({ script, deployed }) => {
    const { current } = deployed ?? {}
    const release = releaseIn(current?.annotations?.['workers/message'])
    const text = !deployed
      ? 'not deployed'
      : `version ${current?.number ?? 'split'}, release ${release?.at ?? 'unknown'}`
    return `  ${script.padEnd(28)} ${text}`
  })
  const [work, migration, mail] = await onDatabase(
    directUrl(settings),
    async (run) => [await workIn(run), await migrationIn(run), await lastMailIn(run)] as const,
  )
  const [ready, clock] = await Promise.all([
    callHttp('The service', `${url}/readyz`).catch(() => undefined),
    lastClockRun(
      env.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE_API,
      account,
      scriptName(options.environment, 'galley-jobs'),
    ),
  ])
  return [
    `Address     ${url}`,
    'Workers',
    ...versions,
    `Migration   ${migration}`,
    ...workText(work),
    `Sign-up     ${signUpText(settings, mail)}`,
    `Clock       ${clockText(clock, now)}`,
    `Ready       ${ready ? `${ready.status} ${ready.text.trim()}` : 'no answer'}`,
  ].join('\n')
}
