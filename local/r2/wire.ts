import type { IncomingMessage } from 'node:http'
import { Refusal } from '../cloudflare/answer.ts'

export type HttpFields = Record<string, string>

type Put = {
  method: 'put'
  object: string
  customFields?: { k: string; v: string }[]
  httpFields?: HttpFields
  /** Hexadecimal. */
  sha256?: string
  onlyIf?: Condition
}

/** Condition of a write: no object has the key, or the object was stored before a time in milliseconds. */
type Condition = { etagDoesNotMatch?: { type?: string; value?: string }[]; uploadedBefore?: string | number }

/** Returns true if a write may replace the object, which is undefined if there is none. */
export const meets = (condition: Condition | undefined, object: { uploaded: number } | undefined): boolean => {
  if (!condition || !object) return true
  if (condition.etagDoesNotMatch) return false
  return object.uploaded < Number(condition.uploadedBefore)
}

const isServed = (condition: Condition): boolean =>
  Object.keys(condition).every(
    (name) => name === 'secondsGranularity' || name === 'uploadedBefore' || name === 'etagDoesNotMatch',
  ) && (condition.etagDoesNotMatch ?? []).every(({ type }) => type === 'wildcard')

type Get = { method: 'get'; object: string; range?: { offset: string | number; length: string | number } }

/** An object in parts: begun, given a part, put together or given up. */
type Parted =
  | { method: 'createMultipartUpload'; object: string; customFields?: Put['customFields']; httpFields?: HttpFields }
  | { method: 'uploadPart'; object: string; uploadId: string; partNumber: number }
  | { method: 'completeMultipartUpload'; object: string; uploadId: string; parts: { etag: string; part: number }[] }
  | { method: 'abortMultipartUpload'; object: string; uploadId: string }

type List = { method: 'list'; prefix?: string; cursor?: string; limit?: number }

export type R2Request =
  | { method: 'head'; object: string }
  | List
  | Get
  | Put
  | Parted
  | { method: 'delete'; object?: string; objects?: string[] }

// Refusals have the codes of https://developers.cloudflare.com/r2/api/error-codes/.
export const noSuchKey = () => new Refusal(404, 10007, 'The specified key does not exist.')
export const invalidRange = () => new Refusal(416, 10039, 'The requested range is not satisfiable')
export const noSuchUpload = () => new Refusal(400, 10024, 'The specified multipart upload does not exist.')
export const invalidPart = () => new Refusal(400, 10025, 'One or more of the specified parts could not be found.')
export const partTooSmall = () =>
  new Refusal(400, 10011, 'Your proposed upload is smaller than the minimum allowed object size.')
export const preconditionFailed = () =>
  new Refusal(412, 10031, 'At least one of the pre-conditions you specified did not hold.')
export const badUpload = () => new Refusal(500, 10048, 'There was a problem with the multipart upload.')
const badRequest = () => new Refusal(400, 10029, 'Metadata missing or invalid')
const notServed = (what: string) => new Refusal(501, 10001, `The local R2 has no ${what}.`)

const METHODS = [
  'head',
  'get',
  'list',
  'put',
  'delete',
  'createMultipartUpload',
  'uploadPart',
  'completeMultipartUpload',
  'abortMultipartUpload',
]

/** Options that the service does not use. They are refused, so that no code relies on them untested. */
const NOT_SERVED = ['rangeHeader', 'delimiter', 'startAfter', 'md5', 'sha1', 'sha384', 'sha512']

const parsed = (text: string): R2Request => {
  const request = JSON.parse(text) as R2Request
  if (!METHODS.includes(request.method)) throw notServed(request.method)
  const unknown = NOT_SERVED.find((name) => name in request)
  if (unknown) throw notServed(unknown)
  if ('onlyIf' in request && request.onlyIf && !(request.method === 'put' && isServed(request.onlyIf)))
    throw notServed('condition other than of a write that creates, or replaces what is old')
  if (request.method === 'get' && request.range && !('offset' in request.range && 'length' in request.range))
    throw notServed('range without offset and length')
  return request
}

/** Returns the request of a read, which is in a header. */
export const readRequest = (req: IncomingMessage): R2Request => {
  const header = req.headers['cf-r2-request']
  if (typeof header !== 'string') throw badRequest()
  return parsed(header)
}

/**
 * Reads a write: its request, and the object's bytes. The body begins with the request as JSON, whose length is in a
 * header.
 */
export const writeRequest = async (
  req: IncomingMessage,
): Promise<{ request: R2Request; value: () => AsyncGenerator<Buffer> }> => {
  const size = Number(req.headers['cf-r2-metadata-size'] ?? Number.NaN)
  if (!Number.isInteger(size)) throw badRequest()
  const chunks = req[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head = Buffer.alloc(0)
  while (head.length < size) {
    const { done, value } = await chunks.next()
    if (done) throw badRequest()
    head = Buffer.concat([head, value])
  }
  async function* rest() {
    if (head.length > size) yield head.subarray(size)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { request: parsed(head.subarray(0, size).toString('utf8')), value: rest }
}

/** First byte and number of bytes. */
export type Span = { offset: number; length: number }
