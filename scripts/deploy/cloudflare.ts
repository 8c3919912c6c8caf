import { DeployFault } from './fault.ts'

/** A refusal of Cloudflare's API with its first code, such as 10007 (no such Worker). */
export class CloudflareError extends DeployFault {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(
      `Cloudflare answers ${status}: ${message} [code: ${code}].`,
      'See what the token may do at https://dash.cloudflare.com/profile/api-tokens, and https://www.cloudflarestatus.com; then run the same command again.',
    )
    this.status = status
    this.code = code
  }
}

type Body = { success?: boolean; result?: unknown; errors?: { code: number; message: string }[] }

/** Makes one call of Cloudflare's API and returns its `result`. Throws CloudflareError. */
export type Cloudflare = <T>(method: string, path: string, body?: unknown) => Promise<T>

const TIMEOUT_MS = 30_000
/** Address of Cloudflare's API, unless CLOUDFLARE_API_BASE_URL names another. */
export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4'

/**
 * Returns a client of Cloudflare's API at `base`. Calls throw CloudflareError if the API refuses.
 *
 * https://developers.cloudflare.com/api
 */
export const cloudflareApi =
  (base: string, token: string): Cloudflare =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new DeployFault(
        `Cloudflare's API at ${base} does not answer: ${error instanceof Error ? error.message : String(error)}.`,
        'Check the network, and https://www.cloudflarestatus.com; then run the same command again.',
      )
    })
    const answer = (await response.json().catch(() => ({}))) as Body
    if (response.ok && answer.success !== false) return answer.result as T
    const [first] = answer.errors ?? []
    throw new CloudflareError(response.status, first?.code ?? 0, first?.message ?? response.statusText)
  }

/** Codes of Cloudflare for a missing Worker. */
const NO_WORKER = new Set([10007, 10090])

/** Returns the result of a call, or undefined if there is no such Worker. */
export const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof CloudflareError && NO_WORKER.has(error.code)) return undefined
    throw error
  }
}

/** Version of a Worker, as Cloudflare's API lists it. */
export type Version = {
  id: string
  number: number
  annotations?: { 'workers/tag'?: string; 'workers/message'?: string }
  metadata?: { created_on?: string }
}

/** A deployment's versions with their share of the traffic, in percent. */
type Deployment = { id: string; versions: { version_id: string; percentage: number }[] }

/** State of one Worker: its versions, newest first, and the one that serves. */
export type Deployed = { versions: Version[]; current: Version | undefined }

/** Returns the versions of a Worker; undefined when there is no such Worker yet. */
export const deployedOf = async (cf: Cloudflare, account: string, script: string): Promise<Deployed | undefined> => {
  const path = `/accounts/${account}/workers/scripts/${script}`
  const listed = await unlessMissing(cf<{ deployments: Deployment[] }>('GET', `${path}/deployments`))
  if (!listed) return undefined
  const { items } = await cf<{ items: Version[] }>('GET', `${path}/versions?deployable=true`)
  const versions = [...items].sort((a, b) => b.number - a.number)
  const serving = listed.deployments[0]?.versions
  const id = serving?.length === 1 ? serving[0]?.version_id : undefined
  return { versions, current: versions.find((version) => version.id === id) }
}

/** Makes an earlier version serve all requests. */
export const serveVersion = async (cf: Cloudflare, account: string, script: string, id: string, message: string) => {
  await cf('POST', `/accounts/${account}/workers/scripts/${script}/deployments`, {
    strategy: 'percentage',
    versions: [{ version_id: id, percentage: 100 }],
    annotations: { 'workers/message': message },
  })
}

/** Returns the names of the secrets a Worker has. */
export const secretsIn = async (cf: Cloudflare, account: string, script: string): Promise<string[]> => {
  const path = `/accounts/${account}/workers/scripts/${script}/secrets`
  return ((await unlessMissing(cf<{ name: string }[]>('GET', path))) ?? []).map(({ name }) => name)
}
