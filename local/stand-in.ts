import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults, type FaultRule, type Faults } from './faults.ts'
import { createHostCache, type HostCaching } from './host-cache.ts'
import { type Loopback, serveLoopback } from './loopback.ts'
import type { Published, Unfit } from './published.ts'
import { type Answer, json, readBody, send, settle } from './receiver/answers.ts'
import { faultDelayMs, outcomeLater } from './receiver/fault-outcome.ts'
import type { StandInRequest } from './stand-in-request.ts'

export type StandInOptions = {
  port?: number
  /** Answers a request of the provider's API, and does its work. */
  answer: (request: StandInRequest) => Answer | Promise<Answer>
  /** Returns the answer of `GET /_posts`. */
  posts?: () => unknown
  /** Called with each request before its answer, even if a rule of `/_faults` applies. */
  heard?: (request: StandInRequest) => void
  /** Returns the provider's answer with a status, for a rule that has a status only. Absent: an empty answer. */
  refusal?: (status: number) => Answer
  /** Refuses requests that do not fit the provider's published schema. */
  published?: { schema: Published; refused: (unfit: Unfit, request: StandInRequest) => Answer }
  /** Limits on simultaneous requests. */
  atOnce?: AtOnce
  /** Called for each request to which no rule of `/_faults` applies. Returns a fault, or undefined. */
  trouble?: ((request: StandInRequest) => FaultRule | undefined) | undefined
}

/** Number of requests that a provider accepts at once in each group, and its answer to one more. */
type AtOnce = { most: number; groupOf: (request: StandInRequest) => string | undefined; refused: Answer }

export type StandIn = Loopback & {
  /** Returns the largest number of simultaneous requests of a group since the last call. */
  busiest: (group: string) => number
  faults: Faults
  /** Puts a host that caches reads in front of the provider, or removes it. */
  cacheReads: (caching: HostCaching | undefined) => void
  /** Every request in order, as `METHOD path`. */
  calls: string[]
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

/** A picture of one pixel, for adapters that fetch what they upload. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Returns the parsed JSON of a body that is said to be JSON. Providers ignore a body without its type, or refuse it. */
const bodyOf = (raw: Buffer, type = ''): unknown => {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return undefined
  try {
    return JSON.parse(raw.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/** Answer of Cloudflare's Browser Integrity Check to a request without a User-Agent, before the provider sees it. */
const UNIDENTIFIED: Answer = { status: 403, headers: { 'content-type': 'text/plain' }, body: 'error code: 1010' }

/** Counts the open requests of each group. */
const createCounts = () => {
  const [now, most] = [new Map<string, number>(), new Map<string, number>()]
  const add = (group: string, by: number): number => {
    const count = (now.get(group) ?? 0) + by
    now.set(group, count)
    most.set(group, Math.max(count, most.get(group) ?? 0))
    return count
  }
  const busiest = (group: string): number => {
    const count = most.get(group) ?? 0
    most.delete(group)
    return count
  }
  return { add, busiest }
}

/** Returns the method of a request. WordPress treats a POST with this header as another method. */
export const methodOf = ({ method = 'GET', headers }: IncomingMessage): string =>
  method === 'POST' ? String(headers['x-http-method-override'] ?? method) : method

const noText = (status: number): Answer => ({ status, headers: {}, body: '' })

const serve = async (
  { answer, posts, trouble, heard, refusal = noText, published, atOnce }: StandInOptions,
  {
    faults,
    calls,
    counts,
    cache,
  }: Pick<StandIn, 'faults' | 'calls'> & {
    counts: ReturnType<typeof createCounts>
    cache: ReturnType<typeof createHostCache>
  },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  const arrivedMs = performance.now()
  const raw = await readBody(req, MAX_BODY_BYTES)
  const text = raw.toString('utf8')
  if (faults.control(req, res, text)) return
  const url = new URL(req.url ?? '/', 'http://stand-in')
  if (url.pathname === '/_posts' && posts) return send(res, json(200, posts()))
  if (url.pathname === '/_image.png' || url.pathname === '/_image')
    return send(res, { status: 200, headers: { 'content-type': 'image/png' }, body: PNG })
  if (!req.headers['user-agent']) return send(res, UNIDENTIFIED)
  const old = cache.answerTo(req)
  if (old) return send(res, old)
  const method = methodOf(req)
  const request: StandInRequest = {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: req.headers,
    body: bodyOf(raw, req.headers['content-type']),
    raw,
  }
  calls.push(`${request.method} ${request.path}`)
  const group = atOnce?.groupOf(request)
  if (atOnce && group !== undefined) {
    const count = counts.add(group, 1)
    res.once('close', () => counts.add(group, -1))
    if (count > atOnce.most) return send(res, atOnce.refused)
  }
  heard?.(request)
  const scripted = faults.take(`${method} ${req.url}`, text)
  const fault = scripted ?? trouble?.(request)
  const unfit = published?.schema.unfit(request)
  const work = async () => (published && unfit ? published.refused(unfit, request) : answer(request))
  const outcome = await outcomeLater(fault, work, refusal)
  if (scripted?.hold) await scripted.gone
  cache.keep(req, outcome)
  await settle(res, outcome, arrivedMs + faultDelayMs(fault))
}

/**
 * Returns a rule that delays one in `oneIn` of a provider's answers, drawn by a seed. A long delay outlasts the caller.
 */
export const slowAnswers = (path: string, delayMs: number, seed: number, oneIn = 20): FaultRule => ({
  path,
  delay_ms: delayMs,
  one_in: oneIn,
  seed,
})

/**
 * Starts a stand-in of a provider on 127.0.0.1. Rejects if the port is taken.
 *
 * Its API is `answer`, for requests with a `User-Agent` that fit the published schema, if there is one. `GET /_posts` shows its data, `/_image.png` is a picture, and
 * `/_faults` makes it misbehave.
 */
export const startStandIn = async (options: StandInOptions): Promise<StandIn> => {
  const faults = createFaults()
  const calls: string[] = []
  const counts = createCounts()
  const cache = createHostCache()
  const server = await serveLoopback(
    (req, res) => serve(options, { faults, calls, counts, cache }, req, res),
    (error) => json(500, { message: String(error) }),
    options.port,
  )
  return { ...server, faults, cacheReads: cache.set, calls, busiest: counts.busiest }
}
