import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, send } from './receiver/answers.ts'

/** A service on 127.0.0.1. `close` drops open connections and frees the port. */
export type Loopback = { url: string; port: number; close: () => Promise<void> }

/** Longer than clients keep an idle connection, so that no request meets a closing socket. */
export const KEEP_ALIVE_MS = 75_000

/**
 * Serves HTTP on 127.0.0.1; `failure` returns the answer to an error of `handle`.
 *
 * Port 0 takes a free port. Rejects if the port is taken.
 */
export const serveLoopback = async (
  handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
  failure: (error: unknown) => Answer,
  wantedPort = 0,
): Promise<Loopback> => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    handle(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy()
      else if (!res.closed) send(res, failure(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wantedPort, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => {
    ended ??= new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, port, close }
}
