import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Workerd } from './workerd.ts'

const pass = (req: IncomingMessage, res: ServerResponse, target: string): void => {
  const onward = forward(`${target}${req.url}`, { method: req.method, headers: req.headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => res.destroy())
    answer.pipe(res)
  })
  onward.on('error', () => res.destroy())
  res.on('close', () => onward.destroy())
  req.pipe(onward)
}

/** Hands each request to the next of the targets in turn, as it came. */
const serveInTurn = async (targets: readonly string[], port: number): Promise<Server> => {
  let turn = 0
  const server = createServer((req, res) => {
    turn += 1
    pass(req, res, targets[turn % targets.length] ?? '')
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return server
}

const urlOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/**
 * Several copies of every Worker behind one address, as in production, where each may run in many isolates at once. Requests, and
 * the minutes of the clock, go to one after the other.
 */
export const startCopies = async (
  count: number,
  port: number,
  start: (copy: number) => Promise<Workerd>,
): Promise<Workerd> => {
  const copies = await Promise.all(Array.from({ length: count }, (_, copy) => start(copy)))
  const [first] = copies
  if (!first) throw new Error('no copies')
  const front = await serveInTurn(
    copies.map(({ url }) => url),
    port,
  )
  const clock = await serveInTurn(
    copies.map(({ cronUrl }) => cronUrl.replace(/\/$/, '')),
    0,
  )
  const end = async (how: (copy: Workerd) => Promise<void>): Promise<void> => {
    await Promise.all(copies.map(how))
    for (const server of [front, clock]) {
      server.closeAllConnections()
      server.close()
    }
  }
  const cronUrl = `${urlOf(clock)}/`
  return {
    url: urlOf(front),
    port,
    pid: first.pid,
    cronUrl,
    cron: async () => {
      const response = await fetch(cronUrl)
      if (!response.ok) throw new Error(`the cron failed: ${await response.text()}`)
      await response.arrayBuffer()
    },
    ended: Promise.race(copies.map((copy) => copy.ended)),
    kill: () => end((copy) => copy.kill()),
    close: () => end((copy) => copy.close()),
  }
}
