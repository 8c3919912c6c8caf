import { validateHeaderName, validateHeaderValue } from 'node:http'
import { parseDuration } from './duration.ts'
import { compileRetryDelay } from './expression.ts'
import type { Callback } from './store.ts'
import { RequestError } from './wire.ts'

/** Lower-case names, as node:http and the batch endpoint give them. */
export type PublishHeaders = Record<string, string>

export type FlowControl = { key: string; parallelism?: number; rate?: number; periodMs: number }

export type PublishOptions = {
  method: string
  forwarded: Record<string, string>
  delayMs: number
  notBefore?: number
  maxRetries: number
  retryDelay?: string
  timeoutMs: number
  callback?: Callback
  failureCallback?: Callback
  labels: string[]
  flowControl?: FlowControl
}

const defaultRetries = 3
// The longest response the free plan waits for.
const defaultTimeoutMs = 15 * 60_000
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
// Set per connection or computed from the body; forwarding them would break the delivery's framing.
const notForwarded = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'upgrade', 'expect'])

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

const readDuration = (headers: PublishHeaders, name: string): number | undefined => {
  const text = headers[name]
  if (text === undefined) return undefined
  const ms = parseDuration(text)
  if (ms === undefined) throw new RequestError(400, `invalid ${name} header: "${text}"`)
  return ms
}

const readInteger = (headers: PublishHeaders, name: string): number | undefined => {
  const text = headers[name]
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text.trim())) throw new RequestError(400, `invalid ${name} header: "${text}"`)
  return Number(text)
}

const readMethod = (headers: PublishHeaders): string => {
  const method = (headers['upstash-method'] ?? 'POST').toUpperCase()
  if (!methods.has(method)) throw new RequestError(400, `invalid upstash-method header: "${method}"`)
  return method
}

const readForwarded = (headers: PublishHeaders): Record<string, string> => {
  const forwarded: Record<string, string> = {}
  const given = Object.entries(headers).filter(([name]) => name.startsWith('upstash-forward-'))
  if (headers['content-type'] !== undefined) forwarded['content-type'] = headers['content-type']
  for (const [prefixed, value] of given) {
    const name = prefixed.slice('upstash-forward-'.length)
    if (notForwarded.has(name)) continue
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

const readRetryDelay = (headers: PublishHeaders): string | undefined => {
  const text = headers['upstash-retry-delay']
  if (text !== undefined) compileRetryDelay(text)
  return text
}

const readCallback = (headers: PublishHeaders, name: string): Callback | undefined => {
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

const present = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]: V })

/** The `Upstash-*` headers of a publish, enqueue, batch item, schedule or callback. Throws a 400 RequestError. */
export const readPublishOptions = (headers: PublishHeaders): PublishOptions => {
  const notBefore = readInteger(headers, 'upstash-not-before')
  const labels = (headers['upstash-label'] ?? '').split(',').map((label) => label.trim())
  return {
    method: readMethod(headers),
    forwarded: readForwarded(headers),
    delayMs: readDuration(headers, 'upstash-delay') ?? 0,
    ...present('notBefore', notBefore === undefined ? undefined : notBefore * 1_000),
    maxRetries: readInteger(headers, 'upstash-retries') ?? defaultRetries,
    ...present('retryDelay', readRetryDelay(headers)),
    timeoutMs: readDuration(headers, 'upstash-timeout') ?? defaultTimeoutMs,
    ...present('callback', readCallback(headers, 'upstash-callback')),
    ...present('failureCallback', readCallback(headers, 'upstash-failure-callback')),
    labels: labels.filter((label) => label !== ''),
    ...present('flowControl', readFlowControl(headers)),
  }
}
