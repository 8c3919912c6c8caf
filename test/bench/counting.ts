import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Requests that passed so far, by back end. */
type Counts = {
  databaseRequests: number
  statements: number
  egressBytes: number
  redisCommands: number
  /** Not among the commands: only one minute in five has them. */
  lookUps: number
  messages: number
}

/** One counting address in front of a back end that is known later. */
type Front = { url: string; leadTo: (target: string) => void; close: () => void }

export type Counting = { neon: Front; redis: Front; qstash: Front; counts: () => Counts }

type Seen = (path: string, body: string, answerBytes: number) => void

const bodyOf = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const pass = async (req: IncomingMessage, res: ServerResponse, target: string, seen: Seen): Promise<void> => {
  const body = await bodyOf(req)
  const { host: _, ...headers } = req.headers
  const onward = forward(`${target}${req.url}`, { method: req.method, headers }, (answer) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
    answer.on('end', () => seen(req.url ?? '/', body.toString('utf8'), bytes))
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(res)
  })
  onward.on('error', () => res.destroy())
  onward.end(body)
}

const startFront = async (seen: Seen): Promise<Front> => {
  let target = ''
  const server = createServer((req, res) => void pass(req, res, target, seen).catch(() => res.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (url) => {
      target = url
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The commands of a request: the limiter's look-ups of the minute before (HGET), and all others. */
const commandsIn = (path: string, body: string): { lookUps: number; others: number } => {
  const given = JSON.parse(body) as unknown[]
  const commands = (path === '/' ? [given] : given) as unknown[][]
  const lookUps = commands.filter(([name]) => name === 'hget').length
  return { lookUps, others: commands.length - lookUps }
}

/** Addresses that count what the Workers send to Neon, Redis and QStash. */
export const startCounting = async (): Promise<Counting> => {
  const counts: Counts = {
    databaseRequests: 0,
    statements: 0,
    egressBytes: 0,
    redisCommands: 0,
    lookUps: 0,
    messages: 0,
  }
  const [neon, redis, qstash] = await Promise.all([
    startFront((_, body, bytes) => {
      const { queries } = JSON.parse(body) as { queries?: unknown[] }
      counts.databaseRequests += 1
      counts.statements += queries?.length ?? 1
      counts.egressBytes += bytes
    }),
    startFront((path, body) => {
      const { lookUps, others } = commandsIn(path, body)
      counts.redisCommands += others
      counts.lookUps += lookUps
    }),
    startFront((path, body) => {
      counts.messages += path === '/v2/batch' ? (JSON.parse(body) as unknown[]).length : 1
    }),
  ])
  return { neon, redis, qstash, counts: () => ({ ...counts }) }
}
