import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createFaults, type FaultRule, type Faults } from '../faults.ts'
import { type Answer, json, several, single } from './answer.ts'
import type { RedisBackend } from './backend.ts'
import { authorize, parseWork, RequestError, readBody } from './request.ts'

export type RedisServerOptions = {
  /** 0 or absent for any free port. */
  port?: number
  /** The one token that reads and writes. */
  token: string
  /** Closed together with the server. */
  store: RedisBackend
}

export type RedisServer = { url: string; port: number; close: () => Promise<void> }

type Request = { method: string; target: string; headers: IncomingHttpHeaders; body: Buffer }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT']
/** Longer than clients keep idle connections, so that none is closed under a request being sent. */
const KEEP_ALIVE_MS = 75_000

const runCommands = async (request: Request, { token, store }: RedisServerOptions): Promise<Answer> => {
  if (!METHODS.includes(request.method)) throw new RequestError(405, `ERR method not allowed: ${request.method}`)
  const [path = '/', search = ''] = request.target.split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  authorize(request.headers, query, token)
  if (request.method === 'HEAD') return json(200, {})
  const work = parseWork(path, query, request.body)
  const encoding = request.headers['upstash-encoding']
  if (work.kind === 'command') return single(await store.run(work.command), encoding)
  if (work.kind === 'multi-exec') return several(await store.multi(work.commands), encoding)
  return several(await Promise.all(work.commands.map(store.run)), encoding)
}

const answerOf = async (request: Request, options: RedisServerOptions): Promise<Answer> => {
  try {
    return await runCommands(request, options)
  } catch (error) {
    if (error instanceof RequestError) return json(error.status, { error: error.message })
    return json(500, { error: `ERR ${(error as Error).message}` })
  }
}

/** The answer a fault rule asks for; a string is sent as it stands, so that bodies that are not JSON can be tried too. */
const canned = ({ status = 200, answer = { error: `ERR injected fault: status ${status}` } }: FaultRule): Answer =>
  typeof answer === 'string' ? { status, contentType: 'text/plain', body: answer } : json(status, answer)

const misbehave = async (rule: FaultRule, work: () => Promise<Answer>): Promise<Answer | undefined> => {
  if (rule.drop === 'before') return undefined
  if (rule.status !== undefined || rule.answer !== undefined) return canned(rule)
  let answer = await work()
  for (let i = 1; i < (rule.repeat ?? 1); i += 1) answer = await work()
  return rule.drop === 'after' ? undefined : answer
}

/**
 * Waits until the monotonic clock shows `at` (milliseconds). Timers count in whole milliseconds and fire late by up to
 * two, so the end is waited for turn by turn.
 */
const waitUntil = async (at: number): Promise<void> => {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) {
    if (left > 2) await sleep(left - 2, undefined, { ref: false })
    else await nextTurn()
  }
}

const send = (res: ServerResponse, answer: Answer, syncToken: string): void => {
  const length = Buffer.byteLength(answer.body)
  res.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': length,
    'upstash-sync-token': syncToken,
  })
  res.end(answer.body)
}

const control = (faults: Faults, req: IncomingMessage, res: ServerResponse, body: string): boolean => {
  try {
    return faults.control(req, res, body)
  } catch (error) {
    send(res, json(400, { error: `not a fault rule: ${(error as Error).message}` }), '')
    return true
  }
}

const createHandler = (options: RedisServerOptions) => {
  const faults = createFaults()
  let served = 0
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const arrivedAt = performance.now()
    const body = await readBody(req)
    const text = body.toString('utf8')
    if (control(faults, req, res, text)) return
    const request: Request = { method: req.method ?? 'GET', target: req.url ?? '/', headers: req.headers, body }
    const work = () => answerOf(request, options)
    const rule = faults.take(request.target, text)
    const answer = rule === undefined ? await work() : await misbehave(rule, work)
    if (rule?.delay_ms !== undefined) await waitUntil(arrivedAt + rule.delay_ms)
    served += 1
    if (answer === undefined) res.destroy()
    else send(res, answer, served.toString(36))
  }
}

const refuse = (res: ServerResponse, error: unknown): void => {
  if (res.headersSent || res.destroyed) return void res.destroy()
  const status = error instanceof RequestError ? error.status : 500
  send(res, json(status, { error: error instanceof Error ? error.message : String(error) }), '')
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/**
 * Upstash's Redis REST API over a store, on loopback (https://upstash.com/docs/redis/features/restapi). Rejects when
 * the port is taken. close() drops open connections and closes the store.
 */
export const startRedis = async (options: RedisServerOptions): Promise<RedisServer> => {
  const handle = createHandler(options)
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    handle(req, res).catch((error) => refuse(res, error))
  })
  const port = await listen(server, options.port ?? 0)
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    await options.store.close()
  }
  return { url: `http://127.0.0.1:${port}`, port, close }
}
