import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** One instruction to misbehave, as sent to `POST /_faults`. Rules are tried in order; the first that matches applies. */
export type FaultRule = {
  /** Substring of the request target; absent matches everything. */
  path?: string
  /** Substring of the request body. */
  body?: string
  /** The answer is sent exactly this long after the request arrived, or when it is ready, if that is later. */
  delay_ms?: number
  /**
   * The answer waits until the rule is removed (stand-ins of providers, deliveries). At the database, its work waits
   * too.
   */
  hold?: boolean
  /** The work begins this long after the request arrived, even if the caller no longer waits for it. */
  late_ms?: number
  /** Answer with this status (and `answer`, if any) instead of doing the work. */
  status?: number
  answer?: unknown
  /** Headers of that answer. */
  headers?: Record<string, string>
  /** `before`: close the connection without doing the work; `after`: do the work, then close without answering. */
  drop?: 'before' | 'after'
  /** Does the work, then sends only the first half of the answer. */
  half?: boolean
  /** The database only: the connection breaks after this many statements of a transaction, before its end. */
  cut?: number
  /** Do the work this many times (at-least-once). */
  repeat?: number
  /** Deliveries held until this many have arrived, then released last first (message services only). */
  reorder?: number
  /** The rule ends after this many uses. */
  times?: number
  /** Applies to one request in so many, drawn by `seed`. */
  one_in?: number
  seed?: number
}

/** Rule in use. `gone` resolves when it ends. */
type TakenRule = FaultRule & { gone: Promise<void> }

/** Fault rules of one local service, and the control path that sets them. */
export type Faults = {
  /**
   * Answers requests to the control path: GET lists the rules, POST replaces them with one or an array, DELETE removes
   * them.
   *
   * Returns false for other requests. With `?of=NAME` only the rules of that name are affected, so that several users
   * of the service do not disturb each other.
   */
  control: (req: IncomingMessage, res: ServerResponse, body: string) => boolean
  /**
   * Returns the first rule that matches, with its `times` counted down; undefined if the service should behave
   * normally.
   */
  take: (target: string, body: string) => TakenRule | undefined
  /** Replaces the rules from inside the process. */
  set: (given: readonly FaultRule[]) => void
}

type Rule = TakenRule & { used: number; seen: number; end: () => void }

const begun = (rule: FaultRule): Rule => {
  let end = () => {}
  const gone = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ...rule, used: 0, seen: 0, gone, end }
}

/** True if a rule that fits applies to this request. */
const isDrawn = (rule: Rule): boolean => {
  if (rule.one_in === undefined) return true
  rule.seen += 1
  const drawn = createHash('sha256')
    .update(`${rule.seed ?? 0} ${rule.seen}`)
    .digest()
    .readUInt32BE(0)
  return drawn % rule.one_in === 0
}

/**
 * Creates a fault table for one local service, answering at `controlPath`. Control needs no token: the services listen on
 * loopback only.
 */
export const createFaults = (controlPath = '/_faults'): Faults => {
  const sets = new Map<string, Rule[]>()
  const all = () => [...sets.values()].flat()

  const take = (target: string, body: string): TakenRule | undefined => {
    const rule = all().find(
      (r) =>
        (r.path === undefined || target.includes(r.path)) &&
        (r.body === undefined || body.includes(r.body)) &&
        (r.times === undefined || r.used < r.times) &&
        isDrawn(r),
    )
    if (rule) rule.used += 1
    return rule
  }

  const put = (name: string | null, given: readonly FaultRule[]): void => {
    for (const { end } of name === null ? all() : (sets.get(name) ?? [])) end()
    if (name === null) sets.clear()
    sets.set(name ?? '', given.map(begun))
  }

  const control = (req: IncomingMessage, res: ServerResponse, body: string): boolean => {
    if (!req.url?.startsWith(controlPath)) return false
    const name = new URL(req.url, 'http://faults').searchParams.get('of')
    if (req.method === 'DELETE') put(name, [])
    if (req.method === 'POST') {
      const given = JSON.parse(body) as FaultRule | FaultRule[]
      put(name, Array.isArray(given) ? given : [given])
    }
    const shown = name === null ? all() : (sets.get(name) ?? [])
    const text = JSON.stringify({ rules: shown.map(({ gone: _, ...rule }) => rule) })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
    return true
  }

  return { control, take, set: (given) => put(null, given) }
}
