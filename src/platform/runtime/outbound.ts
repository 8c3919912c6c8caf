import type { StreamedBody } from '../lib/multipart.ts'
import { waitingFor } from '../lib/request-scope.ts'
import { checkPublicUrl, isLoopbackHost, isPublicAddress } from '../lib/urls.ts'
import { VERSION } from '../lib/version.generated.ts'
import { beforeCallingOut, shownPayload } from './dry-run.ts'
import { errorFields, type Log } from './log.ts'

/** One call to an address outside. Redirects are never followed. */
type OutboundRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A `User-Agent` among them replaces the service's own. */
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData | StreamedBody
  timeoutMs: number
  /** The answer is read up to here and cut; the rest is not fetched. */
  maxBytes: number
  /** `bytes` hands the answer over undecoded, as `bytes`; `body` is empty then. `stream` hands over what was not read yet. */
  as?: 'text' | 'bytes' | 'stream'
}

type Stream = {
  /** The bytes as they come; throws when they break off or the time is over. */
  chunks: AsyncIterable<Uint8Array>
  /** Ends the connection of an answer that nobody reads. */
  letGo: () => Promise<void>
}

/** `stream` is there where it was asked for. */
type Read = { body: string; bytes: Uint8Array<ArrayBuffer>; truncated: boolean; stream?: Stream }

type OutboundAnswer =
  | ({ kind: 'answered'; status: number; headers: Headers } & Read)
  /** Nothing was sent: the address is not a public one. */
  | { kind: 'forbidden' }
  /** Nothing was sent: the host's addresses could not be looked up, so it is not known whether they are public; or it has none. */
  | { kind: 'unsent'; reason: 'lookup' | 'no_host' }
  /** No complete answer. The request may have arrived all the same. */
  | { kind: 'no_answer'; reason: 'timeout' | 'connection' }

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

type Options = { allowLoopback: boolean; dnsQueryUrl: string; userAgent: string; log: Log; now: () => Date }

/**
 * Returns the name the service gives in `User-Agent`. A Worker's `fetch` sends none by itself, and providers behind Cloudflare's
 * Browser Integrity Check refuse a request without one (403, error code 1010).
 */
export const userAgentOf = ({ serviceName, publicUrl }: { serviceName: string; publicUrl: string }): string =>
  `${serviceName}/${VERSION}${publicUrl === '' ? '' : ` (+${publicUrl})`}`

const identified = (headers: Record<string, string> | undefined, userAgent: string): Headers => {
  const sent = new Headers(headers)
  if (!sent.has('user-agent')) sent.set('user-agent', userAgent)
  return sent
}

/** Returns a `fetch` that names the service, for SDKs whose addresses the operator sets. */
export const fetchAs =
  (userAgent: string): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('user-agent', userAgent)
    return fetch(input, { ...init, headers })
  }

const DNS_TIMEOUT_MS = 3_000
const DNS_KEPT_MS = 60_000

const KEPT_NAMES = 1_000

const NONE = new Uint8Array(0)

/** Room for so many bytes more: the same bytes, or a copy twice as long, never longer than the limit. */
const roomFor = (bytes: Uint8Array<ArrayBuffer>, needed: number, limit: number): Uint8Array<ArrayBuffer> => {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, 2 * bytes.length)))
  larger.set(bytes)
  return larger
}

/** Returns the chunks of a body, unread. Throws behind the limit what the caller's own limit forestalls. */
async function* streamOf(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  let size = 0
  try {
    while (reader) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
      if (size > maxBytes) throw new Error('the answer is larger than was asked for')
      yield value
    }
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

type Chunks = (take: (chunk: Uint8Array) => void) => Promise<boolean>

/** Returns a body chunk by chunk up to a limit of bytes; the rest is let go. Resolves to whether there was more. */
const chunksOf =
  (response: Response, maxBytes: number): Chunks =>
  async (take) => {
    const reader = response.body?.getReader()
    let size = 0
    while (reader) {
      const { done, value } = await reader.read()
      if (done) return false
      const kept = value.subarray(0, maxBytes - size)
      take(kept)
      size += kept.byteLength
      if (kept.byteLength < value.byteLength) {
        await reader.cancel()
        return true
      }
    }
    return false
  }

/** Returns the text of a body (UTF-8), decoded as it comes. A character cut in two at the limit is left out. */
const readText = async (chunks: Chunks): Promise<Read> => {
  const decoder = new TextDecoder()
  let body = ''
  const truncated = await chunks((chunk) => {
    body += decoder.decode(chunk, { stream: true })
  })
  return { body: truncated ? body : body + decoder.decode(), bytes: NONE, truncated }
}

/** Returns the bytes of a body, held once: an honest Content-Length makes the room, which else grows. */
const readBytes = async (chunks: Chunks, expected: number, maxBytes: number): Promise<Read> => {
  let bytes = new Uint8Array(Math.min(expected, maxBytes))
  let size = 0
  const truncated = await chunks((chunk) => {
    bytes = roomFor(bytes, size + chunk.byteLength, maxBytes)
    bytes.set(chunk, size)
    size += chunk.byteLength
  })
  return { body: '', bytes: bytes.subarray(0, size), truncated }
}

const unread = (response: Response, maxBytes: number): Read => ({
  body: '',
  bytes: NONE,
  truncated: false,
  stream: {
    chunks: streamOf(response, maxBytes),
    letGo: async () => {
      await response.body?.cancel().catch(() => {})
    },
  },
})

const readCut = async (response: Response, maxBytes: number, as: 'text' | 'bytes' | 'stream'): Promise<Read> => {
  if (as === 'stream') return unread(response, maxBytes)
  const chunks = chunksOf(response, maxBytes)
  const length = Number(response.headers.get('content-length')) || 0
  return as === 'text' ? readText(chunks) : readBytes(chunks, length, maxBytes)
}

/** Of workerd's own, which other runtimes do not know. */
type FixedLength = {
  FixedLengthStream: new (length: number) => { readable: ReadableStream; writable: WritableStream<Uint8Array> }
}

/** A body as it is sent: with its length, so that a server that takes no chunks takes it. It breaks off where its source does. */
const streamed = ({ length, chunks }: StreamedBody): ReadableStream => {
  const { FixedLengthStream } = globalThis as unknown as FixedLength
  const { readable, writable } = new FixedLengthStream(length)
  const pump = async (): Promise<void> => {
    const writer = writable.getWriter()
    try {
      for await (const chunk of chunks) await writer.write(chunk)
      await writer.close()
    } catch (error) {
      await writer.abort(error).catch(() => {})
    }
  }
  void pump()
  return readable
}

type DnsAnswer = { Status?: number; Answer?: { type: number; data: string }[] }

/** Answers that say how a name stands (RFC 1035): it is known, or there is no such name. Anything else is a failure. */
const isVerdict = (status: number): boolean => status === 0 || status === 3

/** DNS over HTTPS in the JSON form (dns-json): the addresses of a name; undefined when the resolver does not say. */
const resolver = ({ dnsQueryUrl, userAgent, log, now }: Options) => {
  const kept = new Map<string, { until: number; addresses: string[] }>()
  const ask = async (host: string, type: 'A' | 'AAAA'): Promise<string[]> => {
    const url = `${dnsQueryUrl}?name=${encodeURIComponent(host)}&type=${type}`
    const response = await fetch(url, {
      headers: { accept: 'application/dns-json', 'user-agent': userAgent },
      signal: AbortSignal.timeout(DNS_TIMEOUT_MS),
    })
    const answer = (await response.json()) as DnsAnswer
    if (!response.ok || !isVerdict(answer.Status ?? 0)) throw new Error(`the resolver answered ${response.status}`)
    return (answer.Answer ?? []).filter((a) => a.type === 1 || a.type === 28).map((a) => a.data)
  }
  return async (host: string): Promise<string[] | undefined> => {
    const known = kept.get(host)
    if (known && known.until > now().getTime()) return known.addresses
    try {
      const addresses = (await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])).flat()
      if (kept.size >= KEPT_NAMES) kept.clear()
      if (addresses.length > 0) kept.set(host, { until: now().getTime() + DNS_KEPT_MS, addresses })
      return addresses
    } catch (error) {
      log('warn', 'outbound.dns_away', errorFields(error))
      return undefined
    }
  }
}

const isLoopbackAddress = (address: string): boolean => address.startsWith('127.') || address === '::1'

type Unfit = Extract<OutboundAnswer, { kind: 'forbidden' | 'unsent' }>

/** Judges an address by what its name resolves to, where DNS_QUERY_URL is set. Without a verdict nothing goes out. */
const addressGuard = (options: Options) => {
  const resolve = resolver(options)
  return async ({ hostname }: URL): Promise<Unfit | undefined> => {
    if (options.dnsQueryUrl === '' || /^[\d.]+$|^\[/.test(hostname) || isLoopbackHost(hostname)) return undefined
    const addresses = await resolve(hostname)
    if (addresses === undefined) return { kind: 'unsent', reason: 'lookup' }
    if (addresses.length === 0) return { kind: 'unsent', reason: 'no_host' }
    const isFit = (a: string) => isPublicAddress(a) || (options.allowLoopback && isLoopbackAddress(a))
    return addresses.every(isFit) ? undefined : { kind: 'forbidden' }
  }
}

/**
 * True if an address may be called, by its own words and by the addresses that its name resolves to.
 *
 * For requests that others than `createOutbound` make, such as a browser. A name that cannot be looked up may not be called.
 */
export const createGuard = (options: Options): ((url: string) => Promise<boolean>) => {
  const judge = addressGuard(options)
  return async (url) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    return !('refusal' in checked) && (await judge(checked.url)) === undefined
  }
}

/** Returns the reason for which nothing was sent, as a sentence for people. */
export const unsentReason = ({ reason }: Extract<OutboundAnswer, { kind: 'unsent' }>): string =>
  reason === 'no_host'
    ? 'The host of the address does not exist, so nothing was sent.'
    : 'The host of the address could not be looked up at the moment, so nothing was sent.'

/**
 * Returns the only way out to providers and to addresses of customers: public hosts only, no redirects, limits of time and size.
 *
 * A host is checked by name, and by what the name resolves to if DNS_QUERY_URL is set. The time limit is over request and body.
 * Dry runs do not get out.
 */
export const createOutbound = (options: Options): Outbound => {
  const judge = addressGuard(options)
  return async ({ url, method, headers, body, timeoutMs, maxBytes, as = 'text' }) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    if ('refusal' in checked) return { kind: 'forbidden' }
    const { host, pathname } = checked.url
    beforeCallingOut(() => ({ to: host, call: `${method} ${pathname}`, ...shownPayload(body) }))
    const unfit = await judge(checked.url)
    if (unfit) return unfit
    try {
      const init: RequestInit = {
        method,
        headers: identified(headers, options.userAgent),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }
      if (body !== undefined) init.body = typeof body === 'object' && 'chunks' in body ? streamed(body) : body
      return await waitingFor('outbound', async () => {
        const response = await fetch(checked.url, init)
        const read = await readCut(response, maxBytes, as)
        return { kind: 'answered', status: response.status, headers: response.headers, ...read }
      })
    } catch (error) {
      const timedOut = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      options.log('info', 'outbound.no_answer', { host: checked.url.host, timed_out: timedOut })
      return { kind: 'no_answer', reason: timedOut ? 'timeout' : 'connection' }
    }
  }
}
