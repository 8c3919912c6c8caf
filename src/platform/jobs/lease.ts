/** Jobs whose run may wait for a slow provider: an answer of an AI engine (125 s), a picture (180 s). */
export const LONG_RUNS: ReadonlySet<string> = new Set(['visibility.ask', 'writing.step'])

const LEASE_MS = 120_000
/** Work whose run died is late by this much; an alarm rings at 300 s. */
const LONG_LEASE_MS = 220_000
/** A run in another Worker ends this much before its lease. */
const EARLIER_MS = 10_000

/** Returns until when a run holds its row that begins now. */
export const leaseOf = (now: Date, isLong: boolean): Date =>
  new Date(now.getTime() + (isLong ? LONG_LEASE_MS : LEASE_MS))

/** Returns how long a run of a job in another Worker may take, ms. */
export const runMsOf = (job: string): number => (LONG_RUNS.has(job) ? LONG_LEASE_MS : LEASE_MS) - EARLIER_MS
