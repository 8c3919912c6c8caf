import { DeployFault } from './fault.ts'
import { callHttp } from './http.ts'

const NEON_API = 'https://console.neon.tech/api/v2'
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

const HELP =
  'Make a key at https://console.neon.tech/app/settings/api-keys that reaches the project, or leave NEON_API_KEY out: no branch is taken then.'

/** Neon project, and the branch that the database's host serves (https://api-docs.neon.tech). */
export type NeonBranch = { projectId: string; branchId: string; plan: string }

type Call = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<T>

const neonApi =
  (key: string, env: NodeJS.ProcessEnv): Call =>
  async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> => {
    const { status, json } = await callHttp("Neon's API", `${env.NEON_API_URL ?? NEON_API}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (status < 300) return json as T
    const reason = (json as { message?: string } | undefined)?.message ?? `status ${status}`
    throw new DeployFault(`Neon's API refuses ${method} ${path}: ${reason}.`, HELP)
  }

type Project = { id: string; owner?: { subscription_type?: string } }
type Endpoint = { host: string; branch_id: string }

/** Returns the project and branch of a direct host. Throws a DeployFault if the key has no access to such a host. */
export const neonBranchAt = async (key: string, host: string, env: NodeJS.ProcessEnv): Promise<NeonBranch> => {
  const call = neonApi(key, env)
  const { projects } = await call<{ projects: Project[] }>('GET', '/projects?limit=100')
  for (const { id } of projects) {
    const { endpoints } = await call<{ endpoints: Endpoint[] }>('GET', `/projects/${id}/endpoints`)
    const endpoint = endpoints.find((one) => one.host === host)
    if (!endpoint) continue
    const { project } = await call<{ project: Project }>('GET', `/projects/${id}`)
    return { projectId: id, branchId: endpoint.branch_id, plan: project.owner?.subscription_type ?? 'unknown' }
  }
  throw new DeployFault(`NEON_API_KEY has access to no project with a database at ${host}.`, HELP)
}

/**
 * Keeps the current database as a branch with this name, for 30 days. Returns true if it made the branch.
 *
 * A branch of that name from an earlier try stays unchanged.
 */
export const keepBranch = async (
  key: string,
  { projectId, branchId }: NeonBranch,
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> => {
  const call = neonApi(key, env)
  const search = encodeURIComponent(name)
  const { branches } = await call<{ branches: { name: string }[] }>(
    'GET',
    `/projects/${projectId}/branches?search=${search}`,
  )
  if (branches.some((branch) => branch.name === name)) return false
  const expires_at = new Date(Date.now() + KEPT_DAYS * DAY_MS).toISOString()
  await call('POST', `/projects/${projectId}/branches`, { branch: { name, parent_id: branchId, expires_at } })
  return true
}
