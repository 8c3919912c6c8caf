import { checkPublicUrl, isPublicAddress } from '../lib/urls.ts'
import { errorFields, type Log } from './log.ts'

/** One call to an address a customer gave. Redirects are never followed. */
type OutboundRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
  timeoutMs: number
  /** The answer is read up to here and cut; the rest is not fetched. */
  maxBytes: number
  /** `bytes` hands the answer over undecoded, as `bytes`; `body` is empty then. */
  as?: 'text' | 'bytes'
}

type Read = { body: string; bytes: Uint8Array<ArrayBuffer>; truncated: boolean }

type OutboundAnswer =
  | ({ kind: 'answered'; status: number; headers: Headers } & Read)
  /** Nothing was sent: the address is not a public one. */
  | { kind: 'forbidden' }
  /** No complete answer. The request may have arrived all the same. */
  | { kind: 'no_answer'; reason: 'timeout' | 'connection' }

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

type Options = { allowLoopback: boolean; dnsQueryUrl: string; log: Log; now: () => Date }

const DNS_TIMEOUT_MS = 3_000
const DNS_KEPT_MS = 60_000

const NONE = new Uint8Array(0)

const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size)
  let place = 0
  for (const chunk of chunks) {
    bytes.set(chunk, place)
    place += chunk.byteLength
  }
  return bytes
}

/** Reads a body up to a limit of bytes and lets go of the rest. */
const readCut = async (response: Response, maxBytes: number, as: 'text' | 'bytes'): Promise<Read> => {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  let truncated = false
  while (reader && !truncated) {
    const { done, value } = await reader.read()
    if (done) break
    truncated = size + value.byteLength > maxBytes
    const kept = value.subarray(0, maxBytes - size)
    chunks.push(kept)
    size += kept.byteLength
    if (truncated) await reader.cancel()
  }
  const bytes = joined(chunks, size)
  // A character cut in two at the limit is left out.
  if (as === 'text') return { body: new TextDecoder().decode(bytes, { stream: truncated }), bytes: NONE, truncated }
  return { body: '', bytes, truncated }
}

/** DNS over HTTPS in the JSON form (dns-json): the addresses of a name. */
const resolver = ({ dnsQueryUrl, log, now }: Options) => {
  const kept = new Map<string, { until: number; addresses: string[] }>()
  const ask = async (host: string, type: 'A' | 'AAAA'): Promise<string[]> => {
    const url = `${dnsQueryUrl}?name=${encodeURIComponent(host)}&type=${type}`
    const response = await fetch(url, {
      headers: { accept: 'application/dns-json' },
      signal: AbortSignal.timeout(DNS_TIMEOUT_MS),
    })
    const answer = (await response.json()) as { Answer?: { type: number; data: string }[] }
    return (answer.Answer ?? []).filter((a) => a.type === 1 || a.type === 28).map((a) => a.data)
  }
  return async (host: string): Promise<string[]> => {
    const known = kept.get(host)
    if (known && known.until > now().getTime()) return known.addresses
    try {
      const addresses = (await Promise.all([ask(host, 'A'), ask(host, 'AAAA')])).flat()
      if (kept.size > 1_000) kept.clear()
      kept.set(host, { until: now().getTime() + DNS_KEPT_MS, addresses })
      return addresses
    } catch (error) {
      log('warn', 'outbound.dns_away', errorFields(error))
      return []
    }
  }
}

const isLoopbackAddress = (address: string): boolean => address.startsWith('127.') || address === '::1'

/**
 * The only way out to addresses customers give: public hosts only (checked by name, and by what the name resolves to
 * where DNS_QUERY_URL is set), no redirects, a time limit over request and body, a size limit on what is read.
 */
export const createOutbound = (options: Options): Outbound => {
  const resolve = resolver(options)
  const isAllowed = async (url: URL): Promise<boolean> => {
    if (options.dnsQueryUrl === '' || /^[\d.]+$|^\[/.test(url.hostname)) return true
    const addresses = await resolve(url.hostname)
    return addresses.every((a) => isPublicAddress(a) || (options.allowLoopback && isLoopbackAddress(a)))
  }
  return async ({ url, method, headers, body, timeoutMs, maxBytes, as = 'text' }) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    if ('refusal' in checked || !(await isAllowed(checked.url))) return { kind: 'forbidden' }
    try {
      const init: RequestInit = { method, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }
      if (headers) init.headers = headers
      if (body !== undefined) init.body = body
      const response = await fetch(checked.url, init)
      const read = await readCut(response, maxBytes, as)
      return { kind: 'answered', status: response.status, headers: response.headers, ...read }
    } catch (error) {
      const timedOut = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      options.log('info', 'outbound.no_answer', { host: checked.url.host, timed_out: timedOut })
      return { kind: 'no_answer', reason: timedOut ? 'timeout' : 'connection' }
    }
  }
}
