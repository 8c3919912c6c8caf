import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaults, type FaultRule, type Faults } from '../faults.ts'
import { type Answer, json, type Outcome, readBody, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeOf } from '../receiver/fault-outcome.ts'

/** A request as a stand-in sees it; `body` is the JSON, undefined where there is none or it cannot be read. */
export type StandInRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
  raw: Buffer
}

export type StandInOptions = {
  port?: number
  /** Answers a request of the provider's API, and does its work. */
  answer: (request: StandInRequest) => Answer
  /** What `GET /_posts` shows. */
  posts: () => unknown
  /** Asked for each request no rule of `/_faults` is for: a fault, or undefined to behave. */
  trouble?: ((request: StandInRequest) => FaultRule | undefined) | undefined
}

export type StandIn = {
  url: string
  port: number
  faults: Faults
  /** Every request in order, as `METHOD path`. */
  calls: string[]
  close: () => Promise<void>
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A picture of one pixel, for adapters that fetch what they upload. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const bodyOf = (raw: Buffer): unknown => {
  try {
    return JSON.parse(raw.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

const serve = async (
  { answer, posts, trouble }: StandInOptions,
  { faults, calls }: Pick<StandIn, 'faults' | 'calls'>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  const arrivedMs = performance.now()
  const raw = await readBody(req, MAX_BODY_BYTES)
  const text = raw.toString('utf8')
  if (faults.control(req, res, text)) return
  const url = new URL(req.url ?? '/', 'http://stand-in')
  if (url.pathname === '/_posts') return send(res, json(200, posts()))
  if (url.pathname === '/_image.png' || url.pathname === '/_image')
    return send(res, { status: 200, headers: { 'content-type': 'image/png' }, body: PNG })
  const request: StandInRequest = {
    method: req.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: req.headers,
    body: bodyOf(raw),
    raw,
  }
  calls.push(`${request.method} ${request.path}`)
  const fault = faults.take(`${request.method} ${req.url}`, text) ?? trouble?.(request)
  const work = (): Outcome => ({ kind: 'send', answer: answer(request) })
  await settle(res, outcomeOf(fault, work), arrivedMs + faultDelayMs(fault))
}

/**
 * Starts a stand-in of a hosted CMS on 127.0.0.1: the provider's API by `answer`, `GET /_posts` for what it holds,
 * `/_image.png` for a picture, and `/_faults` to make it misbehave. Rejects when the port is taken.
 */
export const startStandIn = async (options: StandInOptions): Promise<StandIn> => {
  const faults = createFaults()
  const calls: string[] = []
  const server = createServer((req, res) => {
    serve(options, { faults, calls }, req, res).catch((error: unknown) => {
      if (!res.headersSent && !res.closed) send(res, json(500, { message: String(error) }))
    })
  })
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${port}`, port, faults, calls, close }
}
