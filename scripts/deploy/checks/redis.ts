import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'

const WHERE = 'Copy both from the database, REST API, in https://console.upstash.com/redis.'

/** Writes a key that expires. Reading alone would not show that the token is the read-only one. */
const COMMAND = ['SET', 'galley:deploy-check', '1', 'EX', '10']

const tryCommand = async ({ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token }: Settings) => {
  if (!URL.canParse(url)) throw new DeployFault('UPSTASH_REDIS_REST_URL is not an address.', WHERE)
  const { status, json } = await callHttp('Redis (UPSTASH_REDIS_REST_URL)', url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(COMMAND),
  })
  const { result, error = '' } = (json ?? {}) as { result?: unknown; error?: string }
  if (status === 200 && result === 'OK') return
  if (status === 401)
    throw new DeployFault('Redis refuses UPSTASH_REDIS_REST_TOKEN: it is not the token of this database.', WHERE)
  if (error.includes('NOPERM'))
    throw new DeployFault('UPSTASH_REDIS_REST_TOKEN is read-only.', 'Use the standard token, not the read-only one.')
  throw new DeployFault(`Redis answers ${status}: ${error || 'an unexpected answer'}.`, WHERE)
}

const UPSTASH_API = 'https://api.upstash.com/v2'

type Listed = {
  endpoint?: string
  region?: string
  primary_region?: string
  type?: string
  database_type?: string
  state?: string
}

/**
 * Returns region and plan of the Redis database at `host` from Upstash's management API; undefined without a key for
 * it.
 *
 * Throws a DeployFault if the account has no such database, or it is not active.
 * https://upstash.com/docs/devops/developer-api
 */
const upstashDatabase = async (
  { UPSTASH_EMAIL: email, UPSTASH_API_KEY: key }: Settings,
  env: NodeJS.ProcessEnv,
  host: string,
): Promise<{ region: string; plan: string } | undefined> => {
  if (!email || !key) return undefined
  const base = env.UPSTASH_API_URL ?? UPSTASH_API
  const { status, json } = await callHttp("Upstash's management API", `${base}/redis/databases`, {
    headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
  })
  if (status !== 200)
    throw new DeployFault(
      `Upstash's management API answers ${status} to UPSTASH_EMAIL and UPSTASH_API_KEY.`,
      'Create a key at https://console.upstash.com/account/api, or leave both out. Then region and plan are not checked.',
    )
  const found = (json as Listed[]).find(({ endpoint }) => endpoint === host)
  if (!found)
    throw new DeployFault(
      `The Upstash account of ${email} has no Redis database at ${host}.`,
      'Set UPSTASH_EMAIL and UPSTASH_API_KEY to those of the account that has it, or leave them out.',
    )
  if (found.state !== undefined && found.state !== 'active')
    throw new DeployFault(
      `The Redis database at ${host} is ${found.state}.`,
      'Resume it in https://console.upstash.com.',
    )
  // A global database is written in its primary region.
  const region = found.primary_region || (found.region ?? 'unknown')
  return { region, plan: found.database_type ?? found.type ?? 'unknown plan' }
}

/**
 * Checks that Redis answers and can be written to; with the management key also its plan and region. Throws a
 * DeployFault.
 */
export const checkRedis = async (settings: Settings, env: NodeJS.ProcessEnv): Promise<Findings> => {
  await tryCommand(settings)
  const host = new URL(settings.UPSTASH_REDIS_REST_URL).hostname
  const known = await upstashDatabase(settings, env, host)
  if (!known) return { facts: [`Redis       ${host} answers and takes writes`], warnings: [] }
  const { region, plan } = known
  return {
    facts: [`Redis       ${host}, ${region}, ${plan}`],
    warnings: /free/i.test(plan)
      ? ['Redis is on the free plan: 500,000 commands a month end after about 100,000 calls. Take pay as you go.']
      : [],
  }
}
