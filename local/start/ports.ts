import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/**
 * Listens at a port on 127.0.0.1 for a process that inherits the socket. Rejects with EADDRINUSE if the port is taken.
 */
export const listenAt = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer((socket) => socket.destroy())
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
  })

/** True if an error says that a port is taken. */
export const saysTaken = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'

/** Listens at a port for a moment. Rejects with EADDRINUSE when it is taken. */
export const tryPort = async (port: number): Promise<void> => {
  const server = await listenAt(port)
  await new Promise((resolve) => server.close(resolve))
}

/** True if something listens at the port on 127.0.0.1 already. */
export const isTaken = (port: number): Promise<boolean> =>
  tryPort(port).then(
    () => false,
    () => true,
  )

/** True if a Galley answers at a port on 127.0.0.1. */
export const isGalley = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/llms.txt`, { signal: AbortSignal.timeout(1_000) })
    .then((answer) => answer.text())
    .then(
      (text) => text.includes(`(http://127.0.0.1:${port}/healthz)`),
      () => false,
    )

/**
 * Returns the first port from `from` on that is free, and whose next port is free too (for the receiver). Skips `kept`.
 */
export const freePortFrom = async (from: number, kept: readonly number[]): Promise<number> => {
  for (let port = from; port < 65_535; port += 1) {
    if (kept.includes(port) || kept.includes(port + 1)) continue
    if (!(await isTaken(port)) && !(await isTaken(port + 1))) return port
  }
  return 0
}

/**
 * Blocks of ports, below those that the system itself gives to processes: the first one, their number, and their size.
 */
const [FIRST_BLOCK, BLOCKS, BLOCK] = [20_000, 1_000, 10]

/**
 * Returns a free port. No other caller, in any process, gets it or the eight after it until this process ends.
 *
 * This process listens at the first port of its block, which marks the block as taken.
 */
export const freePort = async (): Promise<number> => {
  const block = FIRST_BLOCK + BLOCK * randomInt(BLOCKS)
  const guard = await listenAt(block).catch(() => undefined)
  if (guard === undefined) return await freePort()
  guard.unref()
  const port = block + 1
  if (!(await isTaken(port)) && !(await isTaken(port + 1))) return port
  guard.close()
  return await freePort()
}

/** Does work that listens at a free port. If another process takes the port first, repeats the work at another one. */
export const atFreePort = async <T>(work: (port: number) => Promise<T>): Promise<T> => {
  try {
    return await work(await freePort())
  } catch (error) {
    if (!saysTaken(error)) throw error
    return await atFreePort(work)
  }
}
