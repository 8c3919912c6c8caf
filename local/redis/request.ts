import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Command, toBytes } from './backend.ts'

/** A request answered with this status and `{error}`. */
export class RequestError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** What a request asks for: one command, a pipeline, or a transaction. */
export type Work = { kind: 'command'; command: Command } | { kind: 'pipeline' | 'multi-exec'; commands: Command[] }

const MAX_BODY_BYTES = 10 * 1024 * 1024

/** The whole body; throws a 413 beyond 10 MB. */
export const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and thrown away, so that the client gets to see the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES)
    throw new RequestError(413, `ERR max request size exceeded. Limit: ${MAX_BODY_BYTES} bytes`)
  return Buffer.concat(chunks)
}

/** Throws a 401 unless the `_token` parameter or the Authorization header (with or without "Bearer") carries the token. */
export const authorize = (headers: IncomingHttpHeaders, query: URLSearchParams, token: string): void => {
  const given = query.get('_token') ?? (headers.authorization ?? '').replace(/^bearer\s+/i, '').trim()
  if (given !== token) throw new RequestError(401, 'WRONGPASS invalid or missing auth token')
}

const toArgument = (value: unknown): string | number => {
  if (typeof value === 'string') return toBytes(value)
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return String(value)
  throw new RequestError(
    400,
    value === null ? 'ERR null args are not supported' : 'ERR unsupported arg type: must be a string or a number',
  )
}

const toCommand = (value: unknown): Command => {
  if (!Array.isArray(value)) throw new RequestError(400, 'ERR failed to parse command: expected JSON array')
  if (value.length === 0) throw new RequestError(400, 'ERR empty command')
  return value.map(toArgument)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError(400, 'ERR failed to parse request: invalid JSON')
  }
}

const decodeSegment = (segment: string): string => {
  try {
    return toBytes(decodeURIComponent(segment))
  } catch {
    throw new RequestError(400, 'ERR failed to parse command: malformed percent-encoding')
  }
}

/** `/set/foo/bar?EX=100`: path segments, then a body as one argument, then the query's names and values. */
const fromPath = (path: string, query: URLSearchParams, body: Buffer): Command => {
  const command = path.split('/').slice(1).map(decodeSegment)
  if (body.length > 0) command.push(body.toString('latin1'))
  for (const [name, value] of query) {
    if (name === '_token') continue
    command.push(toBytes(name))
    if (value !== '') command.push(toBytes(value))
  }
  return command
}

/** The work a request describes (https://upstash.com/docs/redis/features/restapi); throws a 400 when it is malformed. */
export const parseWork = (path: string, query: URLSearchParams, body: Buffer): Work => {
  const trimmed = path.replace(/\/+$/, '')
  if (trimmed === '/pipeline' || trimmed === '/multi-exec') {
    const given = parseJson(body.toString('utf8'))
    if (!Array.isArray(given)) throw new RequestError(400, 'ERR failed to parse pipeline request: expected JSON array')
    if (given.length === 0) throw new RequestError(400, 'ERR empty pipeline request')
    return { kind: trimmed === '/pipeline' ? 'pipeline' : 'multi-exec', commands: given.map(toCommand) }
  }
  if (trimmed === '') return { kind: 'command', command: toCommand(parseJson(body.toString('utf8'))) }
  return { kind: 'command', command: fromPath(trimmed, query, body) }
}
