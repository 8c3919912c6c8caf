/// <reference path="./harfbuzz.d.ts" />
import hbjs from 'harfbuzzjs/hbjs.js'

/** Fonts that a card may need, by script. Each is loaded when a title first needs it. */
export type FontName =
  | 'latin'
  | 'arabic'
  | 'armenian'
  | 'bengali'
  | 'devanagari'
  | 'emoji'
  | 'ethiopic'
  | 'georgian'
  | 'gujarati'
  | 'gurmukhi'
  | 'han'
  | 'hangul'
  | 'hebrew'
  | 'kannada'
  | 'khmer'
  | 'lao'
  | 'malayalam'
  | 'myanmar'
  | 'sinhala'
  | 'tamil'
  | 'telugu'
  | 'thai'

/** Returns the file of a font in `functions/cards/fonts`. */
export const fontFile = (name: FontName): string => `${name}.${name === 'han' || name === 'hangul' ? 'otf' : 'ttf'}`

/** Fonts by script (Unicode Script_Extensions). `latin` also has Cyrillic and Greek; `han` also has kana. */
const byScript = (): (readonly [RegExp, FontName])[] => [
  [/[\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}]/u, 'latin'],
  [/\p{scx=Arabic}/u, 'arabic'],
  [/\p{scx=Hebrew}/u, 'hebrew'],
  [/\p{scx=Hangul}/u, 'hangul'],
  [/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uff00-\uffef]/u, 'han'],
  [/\p{scx=Devanagari}/u, 'devanagari'],
  [/\p{scx=Bengali}/u, 'bengali'],
  [/\p{scx=Thai}/u, 'thai'],
  [/\p{scx=Tamil}/u, 'tamil'],
  [/\p{scx=Telugu}/u, 'telugu'],
  [/\p{scx=Gujarati}/u, 'gujarati'],
  [/\p{scx=Gurmukhi}/u, 'gurmukhi'],
  [/\p{scx=Kannada}/u, 'kannada'],
  [/\p{scx=Malayalam}/u, 'malayalam'],
  [/\p{scx=Sinhala}/u, 'sinhala'],
  [/\p{scx=Myanmar}/u, 'myanmar'],
  [/\p{scx=Khmer}/u, 'khmer'],
  [/\p{scx=Lao}/u, 'lao'],
  [/\p{scx=Georgian}/u, 'georgian'],
  [/\p{scx=Armenian}/u, 'armenian'],
  [/\p{scx=Ethiopic}/u, 'ethiopic'],
]

/** Graphemes shown as pictures: emoji, a variation selector, flags and key caps. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u

/** Returns the fonts to try for a grapheme, the best first. */
export const fontsFor = (grapheme: string): FontName[] => {
  const first = byScript().find(([pattern]) => pattern.test(grapheme))?.[1]
  const wanted: FontName[] = EMOJI.test(grapheme) ? ['emoji'] : first ? [first] : []
  return [...new Set<FontName>([...wanted, 'latin', 'emoji', 'han'])]
}

/** Glyph of a run, with its position in em: `x` from the run's start, `y` above the line. */
export type PlacedGlyph = { path: string; x: number; y: number; em: number }

/** Glyphs of a text in one font. `width` is in em. */
export type Shaped = { glyphs: PlacedGlyph[]; width: number }

/** Turns text into glyphs by the rules of its script. Loads each font on first use and keeps it. */
export type Shaper = {
  /** True if a font has every visible character of a text. */
  covers: (font: FontName, text: string) => Promise<boolean>
  /** Returns the glyphs of text in one font and direction. */
  shape: (font: FontName, text: string, rightToLeft: boolean) => Promise<Shaped>
}

type Loaded = { font: { glyphToPath: (glyph: number) => string; destroy: () => void }; upem: number; has: Set<number> }

/** Invisible characters that a font need not have: joiners, variation selectors, tags and direction marks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}]/u

/**
 * Returns a shaper that uses HarfBuzz on its WebAssembly instance. `load` returns the bytes of a font.
 *
 * HarfBuzz does not enlarge its memory while it shapes text, so fonts of up to 20 MB can be loaded.
 */
export const createShaper = (instance: unknown, load: (name: FontName) => Promise<ArrayBuffer>): Shaper => {
  const hb = hbjs(instance)
  const fonts = new Map<FontName, Loaded>()
  const open = (bytes: ArrayBuffer): Loaded => {
    const face = hb.createFace(hb.createBlob(bytes), 0)
    return { font: hb.createFont(face), upem: face.upem, has: new Set(face.collectUnicodes()) }
  }
  /**
   * Returns a loaded font. Requests do not share a pending load, because a Worker's request must not wait for another request's
   * promise.
   */
  const fontOf = async (name: FontName): Promise<Loaded> => {
    const known = fonts.get(name)
    if (known) return known
    const bytes = await load(name)
    const font = fonts.get(name) ?? open(bytes)
    fonts.set(name, font)
    return font
  }
  return {
    covers: async (name, text) => {
      const { has } = await fontOf(name)
      return [...text].every((char) => INVISIBLE.test(char) || has.has(char.codePointAt(0) ?? 0))
    },
    shape: async (name, text, rightToLeft) => {
      const { font, upem } = await fontOf(name)
      const buffer = hb.createBuffer()
      try {
        buffer.addText(text)
        buffer.guessSegmentProperties()
        buffer.setDirection(rightToLeft ? 'rtl' : 'ltr')
        hb.shape(font, buffer)
        let width = 0
        const glyphs = buffer.json().map(({ g, ax, dx, dy }) => {
          const placed = { path: font.glyphToPath(g), x: (width + dx) / upem, y: dy / upem, em: 1 / upem }
          width += ax
          return placed
        })
        return { glyphs: glyphs.filter(({ path }) => path !== ''), width: width / upem }
      } finally {
        buffer.destroy()
      }
    },
  }
}
