import { element, type HtmlElement, type HtmlNode, isElement, textOf } from '../../../content/html/tree.ts'
import { cutRanges, prune, runsOf } from '../../../content/writing/prose.ts'
import { phraseKey, wordsOf } from '../../../platform/lib/phrases.ts'
import { sentencesOf } from '../../../platform/lib/sentences.ts'
import { isStopWord } from '../../../platform/lib/stop-words.ts'

/** A piece of the notes that stays together: a paragraph, a list item, a table, a quotation. */
export type Unit = { node: HtmlElement; text: string; topics: ReadonlySet<string> }

/** Words from which on a paragraph is cut into several. */
const LONG_PARAGRAPH = 170
const SENTENCES_A_UNIT = 3

/** Returns the words of a text that say what it is about, in a form that is the same for one and many. */
const topicsOf = (text: string, tag: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => word.length > 2 && !isStopWord(word, tag))
      .map(phraseKey),
  )

const unitOf = (node: HtmlElement, tag: string): Unit => {
  const text = textOf([node])
  return { node, text, topics: topicsOf(text, tag) }
}

/** Returns several paragraphs of a long one: every one has whole sentences, in their order. */
const splitParagraph = (node: HtmlElement): HtmlElement[] => {
  const [run] = runsOf([node])
  if (!run || wordsOf(run.text).length <= LONG_PARAGRAPH) return [node]
  const sentences = sentencesOf(run.text)
  const parts: HtmlElement[] = []
  for (let from = 0; from < sentences.length; from += SENTENCES_A_UNIT) {
    const kept = sentences.slice(from, from + SENTENCES_A_UNIT)
    const [copy] = structuredClone([node])
    const [whole] = copy ? runsOf([copy]) : []
    if (!copy || !whole) continue
    const start = kept[0]?.start ?? 0
    const end = kept.at(-1)?.end ?? whole.text.length
    cutRanges(whole, [
      { start: 0, end: start },
      { start: end, end: whole.text.length },
    ])
    parts.push(copy)
  }
  return parts
}

/** Returns the notes' blocks as units. Items of a list are units of their own where the list is all there is. */
export const unitsOf = (blocks: readonly HtmlNode[], tag: string): Unit[] => {
  const elements = blocks.filter(isElement)
  const lists = elements.filter((node) => node.tag === 'ul')
  const [only] = lists
  const items = elements.length === 1 && only ? only.children.filter(isElement) : []
  if (items.length > 0) return items.map((item) => unitOf(item, tag))
  return elements.flatMap((node) => (node.tag === 'p' ? splitParagraph(node) : [node])).map((node) => unitOf(node, tag))
}

/** Units as blocks again: neighbouring list items in one list. */
export const blocksOf = (units: readonly Unit[]): HtmlNode[] => {
  const blocks: HtmlElement[] = []
  for (const { node } of units) {
    const last = blocks.at(-1)
    if (node.tag !== 'li') blocks.push(node)
    else if (last?.tag === 'ul') last.children.push(node)
    else blocks.push(element('ul', [node]))
  }
  return prune(blocks)
}
