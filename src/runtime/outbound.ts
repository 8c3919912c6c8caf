import { checkPublicUrl, isPublicAddress } from '../lib/urls.ts'
import { errorFields, type Log } from './log.ts'

/** One call to an address a customer gave. Redirects are never followed. */
type OutboundRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /** The answer is read up to here and cut; the rest is not fetched. */
  maxBytes: number
}

type OutboundAnswer =
  | { kind: 'answered'; status: number; headers: Headers; body: string; truncated: boolean }
  /** Nothing was sent: the address is not a public one. */
  | { kind: 'forbidden' }
  /** No complete answer. The request may have arrived all the same. */
  | { kind: 'no_answer'; reason: 'timeout' | 'connection' }

export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

type Options = { allowLoopback: boolean; dnsQueryUrl: string; log: Log; now: () => Date }

const DNS_TIMEOUT_MS = 3_000
const DNS_KEPT_MS = 60_000

/** Reads a body up to a limit of bytes and lets go of the rest. */
const readCut = async (response: Response, maxBytes: number): Promise<{ body: string; truncated: boolean }> => {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let body = ''
  let size = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    const rest = maxBytes - size
    size += value.byteLength
    body += decoder.decode(value.subarray(0, rest), { stream: true })
    if (size > maxBytes) {
      await reader.cancel()
      return { body, truncated: true }
    }
  }
  return { body: body + decoder.decode(), truncated: false }
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
  return async ({ url, method, headers, body, timeoutMs, maxBytes }) => {
    const checked = checkPublicUrl(url, options.allowLoopback)
    if ('refusal' in checked || !(await isAllowed(checked.url))) return { kind: 'forbidden' }
    try {
      const init: RequestInit = { method, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }
      if (headers) init.headers = headers
      if (body !== undefined) init.body = body
      const response = await fetch(checked.url, init)
      const read = await readCut(response, maxBytes)
      return { kind: 'answered', status: response.status, headers: response.headers, ...read }
    } catch (error) {
      const timedOut = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
      options.log('info', 'outbound.no_answer', { host: checked.url.host, timed_out: timedOut })
      return { kind: 'no_answer', reason: timedOut ? 'timeout' : 'connection' }
    }
  }
}
