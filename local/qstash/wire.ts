import { type Answer, BodyTooLarge, json } from '../receiver/answers.ts'

/** A request this service refuses: `status` and the sentence that goes into `{ error }`. */
export class RequestError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'RequestError'
    this.status = status
  }
}

/** Returns a failure as an answer: our own refusals with their status, malformed JSON or paths as 400, the rest as 500. */
export const errorAnswer = (error: unknown): Answer => {
  if (error instanceof RequestError) return json(error.status, { error: error.message })
  if (error instanceof BodyTooLarge) return json(413, { error: error.message })
  if (error instanceof URIError) return json(400, { error: 'the path is not validly encoded' })
  if (error instanceof SyntaxError) return json(400, { error: 'the body is not valid JSON' })
  return json(500, { error: error instanceof Error ? error.message : String(error) })
}

/** Returns the body as a JSON object. Throws a 400 RequestError (or a SyntaxError) for anything else; empty means `{}`. */
export const parseObject = (body: string): Record<string, unknown> => {
  const value: unknown = body === '' ? {} : JSON.parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestError(400, 'the body must be a JSON object')
  }
  return value as Record<string, unknown>
}
