const LEASE_MS = 120_000
/** Lease of a slow job. Work whose run died is late by this much; an alarm rings at 300 s. */
const SLOW_LEASE_MS = 220_000
/** A run in another Worker ends this much before its lease. */
const EARLIER_MS = 10_000

/** Returns until when a run that begins now holds its row. */
export const leaseOf = (now: Date, isSlow: boolean): Date =>
  new Date(now.getTime() + (isSlow ? SLOW_LEASE_MS : LEASE_MS))

/** Returns how long a run of a job in another Worker may take, ms. */
export const runMsOf = (isSlow: boolean): number => (isSlow ? SLOW_LEASE_MS : LEASE_MS) - EARLIER_MS
