import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultRule } from '../faults.ts'
import { answerApi } from './api.ts'
import { answerControl } from './control.ts'
import type { ApiRequest } from './route.ts'
import type { Service, ServiceOptions } from './service.ts'
import { createService } from './service.ts'
import type { Answer } from './wire.ts'
import { errorAnswer, readBody, sendAnswer } from './wire.ts'

export type QStashOptions = ServiceOptions & {
  /** 0 takes a free one. */
  port: number
}

export type QStash = { url: string; port: number; close: () => Promise<void> }

const maxRequestBytes = 10 * 1024 * 1024
// Longer than clients keep an idle connection, so that the end comes from them and no request meets a closing socket.
const keepAliveMs = 65_000

const readRequest = (req: IncomingMessage, body: Buffer): ApiRequest => {
  const target = req.url ?? '/'
  const [path = '/', ...query] = target.split('?')
  const headers: Record<string, string> = {}
  for (const [name, values] of Object.entries(req.headersDistinct)) headers[name] = (values ?? []).join(', ')
  return {
    method: req.method ?? 'GET',
    target,
    path,
    query: new URLSearchParams(query.join('?')),
    headers,
    body,
    callerIp: req.socket.remoteAddress ?? '127.0.0.1',
  }
}

const work = (service: Service, request: ApiRequest, rule: FaultRule | undefined): Answer => {
  if (rule?.status !== undefined || rule?.answer !== undefined) {
    return { status: rule.status ?? 200, body: rule.answer ?? { error: 'fault injected' } }
  }
  try {
    let answer = answerApi(service, request)
    for (let n = 1; n < (rule?.repeat ?? 1); n += 1) answer = answerApi(service, request)
    return answer
  } catch (error) {
    return errorAnswer(error)
  }
}

const waitUntil = async (at: number): Promise<void> => {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)))
  }
}

const answerOrdinary = async (
  service: Service,
  req: IncomingMessage,
  res: ServerResponse,
  body: Buffer,
  arrivedAt: number,
): Promise<void> => {
  const rule = service.faults.take(req.url ?? '/', body.toString('utf8'))
  const answer = rule?.drop === 'before' ? undefined : work(service, readRequest(req, body), rule)
  if (rule?.delay_ms) await waitUntil(arrivedAt + rule.delay_ms)
  if (rule?.drop || !answer) req.socket.destroy()
  else sendAnswer(res, answer)
}

const handle = async (service: Service, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const arrivedAt = performance.now()
  try {
    const body = await readBody(req, maxRequestBytes)
    const text = body.toString('utf8')
    if (service.faults.control(req, res, text)) return
    if (service.deliveryFaults.control(req, res, text)) {
      // Rules that are gone will never see the rest of what they wait for.
      if (req.method !== 'GET') service.dispatcher.releaseHeld()
      return
    }
    const path = (req.url ?? '/').split('?')[0] ?? '/'
    const answer = await answerControl(service, req.method ?? 'GET', path, body)
    if (answer) sendAnswer(res, answer)
    else await answerOrdinary(service, req, res, body, arrivedAt)
  } catch (error) {
    sendAnswer(res, errorAnswer(error))
  }
}

/**
 * A QStash endpoint on 127.0.0.1: publish, enqueue, batch, schedules, queues, dead letters, signed deliveries with
 * retries and callbacks. Faults of its API at `/_faults`, of its deliveries at `/_delivery_faults`; see control.ts.
 * Rejects when the port is taken.
 */
export const startQStash = async (options: QStashOptions): Promise<QStash> => {
  const service = createService(options)
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (req, res) => {
    void handle(service, req, res)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port, '127.0.0.1', resolve)
    })
  } catch (error) {
    service.close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => {
    ended ??= new Promise((resolve) => {
      service.close()
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return ended
  }
  return { url: `http://127.0.0.1:${port}`, port, close }
}
