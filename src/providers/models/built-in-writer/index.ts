import { withoutMarksInHtml } from '../../../content/html/model-marks.ts'
import {
  element,
  type HtmlElement,
  type HtmlNode,
  isElement,
  renderFragment,
  textOf,
} from '../../../content/html/tree.ts'
import { bannedIn, fold, hasPhrase } from '../../../content/seo/words.ts'
import { readNotes } from '../../../content/writing/notes.ts'
import type { Writer, WriterInput, WritingBrief } from '../../../content/writing/port.ts'
import { cutRanges, prune, runsOf } from '../../../content/writing/prose.ts'
import { languageTagOf } from '../../../content/writing/rules.ts'
import { withoutModelMarks } from '../../../platform/lib/model-marks.ts'
import { phrasesIn } from '../../../platform/lib/phrases.ts'
import { sentencesOf } from '../../../platform/lib/sentences.ts'
import { blocksOf, clusterUnits, type Unit, unitsOf } from './units.ts'

const MIN_QUESTIONS = 2

const isQuestion = (node: HtmlNode | undefined): boolean => {
  if (!node || !isElement(node) || node.tag !== 'p') return false
  const text = textOf([node])
  return /[?？]$/.test(text) && text.length <= 200 && !/[.!?？]\s/.test(text)
}

const isAnswer = (node: HtmlNode | undefined): boolean =>
  node !== undefined && isElement(node) && /^(p|ul|ol)$/.test(node.tag) && !isQuestion(node)

/**
 * Moves questions with their answers into a section at the end, if the notes have two or more.
 *
 * Such a section is called `FAQ` in most languages.
 */
const extractQuestions = (blocks: readonly HtmlNode[]) => {
  const rest: HtmlNode[] = []
  const pairs: HtmlNode[] = []
  let count = 0
  for (let at = 0; at < blocks.length; at += 1) {
    const node = blocks[at]
    if (!node) continue
    if (!isQuestion(node) || !isAnswer(blocks[at + 1])) {
      rest.push(node)
      continue
    }
    count += 1
    pairs.push(element('h3', [{ text: textOf([node]) }]))
    const answer = blocks[at + 1]
    if (answer) pairs.push(answer)
    at += 1
  }
  if (count < MIN_QUESTIONS) return { rest: [...blocks], questions: [] }
  return { rest, questions: [{ heading: 'FAQ', nodes: pairs }] }
}

/** One section of the arranged notes; the introduction has no heading. */
type Section = { heading: string; nodes: HtmlNode[] }

/** The caller's notes in the order of an article. `title` is the notes' own title, '' if they have none. */
type Arranged = { title: string; sections: Section[] }

const HEADING = /^h[1-6]$/
const MAX_SECTIONS = 14
const MAX_HEADING = 70

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the notes without sentences that have a phrase the project bans. */
const withoutBanned = (nodes: readonly HtmlNode[], { bannedPhrases }: WritingBrief): HtmlNode[] => {
  const isBanned = (text: string) => bannedIn(bannedPhrases, [text]).length > 0
  if (bannedPhrases.length > 0)
    for (const run of runsOf(nodes)) {
      if (!isBanned(run.text)) continue
      const bannedSentences = sentencesOf(run.text).filter(({ start, end }) => isBanned(run.text.slice(start, end)))
      cutRanges(
        run,
        HEADING.test(run.block) || bannedSentences.length === 0
          ? [{ start: 0, end: run.text.length }]
          : bannedSentences,
      )
    }
  return prune(nodes)
}

const levelOf = (node: HtmlNode): number => (isElement(node) && HEADING.test(node.tag) ? Number(node.tag[1]) : 0)

/** Returns the sections that the notes' own headings make. Headings of the highest used level open sections, and so does the first heading. */
const sectionsByHeading = (nodes: readonly HtmlNode[]): Section[] => {
  const top = Math.min(...nodes.map(levelOf).filter((level) => level > 0))
  const sections: Section[] = [{ heading: '', nodes: [] }]
  for (const node of nodes) {
    const level = levelOf(node)
    if (level === top || (level > 0 && sections.length === 1)) sections.push({ heading: textOf([node]), nodes: [] })
    else {
      const tag = `h${Math.min(4, level - top + 2)}`
      sections.at(-1)?.nodes.push(level > 0 && isElement(node) ? { ...node, tag } : node)
    }
  }
  const [opening, ...others] = sections.filter(({ nodes: held }, index) => index === 0 || held.length > 0)
  const kept = others.slice(0, MAX_SECTIONS)
  // Groups beyond the last section are added to it, under smaller headings.
  for (const { heading, nodes: held } of others.slice(MAX_SECTIONS))
    kept.at(-1)?.nodes.push(element('h3', [{ text: heading }]), ...held)
  return [opening ?? { heading: '', nodes: [] }, ...kept]
}

/** Returns a heading for a group in its own words: its best phrase that is not used as a heading yet, else its first sentence or the keyword. */
const headingFor = (units: readonly Unit[], taken: Set<string>, brief: WritingBrief): string => {
  const texts = units.map(({ text }) => ({ text, weight: 1 }))
  const phrases = phrasesIn(texts, languageTagOf(brief.language)).filter(
    ({ phrase, words }) => words >= 2 && !/\d/.test(phrase) && !taken.has(fold(phrase)),
  )
  const [best] = phrases
  if (best) return best.phrase
  const first = sentencesOf(units[0]?.text ?? '')[0]
  const opening = (units[0]?.text ?? '')
    .slice(first?.start, first?.end)
    .replace(/(?<![.!?…:])[.!?…:]+\s*$/, '')
    .trim()
  return opening.length <= MAX_HEADING ? opening : brief.keyword
}

/** Returns a phrase as the text spells it, so that names keep their capitals. */
const asWritten = (phrase: string, units: readonly Unit[]): string => {
  for (const { text } of units) {
    const at = text.toLowerCase().indexOf(phrase)
    if (at >= 0) return text.slice(at, at + phrase.length)
  }
  return phrase
}

const sectionsByTopic = (blocks: readonly HtmlNode[], brief: WritingBrief): Section[] => {
  const units = unitsOf(blocks, languageTagOf(brief.language))
  const [first, ...rest] = units
  if (!first) return []
  const opens = first.node.tag === 'p' && rest.length > 0
  const groups = clusterUnits(opens ? rest : units)
  const taken = new Set([fold(brief.keyword)])
  const opening: Section = { heading: '', nodes: opens ? [first.node] : [] }
  const sections = groups.map((group) => {
    const heading = groups.length === 1 ? brief.keyword : asWritten(headingFor(group, taken, brief), group)
    taken.add(fold(heading))
    return { heading: capital(heading), nodes: blocksOf(group) }
  })
  return [opening, ...sections]
}

const hasKeyword = (text: string, keyword: string): boolean => hasPhrase(fold(text), fold(keyword))

/** Returns the sections with the keyword in a heading. If no heading has it, it is put before the first one. */
const withKeywordHeading = (sections: readonly Section[], keyword: string): Section[] => {
  if (sections.some(({ heading }) => hasKeyword(heading, keyword))) return [...sections]
  const at = sections.findIndex(({ heading }) => heading !== '')
  return sections.map((section, index) => {
    if (index !== at) return section
    const longer = `${capital(keyword)}: ${section.heading}`
    return { ...section, heading: longer.length <= MAX_HEADING + 20 ? longer : section.heading }
  })
}

const INTRODUCTION_WORDS = 100

/** Returns the sections with the keyword in the introduction. If it is missing there, it is put before the first paragraph. */
const withKeywordFirst = (sections: readonly Section[], keyword: string): Section[] => {
  const paragraphs = sections.flatMap(({ nodes }) => nodes.filter((node) => isElement(node) && node.tag === 'p'))
  const introduction = textOf(paragraphs).split(' ', INTRODUCTION_WORDS).join(' ')
  const [first] = paragraphs as HtmlElement[]
  if (!first || hasKeyword(introduction, keyword)) return [...sections]
  const lead: HtmlNode[] = [element('strong', [{ text: `${capital(keyword)}:` }]), { text: ' ' }]
  return sections.map((section) => ({
    ...section,
    nodes: section.nodes.map((node) => (node === first ? { ...first, children: [...lead, ...first.children] } : node)),
  }))
}

/** Returns the material to arrange: the notes, or the business's description of itself. */
const materialOf = ({ brief, notes }: WriterInput): HtmlNode[] => {
  const own = readNotes(withoutModelMarks(notes))
  return own.length > 0 ? own : readNotes(brief.business.description)
}

/**
 * Arranges notes as an article, in the caller's own sentences. Returns undefined if there is nothing to arrange.
 *
 * Sections follow the notes' headings. Without headings they follow topics, and phrases from the notes become headings. Questions with
 * answers come last.
 *
 * Only the keyword is added, if the headings or the introduction lack it. The same notes give the same article.
 */
const arrange = (input: WriterInput): Arranged | undefined => {
  const { brief } = input
  const blocks = withoutBanned(materialOf(input), brief)
  const [head, ...others] = blocks
  const isTitle = head !== undefined && isElement(head) && head.tag === 'h1'
  const title = isTitle ? textOf([head]) : ''
  const body = isTitle && others.length > 0 ? others : blocks
  if (textOf(body) === '') return undefined
  const { rest, questions } = extractQuestions(body)
  const arranged = rest.some((node) => levelOf(node) > 0) ? sectionsByHeading(rest) : sectionsByTopic(rest, brief)
  const sections = [...arranged, ...questions].map((section) => ({ ...section, nodes: prune(section.nodes) }))
  const filled = sections.filter(({ nodes }, index) => index === 0 || nodes.length > 0)
  return { title, sections: withKeywordFirst(withKeywordHeading(filled, brief.keyword), brief.keyword) }
}

/** Returns a section as HTML. Numbers of sources, which notes from a model have, are removed. */
const sectionHtml = ({ nodes }: Section): string => withoutMarksInHtml(renderFragment(nodes), true)

const NOTHING =
  'There is nothing to write the article from. Save notes as its content, or a business description in the project: the built-in writer arranges what it is given and invents nothing.'

const nothing = { kind: 'refused', reason: NOTHING, retryable: false } as const

const outlineOf = ({ title, sections }: Arranged, { brief }: WriterInput) => ({
  title: title || brief.title,
  metaDescription: '',
  sections: sections.map(({ heading }) => ({ heading, points: [] })),
})

/**
 * Returns the writer that needs no key and no network. It arranges the caller's own sentences as an article, without changing them.
 *
 * Its text is never repaired, because none of it is its own.
 */
export const builtInWriter = (): Writer => ({
  outline: async (input) => {
    const arranged = arrange(input)
    return arranged ? { kind: 'done', value: outlineOf(arranged, input) } : nothing
  },
  section: async (input) => {
    const section = arrange(input)?.sections[input.index]
    return section ? { kind: 'done', value: sectionHtml(section) } : nothing
  },
  repair: async () => ({ kind: 'kept' }),
  headline: async () => ({ kind: 'kept' }),
})
