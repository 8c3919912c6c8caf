import { PLAN_INCLUDES } from '../accounts/plans.ts'
import type { Plan } from '../accounts/values.ts'

/** A project linked to a site is not sent there again for so many days. */
export const SAME_PARTNER_DAYS = 90
/** A project that was linked to by another does not link back for so many days. */
export const LINK_BACK_DAYS = 180
/** Partners committed to one planned article at most. */
export const PARTNERS_PER_ARTICLE = 2

/** How long after publication the live page is first looked at, and after each look that did not find the link, ms. */
export const LOOKS_AFTER_MS = [5_000, 60_000, 3_600_000, 86_400_000] as const

/** When the calendar month (UTC) of an instant began. */
export const monthStart = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/** Plans whose projects receive a limited number of links a month, with the number. */
export const CAPPED_PLANS: readonly (readonly [Plan, number])[] = Object.entries(PLAN_INCLUDES).flatMap(
  ([plan, { backlinksReceived }]) => (backlinksReceived === null ? [] : [[plan as Plan, backlinksReceived] as const]),
)

/** When the page is looked at the `look`-th time (from 0), or undefined after the last. `scale` shortens the waits in development. */
export const lookAt = (look: number, now: Date, scale: number): Date | undefined => {
  const wait = LOOKS_AFTER_MS[look]
  return wait === undefined ? undefined : new Date(now.getTime() + wait / scale)
}

/** The host of a site as `siteKey` writes it, without port and path. */
export const siteHost = (siteKey: string): string => siteKey.split('/')[0]?.replace(/:\d+$/, '') ?? siteKey
