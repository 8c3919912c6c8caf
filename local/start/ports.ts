import { createServer } from 'node:net'

/** Whether something listens at the port on 127.0.0.1 already. */
export const isTaken = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(false)))
  })

/** The first port from `from` on that is free, as is the one after it (for the receiver), and not among `kept`. */
export const freePortFrom = async (from: number, kept: readonly number[]): Promise<number> => {
  for (let port = from; port < 65_535; port += 1) {
    if (kept.includes(port) || kept.includes(port + 1)) continue
    if (!(await isTaken(port)) && !(await isTaken(port + 1))) return port
  }
  return 0
}
