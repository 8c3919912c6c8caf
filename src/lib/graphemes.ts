let graphemes: Intl.Segmenter | undefined

/** What a reader takes for one character. What divides a text is made with the first one: it takes longer than all else while a Worker starts. */
export const graphemesOf = (text: string): string[] => {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}
