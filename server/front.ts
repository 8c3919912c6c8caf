import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, BlockList, isIP, isIPv6 } from 'node:net'
import { KEEP_ALIVE_MS } from '../local/loopback.ts'
import { type Answer, json, send } from '../local/receiver/answers.ts'
import { prefixOf } from '../src/platform/http/address.ts'
import { ServerFault } from './fault.ts'
import { closeServer, type Serving } from './socket.ts'

/** Returns an address without the prefix that marks IPv4 in IPv6; undefined for a text that is no address. */
const plainAddress = (text: string | undefined): string | undefined => {
  const address = (text ?? '').trim().replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(address) === 0 ? undefined : address
}

/** Returns a check whether an address is in one of the networks, such as `10.0.0.0/8` or `::1`. */
export const inNetworks = (networks: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const kind = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, kind)
    else list.addSubnet(address, Number(bits), kind)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/**
 * Returns the address of the caller: the last one in `X-Forwarded-For` that no trusted proxy has. The header of a peer
 * that is no trusted proxy is not believed.
 */
export const callerOf = (
  peer: string | undefined,
  forwarded: string | undefined,
  isTrusted: (address: string) => boolean,
): string => {
  let caller = plainAddress(peer) ?? 'local'
  for (const hop of (forwarded ?? '').split(',').toReversed()) {
    const address = plainAddress(hop)
    if (caller === 'local' || !isTrusted(caller) || address === undefined) break
    caller = address
  }
  return caller
}

/** Headers that only Cloudflare or a proxy sets. Workers believe them, so callers may not send them. */
const RESERVED = /^(?:cf-|x-forwarded-|x-real-ip$|forwarded$|true-client-ip$)/

const headersFor = (sent: IncomingHttpHeaders, caller: string, publicUrl: URL): IncomingHttpHeaders => ({
  ...Object.fromEntries(Object.entries(sent).filter(([name]) => !RESERVED.test(name))),
  host: publicUrl.host,
  'cf-connecting-ip': caller,
  'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
})

export type FrontOptions = {
  host: string
  port: number
  publicUrl: string
  trustedProxies: readonly string[]
  /** Most requests of one address in a minute. */
  mostPerMinute?: number
  /** Resolves with the Workers' socket as soon as they run; undefined if they do not start in time. */
  workers: () => Promise<string | undefined>
}

/** Running front: `requests` counts those that run now and those since the start, by the first digit of the status. */
export type Front = Serving & { port: number; open: () => number; counts: Record<string, number> }

const AWAY = json(
  503,
  {
    error: 'The service is starting again. It is not known whether anything was changed; repeat the call shortly.',
    code: 'unavailable',
    retryable: true,
    retry_after: 5,
  },
  { 'retry-after': '5' },
)

/** Most requests of one address in a minute, before the limits of keys. Many customers may share an address. */
const MOST_PER_MINUTE = 6_000
const MINUTE_MS = 60_000

/** Returns a function: true if an address, or its IPv6 network, has sent more than `most` requests in this minute. */
const createFloodCheck = (most: number): ((caller: string) => boolean) => {
  let minute = 0
  let counts = new Map<string, number>()
  return (caller) => {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) counts = new Map()
    minute = now
    const address = prefixOf(caller, 64)
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count > most
  }
}

const flooding = (): Answer => {
  const seconds = Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1_000)
  const error = 'Too many requests from this address. Send fewer, and repeat this one later.'
  const body = { error, code: 'rate_limited', retryable: true, retry_after: seconds, policy: 'address' }
  return json(429, body, { 'retry-after': String(seconds) })
}

/** Passes a request to the Workers, and their answer back. Answers 503 if they do not answer. */
const pass = (
  req: IncomingMessage,
  res: ServerResponse,
  { socketPath, headers }: { socketPath: string; headers: IncomingHttpHeaders },
): void => {
  const onward = request({ socketPath, path: req.url, method: req.method, headers, agent: false }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => res.destroy())
    answer.pipe(res)
  })
  onward.on('error', () => {
    if (res.headersSent) res.destroy()
    else if (!res.closed) send(res, AWAY)
  })
  res.on('close', () => onward.destroy())
  req.pipe(onward)
}

/**
 * Serves the address that the proxy calls. It believes the proxy alone about the caller's address, and passes everything
 * to the Workers. While they start again, requests wait.
 */
export const serveFront = async (options: FrontOptions): Promise<Front> => {
  const isTrusted = inNetworks(options.trustedProxies)
  const publicUrl = new URL(options.publicUrl)
  const isFlooding = createFloodCheck(options.mostPerMinute ?? MOST_PER_MINUTE)
  const counts: Record<string, number> = {}
  let open = 0
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    open += 1
    res.once('close', () => {
      open -= 1
      const kind = `${Math.floor(res.statusCode / 100)}xx`
      counts[kind] = (counts[kind] ?? 0) + 1
    })
    if (!req.url?.startsWith('/')) return send(res, json(400, { error: 'Bad Request' }))
    const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',')
    const caller = callerOf(req.socket.remoteAddress, forwarded, isTrusted)
    if (isFlooding(caller)) return send(res, flooding())
    const socketPath = await options.workers()
    if (socketPath === undefined) return send(res, AWAY)
    pass(req, res, { socketPath, headers: headersFor(req.headers, caller, publicUrl) })
  }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    handle(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'EADDRINUSE'
            ? new ServerFault(
                `Port ${options.port} of ${options.host} is taken by another program.`,
                'Stop that program, or choose another port: LISTEN in galley.env, and the same in the proxy.',
              )
            : error,
        ),
      )
      .listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, open: () => open, counts, close: (graceMs = 0) => closeServer(server, graceMs) }
}
