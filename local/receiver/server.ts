import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults, type FaultRule, type Faults } from '../faults.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { type Answer, BodyTooLarge, readBody, refusal, send, settle } from './answers.ts'
import { faultDelayMs, outcomeOf } from './fault-outcome.ts'
import { type Envelope, type Intake, takeIn, turnAway } from './intake.ts'
import { controlAnswer, pageOrData } from './routes.ts'
import { createState, type ReceiverOptions, type ReceiverState } from './state.ts'

export type { ReceiverOptions } from './state.ts'
export type RunningReceiver = Loopback

/** Each integration may have a path of its own, and with it a signing secret of its own. */
const WEBHOOK = /^\/webhook(\/[\w-]{1,64})?$/
const MAX_BODY_BYTES = 8 * 1024 * 1024

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
    if (WEBHOOK.test(url.pathname)) return answer(refusal(405, 'Deliveries are sent by POST.', { allow: 'POST' }))
    if (method !== 'GET' && method !== 'HEAD') return answer(refusal(405, 'Pages are read.', { allow: 'GET, HEAD' }))
    return answer(pageOrData(state, url.pathname, url.searchParams))
  })

const handle = async (state: ReceiverState, faults: Faults, req: IncomingMessage, res: ServerResponse) => {
  const arrivedMs = performance.now()
  const receivedAt = state.clock()
  const envelope: Envelope = { method: req.method ?? 'GET', path: req.url ?? '/', headers: req.headers, receivedAt }
  if (!URL.canParse(envelope.path, 'http://receiver')) return send(res, refusal(400, 'The address cannot be read.'))
  const url = new URL(envelope.path, 'http://receiver')
  const isDelivery = WEBHOOK.test(url.pathname) && envelope.method === 'POST'
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
  if (isDelivery) {
    const intake = takeIn(state, envelope, raw, state.behaviour.take(), fault)
    if (fault?.hold) await fault.gone
    return finish(state, res, intake, arrivedMs)
  }
  await settle(res, ordinary(state, envelope.method, url, fault), arrivedMs + faultDelayMs(fault))
}

const failure = (error: unknown): Answer => {
  if (error instanceof BodyTooLarge) return refusal(413, error.message)
  if (error instanceof SyntaxError) return refusal(400, 'The body is not JSON.')
  return refusal(500, 'The receiver failed.')
}

/**
 * Starts the sample blog on 127.0.0.1. Rejects if the port is taken.
 *
 * `POST /webhook` and `/webhook/<name>` take deliveries as the receiver contract asks, `/` shows posts and deliveries,
 * `/api/posts` and `/api/deliveries` give them as JSON. `/_control` makes it misbehave, `/_wait` awaits events.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<RunningReceiver> => {
  const state = createState(options)
  const faults = createFaults()
  const server = await serveLoopback((req, res) => handle(state, faults, req, res), failure, options.port)
  state.setOrigin(server.url)
  const close = async (): Promise<void> => {
    await server.close()
    await state.flush()
  }
  return { ...server, close }
}
