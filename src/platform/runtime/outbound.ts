import type { StreamedBody } from '../lib/multipart.ts'
import { waitingFor } from '../lib/request-scope.ts'
import type { RequestSigner } from '../lib/request-signature.ts'
import { checkPublicUrl, isLoopbackHost, isPublicAddress } from '../lib/urls.ts'
import { VERSION } from '../lib/version.generated.ts'
import { guardOutsideCall, shownPayload } from './dry-run.ts'
import { errorFields, type Log } from './log.ts'

/** One call to an address outside. Redirects are never followed. */
type OutboundRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** True for a read whose answer decides what follows. Dry runs make it, too. */
  decides?: boolean
  /** A `User-Agent` among them replaces the service's own. */
  headers?: Record<string, string>
  /** True for a read of a site's pages: signed, if the service has a key for it, so that the site's wall knows who asks. */
  signs?: boolean
  body?: string | Uint8Array<ArrayBuffer> | FormData | StreamedBody
  timeoutMs: number
  /** Largest number of bytes read of the body. The rest is not fetched. */
  maxBytes: number
  /** `bytes` returns the answer undecoded as `bytes`; `body` is empty then. `stream` returns the answer unread. */
  as?: 'text' | 'bytes' | 'stream'
}

type Stream = {
  /** The bytes as they arrive. Throws if the connection breaks or the time limit ends. */
  chunks: AsyncIterable<Uint8Array>
  /** Closes the connection of an answer that will not be read. */
  letGo: () => Promise<void>
}

/**
 * Body of an answer. `stream` exists only if the request asked for it.
 *
 * `truncated`: the body is longer than `maxBytes`. `incomplete`: it broke off before its end. What arrived is in `body` or `bytes`.
 */
type Read = {
  body: string
  bytes: Uint8Array<ArrayBuffer>
  truncated: boolean
  incomplete: boolean
  stream?: Stream
}

type OutboundAnswer =
  | ({ kind: 'answered'; status: number; headers: Headers } & Read)
  /** Nothing was sent: the address is not a public one. */
  | { kind: 'forbidden' }
  /** Nothing was sent: the host has no addresses, or they could not be looked up, so they may not be public. */
  | { kind: 'unsent'; reason: 'lookup' | 'no_host' }
  /** No status arrived. The request may have arrived all the same. */
  | { kind: 'no_answer'; reason: 'timeout' | 'connection' }

/** Makes a call to an address outside. Never throws for an answer that is missing, only at the end of a dry run. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

type Options = {
  allowLoopback: boolean
  dnsQueryUrl: string
  userAgent: string
  /** Undefined: no request is signed. */
  signer?: RequestSigner | undefined
  log: Log
  now: () => Date
}

/**
 * Returns the service's `User-Agent`.
 *
 * A Worker's `fetch` sends none by itself. Providers behind Cloudflare's Browser Integrity Check refuse a request without one
 * (403, error code 1010).
 */
export const userAgentOf = ({ serviceName, publicUrl }: { serviceName: string; publicUrl: string }): string =>
  `${serviceName}/${VERSION}${publicUrl === '' ? '' : ` (+${publicUrl})`}`

const identified = (headers: Record<string, string> | undefined, userAgent: string): Headers => {
  const sent = new Headers(headers)
  if (!sent.has('user-agent')) sent.set('user-agent', userAgent)
  return sent
}

/** Returns a `fetch` that sends the service's `User-Agent`, for SDKs with addresses that the operator sets. */
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

/** Returns a buffer of at least `needed` bytes: the same one, or a larger copy. It is never larger than `limit`. */
const roomFor = (bytes: Uint8Array<ArrayBuffer>, needed: number, limit: number): Uint8Array<ArrayBuffer> => {
  if (needed <= bytes.length) return bytes
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, 2 * bytes.length)))
  larger.set(bytes)
  return larger
}

/** Yields the chunks of a body as they arrive. Throws if the body is larger than `maxBytes`. */
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

type End = Pick<Read, 'truncated' | 'incomplete'>

const WHOLE: End = { truncated: false, incomplete: false }
const TRUNCATED: End = { truncated: true, incomplete: false }
const INCOMPLETE: End = { truncated: false, incomplete: true }

type Chunks = (take: (chunk: Uint8Array) => void) => Promise<End>

/** Returns a function that reads a body chunk by chunk up to `maxBytes` and cancels the rest. Resolves to how the body ended. */
const chunksOf =
  (response: Response, maxBytes: number): Chunks =>
  async (take) => {
    const reader = response.body?.getReader()
    let size = 0
    while (reader) {
      const chunk = await reader.read().catch(() => undefined)
      if (chunk === undefined) return INCOMPLETE
      if (chunk.done) return WHOLE
      const kept = chunk.value.subarray(0, maxBytes - size)
      take(kept)
      size += kept.byteLength
      if (kept.byteLength < chunk.value.byteLength) {
        await reader.cancel().catch(() => {})
        return TRUNCATED
      }
    }
    return WHOLE
  }

/** Returns the text of a body (UTF-8), decoded as it arrives. A character that the end of the bytes cuts in two is left out. */
const readText = async (chunks: Chunks): Promise<Read> => {
  const decoder = new TextDecoder()
  let body = ''
  const end = await chunks((chunk) => {
    body += decoder.decode(chunk, { stream: true })
  })
  return { body: end === WHOLE ? body + decoder.decode() : body, bytes: NONE, ...end }
}

/** Returns the bytes of a body in one buffer. A correct Content-Length sets its size; otherwise it grows. */
const readBytes = async (chunks: Chunks, expected: number, maxBytes: number): Promise<Read> => {
  let bytes = new Uint8Array(Math.min(expected, maxBytes))
  let size = 0
  const end = await chunks((chunk) => {
    bytes = roomFor(bytes, size + chunk.byteLength, maxBytes)
    bytes.set(chunk, size)
    size += chunk.byteLength
  })
  return { body: '', bytes: bytes.subarray(0, size), ...end }
}

const unread = (response: Response, maxBytes: number): Read => ({
  body: '',
  bytes: NONE,
  ...WHOLE,
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

/** Class of workerd that other runtimes do not have. */
type FixedLength = {
  FixedLengthStream: new (length: number) => { readable: ReadableStream; writable: WritableStream<Uint8Array> }
}

/** Returns a body as a stream with a known length, for servers that accept no chunked requests. Aborts if its source fails. */
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

/** True if a DNS status answers the query (RFC 1035): the name exists, or it does not. Any other status is a failure. */
const isVerdict = (status: number): boolean => status === 0 || status === 3

/**
 * Returns a resolver that uses DNS over HTTPS in its JSON form (dns-json). It returns a name's addresses; undefined if the lookup
 * fails.
 */
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

/**
 * Returns a check of the addresses that a host name resolves to. Without DNS_QUERY_URL it checks nothing.
 *
 * If the lookup fails, nothing is sent.
 */
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
 * Returns a function: true if a URL may be called, judged by its host and by the addresses that the host resolves to.
 *
 * For requests that others than `createOutbound` make, such as a browser. A host that cannot be looked up may not be called.
 */
export const createGuard = (options: Options): ((url: string) => Promise<boolean>) => {
  const judge = addressGuard(options)
  return async (url) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    return !('refusal' in checked) && (await judge(checked.url)) === undefined
  }
}

/** Returns a sentence for people that says why nothing was sent. */
export const unsentReason = ({ reason }: Extract<OutboundAnswer, { kind: 'unsent' }>): string =>
  reason === 'no_host'
    ? 'The host of the address does not exist, so nothing was sent.'
    : 'The host of the address could not be looked up at the moment, so nothing was sent.'

/**
 * Returns the only way to call providers and customers' addresses: public hosts, no redirects, limits of time and size.
 *
 * An answer begins with its status: if the body then breaks off or takes too long, the result is `answered` and `incomplete`. A host is checked by its name, and by the addresses it resolves to if DNS_QUERY_URL is set. The time limit covers request and
 * body. In dry runs nothing is sent, except reads that decide what follows.
 */
export const createOutbound = (options: Options): Outbound => {
  const judge = addressGuard(options)
  return async ({ url, method, decides = false, headers, signs, body, timeoutMs, maxBytes, as = 'text' }) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    if ('refusal' in checked) return { kind: 'forbidden' }
    const { host, pathname } = checked.url
    if (!decides) guardOutsideCall(() => ({ to: host, call: `${method} ${pathname}`, ...shownPayload(body) }))
    const unfit = await judge(checked.url)
    if (unfit) return unfit
    const signature = signs ? await options.signer?.(method, checked.url, options.now()) : undefined
    try {
      const init: RequestInit = {
        method,
        headers: identified({ ...headers, ...signature }, options.userAgent),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }
      if (body !== undefined) init.body = typeof body === 'object' && 'chunks' in body ? streamed(body) : body
      return await waitingFor('outbound', async () => {
        const response = await fetch(checked.url, init)
        const read = await readCut(response, maxBytes, as)
        if (read.incomplete) options.log('info', 'outbound.incomplete', { host: checked.url.host })
        return { kind: 'answered', status: response.status, headers: response.headers, ...read }
      })
    } catch (error) {
      const timedOut = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      options.log('info', 'outbound.no_answer', { host: checked.url.host, timed_out: timedOut })
      return { kind: 'no_answer', reason: timedOut ? 'timeout' : 'connection' }
    }
  }
}
