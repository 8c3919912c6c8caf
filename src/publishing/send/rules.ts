import type { EventType } from '../../../schema/values/publishing.ts'

/** Delays before the second, third and fourth attempt of a first publication, seconds. */
const RETRY_AFTER_S = [30, 120, 480] as const
const JITTER = 0.2

/** Lease of one attempt on an article, ms. It is longer than a receiver's 30 s or the several calls of a CMS. */
const WEBHOOK_LEASE_MS = 60_000
const CMS_LEASE_MS = 300_000
/** Framer starts a project for each session, which can take 90 s. */
const FRAMER_LEASE_MS = 540_000

/** Returns how long an attempt at a platform may hold its article, ms. */
export const leaseMs = (platform: string): number => {
  if (platform === 'framer') return FRAMER_LEASE_MS
  return platform === 'webhook' ? WEBHOOK_LEASE_MS : CMS_LEASE_MS
}
/**
 * Time during which a delivery to a receiver keeps the project's other articles waiting, ms.
 *
 * If the receiver hangs, the next article is sent after this time. A CMS keeps the turn for its whole lease, because
 * its several calls must not mix with those of another article.
 */
export const RECEIVER_TURN_MS = 5_000

/** Returns how long one attempt keeps the project's other articles waiting, ms. */
export const turnMs = (platform: string): number => (platform === 'webhook' ? RECEIVER_TURN_MS : leaseMs(platform))

/** Delay before a target is asked again whether it has a post, ms. */
export const LOOK_UP_AGAIN_MS = 30_000
const MAX_LOOK_UP_WAIT_MS = 3_600_000
/** Number of look-ups before the service gives up on a target that gives no clear answer: about a day. */
const MAX_LOOKUPS = 30
/** Age at which a delivery of unknown outcome is given up if its article changed since, ms. */
export const ASKED_FOR_MS = 86_400_000
/** Number of sends after which content is given up if every answer was lost and the target does not have it. */
const MAX_SENDS = RETRY_AFTER_S.length + 1

/** True if content was sent so often that it is not sent again, although the target does not have it. */
export const isOutOfSends = (sends: number): boolean => sends >= MAX_SENDS

/** Returns the delay between a lost answer and the look-up of the post, ms. It grows with each attempt. */
export const askAfterSendMs = (sends: number): number => (RETRY_AFTER_S[sends - 1] ?? RETRY_AFTER_S[0]) * 1000

/** Returns the delay before the next look-up of a post, ms; undefined after the last look-up. */
export const askAgainMs = (lookups: number): number | undefined =>
  lookups >= MAX_LOOKUPS ? undefined : Math.min(LOOK_UP_AGAIN_MS * 2 ** (lookups - 1), MAX_LOOK_UP_WAIT_MS)
/** Publications of an account in one clock minute. The service's own further ones wait for the next minute. */
export const PUBLICATIONS_PER_MINUTE = 50
/** Waits of a caller while the project publishes another article, ms; about 10 s together. */
export const TURN_WAITS_MS = [60, 120, 250, 500, 1_000, 1_000, 1_500, 1_500, 2_000, 2_000] as const
/** Maximum time that a caller waits for a CMS to take an article, ms. Many clients time out after a minute. */
export const CALLER_WAITS_MS = 25_000
/** Delay before the clock tries a busy project again, ms. */
const TURN_AGAIN_MS = 1_500
const MINUTE_MS = 60_000

/**
 * Returns when the clock tries again: in a moment if the project is busy, early in the next minute if the account's is
 * full.
 */
export const nextClockAttempt = (obstacle: 'busy' | 'full', now: Date, random: number): Date => {
  if (obstacle === 'busy') return new Date(now.getTime() + TURN_AGAIN_MS * (0.5 + random))
  return new Date((Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS + random * 3_000)
}
/**
 * Returns the time of the next attempt after `attempts`, or undefined after the last. Updates are sent once.
 *
 * `random` (0 to 1) spreads the delay by ±20 %. `scale` shortens it in development. A target's own Retry-After (s)
 * replaces it.
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
