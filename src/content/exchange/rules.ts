import type { Plan } from '../../../schema/values/accounts.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'

/** A project linked to a site is not sent there again for so many days. */
export const SAME_PARTNER_DAYS = 90
/** A project that was linked to by another does not link back for so many days. */
export const LINK_BACK_DAYS = 180
/** Partners committed to one planned article at most. */
export const PARTNERS_PER_ARTICLE = 2

/** Delay of the first check of the live page after publication, ms. */
const FIRST_LOOK_AFTER_MS = 5_000
/** Delays of further checks after each one that did not find a link, ms. */
const LOOK_AGAIN_AFTER_MS = [60_000, 3_600_000, 86_400_000] as const

/** Returns the beginning of the calendar month (UTC) of an instant. */
export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Plans whose projects receive a limited number of links a month, with the number. */
export const CAPPED_PLANS: readonly (readonly [Plan, number])[] = Object.entries(PLAN_INCLUDES).flatMap(
  ([plan, { backlinksReceived }]) => (backlinksReceived === null ? [] : [[plan as Plan, backlinksReceived] as const]),
)

/** Returns the time of the first check of the live page after publication. */
export const firstLookAt = (now: Date): Date => new Date(now.getTime() + FIRST_LOOK_AFTER_MS)

/** Returns the time of the next check after check `look` (from 0), or null after the last. `scale` shortens the delays in development. */
export const nextLookAt = (look: number, now: Date, scale: number): Date | null => {
  const wait = LOOK_AGAIN_AFTER_MS[look]
  return wait === undefined ? null : new Date(now.getTime() + wait / scale)
}
