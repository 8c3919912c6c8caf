import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFaults, type FaultRule, type Faults } from '../faults.ts'
import { type Answer, BodyTooLarge, readBody, refusal, send, settle } from './answers.ts'
import { faultDelayMs, outcomeOf } from './fault-outcome.ts'
import { type Envelope, type Intake, takeIn, turnAway } from './intake.ts'
import { controlAnswer, pageOrData } from './routes.ts'
import { createState, type ReceiverOptions, type ReceiverState } from './state.ts'

export type { ReceiverOptions } from './state.ts'
export type RunningReceiver = { url: string; port: number; close: () => Promise<void> }

const WEBHOOK = '/webhook'
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** Longer than any pool on the other side keeps a connection, so that none is closed while it is being used. */
const KEEP_ALIVE_MS = 65_000

const finish = async (state: ReceiverState, res: ServerResponse, intake: Intake, arrivedMs: number): Promise<void> => {
  const { delivery, outcome, delayMs } = intake
  delivery.answer.outcome = await settle(res, outcome, arrivedMs + delayMs)
  delivery.answer.after_ms = Math.round(performance.now() - arrivedMs)
  state.changed()
}

const ordinary = (
  state: ReceiverState,
  method: string,
  url: URL,
  fault: FaultRule | undefined,
): ReturnType<typeof outcomeOf> =>
  outcomeOf(fault, () => {
    const answer = (value: Answer) => ({ kind: 'send' as const, answer: value })
    if (url.pathname === WEBHOOK) return answer(refusal(405, 'Deliveries are sent by POST.', { allow: 'POST' }))
    if (method !== 'GET' && method !== 'HEAD') return answer(refusal(405, 'Pages are read.', { allow: 'GET, HEAD' }))
    return answer(pageOrData(state, url.pathname, url.searchParams))
  })

const handle = async (state: ReceiverState, faults: Faults, req: IncomingMessage, res: ServerResponse) => {
  const arrivedMs = performance.now()
  const envelope: Envelope = { method: req.method ?? 'GET', path: req.url ?? '/', headers: req.headers }
  const url = URL.parse(envelope.path, 'http://receiver')
  if (!url) return send(res, refusal(400, 'The address cannot be read.'))
  const isDelivery = url.pathname === WEBHOOK && envelope.method === 'POST'
  if (isDelivery && state.behaviour.current().mode === 'close_before')
    return finish(state, res, turnAway(state, envelope, state.behaviour.take().mode), arrivedMs)

  const raw = await readBody(req, MAX_BODY_BYTES)
  const text = raw.toString('utf8')
  if (faults.control(req, res, text)) return
  if (url.pathname === '/_control') return send(res, controlAnswer(state, envelope.method, text))
  if (url.pathname === '/_wait') {
    const answer = await state.waiting.wait(url.searchParams, res)
    return res.closed ? undefined : send(res, answer)
  }
  const fault = faults.take(envelope.path, text)
  if (isDelivery) return finish(state, res, takeIn(state, envelope, raw, state.behaviour.take(), fault), arrivedMs)
  await settle(res, ordinary(state, envelope.method, url, fault), arrivedMs + faultDelayMs(fault))
}

const failure = (error: unknown): Answer => {
  if (error instanceof BodyTooLarge) return refusal(413, error.message)
  if (error instanceof SyntaxError) return refusal(400, 'The body is not JSON.')
  return refusal(500, 'The receiver failed.')
}

/**
 * Starts the sample blog on 127.0.0.1: `POST /webhook` takes deliveries as the receiver contract asks, `/` shows posts and
 * deliveries, `/api/posts` and `/api/deliveries` give them as JSON, `/_control` makes it misbehave, `/_wait` awaits events.
 * Rejects when the port is taken.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<RunningReceiver> => {
  const state = createState(options)
  const faults = createFaults()
  const server = createServer((req, res) => {
    handle(state, faults, req, res).catch((error: unknown) => {
      if (!res.headersSent && !res.closed) send(res, failure(error))
    })
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  state.setOrigin(url)
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
    await state.flush()
  }
  return { url, port, close }
}
