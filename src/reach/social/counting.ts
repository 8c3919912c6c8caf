import { linksIn } from '../../platform/lib/links.ts'
import { graphemesOf } from '../../platform/lib/text.ts'

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** Characters that a link counts at X, whatever its length. */
const LINK_WEIGHT = 23

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

/** Returns the length of a text at X: links count 23, emoji 2, and so do letters of wide scripts (twitter-text, configuration v3). */
export const weightedLength = (text: string): number => {
  let weight = 0
  let from = 0
  for (const { start, end } of linksIn(text)) {
    weight += weightOf(text.slice(from, start)) + LINK_WEIGHT
    from = end
  }
  return weight + weightOf(text.slice(from))
}

/** Returns the length of a text in code points. */
export const pointsOf = (text: string): number => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** Returns the length of a text in bytes of UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Returns the length of a text in UTF-16 units. */
export const unitsOf = (text: string): number => text.length
