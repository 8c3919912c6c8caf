import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip, columnsOf, graphemesOf } from '../../platform/lib/text.ts'
import type { HtmlDocument } from '../html/document.ts'

const MAX = 155
/** From this length on a description says enough. */
const ENOUGH = 70
/** A word's end this far into the room there is; else, as in scripts without spaces, the cut is made inside a run. */
const LATE = 0.6

/** Returns the beginning of a text that takes at most `max` columns. */
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

/** Returns the first sentences of a text, one paragraph a line: at most `max` columns, ending with a sentence or a word. */
export const beginningOf = (lines: string, max: number): string => {
  const source = lines.replaceAll('\n', ' ')
  const beginning = clip(lines, max * 2)
  if (lines === beginning && columnsOf(source) <= max) return source
  // The last sentence of a beginning may go on behind it.
  const kept = sentencesOf(beginning)
    .slice(0, -1)
    .map(({ end }) => beginning.slice(0, end).trimEnd().replaceAll('\n', ' '))
    .filter((said) => columnsOf(said) >= ENOUGH && columnsOf(said) <= max)
  return kept.at(-1) ?? cutAtWord(source, max - 1)
}

/** Returns a meta description from an article's first sentences. */
export const describe = ({ blocks, text }: HtmlDocument): string => {
  const prose = blocks.filter(({ tag, text: said }) => tag === 'p' && said !== '').map(({ text: said }) => said)
  // A paragraph's end ends a sentence.
  return beginningOf(prose.length > 0 ? prose.join('\n') : text, MAX)
}
