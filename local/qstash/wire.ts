import type { IncomingMessage, ServerResponse } from 'node:http'

export type Answer = { status: number; body?: unknown }

/** A request this service refuses: `status` and the sentence that goes into `{ error }`. */
export class RequestError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'RequestError'
    this.status = status
  }
}

/** The whole request body. Throws a 413 RequestError past `maxBytes`; rejects when the client goes away. */
export const readBody = async (req: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += (chunk as Buffer).length
    if (size <= maxBytes) chunks.push(chunk as Buffer)
  }
  if (size > maxBytes) throw new RequestError(413, `the request is larger than ${maxBytes} bytes`)
  return Buffer.concat(chunks)
}

/** Writes the answer as JSON with its length; nothing when the client has gone. */
export const sendAnswer = (res: ServerResponse, answer: Answer): void => {
  if (res.headersSent || res.destroyed) return
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body)
  const type = text === '' ? {} : { 'content-type': 'application/json' }
  res.writeHead(answer.status, { ...type, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** What a failure looks like on the wire: our own refusals with their status, malformed JSON or paths as 400, the rest as 500. */
export const errorAnswer = (error: unknown): Answer => {
  if (error instanceof RequestError) return { status: error.status, body: { error: error.message } }
  if (error instanceof URIError) return { status: 400, body: { error: 'the path is not validly encoded' } }
  if (error instanceof SyntaxError) return { status: 400, body: { error: 'the body is not valid JSON' } }
  return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } }
}

/** The body as a JSON object. Throws a 400 RequestError (or a SyntaxError) for anything else; empty means `{}`. */
export const parseObject = (body: Buffer): Record<string, unknown> => {
  if (body.length === 0) return {}
  const value: unknown = JSON.parse(body.toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestError(400, 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}
