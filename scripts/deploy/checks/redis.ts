import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'
import type { Findings } from './findings.ts'
import { upstashDatabase } from './upstash.ts'

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
