import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { type Answer, readBody, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeLater } from '../receiver/fault-outcome.ts'
import { answerControl } from './control.ts'
import { type ApiRequest, answerApi } from './publish.ts'
import type { Service, ServiceOptions } from './service.ts'
import { createService } from './service.ts'
import { errorAnswer } from './wire.ts'

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
 * `/_delivery_faults`; see control.ts. Rejects when the port is taken.
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
