import { randomBytes } from 'node:crypto'
import type { Message } from './store.ts'
import { RequestError } from './wire.ts'

/** Lower-case names, as node:http and the batch endpoint give them. */
type PublishHeaders = Record<string, string>

type PublishOptions = { contentType: string | undefined; notBefore?: number; maxRetries: number }

const DEFAULT_RETRIES = 3
/** The free plan refuses more. */
const MAX_RETRIES = 5
const KNOWN = new Set(['upstash-method', 'upstash-not-before', 'upstash-retries', 'upstash-deduplication-id'])

/**
 * Returns the URL a message goes to. Throws a 400 RequestError for any other than an http URL: local services have no
 * https.
 */
const readDestination = (given: string): string => {
  // Clients send the URL unencoded. People who use curl sometimes encode it, and then only the scheme shows that.
  const text = /^http%3A/i.test(given) ? decodeURIComponent(given) : given
  if (!/^http:\/\//i.test(text)) throw new RequestError(400, `invalid destination url: "${text}" has no http scheme`)
  if (!URL.canParse(text)) throw new RequestError(400, `invalid destination url: "${text}" is not a URL`)
  return text
}

const invalid = (name: string, text: string): RequestError => new RequestError(400, `invalid ${name} header: "${text}"`)

const readInteger = (headers: PublishHeaders, name: string): number | undefined => {
  const text = headers[name]
  if (text !== undefined && !/^\d+$/.test(text.trim())) throw invalid(name, text)
  return text === undefined ? undefined : Number(text)
}

/** Throws for headers that this server does not support, so that no code relies on them untested. */
const refuseUnknown = (headers: PublishHeaders): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('upstash-') && !KNOWN.has(name))
      throw new RequestError(400, `this local QStash does not serve ${name}: "${value}"`)
  }
  const method = headers['upstash-method'] ?? 'POST'
  if (method !== 'POST') throw invalid('upstash-method', method)
}

/** Returns the `Upstash-*` headers of a publish or batch item. Throws a 400 RequestError. */
const readPublishOptions = (headers: PublishHeaders): PublishOptions => {
  refuseUnknown(headers)
  const notBefore = readInteger(headers, 'upstash-not-before')
  const maxRetries = readInteger(headers, 'upstash-retries') ?? DEFAULT_RETRIES
  if (maxRetries > MAX_RETRIES) throw new RequestError(400, `maxRetries ${maxRetries} is above ${MAX_RETRIES}`)
  return {
    contentType: headers['content-type'],
    ...(notBefore === undefined ? {} : { notBefore: notBefore * 1_000 }),
    maxRetries,
  }
}

/** Request to publish a message, as it arrived. */
export type Publication = { destination: string; headers: PublishHeaders; body: Buffer; callerIp: string }

/** Speed of time. `punctual`: a requested time (`Upstash-Not-Before`) is kept, whatever the speed. */
export type Pace = { timeScale: number; punctual: boolean }

/**
 * Returns the message of a publication. A wait is divided by the time scale, unless it is `punctual` (times in ms).
 *
 * Throws a 400 RequestError for an invalid destination or header.
 */
export const createMessage = (publication: Publication, now: number, { timeScale, punctual }: Pace): Message => {
  const url = readDestination(publication.destination)
  const { contentType, notBefore = now, maxRetries } = readPublishOptions(publication.headers)
  return {
    messageId: `msg_${randomBytes(16).toString('base64url')}`,
    url,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    body: publication.body.toString('base64'),
    dueAt: now + Math.max(0, notBefore - now) / (punctual ? 1 : timeScale),
    retried: 0,
    maxRetries,
    callerIp: publication.callerIp,
  }
}
