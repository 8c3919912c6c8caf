let graphemes: Intl.Segmenter | undefined

/**
 * Divides a text into what readers take for characters.
 *
 * The segmenter is made at the first call: it takes longer than all else while a Worker starts.
 */
export const graphemesOf = (text: string): string[] => {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}
