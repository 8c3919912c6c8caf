import { clip, storableText } from '../../platform/lib/text.ts'

/** Ends of company names that sites rarely write. */
const LEGAL_FORMS =
  /(?<![\s,])[\s,]+(inc|incorporated|llc|ltd|limited|gmbh|ag|kg|ug|co|corp|corporation|company|plc|sa|sas|sarl|srl|spa|bv|nv|ab|oy|as|aps|pty|pte|kk|ooo)\.?$/i

/** Letters and digits alone, without accents and case. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isSpaced = (text: string): boolean => !/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u.test(text)

/** A name shorter than this is looked for as a word of its own only: "Go" is in every page. */
const SQUEEZED_LENGTH = 5

/** True if a text has a name, whatever its case, accents, spacing and company form. */
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

/** Returns the reason that a picture is refused for, where a page does not mention the name. */
export const notNamed = (name: string): string => `“${name.slice(0, 100)}” appears nowhere in the page.`

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
