import { cutSlug } from '../../platform/lib/slug.ts'
import { columnsOf } from '../../platform/lib/text.ts'
import { textWork } from '../../platform/lib/text-work.ts'
import { element, type HtmlElement, type HtmlNode, isElement, renderFragment, textOf } from '../html/tree.ts'
import { beginningOf } from '../seo/description.ts'
import { keywordMatcher } from '../seo/keyword-match.ts'
import { slugIn } from '../seo/language-slug.ts'
import { MAX_TITLE, MIN_CONTENTS, MIN_DESCRIPTION } from '../seo/rules.ts'
import { bannedIn, fold } from '../seo/words.ts'
import { type Evidence, evidenceOf, keepKnownSentences, keepToFacts, withoutUnknownNumbers } from './facts.ts'
import { keepKnownLinks, linkRules, placeLinks } from './links.ts'
import { plainBlocks } from './notes.ts'
import type { Outline, WritingBrief } from './port.ts'
import { prune, trimRuns } from './prose.ts'

/** Input for assembling an article. */
export type ToAssemble = { brief: WritingBrief; notes: string; outline: Outline; written: Written }

/** Job that assembles an article. */
export const assembleWork = textWork<ToAssemble, Assembled>('assemble')

/** Text written so far: the outline's sections, or the whole article after a repair. */
type Written = { sections: readonly string[] } | { whole: string }

/** Texts of an assembled article. */
export type Assembled = {
  title: string
  metaDescription: string
  html: string
  /** Removed sentences, counted in the log. */
  cut: readonly string[]
}

const HEADING = /^h[2-6]$/

/** Moves a section's headings below its own: h3, and h4 below an h3. Removes a repeated section heading. */
const belowSection = (nodes: readonly HtmlNode[], heading: string): HtmlNode[] => {
  let before = 2
  const own = fold(heading)
  return nodes.flatMap((node) => {
    if (!isElement(node) || !HEADING.test(node.tag)) return [node]
    const level = Math.min(Math.max(Number(node.tag[1]), 3), before + 1, 4)
    if (own !== '' && fold(textOf([node])) === own) return []
    before = level
    return [{ ...node, tag: `h${level}` }]
  })
}

const isHeading = (node: HtmlNode): boolean => isElement(node) && HEADING.test(node.tag)

/** Returns a section under its heading. The introduction has no heading, and loses all headings inside. */
const sectionNodes = (html: string, heading: string): HtmlNode[] => {
  if (heading === '') return plainBlocks(html).filter((node) => !isHeading(node))
  return [element('h2', [{ text: heading }]), ...belowSection(plainBlocks(html), heading)]
}

/** Returns the nodes with heading levels that start at h2 and skip none. */
const evenLevels = (nodes: readonly HtmlNode[]): HtmlNode[] => {
  let before = 1
  return nodes.map((node) => {
    if (!isElement(node) || !HEADING.test(node.tag)) return node
    before = Math.min(Number(node.tag[1]), before + 1)
    return { ...node, tag: `h${before}` }
  })
}

const bodyOf = (written: Written, outline: Outline): HtmlNode[] =>
  'whole' in written
    ? evenLevels(plainBlocks(written.whole))
    : evenLevels(written.sections.flatMap((html, index) => sectionNodes(html, outline.sections[index]?.heading ?? '')))

const MAX_ID = 60

/** Gives every heading a unique id made from its words. */
const withIds = (nodes: readonly HtmlNode[], language: string): HtmlNode[] => {
  const taken = new Set<string>()
  return nodes.map((node) => {
    if (!isElement(node) || !HEADING.test(node.tag)) return node
    const base = cutSlug(slugIn(language, textOf([node])), MAX_ID) || 'section'
    let id = base
    for (let number = 2; taken.has(id); number += 1) id = `${base}-${number}`
    taken.add(id)
    return { ...node, attributes: { ...node.attributes, id } }
  })
}

const isSection = (node: HtmlNode): node is HtmlElement => isElement(node) && node.tag === 'h2'

/** Adds a table of contents after the introduction, with one link to each section. */
const withContents = (nodes: readonly HtmlNode[]): HtmlNode[] => {
  const sections = nodes.filter(isSection)
  if (sections.length < MIN_CONTENTS) return [...nodes]
  const items = sections.map((heading) =>
    element('li', [element('a', [{ text: textOf([heading]) }], { href: `#${heading.attributes.id}` })]),
  )
  const first = nodes.findIndex(isSection)
  return [...nodes.slice(0, first), element('nav', [element('ul', items)]), ...nodes.slice(first)]
}

const usesBanned = (text: string, { bannedPhrases }: WritingBrief): boolean =>
  bannedIn(bannedPhrases, [text]).length > 0

/** Returns the caller's title. If it only repeats the keyword, returns the writer's title if that is suitable. */
const titleOf = (brief: WritingBrief, outline: Outline, evidence: Evidence): string => {
  if (fold(brief.title) !== fold(brief.keyword)) return brief.title
  const proposed = withoutUnknownNumbers(outline.title.replace(/\s+/g, ' ').trim(), evidence)
  const isFit =
    proposed !== '' &&
    columnsOf(proposed) <= MAX_TITLE &&
    keywordMatcher(brief.keyword, brief.language)?.(proposed) === true
  return isFit && !usesBanned(proposed, brief) ? proposed : brief.title
}

const descriptionOf = (
  brief: WritingBrief,
  outline: Outline,
  evidence: Evidence,
  nodes: readonly HtmlNode[],
): string => {
  const { maxLength } = brief.metaDescription
  const proposed = keepKnownSentences(outline.metaDescription.replace(/\s+/g, ' ').trim(), evidence)
  const isFit =
    columnsOf(proposed) >= MIN_DESCRIPTION && columnsOf(proposed) <= maxLength && !usesBanned(proposed, brief)
  if (isFit) return proposed
  const paragraphs = nodes.filter((node) => isElement(node) && node.tag === 'p')
  const prose = paragraphs.length > 0 ? paragraphs : nodes.filter((node) => !isHeading(node))
  return beginningOf(prose.map((node) => textOf([node]).trim()).join('\n'), maxLength)
}

/** Adds a heading with the keyword to an article without sections. */
const withSection = (nodes: readonly HtmlNode[], keyword: string): HtmlNode[] =>
  nodes.length === 0 || nodes.some(isSection) ? [...nodes] : [element('h2', [{ text: keyword }]), ...nodes]

/**
 * Assembles one article from its written parts, by the same rules for every writer. A pure function.
 *
 * It has only known links and facts, the required links, the call to action, and heading ids. It has a table of contents if the
 * project wants one.
 */
export const assemble = (brief: WritingBrief, notes: string, outline: Outline, written: Written): Assembled => {
  const evidence = evidenceOf(notes, brief)
  const known = keepKnownLinks(bodyOf(written, outline), linkRules(notes, brief))
  const cut = keepToFacts(known, evidence)
  trimRuns(known)
  const body = withIds(withSection(evenLevels(prune(known)), brief.keyword), brief.language)
  const metaDescription = descriptionOf(brief, outline, evidence, body)
  const linked = body.length === 0 ? [] : placeLinks(body, brief)
  const whole = brief.tableOfContents ? withContents(linked) : linked
  return { title: titleOf(brief, outline, evidence), metaDescription, html: renderFragment(whole), cut }
}
