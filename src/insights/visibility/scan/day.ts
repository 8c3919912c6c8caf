import { DAY_MS } from '../../../platform/lib/time.ts'
/** Midnight UTC of an instant's day. */
export const dayOf = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS)

/** Seconds until the next midnight UTC. */
export const untilTomorrowS = (now: Date): number => Math.ceil((dayOf(now).getTime() + DAY_MS - now.getTime()) / 1_000)
