import { element, type HtmlElement, type HtmlNode, isElement, textOf } from '../../../content/html/tree.ts'
import { cutRanges, prune, runsOf } from '../../../content/writing/prose.ts'
import { phraseKey, wordsOf } from '../../../platform/lib/phrases.ts'
import { sentencesOf } from '../../../platform/lib/sentences.ts'
import { isStopWord } from '../../../platform/lib/stop-words.ts'

/** A piece of the notes that stays together: a paragraph, a list item, a table, a quotation. */
export type Unit = { node: HtmlElement; text: string; topics: ReadonlySet<string> }

/** Number of words above which a paragraph is split. */
const LONG_PARAGRAPH = 170
const SENTENCES_A_UNIT = 3

/** Returns the topic words of a text, in a form that is the same for singular and plural. */
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

/** Splits a long paragraph into several that have whole sentences, in their order. */
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

/** Returns the notes' blocks as units. If a list is the only block, its items become units. */
export const unitsOf = (blocks: readonly HtmlNode[], tag: string): Unit[] => {
  const elements = blocks.filter(isElement)
  const lists = elements.filter((node) => node.tag === 'ul')
  const [only] = lists
  const items = elements.length === 1 && only ? only.children.filter(isElement) : []
  if (items.length > 0) return items.map((item) => unitOf(item, tag))
  return elements.flatMap((node) => (node.tag === 'p' ? splitParagraph(node) : [node])).map((node) => unitOf(node, tag))
}

/** Returns units as blocks. Neighbouring list items become one list. */
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

const MAX_GROUPS = 8
/** Most groups while reading. With this many, a piece that is like none of them joins the group of the piece before it. */
const MAX_OPEN = 40
/** Similarity of topic words from which two pieces have the same topic. */
const ALIKE = 0.12

/** Beginnings that tie a piece to the one before it, so that it must stay behind it. */
const GOES_ON =
  /^(?:and|but|so|also|however|therefore|then|it|its|this|that|these|those|they|he|she|such|und|aber|also|doch|dies\p{L}*|er|sie|es|et|mais|donc|ce|cette|il|elle|y|pero|esto|este|esta|en|maar|dus|dit|deze|dat|het)\b/iu

type Group = { units: Unit[]; topics: Map<string, number> }

const add = (group: Group, unit: Unit): void => {
  group.units.push(unit)
  for (const topic of unit.topics) group.topics.set(topic, (group.topics.get(topic) ?? 0) + 1)
}

const likeness = (group: Group, unit: Unit, common: ReadonlySet<string>): number => {
  const rare = [...unit.topics].filter((topic) => !common.has(topic))
  if (rare.length === 0) return 0
  const shared = rare.filter((topic) => group.topics.has(topic)).length
  const size = [...group.topics.keys()].filter((topic) => !common.has(topic)).length
  return shared / Math.sqrt(rare.length * Math.max(1, size))
}

/** Returns topic words that more than half of all pieces have. They do not distinguish pieces. */
const commonTopics = (units: readonly Unit[]): Set<string> => {
  const uses = new Map<string, number>()
  for (const { topics } of units) for (const topic of topics) uses.set(topic, (uses.get(topic) ?? 0) + 1)
  return new Set([...uses].filter(([, count]) => count * 2 > units.length).map(([topic]) => topic))
}

const isText = (unit: Unit): boolean => unit.node.tag === 'p' || unit.node.tag === 'li'

/** Joins the smallest group, except the first, to the group before it. Returns the groups. */
const mergeSmallest = (groups: Group[]): Group[] => {
  const sizes = groups.map(({ units }) => units.reduce((sum, { text }) => sum + text.length, 0))
  const at = Math.max(1, sizes.indexOf(Math.min(...sizes.slice(1))))
  const into = groups[at - 1]
  for (const unit of groups[at]?.units ?? []) if (into) add(into, unit)
  return groups.toSpliced(at, 1)
}

/**
 * Groups pieces with the same topic, at most eight groups, in the order of their first pieces.
 *
 * Pieces that continue the one before, and lists, tables and quotations, stay behind it.
 */
export const clusterUnits = (units: readonly Unit[]): Unit[][] => {
  const common = commonTopics(units)
  let groups: Group[] = []
  let last: Group | undefined
  for (const unit of units) {
    const stays = last !== undefined && (!isText(unit) || unit.topics.size === 0 || GOES_ON.test(unit.text))
    const [best] = groups
      .map((group) => ({ group, like: likeness(group, unit, common) }))
      .sort((a, b) => b.like - a.like)
    const alike = best && best.like >= ALIKE ? best.group : undefined
    const found = stays ? last : (alike ?? (groups.length < MAX_OPEN ? undefined : last))
    const group = found ?? { units: [], topics: new Map<string, number>() }
    if (!found) groups.push(group)
    add(group, unit)
    last = group
  }
  while (groups.length > MAX_GROUPS) groups = mergeSmallest(groups)
  return groups.map((group) => group.units)
}
