import { clip, storableText } from '../../platform/lib/text.ts'
import { mentions } from './mentions.ts'

/** New screenshots an account may ask for on one day (UTC). */
export const DAILY_CAP = 120

const HOUR_MS = 3_600_000

/** Time for which a picture of the same address is used again. */
export const KEPT_MS = 24 * HOUR_MS

/** Time for which a capture waits for a browser before it is given up. */
export const WAIT_MS = 5 * 60_000

/** Returns the day of an instant (UTC), as `YYYY-MM-DD`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Whole seconds until the next day begins (UTC), at least 1. */
export const secondsToMidnight = (now: Date): number => {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((next - now.getTime()) / 1000))
}

/** Returns an address as it is captured and found again: what follows `#` is not sent, and the parser writes the rest one way. */
export const pageAddress = (url: string): string => {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

/** So many characters of what a page says are kept with its picture. */
const KEPT_WORDS = 20_000

/** Returns what of a page's words is kept. */
export const keptWords = (words: string): string => clip(storableText(words), KEPT_WORDS)

/** True if the words that were kept of a page show that it does not mention a name. Of words that were cut it cannot be told. */
export const isOtherBrand = (words: string | null, name: string): boolean =>
  words !== null && words.length < KEPT_WORDS - 1 && !mentions(words, name)
