import type { Plan } from '../../schema/values/accounts.ts'
import { PLAN_INCLUDES } from '../accounts/plans.ts'

/** A project linked to a site is not sent there again for so many days. */
export const SAME_PARTNER_DAYS = 90
/** A project that was linked to by another does not link back for so many days. */
export const LINK_BACK_DAYS = 180
/** Partners committed to one planned article at most. */
export const PARTNERS_PER_ARTICLE = 2

/** How long after publication the live page is first looked at, ms. */
const FIRST_LOOK_AFTER_MS = 5_000
/** How long after each look that did not find a link the page is looked at again, ms. */
const LOOK_AGAIN_AFTER_MS = [60_000, 3_600_000, 86_400_000] as const

/** When the calendar month (UTC) of an instant began. */
export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Plans whose projects receive a limited number of links a month, with the number. */
export const CAPPED_PLANS: readonly (readonly [Plan, number])[] = Object.entries(PLAN_INCLUDES).flatMap(
  ([plan, { backlinksReceived }]) => (backlinksReceived === null ? [] : [[plan as Plan, backlinksReceived] as const]),
)

/** When the live page is first looked at after publication. */
export const firstLookAt = (now: Date): Date => new Date(now.getTime() + FIRST_LOOK_AFTER_MS)

/** When the page is looked at again after look `look` (from 0), or null after the last. `scale` shortens the waits in development. */
export const nextLookAt = (look: number, now: Date, scale: number): Date | null => {
  const wait = LOOK_AGAIN_AFTER_MS[look]
  return wait === undefined ? null : new Date(now.getTime() + wait / scale)
}
