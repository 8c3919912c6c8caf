import type { FaultRule } from '../faults.ts'
import { json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import type { Account } from './account.ts'
import { type Answer, failure, Refusal } from './answer.ts'
import { carriesAssets } from './assets.ts'
import { answer } from './routes.ts'
import type { Runtime } from './runtime.ts'

export type Cloudflare = {
  /** Value of CLOUDFLARE_API_BASE_URL. */
  url: string
  accounts: Account[]
  /** Every call so far, oldest first: `PUT /accounts/…`. */
  calls: string[]
  /** Makes the next calls that match fail. */
  misbehave: (rules: readonly FaultRule[]) => void
  close: () => Promise<void>
}

export type CloudflareOptions = {
  token: string
  accounts: Account[]
  /** Runs the deployed Workers. Without it no Worker answers. */
  runtime?: Runtime
}

const PREFIX = '/client/v4'
/** Calls after which requests may be served by other code. */
const DEPLOYS = /\/(?:deployments|subdomain)$|\/scripts\/[^/]+$/

const refused = (error: unknown): Answer =>
  error instanceof Refusal
    ? failure(error.status, error.code, error.message)
    : failure(500, 10001, error instanceof Error ? error.message : String(error))

/** Starts a stand-in of Cloudflare's API for Workers, domains and zones (https://developers.cloudflare.com/api). */
export const startCloudflare = async (options: CloudflareOptions): Promise<Cloudflare> => {
  const calls: string[] = []

  const work = async ({ method, path: asked, query, headers, body, raw }: StandInRequest): Promise<Answer> => {
    const path = asked.replace(PREFIX, '')
    calls.push(`${method} ${path}`)
    const token = headers.authorization?.replace(/^Bearer /, '')
    if (token !== options.token && !carriesAssets(method, path)) return failure(401, 1000, 'Invalid API Token')
    const type = { 'content-type': headers['content-type'] ?? '' }
    const call = {
      ...{ method, path, query, token },
      form: () => new Response(new Uint8Array(raw), { headers: type }).formData() as Promise<FormData>,
      json: () => body,
    }
    const answered = await answer({ accounts: options.accounts, urlOf: options.runtime?.urlOf }, call)
    const account = options.accounts.find(({ id }) => path.startsWith(`/accounts/${id}/`))
    if (account && method !== 'GET' && DEPLOYS.test(path)) await options.runtime?.refresh(account)
    return answered
  }

  const standIn = await startStandIn({
    ...options,
    answer: async (request) => {
      const { status, body } = await work(request).catch(refused)
      return json(status, body)
    },
    refusal: (status) => json(status, failure(status, 10001, 'fault').body),
  })
  return {
    url: standIn.url + PREFIX,
    accounts: options.accounts,
    calls,
    misbehave: standIn.faults.set,
    close: standIn.close,
  }
}

/** Returns an account with nothing in it. */
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
  assets: new Map(),
  uploads: [],
  logLines: [],
  ...changes,
})
