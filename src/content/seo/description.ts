import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip, columnsOf, graphemesOf } from '../../platform/lib/text.ts'
import type { HtmlDocument } from '../html/document.ts'

const MAX = 155
/** Shortest complete description, in columns. */
const ENOUGH = 70
/** Share of a cut text after which its last space must be. Otherwise the cut is within a word, as in scripts without spaces. */
const LATE = 0.6

/** Returns the start of a text that fits in `max` columns. */
const clipColumns = (text: string, max: number): string => {
  let [cut, columns] = ['', 0]
  for (const sign of graphemesOf(clip(text, max * 4))) {
    columns += columnsOf(sign)
    if (columns > max) break
    cut += sign
  }
  return cut
}

const cutAtWord = (text: string, max: number): string => {
  const cut = clipColumns(text, max)
  const blank = cut.lastIndexOf(' ')
  const words = blank > cut.length * LATE ? cut.slice(0, blank) : cut
  return `${words.replace(/(?<![\s,;:–—-])[\s,;:–—-]+$/u, '')}…`
}

/**
 * Returns the first sentences of a text within `max` columns. The result ends with a sentence or a word.
 *
 * `lines` has one paragraph per line.
 */
export const beginningOf = (lines: string, max: number): string => {
  const source = lines.replaceAll('\n', ' ')
  const beginning = clip(lines, max * 2)
  if (lines === beginning && columnsOf(source) <= max) return source
  // The last sentence may continue after the cut.
  const kept = sentencesOf(beginning)
    .slice(0, -1)
    .map(({ end }) => beginning.slice(0, end).trimEnd().replaceAll('\n', ' '))
    .filter((said) => columnsOf(said) >= ENOUGH && columnsOf(said) <= max)
  return kept.at(-1) ?? cutAtWord(source, max - 1)
}

/** Returns a meta description made from an article's first sentences. */
export const describe = ({ blocks, text }: HtmlDocument): string => {
  const prose = blocks.filter(({ tag, text: said }) => tag === 'p' && said !== '').map(({ text: said }) => said)
  // The end of a paragraph ends a sentence.
  return beginningOf(prose.length > 0 ? prose.join('\n') : text, MAX)
}
