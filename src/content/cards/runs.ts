import bidiFactory from 'bidi-js'
import { graphemesOf } from '../../platform/lib/text.ts'
import { type FontName, fontsFor } from './fonts.ts'
import type { PlacedGlyph, Shaped, Shaper } from './shaper.ts'

/** A character as a reader sees it, the font that has it, and its bidirectional level (odd: right to left). */
export type Char = { text: string; font: FontName; level: number }

type Run = Char

let bidi: ReturnType<typeof bidiFactory> | undefined

const fontWith = async (shaper: Shaper, grapheme: string): Promise<FontName | undefined> => {
  for (const font of fontsFor(grapheme)) if (await shaper.covers(font, grapheme)) return font
  return undefined
}

/** The level of each grapheme by the Unicode Bidirectional Algorithm, and whether the paragraph starts at the right. */
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

/** Returns a text as characters with fonts. What no font has is left out and counted. */
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

/** Runs in the order they stand from left to right (rule L2 of the Unicode Bidirectional Algorithm). */
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
