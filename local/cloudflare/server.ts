import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaults, type FaultRule } from '../faults.ts'
import type { Account } from './account.ts'
import { type Answer, failure, Refusal } from './answer.ts'
import { answer } from './routes.ts'
import type { Runtime } from './runtime.ts'

export type Cloudflare = {
  /** What CLOUDFLARE_API_BASE_URL is set to. */
  url: string
  accounts: Account[]
  /** Every call so far, oldest first: `PUT /accounts/…`. */
  calls: string[]
  /** Makes the next calls that match fail. */
  misbehave: (rules: readonly FaultRule[]) => void
  close: () => Promise<void>
}

export type CloudflareOptions = {
  port?: number
  token: string
  accounts: Account[]
  /** Runs what is deployed. Without it nothing is served. */
  runtime?: Runtime
}

const PREFIX = '/client/v4'
/** Calls after which requests may be served by other code. */
const DEPLOYS = /\/(?:deployments|domains\/records|subdomain)$|\/scripts\/[^/]+$/

const bodyOf = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const send = (res: ServerResponse, { status, body }: Answer): void => {
  const text = JSON.stringify(body)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

const refused = (error: unknown): Answer =>
  error instanceof Refusal
    ? failure(error.status, error.code, error.message)
    : failure(500, 10001, error instanceof Error ? error.message : String(error))

/** Cloudflare's API for Workers, domains and zones, on this machine: https://developers.cloudflare.com/api. */
export const startCloudflare = async (options: CloudflareOptions): Promise<Cloudflare> => {
  const faults = createFaults()
  const calls: string[] = []

  const work = async (req: IncomingMessage, body: Buffer): Promise<Answer> => {
    const url = new URL(req.url ?? '/', 'http://cloudflare')
    const path = url.pathname.replace(PREFIX, '')
    calls.push(`${req.method} ${path}`)
    if (req.headers.authorization !== `Bearer ${options.token}`) return failure(401, 1000, 'Invalid API Token')
    const headers = { 'content-type': req.headers['content-type'] ?? '' }
    const call = {
      method: req.method ?? 'GET',
      path,
      query: url.searchParams,
      form: () => new Response(new Uint8Array(body), { headers }).formData() as Promise<FormData>,
      json: (): unknown => JSON.parse(body.toString('utf8') || 'null'),
    }
    const answered = await answer({ accounts: options.accounts, urlOf: options.runtime?.urlOf }, call)
    const account = options.accounts.find(({ id }) => path.startsWith(`/accounts/${id}/`))
    if (account && req.method !== 'GET' && DEPLOYS.test(path)) await options.runtime?.refresh(account)
    return answered
  }

  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await bodyOf(req)
    if (faults.control(req, res, body.toString('utf8'))) return
    const rule = faults.take(`${req.method} ${req.url}`, '')
    if (rule?.drop === 'before') return void res.destroy()
    if (rule?.status !== undefined)
      return send(res, { status: rule.status, body: rule.answer ?? failure(rule.status, 10001, 'fault').body })
    const done = await work(req, body).catch(refused)
    if (rule?.drop === 'after') return void res.destroy()
    send(res, done)
  }

  const server = createServer((req, res) => void handle(req, res).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PREFIX}`,
    accounts: options.accounts,
    calls,
    misbehave: faults.set,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** An account with nothing in it. */
export const newAccount = (id: string, changes: Partial<Account> = {}): Account => ({
  id,
  name: `${id}'s account`,
  subdomain: undefined,
  paid: true,
  zones: [],
  domains: [],
  records: [],
  scripts: new Map(),
  buckets: [],
  logLines: [],
  ...changes,
})
