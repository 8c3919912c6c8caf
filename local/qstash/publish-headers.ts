import { validateHeaderName, validateHeaderValue } from 'node:http'
import { parseDuration } from './duration.ts'
import type { Callback, FlowControl } from './store.ts'
import { RequestError } from './wire.ts'

/** Lower-case names, as node:http and the batch endpoint give them. */
export type PublishHeaders = Record<string, string>

type PublishOptions = {
  forwarded: Record<string, string>
  delayMs: number
  notBefore?: number
  maxRetries: number
  timeoutMs: number
  failureCallback?: Callback
  flowControl?: FlowControl
}

const DEFAULT_RETRIES = 3
/** The free plan refuses more. */
const MAX_RETRIES = 5
/** The longest response the free plan waits for. */
const DEFAULT_TIMEOUT_MS = 15 * 60_000
/** Set per connection or computed from the body; forwarding them would break the delivery's framing. */
const NOT_FORWARDED = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'upgrade', 'expect'])
const KNOWN = new Set([
  'upstash-method',
  'upstash-delay',
  'upstash-not-before',
  'upstash-retries',
  'upstash-timeout',
  'upstash-deduplication-id',
  'upstash-failure-callback',
  'upstash-flow-control-key',
  'upstash-flow-control-value',
])
const KNOWN_PREFIXES = ['upstash-forward-', 'upstash-failure-callback-', 'upstash-telemetry-']

const requireUrl = (text: string, what: string): string => {
  if (!/^https?:\/\//i.test(text)) throw new RequestError(400, `invalid ${what}: "${text}" has no http or https scheme`)
  if (!URL.canParse(text)) throw new RequestError(400, `invalid ${what}: "${text}" is not a URL`)
  return text
}

/** The URL a message goes to. Throws a 400 RequestError for anything but an http(s) URL. */
export const readDestination = (text: string): string => {
  // Clients send the URL as it is; curl users sometimes encode it, and then only the scheme tells.
  return requireUrl(/^https?%3A/i.test(text) ? decodeURIComponent(text) : text, 'destination url')
}

const invalid = (name: string, text: string): RequestError => new RequestError(400, `invalid ${name} header: "${text}"`)

const readDuration = (headers: PublishHeaders, name: string): number | undefined => {
  const text = headers[name]
  const ms = text === undefined ? undefined : parseDuration(text)
  if (text !== undefined && ms === undefined) throw invalid(name, text)
  return ms
}

const readInteger = (headers: PublishHeaders, name: string): number | undefined => {
  const text = headers[name]
  if (text !== undefined && !/^\d+$/.test(text.trim())) throw invalid(name, text)
  return text === undefined ? undefined : Number(text)
}

const readForwarded = (headers: PublishHeaders): Record<string, string> => {
  const forwarded: Record<string, string> = {}
  if (headers['content-type'] !== undefined) forwarded['content-type'] = headers['content-type']
  for (const [prefixed, value] of Object.entries(headers)) {
    const name = prefixed.slice('upstash-forward-'.length)
    if (!prefixed.startsWith('upstash-forward-') || NOT_FORWARDED.has(name)) continue
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      throw new RequestError(400, `the header ${prefixed} cannot be forwarded`)
    }
    forwarded[name] = value
  }
  return forwarded
}

const readCallback = (headers: PublishHeaders): Callback | undefined => {
  const name = 'upstash-failure-callback'
  const url = headers[name]
  if (url === undefined) return undefined
  const own: Record<string, string> = { 'content-type': 'application/json' }
  for (const [header, value] of Object.entries(headers)) {
    if (header.startsWith(`${name}-`)) own[`upstash-${header.slice(name.length + 1)}`] = value
  }
  // Refused now: when the callback is due there is nobody left to tell.
  readPublishOptions(own)
  return { url: requireUrl(url, `${name} header`), headers: own }
}

const readFlowControl = (headers: PublishHeaders): FlowControl | undefined => {
  const key = headers['upstash-flow-control-key']
  if (key === undefined) return undefined
  const pairs = (headers['upstash-flow-control-value'] ?? '').split(',').map((pair) => pair.trim().split('='))
  const given: PublishHeaders = Object.fromEntries(pairs.map(([name, value]) => [name ?? '', value ?? '']))
  const parallelism = readInteger(given, 'parallelism')
  const rate = readInteger(given, 'rate')
  if (!parallelism && !rate) throw new RequestError(400, 'upstash-flow-control-value needs parallelism or rate')
  return {
    key,
    periodMs: readDuration(given, 'period') ?? 1_000,
    ...(parallelism ? { parallelism } : {}),
    ...(rate ? { rate } : {}),
  }
}

/** What is not served here is refused, so that nothing is built on it that was never tried. */
const refuseUnknown = (headers: PublishHeaders): void => {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('upstash-') || KNOWN.has(name) || KNOWN_PREFIXES.some((one) => name.startsWith(one))) continue
    throw new RequestError(400, `this local QStash does not serve ${name}: "${value}"`)
  }
  const method = headers['upstash-method'] ?? 'POST'
  if (method !== 'POST') throw invalid('upstash-method', method)
}

/** The `Upstash-*` headers of a publish, batch item or failure callback. Throws a 400 RequestError. */
export const readPublishOptions = (headers: PublishHeaders): PublishOptions => {
  refuseUnknown(headers)
  const notBefore = readInteger(headers, 'upstash-not-before')
  const maxRetries = readInteger(headers, 'upstash-retries') ?? DEFAULT_RETRIES
  if (maxRetries > MAX_RETRIES) throw new RequestError(400, `maxRetries ${maxRetries} is above ${MAX_RETRIES}`)
  const failureCallback = readCallback(headers)
  const flowControl = readFlowControl(headers)
  return {
    forwarded: readForwarded(headers),
    delayMs: readDuration(headers, 'upstash-delay') ?? 0,
    ...(notBefore === undefined ? {} : { notBefore: notBefore * 1_000 }),
    maxRetries,
    timeoutMs: readDuration(headers, 'upstash-timeout') ?? DEFAULT_TIMEOUT_MS,
    ...(failureCallback ? { failureCallback } : {}),
    ...(flowControl ? { flowControl } : {}),
  }
}
