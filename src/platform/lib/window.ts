/** Counts events per key over a sliding window, in this isolate's memory. */
export type LocalWindow = {
  /** Counts one event at `nowMs` if there is room; the rest of the allowance and when the oldest event leaves (s). */
  take: (key: string, nowMs: number) => { allowed: boolean; remaining: number; resetS: number }
}

const MAX_KEYS = 10_000

const forget = (log: Map<string, number[]>): void => {
  for (const oldest of log.keys()) {
    if (log.size <= MAX_KEYS) return
    log.delete(oldest)
  }
}

/** Creates a sliding log of at most `limit` events in `windowMs` per key; the longest unused keys are forgotten past 10,000. */
export const createLocalWindow = (limit: number, windowMs: number): LocalWindow => {
  const log = new Map<string, number[]>()
  const take: LocalWindow['take'] = (key, nowMs) => {
    const recent = (log.get(key) ?? []).filter((at) => at > nowMs - windowMs)
    const allowed = recent.length < limit
    if (allowed) recent.push(nowMs)
    log.delete(key)
    log.set(key, recent)
    forget(log)
    const resetS = Math.max(1, Math.ceil(((recent[0] ?? nowMs) + windowMs - nowMs) / 1000))
    return { allowed, remaining: limit - recent.length, resetS }
  }
  return { take }
}
