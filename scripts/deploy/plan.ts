import { type Account, openAccount } from './access.ts'
import { publicAddress } from './address.ts'
import { checkBuckets } from './buckets.ts'
import { checkCloudflare } from './checks/cloudflare.ts'
import { checkDatabase, databaseRegion, directUrl } from './checks/database.ts'
import { checkDomain } from './checks/domain.ts'
import { type Findings, gather } from './checks/findings.ts'
import { checkImages } from './checks/images.ts'
import { legalFindings } from './checks/legal.ts'
import { mailFindings } from './checks/mail.ts'
import { queueFindings, queueRegion, withSigningKeys } from './checks/queue.ts'
import { checkRedis } from './checks/redis.ts'
import { checkSealingKeys } from './checks/sealing.ts'
import { stripeFindings } from './checks/stripe.ts'
import type { Destination } from './config.ts'
import { scriptName } from './environment.ts'
import { pendingMigrations } from './migrations.ts'
import { type NeonBranch, neonBranchAt } from './neon.ts'
import type { Options } from './options.ts'
import { checkReceiverPlace } from './proof/receiver.ts'
import { retiredIn, retiredText } from './retired.ts'
import { readSettings, type Settings } from './settings.ts'
import { commitOf, refuseTrackedSecrets } from './tracked.ts'
import { planWorkers, type Workers } from './workers.ts'

/** Plan of a deployment: everything known before the first change. */
export type Plan = {
  settings: Settings
  account: Account
  to: Destination
  directUrl: string
  /** Migrations to be applied, by name. */
  pending: string[]
  /** Branch that keeps the database before a migration; undefined without NEON_API_KEY. */
  neon: NeonBranch | undefined
  workers: Workers
  /** Workers of earlier releases that nothing calls any more. */
  retired: readonly string[]
  commit: string
  findings: Findings
}

/** Returns the Neon project's plan, and a warning if it does not last a month. */
export const neonFindings = (neon: NeonBranch | undefined): Findings => {
  if (!neon)
    return {
      facts: [],
      warnings: ['NEON_API_KEY is not set: no branch is taken before migrating, and the plan is not checked.'],
    }
  return {
    facts: [`Neon        project ${neon.projectId}, branch ${neon.branchId}, plan ${neon.plan}`],
    warnings: /free/i.test(neon.plan)
      ? ["Neon's free plan ends after about 16 days of a month: the clock asks the database every minute. Take Launch."]
      : [],
  }
}

/**
 * Returns a warning if database and queue are on two continents. Calls cross between them, and the distance delays
 * each.
 */
export const regionFindings = (settings: Settings): Findings => {
  const [database, queue] = [databaseRegion(settings.DATABASE_URL), queueRegion(settings.QSTASH_URL)]
  const sameContinent = database?.split(':')[1]?.slice(0, 2) === queue?.slice(0, 2)
  return {
    facts: [],
    warnings:
      database && queue && !sameContinent
        ? [
            `The database is in ${database}, QStash in ${queue}: jobs cross an ocean. QStash has a region in the EU and one in the US.`,
          ]
        : [],
  }
}

const readAccount = async (options: Options, env: NodeJS.ProcessEnv) => {
  refuseTrackedSecrets(options.file)
  const settings = readSettings(options.file, options.fileNamed, env)
  checkSealingKeys(settings)
  checkImages(settings)
  return { settings, account: await openAccount(settings, env) }
}

/** Checks everything and returns the plan. Changes nothing. Throws a DeployFault with all faults. */
export const makePlan = async (options: Options, env: NodeJS.ProcessEnv, now: Date): Promise<Plan> => {
  const { settings: given, account } = await readAccount(options, env)
  const direct = directUrl(given)
  let [settings, publicUrl, neon] = [given, '', undefined as NeonBranch | undefined]
  const address = publicAddress(given.PUBLIC_URL, options.environment, account)
  const findings = await gather([
    checkCloudflare(account),
    checkBuckets(account, options.environment),
    address.then((url) => {
      publicUrl = url
      return checkDomain(account, url, scriptName(options.environment, 'galley-gateway'))
    }),
    address.then(
      (url) => stripeFindings(given, url, env),
      // The check above reports the fault.
      () => ({ facts: [], warnings: [] }),
    ),
    checkDatabase(given, env),
    (given.NEON_API_KEY
      ? neonBranchAt(given.NEON_API_KEY, new URL(direct).hostname, env)
      : Promise.resolve(undefined)
    ).then((found) => {
      neon = found
      return neonFindings(found)
    }),
    checkRedis(given, env),
    withSigningKeys(given).then((complete) => {
      settings = complete
      return queueFindings(complete)
    }),
    Promise.resolve(regionFindings(given)),
    Promise.resolve().then(() => mailFindings(given)),
    Promise.resolve().then(() => legalFindings(given)),
    (options.proof ? checkReceiverPlace(account) : Promise.resolve()).then(() => ({ facts: [], warnings: [] })),
  ])
  const region = databaseRegion(given.DATABASE_URL)
  const to: Destination = { environment: options.environment, accountId: account.id, publicUrl, region }
  const [pending, workers, retired] = await Promise.all([
    pendingMigrations(direct),
    planWorkers(settings, to, account.cf, now),
    retiredIn(account.cf, account.id, options.environment),
  ])
  return { settings, account, to, directUrl: direct, pending, neon, workers, retired, commit: commitOf(), findings }
}

/** Returns the plan as text. It has names only, never a secret. */
export const planText = ({ to, pending, neon, workers, retired, findings, commit }: Plan): string => {
  const lines = workers.items.map(({ script, inPlace, deployed, surplus }) => {
    const state = inPlace ? 'in place' : deployed ? 'new version' : 'new'
    return `  ${script.padEnd(28)} ${state}${surplus.length > 0 ? `; loses ${surplus.join(', ')}` : ''}`
  })
  const migrations = pending.length === 0 ? 'none' : pending.join(', ')
  const branch = pending.length > 0 && neon ? `; a branch is taken first` : ''
  return [
    ...findings.facts,
    ...findings.warnings.map((warning) => `Warning     ${warning}`),
    `Migrations  ${migrations}${branch}`,
    `Workers     release ${workers.release.at} of ${commit}, ${to.region ? `next to ${to.region}` : 'where callers are'}, in this order:`,
    ...lines,
    ...retiredText(retired),
  ].join('\n')
}
