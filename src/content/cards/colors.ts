type Rgb = readonly [red: number, green: number, blue: number]

/** The channels of `#rrggbb`, 0 to 255. Throws for anything else. */
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

/** Relative luminance (WCAG 2.2). */
const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** The contrast ratio of two colours, 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [a, b] = [luminance(parseColor(one)), luminance(parseColor(other))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const WHITE = '#ffffff'
const BLACK = '#000000'

/** Difference of the shapes behind the text from the brand's colour. */
const SHADE = 0.12

const mixed = (from: string, to: string, share: number): string => {
  const [a, b] = [parseColor(from), parseColor(to)]
  return toHex(a.map((channel, at) => channel + ((b[at] ?? 0) - channel) * share) as unknown as Rgb)
}

export type Palette = { background: string; shade: string; text: string }

/**
 * Returns the colours of a card. The text is white or black, with a contrast of at least 4.58 : 1 to any brand colour.
 *
 * The shade for shapes moves away from the text's colour, so that text on it has no less contrast.
 */
export const paletteOf = (brandColor: string): Palette => {
  const isWhite = contrast(brandColor, WHITE) >= contrast(brandColor, BLACK)
  return {
    background: brandColor.toLowerCase(),
    shade: mixed(brandColor, isWhite ? BLACK : WHITE, SHADE),
    text: isWhite ? WHITE : BLACK,
  }
}
