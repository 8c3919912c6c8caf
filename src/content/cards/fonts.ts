/** The fonts a card may need, by what they are for. Each is loaded when a title first needs it. */
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

/** Shown as a picture: by itself, by a variation selector, as a flag or as a key cap. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u

/** Returns the fonts to look in for a character as a reader sees it, the fitting one first. */
export const fontsFor = (grapheme: string): FontName[] => {
  const first = byScript().find(([pattern]) => pattern.test(grapheme))?.[1]
  const wanted: FontName[] = EMOJI.test(grapheme) ? ['emoji'] : first ? [first] : []
  return [...new Set<FontName>([...wanted, 'latin', 'emoji', 'han'])]
}
