import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SqlRunner } from '../../src/platform/db/client.ts'
import {
  CHECKED_PROVIDERS,
  Checked,
  type CheckedProvider,
  providerCheckJob,
} from '../../src/platform/jobs/provider-check.ts'
import { openAccount } from './access.ts'
import { publicAddress } from './address.ts'
import { directUrl } from './checks/database.ts'
import { whyNoMail } from './checks/mail.ts'
import { DeployFault } from './fault.ts'
import { onDatabase } from './migrations.ts'
import type { Options } from './options.ts'
import { bringRow } from './proof/queue.ts'
import { readSettings, type Settings } from './settings.ts'

const WITHIN_MS = 120_000

const isModel = (provider: string | undefined, none: string): boolean => provider !== undefined && provider !== none

/** Returns the providers for which a deployment has settings. Every deployment has the last six. */
export const configuredProviders = (settings: Settings): CheckedProvider[] => {
  const isSet: Record<CheckedProvider, boolean> = {
    mail: whyNoMail(settings) === undefined,
    writer: isModel(settings.WRITER_PROVIDER, 'built-in'),
    images: isModel(settings.IMAGES_PROVIDER, 'none'),
    dataforseo: Boolean(settings.DATAFORSEO_LOGIN && settings.DATAFORSEO_PASSWORD),
    google: Boolean(settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET),
    zernio: Boolean(settings.SOCIAL_API_KEY),
    stripe: Boolean(settings.STRIPE_SECRET_KEY),
    microworkers: Boolean(settings.CROWDWORK_API_KEY),
    youtube: Boolean(settings.YOUTUBE_API_KEY),
    browser: true,
    redis: true,
    qstash: true,
    neon: true,
    r2: true,
    bindings: true,
  }
  return CHECKED_PROVIDERS.filter((provider) => isSet[provider])
}

const Row = z.extend(Checked, { ms: z.number() })
/** Result of the check of one provider. */
export type Result = z.infer<typeof Row> & { provider: CheckedProvider }

/** Makes a deployed Worker check one provider: adds an outbox row, which QStash delivers signed. */
const checkOne = async (
  { settings, run, publicUrl }: { settings: Settings; run: SqlRunner; publicUrl: string },
  provider: CheckedProvider,
  isPaid: boolean,
): Promise<Result> => {
  const check = randomUUID()
  const payload = JSON.stringify({ check, provider, isPaid })
  const [row] = await run<{ id: string }>(sql`insert into outbox (job, key, payload, run_at, offered_at)
    values (${providerCheckJob.name}, ${`provider_check:${check}`}, ${payload}::jsonb, now(), now()) returning id`)
  const id = String(row?.id)
  const read = async () =>
    (
      await run<{ payload: unknown; is_over: boolean }>(
        sql`select payload, (done_at is not null or dead_at is not null) as is_over from outbox where id = ${id}`,
      )
    )[0]
  await bringRow(settings, publicUrl, id, { isOver: async () => (await read())?.is_over ?? true, withinMs: WITHIN_MS })
  const result = Row.safeParse((await read())?.payload)
  await run(sql`delete from outbox where id = ${id}`)
  if (result.success) return { ...result.data, provider }
  return {
    provider,
    isOk: false,
    found: 'the check gave no answer',
    fix: 'Look at the logs of galley-jobs.',
    cost: '',
    ms: 0,
  }
}

const inTurn = async (
  deps: { settings: Settings; run: SqlRunner; publicUrl: string },
  providers: readonly CheckedProvider[],
  isPaid: boolean,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const provider of providers) results.push(await checkOne(deps, provider, isPaid))
  return results
}

/** Returns the results as a table: a mark, milliseconds, cost, finding, and remedy. */
export const tableOf = (results: readonly Result[]): string =>
  results
    .map(({ provider, isOk, ms, cost, found, fix }) => {
      const line = `${isOk ? '✓' : '✗'} ${provider.padEnd(13)}${`${ms} ms`.padStart(9)}  ${cost.padEnd(27)} ${found}`
      return fix === undefined ? line : `${line}\n${' '.repeat(25)}${fix}`
    })
    .join('\n')

const chosen = (settings: Settings, only: string | undefined): CheckedProvider[] => {
  const configured = configuredProviders(settings)
  if (only === undefined) return configured
  const one = CHECKED_PROVIDERS.find((name) => name === only)
  if (!one)
    throw new DeployFault(
      `There is no provider ${JSON.stringify(only)}.`,
      `Providers: ${CHECKED_PROVIDERS.join(', ')}.`,
    )
  if (configured.includes(one)) return [one]
  throw new DeployFault(`${one} is not configured.`, `Configured: ${configured.join(', ')}.`)
}

/**
 * Checks every configured provider from inside the deployed Workers. Prints a table; returns false if one has a fault.
 */
export const checkProviders = async (
  options: Options,
  env: NodeJS.ProcessEnv,
  say: (text: string) => void,
): Promise<boolean> => {
  const settings = readSettings(options.file, options.fileNamed, env)
  const providers = chosen(settings, options.only)
  const publicUrl = await publicAddress(settings.PUBLIC_URL, options.environment, await openAccount(settings, env))
  const results = await onDatabase(directUrl(settings), (run) =>
    inTurn({ settings, run, publicUrl }, providers, options.paid),
  )
  say(tableOf(results))
  return results.every(({ isOk }) => isOk)
}

/** Checks the providers as part of a deployment's proof. Throws a DeployFault that names each provider with a fault. */
export const proveProviders = async (
  settings: Settings,
  run: SqlRunner,
  publicUrl: string,
  say: (text: string) => void,
): Promise<void> => {
  // The proof checks mail separately.
  const providers = configuredProviders(settings).filter((provider) => provider !== 'mail')
  const results = await inTurn({ settings, run, publicUrl }, providers, false)
  const faults = results.filter(({ isOk }) => !isOk)
  if (faults.length > 0)
    throw new DeployFault(
      `The Workers are deployed, but not every provider works:\n${tableOf(faults)}`,
      'Fix this and run the same command again, or only the check: npm run deploy -- check-providers',
    )
  say(`Proof       providers work: ${providers.join(', ')}`)
}
