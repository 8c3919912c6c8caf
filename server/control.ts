import { request } from 'node:http'
import { socketsIn } from './parts.ts'
import { placesIn } from './places.ts'

const WAIT_MS = 10_000

/** State of a running service. */
export type ServiceState = {
  pid: number
  release: string
  /** Folder of the release. */
  root: string
  /** Address of the service on this machine. */
  address: string
  workers_pid: number | undefined
  restarts: number
  requests: Readonly<Record<string, number>>
  open_requests: number
  queue: { waiting: number; due: number; running: number }
  /** Time at which the minute's work last succeeded, ms; 0 if never. */
  minute_at: number
}

/** Returns the text at a path of the control socket; undefined if no service runs. */
export const askService = (data: string, path: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socketPath = socketsIn(placesIn(data).run).control
    const call = request({ socketPath, path, agent: false, timeout: WAIT_MS }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk
      })
      answer.on('end', () => resolve(text))
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(undefined))
    call.end()
  })

/** Returns the state of the running service; undefined if none runs. */
export const stateOfService = async (data: string): Promise<ServiceState | undefined> => {
  const text = await askService(data, '/')
  return text === undefined ? undefined : (JSON.parse(text) as ServiceState)
}
