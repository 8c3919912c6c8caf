import { json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'

/** A Redis database as Upstash's management API lists it. */
type UpstashDatabase = {
  database_id: string
  database_name: string
  /** Host of its REST address. */
  endpoint: string
  region: 'global' | (string & {})
  primary_region?: string
  /** `Free`, `Pay as You Go`, `Fixed 250MB`, … */
  database_type: string
  state: 'active' | 'suspended'
}

export type UpstashApi = { url: string; databases: UpstashDatabase[]; close: () => Promise<void> }

type Options = { email: string; key: string; databases: UpstashDatabase[] }

/**
 * Starts on this machine the part of Upstash's management API that a deployment uses.
 *
 * https://upstash.com/docs/devops/developer-api
 */
export const startUpstashApi = async ({ email, key, databases }: Options): Promise<UpstashApi> => {
  const basic = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const { url, close } = await startStandIn({
    answer: ({ method, path, headers }) => {
      if (headers.authorization !== basic) return json(401, 'Unauthorized')
      return method === 'GET' && path === '/v2/redis/databases' ? json(200, databases) : json(404, 'Not Found')
    },
  })
  return { url: `${url}/v2`, databases, close }
}
