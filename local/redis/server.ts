import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults } from '../faults.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { type Answer, BodyTooLarge, json, readBody, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeLater } from '../receiver/fault-outcome.ts'
import { type Command, isError, isStatus, type RedisBackend, type Reply } from './backend.ts'

export type RedisServerOptions = {
  /** 0 or absent for any free port. */
  port?: number
  /** The one token that reads and writes. */
  token: string
  /** Closed together with the server. */
  store: RedisBackend
}

export type RedisServer = Loopback

/** Upstash's limit on a request. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

const refusal = (status: number, text: string): Answer => json(status, { error: `ERR ${text}` })

const toArgument = (value: unknown): string | number => {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return String(value)
  throw new SyntaxError(
    value === null ? 'null args are not supported' : 'unsupported arg type: must be a string or a number',
  )
}

/** The command in a body, a JSON array. Throws a SyntaxError that says what is wrong. */
const commandOf = (body: string): Command => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw new SyntaxError('failed to parse request: invalid JSON')
  }
  if (!Array.isArray(value)) throw new SyntaxError('failed to parse command: expected JSON array')
  if (value.length === 0) throw new SyntaxError('empty command')
  return value.map(toArgument)
}

const plain = (reply: Reply): unknown => {
  if (Array.isArray(reply)) return reply.map(plain)
  if (isError(reply)) return reply.error
  return isStatus(reply) ? reply.status : reply
}

const answerTo = async ({ token, store }: RedisServerOptions, req: IncomingMessage, body: string): Promise<Answer> => {
  if (req.headers.authorization !== `Bearer ${token}`)
    return json(401, { error: 'WRONGPASS invalid or missing auth token' })
  if (req.url !== '/') return refusal(404, `this local Redis takes one command at a time, POST /, not ${req.url}`)
  if (req.method !== 'POST') return refusal(405, `method not allowed: ${req.method}`)
  try {
    const reply = await store.run(commandOf(body))
    return isError(reply) ? json(400, reply) : json(200, { result: plain(reply) })
  } catch (error) {
    return refusal(error instanceof SyntaxError ? 400 : 500, (error as Error).message)
  }
}

const failure = (error: unknown): Answer =>
  error instanceof BodyTooLarge
    ? refusal(413, `max request size exceeded. Limit: ${MAX_BODY_BYTES} bytes`)
    : refusal(400, String(error))

/**
 * The part of Upstash's Redis REST API that the service uses, on loopback: one command a request
 * (https://upstash.com/docs/redis/features/restapi). Faults at `/_faults`. Rejects when the port is taken.
 */
export const startRedis = async (options: RedisServerOptions): Promise<RedisServer> => {
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const arrivedMs = performance.now()
    const body = (await readBody(req, MAX_BODY_BYTES)).toString('utf8')
    if (faults.control(req, res, body)) return
    const fault = faults.take(req.url ?? '/', body)
    const outcome = await outcomeLater(fault, () => answerTo(options, req, body))
    await settle(res, outcome, arrivedMs + faultDelayMs(fault))
  }
  const server = await serveLoopback(handle, failure, options.port)
  const close = async (): Promise<void> => {
    await server.close()
    await options.store.close()
  }
  return { ...server, close }
}
