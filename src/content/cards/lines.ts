import bidiFactory from 'bidi-js'
import { graphemesOf } from '../../platform/lib/text.ts'
import { type FontName, fontsFor, type PlacedGlyph, type Shaped, type Shaper } from './shaper.ts'

/** Grapheme, a font that has it, and its bidirectional level (odd: right to left). */
type Char = { text: string; font: FontName; level: number }

type Run = Char

let bidi: ReturnType<typeof bidiFactory> | undefined

const fontWith = async (shaper: Shaper, grapheme: string): Promise<FontName | undefined> => {
  for (const font of fontsFor(grapheme)) if (await shaper.covers(font, grapheme)) return font
  return undefined
}

/** Returns the level of each grapheme by the Unicode Bidirectional Algorithm, and whether the paragraph is right to left. */
const levelsOf = (texts: readonly string[]): { levels: number[]; rightToLeft: boolean } => {
  bidi ??= bidiFactory()
  const { levels, paragraphs } = bidi.getEmbeddingLevels(texts.join(''))
  let at = 0
  const each = texts.map((text) => {
    const level = levels[at] ?? 0
    at += text.length
    return level
  })
  return { levels: each, rightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 }
}

type Paragraph = {
  chars: Char[]
  rightToLeft: boolean /** Share of characters no font has, 0 to 1. */
  missing: number
}

/** Returns the graphemes of a text with their fonts. Graphemes that no font has are left out and counted. */
export const paragraphOf = async (shaper: Shaper, text: string): Promise<Paragraph> => {
  const all = graphemesOf(text)
  const found: { text: string; font: FontName }[] = []
  for (const one of all) {
    const font = await fontWith(shaper, one)
    if (font) found.push({ text: one, font })
  }
  const { levels, rightToLeft } = levelsOf(found.map((char) => char.text))
  const chars = found.map((char, at) => ({ ...char, level: levels[at] ?? 0 }))
  return { chars, rightToLeft, missing: all.length === 0 ? 0 : 1 - found.length / all.length }
}

const runsOf = (chars: readonly Char[]): Run[] => {
  const runs: Run[] = []
  for (const char of chars) {
    const last = runs.at(-1)
    if (last && last.font === char.font && last.level === char.level) last.text += char.text
    else runs.push({ ...char })
  }
  return runs
}

/** Returns the runs in visual order from left to right (rule L2 of the Unicode Bidirectional Algorithm). */
const inVisualOrder = (runs: Run[]): Run[] => {
  const order = [...runs]
  const highest = Math.max(0, ...order.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < order.length; start += 1) {
      let end = start
      while ((order[end]?.level ?? -1) >= level) end += 1
      if (end > start + 1) order.splice(start, end - start, ...order.slice(start, end).reverse())
      start = Math.max(start, end - 1)
    }
  return order
}

/** Returns a line of characters as glyphs from left to right, in em. */
export const shapeLine = async (shaper: Shaper, chars: readonly Char[]): Promise<Shaped> => {
  const glyphs: PlacedGlyph[] = []
  let width = 0
  for (const { font, text, level } of inVisualOrder(runsOf(chars))) {
    const shaped = await shaper.shape(font, text, level % 2 === 1)
    for (const glyph of shaped.glyphs) glyphs.push({ ...glyph, x: glyph.x + width })
    width += shaped.width
  }
  return { glyphs, width }
}

let kept: Intl.Segmenter | undefined
/** Returns the word segmenter. It is created on first use, not while the Worker starts. */
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
 * Returns the offsets in a word at which a line may begin.
 *
 * Lines may begin after hyphens and slashes, and at ICU's word boundaries in scripts without spaces.
 */
const breaksIn = (word: string): number[] =>
  Array.from(words().segment(word))
    .filter(({ index, segment }) => index > 0 && mayBreak(word.slice(0, index), segment))
    .map(({ index }) => index)

/**
 * Characters that stay together on a line, their width in em, and the space before them. The space is not shown at a line's
 * start.
 */
type Piece = { chars: Char[]; width: number; space: Char | undefined }

const SPACE_EM = 0.26

const isSpace = ({ text }: Char): boolean => /^\s+$/.test(text)

/** Splits a word at the places where a line may begin. */
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

/** Cuts a piece that is wider than any line, such as a word of 200 letters. */
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

/** Returns the pieces of a text. None is wider than `widest` em. */
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

/** Fills lines of at most `width` em with the pieces in order; undefined if a piece is wider than a line. */
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

/** Returns the same number of lines with lengths as even as possible. */
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

/** Box for a text, with sizes in pixels. A word that is wider than a line at the size `words` is cut. */
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

/** Breaks a text into lines at the largest size that fits the box. At the smallest size, text that does not fit is left out. */
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
