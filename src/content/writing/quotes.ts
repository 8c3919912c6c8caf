import { countWords } from '../seo/words.ts'

/** A quotation with its marks; `inner` is what stands between them. */
export type Quotation = { start: number; end: number; inner: string; words: number }

/** Pairs of quotation marks, in the order in which they are tried; straight ones not behind a digit, where they are inches. */
const pairs = (): RegExp[] => [
  /“([^“”„]{1,3000})”/g,
  /„([^„“”]{1,3000})[“”]/g,
  /«([^«»]{1,3000})»/g,
  /»([^«»]{1,3000})«/g,
  /「([^「」]{1,3000})」/g,
  /『([^『』]{1,3000})』/g,
  /(?<!\d)"([^"]{1,3000})"/g,
  /‘([^‘’]{1,600}(?:’\p{L}[^‘’]{0,600}){0,20})’(?!\p{L})/gu,
  /(?<![\p{L}\p{N}])'([^'\n]{1,600}(?:'\p{L}[^'\n]{0,600}){0,20})'(?![\p{L}\p{N}])/gu,
]
/** Single marks are apostrophes too: only from three words on they quote. */
const SINGLE = 7
const MIN_SINGLE_WORDS = 3

/** The quotations in a text, in any of the usual marks; none inside another. */
export const quotesIn = (text: string): Quotation[] => {
  const found: Quotation[] = []
  const taken = new Uint8Array(text.length)
  const isFree = (start: number, end: number): boolean => {
    for (let at = start; at < end; at += 1) if (taken[at] === 1) return false
    return true
  }
  for (const [kind, pattern] of pairs().entries())
    for (const match of text.matchAll(pattern)) {
      const quote = { start: match.index, end: match.index + match[0].length, inner: match[1] ?? '' }
      const words = countWords(quote.inner)
      if (words === 0 || (kind >= SINGLE && words < MIN_SINGLE_WORDS)) continue
      if (!isFree(quote.start, quote.end)) continue
      taken.fill(1, quote.start, quote.end)
      found.push({ ...quote, words })
    }
  return found.sort((a, b) => a.start - b.start)
}
