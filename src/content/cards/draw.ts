import { graphemesOf } from '../../platform/lib/text.ts'
import { CARD_HEIGHT, CARD_WIDTH, type CardInput } from './client.ts'
import { layOut, paragraphOf, shapeLine } from './lines.ts'
import type { FontName, Shaped, Shaper } from './shaper.ts'

type Rgb = readonly [red: number, green: number, blue: number]

/** Returns the channels of `#rrggbb`, 0 to 255. Throws for anything else. */
const parseColor = (hex: string): Rgb => {
  const [, r, g, b] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex) ?? []
  if (r === undefined || g === undefined || b === undefined) throw new Error(`${hex} is not a colour`)
  return [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)]
}

const toHex = (rgb: Rgb): string => `#${rgb.map((n) => Math.round(n).toString(16).padStart(2, '0')).join('')}`

const linear = (channel: number): number => {
  const c = channel / 255
  return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [a, b] = [luminance(parseColor(one)), luminance(parseColor(other))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/** Share of black or white mixed into the brand's colour for shapes. */
const SHADE = 0.12

const mixed = (from: string, to: string, share: number): string => {
  const [a, b] = [parseColor(from), parseColor(to)]
  return toHex(a.map((channel, at) => channel + ((b[at] ?? 0) - channel) * share) as unknown as Rgb)
}

type Palette = { background: string; shade: string; text: string }

/**
 * Returns the colours of a card. The text is white or black, with a contrast of at least 4.58 : 1 on any brand colour.
 *
 * The shade for shapes moves away from the text's colour, so text on it has at least the same contrast.
 */
export const paletteOf = (brandColor: string): Palette => {
  const isWhite = contrast(brandColor, WHITE) >= contrast(brandColor, BLACK)
  return {
    background: brandColor.toLowerCase(),
    shade: mixed(brandColor, isWhite ? BLACK : WHITE, SHADE),
    text: isWhite ? WHITE : BLACK,
  }
}

const MARGIN = 80
const TITLE = { top: 132, height: 364, largest: 88, words: 52, smallest: 30 }
const SITE = { baseline: 566, size: 32, chars: 60 }
const TITLE_CHARS = 200

/** Scripts with marks far above or below the line. */
const TALL: ReadonlySet<FontName> = new Set<FontName>([
  'arabic',
  'bengali',
  'devanagari',
  'gujarati',
  'gurmukhi',
  'kannada',
  'khmer',
  'lao',
  'malayalam',
  'myanmar',
  'sinhala',
  'tamil',
  'telugu',
  'thai',
])

/** Returns a text as one line without control characters, cut to at most `most` characters. */
const cleaned = (text: string, most: number): string => {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
  const all = graphemesOf(plain)
  return all.length <= most
    ? plain
    : `${all
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

const number = (value: number): string => String(Math.round(value * 100) / 100)

const paths = ({ glyphs }: Shaped, x: number, baseline: number, size: number): string =>
  glyphs
    .map(({ path, x: at, y, em }) => {
      const scale = (size * em).toFixed(5)
      return `<path transform="translate(${number(x + at * size)} ${number(baseline - y * size)}) scale(${scale} -${scale})" d="${path}"/>`
    })
    .join('')

const frame = ({ background, shade, text }: Palette, rightToLeft: boolean, content: string): string => {
  const [far, bar] = rightToLeft ? [0, CARD_WIDTH - MARGIN - 96] : [CARD_WIDTH, MARGIN]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${background}"/>
<circle cx="${far}" cy="${CARD_HEIGHT}" r="420" fill="${shade}"/>
<rect x="${bar}" y="76" width="96" height="10" fill="${text}"/>
<g fill="${text}">${content}</g>
</svg>`
}

/** Largest share of unsupported characters in a title. With more, no card is drawn. */
const MOST_MISSING = 0.3

/** Returns the card as an SVG of shapes, without text or fonts. Undefined if the fonts lack too much of the title. */
export const drawCard = async (
  shaper: Shaper,
  { title, brandColor, siteName }: CardInput,
): Promise<string | undefined> => {
  const palette = paletteOf(brandColor)
  const { chars, rightToLeft, missing } = await paragraphOf(shaper, cleaned(title, TITLE_CHARS))
  if (missing > MOST_MISSING || chars.every(({ text }) => text.trim() === '')) return undefined
  const leading = chars.some(({ font }) => TALL.has(font)) ? 1.42 : 1.22
  const width = CARD_WIDTH - 2 * MARGIN
  const { size, lines } = await layOut(shaper, chars, { ...TITLE, width, leading })
  const left = (lineWidth: number): number => (rightToLeft ? CARD_WIDTH - MARGIN - lineWidth : MARGIN)
  const top = TITLE.top + (TITLE.height - lines.length * size * leading) / 2
  let content = ''
  for (const [at, line] of lines.entries()) {
    const shaped = await shapeLine(shaper, line)
    const fitted = Math.min(size, width / shaped.width)
    content += paths(shaped, left(shaped.width * fitted), top + (at + 0.5) * size * leading + size * 0.35, fitted)
  }
  const site = await shapeLine(shaper, (await paragraphOf(shaper, cleaned(siteName, SITE.chars))).chars)
  const siteSize = site.width === 0 ? SITE.size : Math.min(SITE.size, width / site.width)
  content += paths(site, left(site.width * siteSize), SITE.baseline, siteSize)
  return frame(palette, rightToLeft, content)
}
