import { clip, storableText } from '../../platform/lib/text.ts'

/** Company forms that sites rarely write after a name. */
const LEGAL_FORMS =
  /(?<![\s,])[\s,]+(inc|incorporated|llc|ltd|limited|gmbh|ag|kg|ug|co|corp|corporation|company|plc|sa|sas|sarl|srl|spa|bv|nv|ab|oy|as|aps|pty|pte|kk|ooo)\.?$/i

/** Returns the letters and digits of a text, without accents and in lower case. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isSpaced = (text: string): boolean => !/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u.test(text)

/** A shorter name only counts as a word of its own, because it is part of many words: "Go". */
const SQUEEZED_LENGTH = 5

/** True if a text contains a name. Case, accents, spacing and company form make no difference. */
export const mentions = (text: string, name: string): boolean => {
  const page = letters(text)
  const wanted = letters(name.replace(LEGAL_FORMS, '')) || letters(name)
  // A name without letters cannot be looked for.
  if (wanted === '') return true
  if (` ${page} `.includes(` ${wanted} `)) return true
  const squeezed = wanted.replaceAll(' ', '')
  if (isSpaced(wanted) && squeezed.length < SQUEEZED_LENGTH) return false
  return page.replaceAll(' ', '').includes(squeezed)
}

/** Returns the reason for refusing a picture whose page does not mention the name. */
export const nameNotFoundReason = (name: string): string => `“${clip(name, 100)}” does not appear on the page.`

/** Most new screenshots of an account on one day (UTC). */
export const DAILY_CAP = 120

const HOUR_MS = 3_600_000

/** Time for which the picture of an address is used again. */
export const KEPT_MS = 24 * HOUR_MS

/** Time for which a capture waits for a browser before it ends. */
export const WAIT_MS = 5 * 60_000

/** Returns the day of an instant (UTC), as `YYYY-MM-DD`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

/** Returns the whole seconds until the next day begins (UTC), at least 1. */
export const secondsToMidnight = (now: Date): number => {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((next - now.getTime()) / 1000))
}

/** Returns the form in which an address is captured and compared: without its fragment, as the URL parser writes it. */
export const pageAddress = (url: string): string => {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

/** Number of characters of a page's words that are stored. */
const KEPT_WORDS = 20_000

/** Returns the part of a page's words that is stored. */
export const keptWords = (words: string): string => clip(storableText(words), KEPT_WORDS)

/**
 * Returns whether a page mentions a name, by its stored words: `unknown` without words, or if they were cut off before the
 * name.
 */
export const mentionIn = (words: string | null, name: string): 'yes' | 'no' | 'unknown' => {
  if (words === null) return 'unknown'
  if (mentions(words, name)) return 'yes'
  return words.length < KEPT_WORDS - 1 ? 'no' : 'unknown'
}
