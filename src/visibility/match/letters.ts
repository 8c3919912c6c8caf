import { foldLetters } from '../../lib/fold.ts'

/** What stands before a letter: nothing, something that may stand inside a name, or something that ends one. */
type Gap = 'none' | 'soft' | 'hard'

/** The letters and digits of a text, folded and without what stands between them. */
export type Letters = {
  text: string
  /** What stood before each letter. */
  gaps: readonly Gap[]
  /** Whether each letter is a capital in the text. */
  capitals: readonly boolean[]
}

const WORDS = /[\p{L}\p{N}\p{M}ー]+/gu
/** A blank, hyphen, apostrophe or the like; a full stop only without a blank, as in an address. */
const SOFT = /^(?:[ \u00a0'’&+_\-‐–]{1,3}|\.)$/u

const plainOf = (character: string): string => (character < '\u0080' ? character.toLowerCase() : foldLetters(character))

/** Reads a text as letters with what stands between them. */
export const lettersOf = (source: string): Letters => {
  const given = source.normalize('NFC')
  let text = ''
  const gaps: Gap[] = []
  const capitals: boolean[] = []
  let end = 0
  for (const match of given.matchAll(WORDS)) {
    const between = given.slice(end, match.index)
    end = match.index + match[0].length
    let gap: Gap = text === '' || !SOFT.test(between) ? 'hard' : 'soft'
    for (const character of match[0]) {
      const folded = plainOf(character)
      const isCapital = character !== character.toLowerCase()
      for (let n = 0; n < folded.length; n += 1) {
        gaps.push(n === 0 ? gap : 'none')
        capitals.push(isCapital)
      }
      text += folded
      if (folded !== '') gap = 'none'
    }
  }
  return { text, gaps, capitals }
}
