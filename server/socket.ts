import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { KEEP_ALIVE_MS } from '../local/loopback.ts'
import { type Answer, send } from '../local/receiver/answers.ts'
import { ServerFault } from './fault.ts'

/** Longest path of a socket that Linux takes. */
const MAX_PATH = 107

type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** A running server. `close` waits for running requests, at most as long as `graceMs`. */
export type Serving = { close: (graceMs?: number) => Promise<void> }

/** Resolves when a server has ended: at once for idle connections, at the latest after `graceMs`. */
export const closeServer = (server: Server & { closeAllConnections: () => void }, graceMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
  })

type Place = string | { host: string; port: number }

/**
 * Serves HTTP at a socket in the file system, in a folder that only this user can open. So no port is open, and no
 * other user of the machine can call it. With a host and a port, it serves there.
 */
export const serveAt = async (place: Place, handle: Handle, failure: (error: unknown) => Answer): Promise<Serving> => {
  if (typeof place === 'string') {
    if (Buffer.byteLength(place) > MAX_PATH)
      throw new ServerFault(
        `The path ${place} is too long for a socket.`,
        'Choose a folder with a shorter path: --data.',
      )
    rmSync(place, { force: true })
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    handle(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy()
      else if (!res.closed) send(res, failure(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(typeof place === 'string' ? { path: place } : place, resolve)
  })
  return { close: (graceMs = 0) => closeServer(server, graceMs) }
}
