import { type Loopback, serveLoopback } from './loopback.ts'
import { pass } from './pass.ts'
import { json } from './receiver/answers.ts'
import type { Workerd } from './workerd.ts'

/** Passes each request unchanged to the next target in turn. */
const serveInTurn = (targets: readonly string[], port: number): Promise<Loopback> => {
  let turn = 0
  return serveLoopback(
    async (req, res) => {
      if (targets.length === 0) return void res.destroy()
      turn += 1
      pass(req, res, targets[turn % targets.length] ?? '')
    },
    (error) => json(500, String(error)),
    port,
  )
}

/**
 * Starts several copies of every Worker behind one address, because in production each may run in many isolates at
 * once.
 *
 * Requests and cron runs go to the copies in turn.
 */
export const startCopies = async (
  count: number,
  port: number,
  start: (copy: number) => Promise<Workerd>,
): Promise<Workerd> => {
  const urls: string[] = []
  const front = await serveInTurn(urls, port)
  const copies = await Promise.all(Array.from({ length: count }, (_, copy) => start(copy)))
  const [first] = copies
  if (!first) throw new Error('no copies')
  urls.push(...copies.map(({ url }) => url))
  const clock = await serveInTurn(
    copies.map(({ cronUrl }) => cronUrl.replace(/\/$/, '')),
    0,
  )
  const end = async (how: (copy: Workerd) => Promise<void>): Promise<void> => {
    await Promise.all(copies.map(how))
    await Promise.all([front.close(), clock.close()])
  }
  const cronUrl = `${clock.url}/`
  return {
    url: front.url,
    port: front.port,
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
