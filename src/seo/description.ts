import type { HtmlDocument } from '../html/document.ts'
import { clip } from '../lib/text.ts'

const MAX = 155
/** From this length on a description says enough. */
const ENOUGH = 70
const SENTENCE_END = /[.!?…]+["'”’)]*(?=\s|$)|[。！？]/gu
/** A word's end this far into the room there is; else, as in scripts without spaces, the cut is made inside a run. */
const LATE = 0.6

const cutAtWord = (text: string, max: number): string => {
  const cut = clip(text, max)
  const blank = cut.lastIndexOf(' ')
  const words = blank > max * LATE ? cut.slice(0, blank) : cut
  return `${words.replace(/[\s,;:–—-]+$/u, '')}…`
}

/** A meta description from an article's first sentences: at most 155 characters, ending with a sentence or a word. */
export const describe = ({ blocks, text }: HtmlDocument): string => {
  const prose = blocks.filter(({ tag, text: said }) => tag === 'p' && said !== '').map(({ text: said }) => said)
  const source = prose.length > 0 ? prose.join(' ') : text
  if (source.length <= MAX) return source
  const ends = [...source.slice(0, MAX + 1).matchAll(SENTENCE_END)]
    .map(({ index, 0: end }) => index + end.length)
    .filter((end) => end >= ENOUGH && end <= MAX)
  const last = ends.at(-1)
  return last === undefined ? cutAtWord(source, MAX - 1) : source.slice(0, last)
}
