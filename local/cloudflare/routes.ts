import type { Account, Script } from './account.ts'
import { type Answer, noScript, Refusal, success } from './answer.ts'
import { addAssets, carriesAssets } from './assets.ts'
import { answerScript, answerService, answerWorker } from './scripts.ts'
import { countLines } from './telemetry.ts'

const described = (name: string) => ({ name, location: 'WEUR', storage_class: 'Standard', jurisdiction: 'default' })

/** Returns the calls about R2 buckets below `/accounts/:id/r2/buckets`. */
const answerBuckets = (account: Account, method: string, name: string, json: () => unknown): Answer => {
  const { buckets } = account
  if (!buckets) throw new Refusal(403, 10042, 'Please enable R2 through the Cloudflare Dashboard.')
  if (method === 'POST' && name === '') {
    const given = (json() as { name: string }).name
    if (buckets.includes(given))
      throw new Refusal(409, 10004, 'The bucket you tried to create already exists, and you own it.')
    buckets.push(given)
    return success(described(given))
  }
  if (method === 'GET' && name === '') return success({ buckets: buckets.map(described) })
  if (method === 'GET' && buckets.includes(name)) return success(described(name))
  throw new Refusal(404, 10006, 'The specified bucket does not exist.')
}

/** One call of the API, without its `/client/v4`. */
export type Call = {
  method: string
  path: string
  query: URLSearchParams
  /** Authorisation: the account's token, except for the files of an upload. */
  token: string | undefined
  form: () => Promise<FormData>
  json: () => unknown
}

/** Accounts that a token can reach, and the local addresses of their Workers. */
export type Reach = { accounts: readonly Account[]; urlOf?: ((script: string) => string | undefined) | undefined }

const page = (items: unknown[]): Answer =>
  success(items, {
    result_info: { page: 1, per_page: 50, count: items.length, total_count: items.length, total_pages: 1 },
  })

const inAccount = async (account: Account, path: string, call: Call, urlOf: Reach['urlOf']): Promise<Answer> => {
  const { method, query } = call
  if (carriesAssets(method, call.path)) return await addAssets(account, call.token, await call.form())
  const [, script, rest] = /^\/workers\/scripts\/([^/]+)(.*)$/.exec(path) ?? []
  if (script !== undefined) {
    return await answerScript({ ...call, account, name: script, rest: rest ?? '' }, query)
  }
  const [, service] = /^\/workers\/services\/([^/]+)$/.exec(path) ?? []
  if (service !== undefined) return answerService(account, service)
  const [, bucket] = /^\/r2\/buckets\/?([^/]*)$/.exec(path) ?? []
  if (bucket !== undefined) return answerBuckets(account, method, bucket, call.json)
  const [, worker] = /^\/workers\/workers\/([^/]+)$/.exec(path) ?? []
  if (worker !== undefined) return answerWorker(account, worker, urlOf?.(worker))
  switch (`${method} ${path}`) {
    case 'GET /workers/subdomain':
      if (account.subdomain === undefined) throw noScript()
      return success({ subdomain: account.subdomain })
    case 'GET /workers/domains':
      return page(
        account.domains.filter(
          ({ hostname, service }) =>
            [null, hostname].includes(query.get('hostname')) && [null, service].includes(query.get('service')),
        ),
      )
    case 'POST /workers/observability/telemetry/query':
      return success(countLines(account, call.json()))
    case 'GET /subscriptions':
      return page(account.paid ? [{ id: 'sub', rate_plan: { id: 'workers_paid', public_name: 'Workers Paid' } }] : [])
    default:
      throw new Refusal(404, 7003, `Could not route to ${call.path}, perhaps your object identifier is invalid?`)
  }
}

const zones = (accounts: readonly Account[], query: URLSearchParams): Answer =>
  page(
    accounts.flatMap((account) =>
      account.zones
        .filter(({ name }) => [null, name].includes(query.get('name')))
        .map(({ settings: _, ...zone }) => ({ ...zone, account: { id: account.id, name: account.name } })),
    ),
  )

const records = (accounts: readonly Account[], zoneId: string, query: URLSearchParams): Answer => {
  const account = accounts.find(({ zones }) => zones.some(({ id }) => id === zoneId))
  const names = [...(account?.records ?? []), ...(account?.domains ?? []).map(({ hostname }) => hostname)]
  return page(names.filter((name) => name === query.get('name')).map((name) => ({ id: name, name, type: 'A' })))
}

/** Returns the calls about settings of a zone, which a token may read or not. */
const zoneSetting = (accounts: readonly Account[], zoneId: string, part: string): Answer => {
  const settings = accounts.flatMap(({ zones }) => zones).find(({ id }) => id === zoneId)?.settings
  if (!settings) throw new Refusal(403, 9109, 'Unauthorized to access requested resource')
  return part === 'bot_management'
    ? success({ ai_bots_protection: settings.aiBots, fight_mode: settings.fightMode })
    : success({ id: 'browser_check', value: settings.browserCheck, editable: true })
}

/** Answers the two analytics queries that are sent here: when a Worker's cron ran, and the requests of each Worker. */
const analytics = (accounts: readonly Account[], call: Call): Answer => {
  const { query, variables } = call.json() as { query: string; variables: { account: string; script?: string } }
  const scripts = accounts.find(({ id }) => id === variables.account)?.scripts ?? new Map<string, Script>()
  const workersInvocationsAdaptive = [...scripts]
    .filter(([, { requests }]) => requests > 0)
    .map(([scriptName, { requests }]) => ({ sum: { requests }, dimensions: { scriptName } }))
  const workersInvocationsScheduled = scripts.get(variables.script ?? '')?.cronRuns.slice(0, 1) ?? []
  const rows = query.includes('workersInvocationsAdaptive')
    ? { workersInvocationsAdaptive }
    : { workersInvocationsScheduled }
  return { status: 200, body: { data: { viewer: { accounts: [rows] } }, errors: null } }
}

/** Answers a call with a valid token. Throws a Refusal for what Cloudflare refuses. */
export const answer = async ({ accounts, urlOf }: Reach, call: Call): Promise<Answer> => {
  const { path, query } = call
  if (path === '/user/tokens/verify') return success({ id: 'token', status: 'active' })
  if (path === '/accounts') return page(accounts.map(({ id, name }) => ({ id, name })))
  if (path === '/graphql') return analytics(accounts, call)
  if (path === '/zones') return zones(accounts, query)
  const [, zone] = /^\/zones\/([^/]+)\/dns_records$/.exec(path) ?? []
  if (zone !== undefined) return records(accounts, zone, query)
  const [, zoneId, part] = /^\/zones\/([^/]+)\/(bot_management|settings\/browser_check)$/.exec(path) ?? []
  if (zoneId !== undefined && part !== undefined) return zoneSetting(accounts, zoneId, part)
  const [, id, rest] = /^\/accounts\/([^/]+)(\/.*)$/.exec(path) ?? []
  const account = accounts.find((one) => one.id === id)
  if (!account || rest === undefined) throw new Refusal(403, 10000, 'Authentication error')
  return await inAccount(account, rest, call, urlOf)
}
