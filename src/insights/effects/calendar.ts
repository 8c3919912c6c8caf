import { DAY_MS } from '../../platform/lib/time.ts'

/** 28 days after the change, the three until their numbers are final, and the one on which they are fetched. */
const MEASURED_AFTER_DAYS = 32
/** Data that are not there by then will not come. */
const GIVEN_UP_AFTER_DAYS = 60

const after = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

/** Returns the first day on which a change can be measured. */
export const measuredFrom = (changedAt: Date): Date => after(changedAt, MEASURED_AFTER_DAYS)

/** True if to wait for its data no longer. */
export const isGivenUp = (changedAt: Date, now: Date): boolean => now >= after(changedAt, GIVEN_UP_AFTER_DAYS)

/** Returns the time of the next attempt. */
export const nextTry = (now: Date): Date => after(now, 1)
