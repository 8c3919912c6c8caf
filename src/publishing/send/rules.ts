import type { EventType } from '../../../schema/values/publishing.ts'

/** Waits before the second, third and fourth attempt of an initial publication, seconds. */
const RETRY_AFTER_S = [30, 120, 480] as const
const JITTER = 0.2

/** Lease of one attempt on an article, ms: longer than a receiver's 30 s or a CMS's several calls. */
const WEBHOOK_LEASE_MS = 60_000
const CMS_LEASE_MS = 300_000
/** Framer starts a project for each session, which may take a minute and a half. */
const FRAMER_LEASE_MS = 540_000

export const leaseMs = (platform: string): number => {
  if (platform === 'framer') return FRAMER_LEASE_MS
  return platform === 'webhook' ? WEBHOOK_LEASE_MS : CMS_LEASE_MS
}
/**
 * Time for which a delivery to a receiver has its project's turn, ms.
 *
 * The project's other articles are sent meanwhile if the receiver hangs on one. A CMS is written to by several calls, which
 * must not mix with those of another article.
 */
export const RECEIVER_TURN_MS = 5_000

/** Returns the time for which one attempt may have its project's turn, ms. */
export const turnMs = (platform: string): number => (platform === 'webhook' ? RECEIVER_TURN_MS : leaseMs(platform))

/** Delay until a target is asked again if it has a post, ms. */
export const LOOK_UP_AGAIN_MS = 30_000
const MAX_LOOK_UP_WAIT_MS = 3_600_000
/** Number of times that a target without an answer is asked: for about a day. */
const MAX_LOOKUPS = 30
/** Time for which such a target is asked about a delivery whose article was changed since, ms. */
export const ASKED_FOR_MS = 86_400_000
/** Number of times that content is sent whose answer is lost each time and which the target then does not have. */
const MAX_SENDS = RETRY_AFTER_S.length + 1

/** True if content was sent so often that the target, which does not have it, is not tried again. */
export const isSpent = (sends: number): boolean => sends >= MAX_SENDS

/** Returns the delay from a lost answer to the question for the post, ms: longer after each attempt. */
export const askAfterSendMs = (sends: number): number => (RETRY_AFTER_S[sends - 1] ?? RETRY_AFTER_S[0]) * 1000

/** Returns the delay until a target that did not say if it has the post is asked again, ms; undefined after the last time. */
export const askAgainMs = (lookups: number): number | undefined =>
  lookups >= MAX_LOOKUPS ? undefined : Math.min(LOOK_UP_AGAIN_MS * 2 ** (lookups - 1), MAX_LOOK_UP_WAIT_MS)
/** Publications that an account may have in a clock minute before the clock's wait for the next. */
export const PUBLICATIONS_PER_MINUTE = 50
/** Waits of a caller whose project is publishing another article, ms; some 10 s together. */
export const TURN_WAITS_MS = [60, 120, 250, 500, 1_000, 1_000, 1_500, 1_500, 2_000, 2_000] as const
/** Time that a caller waits for a CMS to take an article, ms: less than the minute that many clients wait for an answer. */
export const CALLER_WAITS_MS = 25_000
/** Delay until the clock's next attempt at a project's turn, ms. */
const TURN_AGAIN_MS = 1_500
const MINUTE_MS = 60_000

/** Returns the time of the clock's next attempt: in a moment for the project's turn, early in the next minute for the account's. */
export const backAt = (obstacle: 'busy' | 'full', now: Date, random: number): Date => {
  if (obstacle === 'busy') return new Date(now.getTime() + TURN_AGAIN_MS * (0.5 + random))
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS + random * 3_000)
}
/**
 * Returns the time of the next attempt after `attempts`, or undefined after the last. Updates are sent once.
 *
 * `random` (0 to 1) spreads by ±20 %, `scale` shortens the delays in development. A target's own Retry-After (s) wins over the
 * schedule.
 */
export const nextAttempt = (
  event: EventType,
  attempts: number,
  given: { now: Date; random: number; scale: number; retryAfterS?: number | undefined },
): Date | undefined => {
  const wait = RETRY_AFTER_S[attempts - 1]
  if (wait === undefined || event === 'update_articles') return undefined
  const jittered = (wait * (1 - JITTER + 2 * JITTER * given.random)) / given.scale
  return new Date(given.now.getTime() + (given.retryAfterS ?? jittered) * 1000)
}

/** Returns a hash (hex) in the form of a UUID: the delivery key of one version of one article. */
export const deliveryKey = (hash: string): string =>
  [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join(
    '-',
  )
