import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE_MS } from '../../local/loopback.ts'

/** Server at STEP_HOOK_URL. It passes every step at once, except the one at which it should stop. */
export type Steps = {
  url: string
  /**
   * Resolves when the Workers have reached the step, or come to it for the `nth` time from now. They stay there until they are killed or
   * released.
   */
  stopAt: (name: string, nth?: number) => Promise<void>
  /** Releases held steps, and stops at no further one. */
  letGo: () => void
  close: () => Promise<void>
}

/** Starts the hook on a free port. */
export const startSteps = async (): Promise<Steps> => {
  let awaited: { name: string; left: number; reached: () => void } | undefined
  let held: ServerResponse[] = []
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      if (awaited?.name !== Buffer.concat(chunks).toString()) return res.end()
      awaited.left -= 1
      if (awaited.left > 0) return res.end()
      held.push(res)
      awaited.reached()
      awaited = undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const letGo = () => {
    awaited = undefined
    for (const res of held) res.end()
    held = []
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAt: (name, nth = 1) =>
      new Promise((resolve) => {
        awaited = { name, left: nth, reached: resolve }
      }),
    letGo,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
