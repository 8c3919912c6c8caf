import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { DeployFault } from '../fault.ts'

/** User agents of clients that a zone's settings may refuse; undefined sends no User-Agent. */
const AGENTS = ['Python-urllib/3.12', 'Claude-User/1.0', 'python-requests/2.32.3', undefined] as const

type Answer = { status: number; text: string }

const MAX_SHOWN = 200
const TIMEOUT_MS = 20_000

/** Makes a GET request with just these headers; `fetch` would add a User-Agent of its own. */
const get = (url: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? secure : plain
    const asking = ask(url, { headers, timeout: TIMEOUT_MS }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    asking.on('timeout', () => asking.destroy(new Error('no answer in time')))
    asking.on('error', reject)
    asking.end()
  })

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

/**
 * Calls the service as common clients of agents. Throws a DeployFault if something in front of the service refuses one: an answer
 * that is not the service's JSON.
 */
export const proveAgents = async (publicUrl: string): Promise<readonly string[]> => {
  for (const agent of AGENTS) {
    const name = agent ?? 'a client without User-Agent'
    const { status, text } = await get(
      `${publicUrl}/api/v1/healthz`,
      agent === undefined ? {} : { 'user-agent': agent },
    )
    if (status !== 200 || !isJson(text))
      throw new DeployFault(
        `Something in front of the service refuses ${name} with ${status}: ${text.replace(/\s+/g, ' ').slice(0, MAX_SHOWN)}`,
        'Change the settings of the zone: docs/operations/runbook.md, "403 without JSON".',
      )
  }
  return AGENTS.map((agent) => agent ?? 'a client without User-Agent')
}
