import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { type Answer, json, readBody, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeLater } from '../receiver/fault-outcome.ts'
import type { Publication } from './message.ts'
import { createService, type Service, type ServiceOptions } from './service.ts'
import { errorAnswer, parseObject, RequestError } from './wire.ts'

const FLUSH_TIMEOUT_MS = 60_000

const describeState = ({ store, dispatcher, pace, counts, signWith }: Service): object => ({
  time_scale: pace.timeScale,
  pending: store.messages.values().filter(({ messageId }) => !dispatcher.isInFlight(messageId)).length,
  in_flight: dispatcher.inFlight(),
  delivered: counts.delivered,
  dead: counts.dead,
  sign_with: signWith.key,
})

const flush = async (service: Service, body: string): Promise<Answer> => {
  const { run_delayed, timeout_ms = FLUSH_TIMEOUT_MS } = parseObject(body)
  if (run_delayed === true) service.dispatcher.fireDelayed()
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<'expired'>((resolve) => {
    timer = setTimeout(() => resolve('expired'), Number(timeout_ms))
  })
  const first = await Promise.race([service.dispatcher.idle(), expired])
  clearTimeout(timer)
  return json(first === 'expired' ? 408 : 200, describeState(service))
}

const control = (service: Service, body: string): Answer => {
  const { sign_with } = parseObject(body)
  if (sign_with !== undefined) {
    if (sign_with !== 'current' && sign_with !== 'next') throw new RequestError(400, 'sign_with: "current" or "next"')
    service.signWith.key = sign_with
  }
  return json(200, describeState(service))
}

/**
 * Answers requests that only tests send, without a token; undefined for any other request.
 *
 * - `GET /_state`: the messages that wait and those in flight.
 * - `POST /_flush`: answers when nothing is due and nothing in flight, 408 after `timeout_ms` (60 s by default).
 *   `run_delayed`
 *   delivers waiting messages at once.
 * - `POST /_control`: `sign_with`.
 */
const answerControl = async (service: Service, route: string, body: string): Promise<Answer | undefined> => {
  if (route === 'GET /_state') return json(200, describeState(service))
  if (route === 'POST /_flush') return await flush(service, body)
  if (route === 'POST /_control') return control(service, body)
  return undefined
}

type ApiRequest = {
  method: string
  /** The request target as it arrived: a destination in it must not be normalised. */
  target: string
  /** Lower-case names. */
  headers: Record<string, string>
  body: Buffer
  callerIp: string
}

/** The free plan's message size. */
const MAX_BODY_BYTES = 1024 * 1024
const MAX_BATCH = 100

const PUBLISH = '/v2/publish/'
const BATCH = '/v2/batch'
const KEYS = '/v2/keys'

const requireSize = (body: Buffer): void => {
  if (body.length > MAX_BODY_BYTES) throw new RequestError(413, `the message is larger than ${MAX_BODY_BYTES} bytes`)
}

const readItem = (value: unknown, callerIp: string): Publication => {
  const item = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const { destination, headers = {}, body = '', queue } = item
  if (typeof destination !== 'string') throw new RequestError(400, 'the destination is missing')
  if (typeof body !== 'string') throw new RequestError(400, 'the body must be a string')
  if (typeof headers !== 'object' || headers === null) throw new RequestError(400, 'invalid headers')
  if (queue !== undefined) throw new RequestError(400, 'this local QStash has no queues')
  const pairs = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), String(header)] as const)
  const bytes = Buffer.from(body)
  requireSize(bytes)
  return { destination, headers: Object.fromEntries(pairs), body: bytes, callerIp }
}

/** Publishes each message by itself. A refused one gets `{error}` as its answer, and the others are accepted. */
const publishBatch = (service: Service, { body, callerIp }: ApiRequest): Answer => {
  const given: unknown = JSON.parse(body.toString('utf8'))
  if (!Array.isArray(given)) throw new RequestError(400, 'the body must be an array of messages')
  if (given.length > MAX_BATCH) throw new RequestError(400, `a batch has at most ${MAX_BATCH} messages`)
  const answers = given.map((value) => {
    const text = JSON.stringify(value)
    const fault = service.messageFaults.take(text, text)
    if (fault) return fault.answer ?? { error: `injected fault: status ${fault.status ?? 500}` }
    try {
      return service.accept(readItem(value, callerIp))
    } catch (error) {
      if (error instanceof RequestError || error instanceof URIError) return { error: error.message }
      throw error
    }
  })
  return json(200, answers)
}

/** Answers one request of the QStash API: 401 without the token, 404 if it is not supported. Throws a RequestError. */
const answerApi = (service: Service, request: ApiRequest): Answer => {
  const { method, target, headers, body, callerIp } = request
  if (headers.authorization !== `Bearer ${service.token}`) return json(401, { error: 'unauthorized' })
  if (method === 'GET' && target === KEYS) return json(200, service.signingKeys)
  if (method === 'POST' && target === BATCH) return publishBatch(service, request)
  if (method !== 'POST' || !target.startsWith(PUBLISH)) return json(404, { error: `${method} ${target} not found` })
  requireSize(body)
  const accepted = service.accept({ destination: target.slice(PUBLISH.length), headers, body, callerIp })
  return json(accepted.deduplicated ? 202 : 201, accepted)
}

export type QStashOptions = ServiceOptions & {
  /** 0 takes a free one. */
  port: number
}

export type QStash = Loopback

const MAX_REQUEST_BYTES = 10 * 1024 * 1024

const readRequest = (req: IncomingMessage, body: Buffer): ApiRequest => {
  const headers: Record<string, string> = {}
  for (const [name, values] of Object.entries(req.headersDistinct)) headers[name] = (values ?? []).join(', ')
  const callerIp = req.socket.remoteAddress ?? '127.0.0.1'
  return { method: req.method ?? 'GET', target: req.url ?? '/', headers, body, callerIp }
}

const answerOf = (service: Service, request: ApiRequest): Answer => {
  try {
    return answerApi(service, request)
  } catch (error) {
    return errorAnswer(error)
  }
}

const handle = async (service: Service, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const arrivedMs = performance.now()
  const body = await readBody(req, MAX_REQUEST_BYTES)
  const text = body.toString('utf8')
  const { faults, messageFaults, deliveryFaults, dispatcher } = service
  if (faults.control(req, res, text) || messageFaults.control(req, res, text)) return
  if (deliveryFaults.control(req, res, text)) {
    // A rule that was removed never gets the rest of the messages it waits for.
    if (req.method !== 'GET') dispatcher.releaseHeld()
    return
  }
  const control = await answerControl(service, `${req.method} ${req.url}`, text)
  if (control) return send(res, control)
  const request = readRequest(req, body)
  const fault = faults.take(request.target, text)
  const outcome = await outcomeLater(fault, async () => answerOf(service, request))
  await settle(res, outcome, arrivedMs + faultDelayMs(fault))
}

/**
 * Starts the part of QStash that the service uses, on 127.0.0.1: publish and batch with instants and deduplication; signed deliveries
 * with retries (https://upstash.com/docs/qstash/api).
 *
 * Faults of its API at `/_faults`, of single messages in a batch at `/_message_faults`, of its deliveries at
 * `/_delivery_faults`. Rejects if the port is taken.
 */
export const startQStash = async (options: QStashOptions): Promise<QStash> => {
  const service = createService(options)
  try {
    const server = await serveLoopback((req, res) => handle(service, req, res), errorAnswer, options.port)
    let ended: Promise<void> | undefined
    const close = (): Promise<void> => {
      if (ended === undefined) service.close()
      ended ??= server.close()
      return ended
    }
    return { ...server, close }
  } catch (error) {
    service.close()
    throw error
  }
}
