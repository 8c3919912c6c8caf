import { sql } from 'drizzle-orm'
import type { Mailer } from '../../src/accounts/people/mail.ts'
import { newestGrant } from '../../src/insights/search/access.ts'
import type { SearchConsole } from '../../src/insights/search/port.ts'
import type { JobResult } from '../../src/platform/jobs/job.ts'
import { endWithPayload } from '../../src/platform/jobs/outbox.ts'
import { type Check, ok, wrong } from '../../src/platform/jobs/provider-ask.ts'
import { type AskedCheck, Checked, type CheckedProvider } from '../../src/platform/jobs/provider-check.ts'
import { requestIdHeader } from '../../src/platform/lib/request-scope.ts'
import type { Ctx, Deps } from '../../src/platform/runtime/ctx.ts'
import {
  parseCrowdworkSettings,
  parseEngineModels,
  parseGoogleSettings,
  parseKeywordSettings,
  parseMailSettings,
  parseSocialSettings,
  parseStripeSettings,
  parseVideoSettings,
} from '../../src/platform/runtime/provider-env.ts'
import { createRedis } from '../../src/platform/runtime/redis.ts'
import {
  checkDataForSeo,
  checkGoogle,
  checkMail,
  checkMicroworkers,
  checkStripe,
  checkYouTube,
  checkZernio,
} from '../../src/providers/checks.ts'

type Inner = { fetch: typeof fetch }

const INNER_TIMEOUT_MS = 90_000
const REDIS_TIMEOUT_MS = 5_000

/** Asks an inner Worker to check its provider. */
const byInner = async (binding: Inner, url: string): Promise<Checked> => {
  const signal = AbortSignal.timeout(INNER_TIMEOUT_MS)
  const response = await binding.fetch(url, { method: 'POST', headers: requestIdHeader(), signal })
  return Checked.parse(await response.json())
}

/** Writes an object, reads it and deletes it. */
const checkBucket = async ({ media, newId }: Deps): Promise<Checked> => {
  const [name, bytes] = [`checks/${newId()}`, Uint8Array.from([1, 2, 3])]
  await media.put(name, bytes)
  const size = (await media.head(name))?.size
  await media.delete(name)
  return size === bytes.length
    ? ok('writes, reads and deletes')
    : wrong('an object was not there', 'Look at R2 in the dashboard.')
}

/** Number of calls over a binding that the check makes. Cloudflare names 32 invocations for a request. */
const CALLS = 60
/** Number of calls that a run of a job may need. */
const NEEDED = 24

/** Calls another Worker many times in one run, so that it is known where the platform ends that. */
export const checkBindings = async (binding: Inner, calls = CALLS): Promise<Checked> => {
  for (let made = 0; made < calls; made += 1) {
    try {
      const { body } = await binding.fetch('http://texts/', { headers: requestIdHeader() })
      await body?.cancel()
    } catch (error) {
      const found = `calls over a binding ended after ${made}: ${error instanceof Error ? error.message.slice(0, 100) : ''}`
      return made >= NEEDED ? ok(found) : wrong(found, 'Runs of jobs need more. Look at the logs of galley-jobs.')
    }
  }
  return ok(`${calls} calls over a binding in one run`)
}

const checkRedis = async ({ settings, newId }: Deps): Promise<Checked> => {
  const redis = createRedis(settings.redisUrl, settings.redisToken, REDIS_TIMEOUT_MS)
  const value = newId()
  await redis.set('galley:check', value, { ex: 60 })
  return (await redis.get<string>('galley:check')) === value
    ? ok(`writes and reads at ${new URL(settings.redisUrl).hostname}`, '2 commands')
    : wrong('the value that was written could not be read', 'Look at the database in the Upstash console.')
}

const checkDatabase = async ({ db, settings }: Deps): Promise<Checked> => {
  await db.execute(sql`select 1`)
  return ok(`answers at ${new URL(settings.databaseUrl).hostname}`)
}

/** Returns the check of each provider. */
export const checksOf = (
  env: Record<string, unknown> & { WRITER: Inner; BROWSER: Inner; TEXTS: Inner },
  deps: Deps,
  mailer: Mailer | undefined,
  google: SearchConsole,
): Record<CheckedProvider, (isPaid: boolean) => Promise<Checked>> => {
  const { outbound, newId, settings } = deps
  const once = (check: Check) => () => check()
  return {
    mail: once(checkMail(mailer, parseMailSettings(env), newId)),
    writer: () => byInner(env.WRITER, 'http://writer/check/writer'),
    images: (isPaid) => byInner(env.WRITER, `http://writer/check/images${isPaid ? '?paid=1' : ''}`),
    dataforseo: once(checkDataForSeo(deps, parseKeywordSettings(env), parseEngineModels(env))),
    google: once(checkGoogle(deps, parseGoogleSettings(env), google, () => newestGrant(deps, google))),
    zernio: once(checkZernio(outbound, parseSocialSettings(env))),
    stripe: once(checkStripe(outbound, parseStripeSettings(env), settings.publicUrl)),
    microworkers: once(checkMicroworkers(outbound, parseCrowdworkSettings(env))),
    youtube: once(checkYouTube(outbound, parseVideoSettings(env))),
    browser: () => byInner(env.BROWSER, 'http://browser/check'),
    redis: () => checkRedis(deps),
    qstash: async () => ok('brought this check, signed', '1 message'),
    neon: () => checkDatabase(deps),
    r2: () => checkBucket(deps),
    bindings: () => checkBindings(env.TEXTS),
  }
}

/** Returns a result for an error of the check itself, without secrets. */
const fallen = (error: unknown): Checked =>
  wrong(error instanceof Error ? error.name : 'failed', 'Look at the logs of galley-jobs.')

/** Checks a provider and ends the row with the result. */
export const runCheck = async (
  ctx: Ctx,
  checks: ReturnType<typeof checksOf>,
  { check, provider, isPaid = false }: AskedCheck,
): Promise<JobResult> => {
  const startedAt = ctx.now().getTime()
  const result = await checks[provider](isPaid).catch((error: unknown) => {
    ctx.log('warn', 'check.failed', { provider, error: error instanceof Error ? error.message.slice(0, 200) : '' })
    return fallen(error)
  })
  const payload = { check, provider, ...result, ms: ctx.now().getTime() - startedAt }
  if (ctx.run) await endWithPayload(ctx.db, ctx.run, ctx.now(), payload, result.isOk ? undefined : result.found)
  return { kind: 'settled' }
}
