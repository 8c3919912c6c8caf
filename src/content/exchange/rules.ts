import type { Plan } from '../../../schema/values/accounts.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'

/** Days before a project is offered the same partner again. */
export const SAME_PARTNER_DAYS = 90
/** Days before a project is offered a partner that linked to it. */
export const LINK_BACK_DAYS = 180
/** Most partners committed to one planned article. */
export const PARTNERS_PER_ARTICLE = 2

/** Delay of the first check of the live page after publication, ms. */
const FIRST_LOOK_AFTER_MS = 5_000
/** Delays of the next checks while a link is not found, ms. */
const LOOK_AGAIN_AFTER_MS = [60_000, 3_600_000, 86_400_000] as const

/** Plans with a monthly limit of received links, and the limit. */
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
