import { graphemesOf } from '../lib/graphemes.ts'

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** What a link counts at X, whatever its length. */
const LINK_WEIGHT = 23

/** Names X links without a scheme; a country's only with a path behind it, as its own counter does. */
const COMMON =
  'com|net|org|edu|gov|mil|int|info|biz|name|pro|app|dev|xyz|online|site|shop|store|tech|blog|cloud|news|agency|co|tv'
const LINKS = new RegExp(
  `https?://[^\\s<>"]+|(?<![\\p{L}\\p{N}@._-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:(?:${COMMON})(?![\\p{L}\\p{N}-]|\\.\\p{L})(?:/[^\\s<>"]*)?|[a-z]{2}/[^\\s<>"]*)`,
  'giu',
)

/** Code points X counts once; all others count twice (twitter-text, configuration v3). */
const isLight = (point: number): boolean =>
  point <= 4_351 ||
  (point >= 8_192 && point <= 8_205) ||
  (point >= 8_208 && point <= 8_223) ||
  (point >= 8_242 && point <= 8_247)

const weightOf = (text: string): number => {
  let weight = 0
  for (const one of graphemesOf(text.normalize('NFC')))
    if (EMOJI.test(one)) weight += 2
    else for (const character of one) weight += isLight(character.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

const TAIL = '.,;:!?)]}\'"'

/** A link without the punctuation that ends its sentence. */
const withoutTail = (link: string): string => {
  let end = link.length
  while (end > 0 && TAIL.includes(link[end - 1] ?? ' ')) end -= 1
  return link.slice(0, end)
}

/** The length of a text at X: links count 23, emoji 2, and so do letters of wide scripts (twitter-text, configuration v3). */
export const weightedLength = (text: string): number => {
  let weight = 0
  let from = 0
  for (const match of text.matchAll(LINKS)) {
    const link = withoutTail(match[0])
    weight += weightOf(text.slice(from, match.index)) + LINK_WEIGHT
    from = match.index + link.length
  }
  return weight + weightOf(text.slice(from))
}

/** The length of a text in code points. */
export const pointsOf = (text: string): number => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** The length of a text in bytes of UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length
