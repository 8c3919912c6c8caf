const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns the sentence about a change in an open pull request. */
export const waitsText = (url: string): string => `The pull request ${url} waits to be merged.`

/** Delay before the first look at a pull request, ms. */
export const LOOK_AT_PULL_MS = 5 * MINUTE_MS

/** Returns the delay before the next look at a pull request of this age, ms; undefined after 30 days. */
export const askPullAgainMs = (ageMs: number): number | undefined => {
  if (ageMs < HOUR_MS) return LOOK_AT_PULL_MS
  if (ageMs < DAY_MS) return HOUR_MS
  return ageMs < 30 * DAY_MS ? 6 * HOUR_MS : undefined
}
