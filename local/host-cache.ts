import type { IncomingMessage } from 'node:http'
import type { Answer, Outcome } from './receiver/answers.ts'

/** Way in which a host caches reads. `says`: it names a kept answer with `Age` and `X-Cache`, as most do. */
export type HostCaching = { now: () => Date; ms: number; says: boolean }

/** Parameters that no API knows. The cache leaves them out when it compares addresses. */
const UNKNOWN = ['fresh']

const keyOf = ({ url = '/' }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, 'http://host')
  for (const name of UNKNOWN) searchParams.delete(name)
  return `${pathname}?${searchParams}`
}

/**
 * Creates the cache of a host in front of a stand-in, which is off at first. It answers GET for a time, whatever the caller's
 * `Cache-Control`.
 */
export const createHostCache = () => {
  let caching: HostCaching | undefined
  const kept = new Map<string, { atMs: number; answer: Answer }>()
  const set = (given: HostCaching | undefined): void => {
    caching = given
    kept.clear()
  }
  const answerTo = (req: IncomingMessage): Answer | undefined => {
    const known = caching && req.method === 'GET' ? kept.get(keyOf(req)) : undefined
    if (!caching || !known) return undefined
    const ageMs = caching.now().getTime() - known.atMs
    if (ageMs >= caching.ms) return undefined
    const age = { age: String(Math.max(1, Math.floor(ageMs / 1000))), 'x-cache': 'HIT' }
    return { ...known.answer, headers: { ...known.answer.headers, ...(caching.says ? age : {}) } }
  }
  const keep = (req: IncomingMessage, outcome: Outcome): void => {
    if (!caching || req.method !== 'GET' || outcome.kind !== 'send' || outcome.answer.status >= 500) return
    kept.set(keyOf(req), { atMs: caching.now().getTime(), answer: outcome.answer })
  }
  return { set, answerTo, keep }
}
