import type { IncomingMessage, ServerResponse } from 'node:http'

/** One instruction to misbehave, as sent to `POST /_faults`. Rules are tried in order; the first that matches applies. */
export type FaultRule = {
  /** Substring of the request target; absent matches everything. */
  path?: string
  /** Substring of the request body. */
  body?: string
  /** The answer is sent exactly this long after the request arrived (or when ready, if that is later). */
  delay_ms?: number
  /** The work itself is begun this long after the request arrived, whether or not the caller still waits for it. */
  late_ms?: number
  /** Answer with this status (and `answer`, if any) instead of doing the work. */
  status?: number
  answer?: unknown
  /** Headers of that answer. */
  headers?: Record<string, string>
  /** `before`: close the connection without doing the work; `after`: do the work, then close without answering. */
  drop?: 'before' | 'after'
  /** Do the work this many times (at-least-once). */
  repeat?: number
  /** Deliveries held until this many have arrived, then released last first (message services only). */
  reorder?: number
  /** The rule ends after this many uses. */
  times?: number
}

export type Faults = {
  /**
   * Answers the control path (GET list, POST replace with one rule or an array, DELETE clear); false when the request
   * is not for it.
   */
  control: (req: IncomingMessage, res: ServerResponse, body: string) => boolean
  /** The first rule that matches, its `times` counted down; undefined when the service is to behave. */
  take: (target: string, body: string) => FaultRule | undefined
  /** Replaces the rules from inside the process. */
  set: (given: readonly FaultRule[]) => void
}

/**
 * A fault table for one local service, answering at `controlPath`. Control needs no token: the services listen on
 * loopback only.
 */
export const createFaults = (controlPath = '/_faults'): Faults => {
  let rules: (FaultRule & { used: number })[] = []

  const take = (target: string, body: string): FaultRule | undefined => {
    const rule = rules.find(
      (r) =>
        (r.path === undefined || target.includes(r.path)) &&
        (r.body === undefined || body.includes(r.body)) &&
        (r.times === undefined || r.used < r.times),
    )
    if (rule) rule.used += 1
    return rule
  }

  const set = (given: readonly FaultRule[]): void => {
    rules = given.map((rule) => ({ ...rule, used: 0 }))
  }

  const control = (req: IncomingMessage, res: ServerResponse, body: string): boolean => {
    if (!req.url?.startsWith(controlPath)) return false
    if (req.method === 'DELETE') rules = []
    if (req.method === 'POST') {
      const given = JSON.parse(body) as FaultRule | FaultRule[]
      set(Array.isArray(given) ? given : [given])
    }
    const text = JSON.stringify({ rules })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
    return true
  }

  return { control, take, set }
}
