import { randomUUID } from 'node:crypto'
import type { FaultRule } from '../faults.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

type NeonBranch = { id: string; name: string; parent_id?: string; expires_at?: string; created_at: string }

/** A project of Neon's with its branches and the hosts that serve them. */
export type NeonProject = {
  id: string
  name: string
  region_id: string
  /** `free_v3`, `launch_v3`, `scale_v3`, … */
  subscription_type: string
  branches: NeonBranch[]
  endpoints: { id: string; host: string; branch_id: string }[]
}

export type NeonApi = {
  url: string
  projects: NeonProject[]
  misbehave: (rules: readonly FaultRule[]) => void
  close: () => Promise<void>
}

const refused = (status: number, code: string, message: string): Answer =>
  json(status, { request_id: randomUUID(), code, message })

const projectJson = ({ id, name, region_id, subscription_type }: NeonProject) => ({
  id,
  name,
  region_id,
  pg_version: 17,
  owner: { subscription_type },
})

const addBranch = (project: NeonProject, body: unknown): Answer => {
  const { branch = {} } = (body ?? {}) as { branch?: Partial<NeonBranch> }
  const parent = branch.parent_id ?? project.branches[0]?.id
  if (!project.branches.some(({ id }) => id === parent)) return refused(404, '', 'parent branch not found')
  if (branch.name !== undefined && project.branches.some(({ name }) => name === branch.name))
    return refused(409, '', 'branch name already exists')
  if (branch.expires_at !== undefined && !(new Date(branch.expires_at).getTime() > Date.now()))
    return refused(400, '', 'expires_at must be in the future')
  const id = `br-${randomUUID().slice(0, 8)}`
  const made: NeonBranch = {
    ...branch,
    id,
    name: branch.name ?? id,
    parent_id: parent ?? '',
    created_at: new Date().toISOString(),
  }
  project.branches.push(made)
  return json(201, { branch: made, endpoints: [], operations: [] })
}

const answer = (projects: readonly NeonProject[], { method, path: asked, query, body }: StandInRequest): Answer => {
  const path = asked.replace(/^\/api\/v2/, '')
  if (method === 'GET' && path === '/projects') return json(200, { projects: projects.map(projectJson) })
  const [, id, part] = /^\/projects\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
  const project = projects.find((one) => one.id === id)
  if (!project) return refused(404, '', 'project not found')
  const search = query.get('search') ?? ''
  switch (`${method} ${part ?? ''}`) {
    case 'GET ':
      return json(200, { project: projectJson(project) })
    case 'GET endpoints':
      return json(200, { endpoints: project.endpoints })
    case 'GET branches':
      return json(200, { branches: project.branches.filter(({ name, id: own }) => (name + own).includes(search)) })
    case 'POST branches':
      return addBranch(project, body)
    default:
      return refused(404, '', 'not found')
  }
}

/** Starts the part of Neon's management API that a deployment uses (https://api-docs.neon.tech), on this machine. */
export const startNeonApi = async (options: { key: string; projects: NeonProject[] }): Promise<NeonApi> => {
  const { url, faults, close } = await startStandIn({
    answer: (request) =>
      request.headers.authorization === `Bearer ${options.key}`
        ? answer(options.projects, request)
        : refused(401, '', 'authentication required'),
    refusal: (status) => json(status, { message: 'fault' }),
  })
  return { url: `${url}/api/v2`, projects: options.projects, misbehave: faults.set, close }
}
