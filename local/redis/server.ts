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
export const MAX_REDIS_BYTES = 10 * 1024 * 1024

const refusal = (status: number, text: string): Answer => json(status, { error: `ERR ${text}` })

const toArgument = (value: unknown): string | number => {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return String(value)
  throw new SyntaxError(
    value === null ? 'null args are not supported' : 'unsupported arg type: must be a string or a number',
  )
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new SyntaxError('failed to parse request: invalid JSON')
  }
}

/** Returns a command from a body, which is a JSON array. Throws a SyntaxError that says what is wrong. */
const commandOf = (value: unknown): Command => {
  if (!Array.isArray(value)) throw new SyntaxError('failed to parse command: expected JSON array')
  if (value.length === 0) throw new SyntaxError('empty command')
  return value.map(toArgument)
}

const plain = (reply: Reply): unknown => {
  if (Array.isArray(reply)) return reply.map(plain)
  if (isError(reply)) return reply.error
  return isStatus(reply) ? reply.status : reply
}

/** Returns the commands of a pipeline, one after the other; one that is refused stops no other. */
const pipeline = async (store: RedisBackend, value: unknown): Promise<Answer> => {
  if (!Array.isArray(value)) throw new SyntaxError('failed to parse pipeline request: expected JSON array')
  const results: unknown[] = []
  for (const command of value.map(commandOf)) {
    const reply = await store.run(command)
    results.push(isError(reply) ? reply : { result: plain(reply) })
  }
  return json(200, results)
}

/** Answers a request of Upstash's Redis REST API. */
export const answerRedis = async (
  { token, store }: Pick<RedisServerOptions, 'token' | 'store'>,
  req: IncomingMessage,
  body: string,
): Promise<Answer> => {
  if (req.headers.authorization !== `Bearer ${token}`)
    return json(401, { error: 'WRONGPASS invalid or missing auth token' })
  if (req.url !== '/' && req.url !== '/pipeline')
    return refusal(404, `this local Redis takes POST / and POST /pipeline, not ${req.url}`)
  if (req.method !== 'POST') return refusal(405, `method not allowed: ${req.method}`)
  try {
    if (req.url === '/pipeline') return await pipeline(store, parsed(body))
    const reply = await store.run(commandOf(parsed(body)))
    return isError(reply) ? json(400, reply) : json(200, { result: plain(reply) })
  } catch (error) {
    return refusal(error instanceof SyntaxError ? 400 : 500, (error as Error).message)
  }
}

/** Returns the refusal of a request that could not be read. */
export const redisFailure = (error: unknown): Answer =>
  error instanceof BodyTooLarge
    ? refusal(413, `max request size exceeded. Limit: ${MAX_REDIS_BYTES} bytes`)
    : refusal(400, String(error))

/**
 * Starts the part of Upstash's Redis REST API that the service uses, on loopback: one command a request, or several as a
 * pipeline (https://upstash.com/docs/redis/features/restapi). Faults at `/_faults`.
 *
 * Rejects when the port is taken.
 */
export const startRedis = async (options: RedisServerOptions): Promise<RedisServer> => {
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const arrivedMs = performance.now()
    const body = (await readBody(req, MAX_REDIS_BYTES)).toString('utf8')
    if (faults.control(req, res, body)) return
    const fault = faults.take(req.url ?? '/', body)
    const outcome = await outcomeLater(fault, () => answerRedis(options, req, body))
    await settle(res, outcome, arrivedMs + faultDelayMs(fault))
  }
  const server = await serveLoopback(handle, redisFailure, options.port)
  const close = async (): Promise<void> => {
    await server.close()
    await options.store.close()
  }
  return { ...server, close }
}
