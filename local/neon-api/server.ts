import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults, type FaultRule } from '../faults.ts'
import { serveLoopback } from '../loopback.ts'
import { type Answer, json, readBody, send } from '../receiver/answers.ts'

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

const MAX_BODY_BYTES = 1024 * 1024

const refused = (status: number, code: string, message: string): Answer =>
  json(status, { request_id: randomUUID(), code, message })

const projectJson = ({ id, name, region_id, subscription_type }: NeonProject) => ({
  id,
  name,
  region_id,
  pg_version: 17,
  owner: { subscription_type },
})

const addBranch = (project: NeonProject, body: string): Answer => {
  const { branch = {} } = JSON.parse(body || '{}') as { branch?: Partial<NeonBranch> }
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

const answer = (projects: readonly NeonProject[], method: string, url: URL, body: string): Answer => {
  const path = url.pathname.replace(/^\/api\/v2/, '')
  if (method === 'GET' && path === '/projects') return json(200, { projects: projects.map(projectJson) })
  const [, id, part] = /^\/projects\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
  const project = projects.find((one) => one.id === id)
  if (!project) return refused(404, '', 'project not found')
  const search = url.searchParams.get('search') ?? ''
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

/** The part of Neon's management API that a deployment uses (https://api-docs.neon.tech), on this machine. */
export const startNeonApi = async (options: { key: string; projects: NeonProject[] }): Promise<NeonApi> => {
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = (await readBody(req, MAX_BODY_BYTES)).toString('utf8')
    if (faults.control(req, res, body)) return
    const rule = faults.take(`${req.method} ${req.url}`, body)
    if (rule?.status !== undefined) return send(res, json(rule.status, rule.answer ?? { message: 'fault' }))
    if (req.headers.authorization !== `Bearer ${options.key}`)
      return send(res, refused(401, '', 'authentication required'))
    send(res, answer(options.projects, req.method ?? 'GET', new URL(req.url ?? '/', 'http://neon'), body))
  }
  const server = await serveLoopback(handle, (error) => refused(500, '', String(error)))
  return { url: `${server.url}/api/v2`, projects: options.projects, misbehave: faults.set, close: server.close }
}
