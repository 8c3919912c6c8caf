import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveLoopback } from '../loopback.ts'
import { json, send } from '../receiver/answers.ts'

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

/** The part of Upstash's management API that a deployment uses (https://upstash.com/docs/devops/developer-api), on this machine. */
export const startUpstashApi = async ({ email, key, databases }: Options): Promise<UpstashApi> => {
  const basic = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    if (req.headers.authorization !== basic) return send(res, json(401, 'Unauthorized'))
    if (req.method === 'GET' && req.url === '/v2/redis/databases') return send(res, json(200, databases))
    send(res, json(404, 'Not Found'))
  }
  const server = await serveLoopback(handle, (error) => json(500, String(error)))
  return { url: `${server.url}/v2`, databases, close: server.close }
}
