import { DAY_MS } from '../../platform/lib/time.ts'

const MONDAY = 1
const HOUR = 6

/** Returns the last Monday 06:00 UTC at or before an instant. */
const lastRunBefore = (now: Date): Date => {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR))
  const days = (start.getUTCDay() - MONDAY + 7) % 7
  const monday = new Date(start.getTime() - days * DAY_MS)
  return monday > now ? new Date(monday.getTime() - 7 * DAY_MS) : monday
}

/** Returns the next Monday 06:00 UTC after an instant. */
export const nextRunAfter = (now: Date): Date => new Date(lastRunBefore(now).getTime() + 7 * DAY_MS)
