import { DeployFault } from '../fault.ts'
import { callHttp } from '../http.ts'
import type { Settings } from '../settings.ts'

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
export const upstashDatabase = async (
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
