import type { Publication } from './message.ts'
import { createMessage } from './message.ts'
import type { ApiRequest, Route } from './route.ts'
import type { Service } from './service.ts'
import type { Answer } from './wire.ts'
import { RequestError } from './wire.ts'

type BatchItem = { destination: string; headers: Record<string, string>; body: Buffer; queueName?: string }

// The free plan's message size.
const maxBodyBytes = 1024 * 1024

const requireSize = (body: Buffer): void => {
  if (body.length > maxBodyBytes) throw new RequestError(413, `the message is larger than ${maxBodyBytes} bytes`)
}

const publish = (service: Service, request: ApiRequest, destination: string, queueName?: string): Answer => {
  const { headers, body, callerIp } = request
  requireSize(body)
  const accepted = service.accept({ destination, headers, body, callerIp, ...(queueName ? { queueName } : {}) })
  return { status: accepted.deduplicated ? 202 : 201, body: accepted }
}

const readItem = (value: unknown, at: number): BatchItem => {
  const item = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const { destination, headers = {}, body = '', queue } = item
  if (typeof destination !== 'string') throw new RequestError(400, `message ${at}: the destination is missing`)
  if (typeof body !== 'string') throw new RequestError(400, `message ${at}: the body must be a string`)
  if (typeof headers !== 'object' || headers === null) throw new RequestError(400, `message ${at}: invalid headers`)
  const pairs = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), String(header)] as const)
  const bytes = Buffer.from(body)
  requireSize(bytes)
  const read = { destination, headers: Object.fromEntries(pairs), body: bytes }
  return typeof queue === 'string' && queue !== '' ? { ...read, queueName: queue } : read
}

const publishBatch = (service: Service, { body, callerIp }: ApiRequest): Answer => {
  const given: unknown = JSON.parse(body.toString('utf8'))
  if (!Array.isArray(given)) throw new RequestError(400, 'the body must be an array of messages')
  const publications: Publication[] = given.map((value, at) => ({ ...readItem(value, at), callerIp }))
  // All are checked before the first is accepted: a refused batch must have published nothing.
  for (const publication of publications) createMessage(publication, service.clock(), service.timeScale)
  return { status: 200, body: publications.map((publication) => service.accept(publication)) }
}

export const publishRoutes: Route[] = [
  {
    method: 'POST',
    pattern: /^\/v2\/publish\/(.+)$/s,
    raw: true,
    handle: (service, request, [destination = '']) => publish(service, request, destination),
  },
  {
    method: 'POST',
    pattern: /^\/v2\/enqueue\/([^/?]+)\/(.+)$/s,
    raw: true,
    handle: (service, request, [queue = '', destination = '']) =>
      publish(service, request, destination, decodeURIComponent(queue)),
  },
  { method: 'POST', pattern: /^\/v2\/batch$/, handle: publishBatch },
]
