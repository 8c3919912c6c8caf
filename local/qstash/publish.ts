import { type Answer, json } from '../receiver/answers.ts'
import type { Publication } from './message.ts'
import type { Service } from './service.ts'
import { RequestError } from './wire.ts'

export type ApiRequest = {
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
export const answerApi = (service: Service, request: ApiRequest): Answer => {
  const { method, target, headers, body, callerIp } = request
  if (headers.authorization !== `Bearer ${service.token}`) return json(401, { error: 'unauthorized' })
  if (method === 'GET' && target === KEYS) return json(200, service.signingKeys)
  if (method === 'POST' && target === BATCH) return publishBatch(service, request)
  if (method !== 'POST' || !target.startsWith(PUBLISH)) return json(404, { error: `${method} ${target} not found` })
  requireSize(body)
  const accepted = service.accept({ destination: target.slice(PUBLISH.length), headers, body, callerIp })
  return json(accepted.deduplicated ? 202 : 201, accepted)
}
