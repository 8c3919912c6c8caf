import { RequestError } from './wire.ts'

/** Lower-case names, as node:http and the batch endpoint give them. */
export type PublishHeaders = Record<string, string>

type PublishOptions = { contentType: string | undefined; notBefore?: number; maxRetries: number }

const DEFAULT_RETRIES = 3
/** The free plan refuses more. */
const MAX_RETRIES = 5
const KNOWN = new Set(['upstash-method', 'upstash-not-before', 'upstash-retries', 'upstash-deduplication-id'])

/**
 * Returns the URL a message goes to. Throws a 400 RequestError for any other than an http URL: local services have no
 * https.
 */
export const readDestination = (given: string): string => {
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
export const readPublishOptions = (headers: PublishHeaders): PublishOptions => {
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
