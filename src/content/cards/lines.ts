import { type Char, shapeLine } from './runs.ts'
import type { Shaper } from './shaper.ts'

let kept: Intl.Segmenter | undefined
/** Made when a line is first broken, not while the Worker starts. */
const words = (): Intl.Segmenter => {
  kept ??= new Intl.Segmenter('und', { granularity: 'word' })
  return kept
}

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\uff00-\uffef]/u
const NEVER_FIRST =
  /^[\p{Pe}\p{Pf}\p{Po}\p{M}\u3005\u30fc\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u30c3\u30e3\u30e5\u30e7]/u
const NEVER_LAST = /[\p{Ps}\p{Pi}]$/u
const AFTER_HYPHEN = /[\p{L}\p{N}][-\u2013\u2014/]$/u

const mayBreak = (before: string, after: string): boolean =>
  !NEVER_FIRST.test(after) &&
  !NEVER_LAST.test(before) &&
  (UNSPACED.test(before.slice(-1)) || UNSPACED.test(after) || (AFTER_HYPHEN.test(before) && /^\p{L}/u.test(after)))

/**
 * Returns the offsets in a word at which a line may begin: after hyphens and slashes, and by ICU's dictionaries in scripts
 * without spaces.
 */
const breaksIn = (word: string): number[] =>
  Array.from(words().segment(word))
    .filter(({ index, segment }) => index > 0 && mayBreak(word.slice(0, index), segment))
    .map(({ index }) => index)

/** Characters that stay together on a line, their width in em, and the space before them unless they begin a line. */
type Piece = { chars: Char[]; width: number; space: Char | undefined }

const SPACE_EM = 0.26

const isSpace = ({ text }: Char): boolean => /^\s+$/.test(text)

/** Splits a word, as characters, at the places where a line may begin. */
const splitWord = (word: readonly Char[]): Char[][] => {
  const breaks = new Set(breaksIn(word.map(({ text }) => text).join('')))
  const parts: Char[][] = []
  let at = 0
  for (const char of word) {
    if (at === 0 || breaks.has(at)) parts.push([])
    parts.at(-1)?.push(char)
    at += char.text.length
  }
  return parts
}

/** Cuts what is wider than a line can ever be, such as a word of 200 letters. */
const cutWide = (piece: Piece, widest: number): Piece[] => {
  if (piece.width <= widest) return [piece]
  const each = Math.max(1, Math.floor((piece.chars.length * widest * 0.8) / piece.width))
  const count = Math.ceil(piece.chars.length / each)
  return Array.from({ length: count }, (_, at) => {
    const chars = piece.chars.slice(at * each, (at + 1) * each)
    const width = (piece.width * chars.length) / piece.chars.length
    return { chars, width, space: at === 0 ? piece.space : undefined }
  })
}

/** Returns the pieces of a text, none wider than `widest` em. */
const piecesOf = async (shaper: Shaper, chars: readonly Char[], widest: number): Promise<Piece[]> => {
  const pieces: Piece[] = []
  let word: Char[] = []
  let space: Char | undefined
  const flush = async () => {
    for (const part of splitWord(word)) {
      const { width } = await shapeLine(shaper, part)
      pieces.push(...cutWide({ chars: part, width, space }, widest))
      space = undefined
    }
    word = []
  }
  for (const char of chars) {
    if (!isSpace(char)) word.push(char)
    else {
      await flush()
      space = char
    }
  }
  await flush()
  return pieces
}

/** Fills lines of at most `width` em one after the other; undefined when a piece is wider than a line. */
const wrap = (pieces: readonly Piece[], width: number): Piece[][] | undefined => {
  const lines: Piece[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    if (piece.width > width) return undefined
    const needed = piece.width + (piece.space ? SPACE_EM : 0)
    if (used + needed > width) {
      lines.push([piece])
      used = piece.width
    } else {
      lines.at(-1)?.push(piece)
      used += needed
    }
  }
  return lines
}

/** Returns the same number of lines, none much longer than the others. */
const balanced = (pieces: readonly Piece[], lines: Piece[][], width: number): Piece[][] => {
  let [low, high, best] = [0, width, lines]
  for (let step = 0; step < 12; step += 1) {
    const middle = (low + high) / 2
    const tried = wrap(pieces, middle)
    if (tried && tried.length <= lines.length) [high, best] = [middle, tried]
    else low = middle
  }
  return best
}

/** Sizes are in pixels; `words` is the one at which a word that is wider than a line is cut rather than made smaller. */
type Box = {
  width: number
  height: number
  largest: number
  words: number
  smallest: number
  leading: number
}

type Layout = { size: number; lines: Char[][] }

/** Returns the characters of a line, with the spaces between its pieces. */
const charsOf = (line: readonly Piece[]): Char[] =>
  line.flatMap(({ chars, space }, at) => (space && at > 0 ? [space, ...chars] : chars))

/** Breaks a text into lines at the largest size at which they fit a box; at the smallest, what does not fit is left out. */
export const layOut = async (shaper: Shaper, chars: readonly Char[], box: Box): Promise<Layout> => {
  const pieces = await piecesOf(shaper, chars, box.width / box.words)
  for (let size = box.largest; size > box.smallest; size -= 2) {
    const lines = wrap(pieces, box.width / size)
    if (lines && lines.length * size * box.leading <= box.height)
      return { size, lines: balanced(pieces, lines, box.width / size).map(charsOf) }
  }
  const lines = wrap(pieces, box.width / box.smallest) ?? []
  return {
    size: box.smallest,
    lines: lines.slice(0, Math.floor(box.height / (box.smallest * box.leading))).map(charsOf),
  }
}
