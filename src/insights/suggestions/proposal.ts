import type { OpportunityType, Trigger, Wording } from '../../../schema/values/suggestions.ts'
import { readDocument } from '../../content/html/document.ts'
import { escapeAttribute, escapeText } from '../../content/html/references.ts'
import { type HtmlNode, isElement, parseFragment, renderFragment } from '../../content/html/tree.ts'
import { describe } from '../../content/seo/description.ts'
import { MAX_DESCRIPTION, MAX_TITLE, MIN_DESCRIPTION } from '../../content/seo/rules.ts'
import { fold, hasPhrase } from '../../content/seo/words.ts'
import { type Evidence, evidenceOf, keepKnownSentences, keepToFacts } from '../../content/writing/facts.ts'
import { keepKnownLinks, type LinkRules, linkRules } from '../../content/writing/links.ts'
import type { Headline, WritingBrief } from '../../content/writing/port.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'
import { clip } from '../../platform/lib/text.ts'

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Places at which a title can be cut: a colon, a comma, a dash, or the end of a sentence. */
const CLAUSE = /[,:;|]\s|\s[–—-]\s|[?!…]\s/gu

/**
 * Returns a title that begins with the query, followed by the old title or its first clauses.
 *
 * The title is unchanged if it already has the query, or if both together are too long.
 */
export const betterTitle = (title: string, query: string | undefined): string => {
  if (query === undefined || hasPhrase(fold(title), fold(query))) return title
  const clauses = [...title.matchAll(CLAUSE)].map(({ index }) => title.slice(0, index).trim())
  const fits = [title, ...clauses.reverse()]
    .filter((text) => text !== '')
    .map((text) => `${capitalised(query)}: ${text}`)
    .find((text) => text.length <= MAX_TITLE)
  return fits ?? title
}

/** Returns a description made of the page's own sentences, if possible one with the query; unchanged if none fits. */
export const betterDescription = (description: string, content: string, query: string | undefined): string => {
  if (description.length >= MIN_DESCRIPTION && query !== undefined && hasPhrase(fold(description), fold(query)))
    return description
  const document = readDocument(content)
  const sentences = document.blocks
    .filter(({ tag }) => tag === 'p')
    .flatMap(({ text }) => sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim()))
  const fits = (text: string) => text.length >= MIN_DESCRIPTION && text.length <= MAX_DESCRIPTION
  const answers = query === undefined ? [] : sentences.filter((text) => hasPhrase(fold(text), fold(query)))
  const first =
    answers.find(fits) ??
    (answers[0] === undefined
      ? undefined
      : describe({
          ...document,
          blocks: [{ tag: 'p', text: sentences.slice(sentences.indexOf(answers[0])).join(' '), links: 0 }],
        }))
  const made = first ?? (description.length < MIN_DESCRIPTION ? describe(document) : description)
  return made === '' || made.length > MAX_DESCRIPTION ? description : made
}

/** Adds a link to the page that competes for the same query, if the text has none. */
const withLinkTo = (content: string, { other_page: other, queries }: Trigger): string => {
  const query = queries[0]?.query
  if (other === null || query === undefined || readDocument(content).links.some(({ href }) => href === other))
    return content
  return `${content}<p><a href="${escapeAttribute(other)}">${escapeText(capitalised(query))}</a></p>`
}

const MODEL_ADDS: Partial<Record<OpportunityType, string>> = {
  striking_distance: 'A language model as the writer would also add the subtopics that searchers ask for.',
  ctr_underperform: 'A language model as the writer would also word title and description again.',
  declining_page: 'A language model as the writer would also refresh what is out of date.',
  dead_page: 'A language model as the writer would also rework the text.',
  not_indexed: 'A language model as the writer would also say what other pages do not.',
  thin_content:
    'A language model as the writer would also add what is missing; without one, notes of yours are needed.',
}

/** Further advice for a person. */
const ADVICE: Partial<Record<OpportunityType, string>> = {
  cannibalisation:
    'Think of merging the two pages: with a canonical address (canonical_url) on this one, the other is the one that ranks.',
  dead_page: 'A page that nobody searches for can be unpublished.',
}

/** Returns notes for a person: work that a language model would add if none was used, and further advice. */
export const notesOf = (type: OpportunityType, isByModel: boolean): string[] =>
  [isByModel ? undefined : MODEL_ADDS[type], ADVICE[type]].filter((note) => note !== undefined)

type Given = { type: OpportunityType; trigger: Trigger; query: string | undefined }

/**
 * True if title and description should have the query. A page that competes with a better one leaves the query to that page.
 */
export const mentionsQuery = (type: OpportunityType): boolean => type !== 'cannibalisation'

/**
 * Returns a proposal that invents nothing: title and description come from the query and the page's own sentences.
 *
 * `content`: the article with its structure and links in order, or a writer's version of it.
 */
export const proposeFrom = (before: Wording, content: string, { type, trigger, query }: Given): Wording =>
  mentionsQuery(type)
    ? {
        title: betterTitle(before.title, query),
        meta_description: betterDescription(before.meta_description, before.content, query),
        content,
      }
    : { ...before, content: withLinkTo(content, trigger) }

const ADDRESS = /https?:|www\.|[<>]/i

/** Returns the facts in an article, including title and description. A rewrite may state no others. */
export const evidenceFor = ({ title, meta_description, content }: Wording, brief: WritingBrief): Evidence =>
  evidenceOf(`${title}. ${meta_description} ${content}`, brief)

const isKnown = (text: string, evidence: Evidence): boolean => keepKnownSentences(text, evidence) === text.trim()

/**
 * Returns the queries that may appear in the article: those without addresses and without numbers that the article does not
 * have.
 */
export const usableQueries = (queries: readonly string[], evidence: Evidence): string[] =>
  queries.filter((query) => !ADDRESS.test(query) && isKnown(query, evidence))

const between = (what: string, text: string, least: number, most: number): string[] =>
  text.length < least || text.length > most
    ? [`The ${what} has ${text.length} characters; it must have ${least} to ${most}.`]
    : []

/**
 * Returns the faults of a writer's title and description, each as a sentence; empty if they are sound.
 *
 * Faults are a wrong length, a number, quotation or address that the article does not have, and a query that neither text has.
 */
export const headlineFaults = ({ title, metaDescription }: Headline, query: string | undefined, evidence: Evidence) => {
  const faults = [
    ...between('title', title, 1, MAX_TITLE),
    ...between('description', metaDescription, MIN_DESCRIPTION, MAX_DESCRIPTION),
  ]
  for (const [what, text] of [
    ['title', title],
    ['description', metaDescription],
  ] as const)
    if (ADDRESS.test(text) || !isKnown(text, evidence))
      faults.push(`The ${what} states something that the article does not.`)
  const says = query === undefined || [title, metaDescription].some((text) => hasPhrase(fold(text), fold(query)))
  if (!says) faults.push('Neither title nor description has the words that searchers typed.')
  return faults
}

/** Smallest share of the article's text that a rewrite must have. */
const LEAST = 0.6

const counted = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const missing = (before: readonly string[], after: readonly string[]): string[] => {
  const there = counted(after)
  return [...counted(before)].filter(([item, n]) => (there.get(item) ?? 0) < n).map(([item]) => item)
}

const occurrences = (html: string, tag: string): number => html.match(new RegExp(`<${tag}[\\s>]`, 'gi'))?.length ?? 0

/**
 * Returns the faults of a rewrite, each as a sentence; empty if it is sound.
 *
 * It must keep every link, image, embed, table and id. It must not be much shorter, or embed anything new.
 *
 * It must not state a number or quotation that neither the article nor the brief has.
 */
export const faultsOf = (before: string, after: string, brief: WritingBrief): string[] => {
  const [old, made] = [readDocument(before), readDocument(after)]
  const faults: string[] = []
  const addWarning = (what: string, lost: readonly string[]) => {
    if (lost.length > 0) faults.push(`It lost ${what}: ${lost.slice(0, 3).join(', ')}.`)
  }
  addWarning(
    'links',
    missing(
      old.links.map(({ href }) => href),
      made.links.map(({ href }) => href),
    ),
  )
  addWarning(
    'images',
    missing(
      old.images.map(({ src }) => src),
      made.images.map(({ src }) => src),
    ),
  )
  addWarning('ids', missing(old.ids, made.ids))
  for (const tag of ['iframe', 'table'])
    if (occurrences(after, tag) < occurrences(before, tag)) faults.push(`It lost an element: ${tag}.`)
  if (occurrences(after, 'iframe') > occurrences(before, 'iframe'))
    faults.push('It embeds something that the article does not.')
  if (made.text.length < LEAST * old.text.length) faults.push('It is much shorter than the article.')
  const cut = keepToFacts(parseFragment(after), evidenceOf(before, brief))
  if (cut[0] !== undefined) faults.push(`It states something that the article does not: ${clip(cut[0], 200)}`)
  return faults
}

type Known = { links: ReadonlySet<string>; images: ReadonlySet<string>; rules: LinkRules }

const withoutUnknown = (nodes: readonly HtmlNode[], known: Known): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [node]
    if (node.tag === 'img' && !known.images.has(node.attributes.src ?? '')) return []
    const whole = { ...node, children: withoutUnknown(node.children, known) }
    const href = node.attributes.href?.trim() ?? ''
    return node.tag !== 'a' || known.links.has(href) || href.startsWith('#')
      ? [whole]
      : keepKnownLinks([whole], known.rules)
  })

/**
 * Removes links and images that neither the article nor the brief has, which a page or a model may have added.
 *
 * Returns the same text if there are none.
 */
export const keepKnown = (before: string, after: string, brief: WritingBrief, more: readonly string[]): string => {
  const [old, made] = [readDocument(before), readDocument(after)]
  const known = {
    links: new Set([...old.links.map(({ href }) => href), ...more]),
    images: new Set(old.images.map(({ src }) => src)),
    rules: linkRules(before, brief),
  }
  const isKnown =
    made.links.every(({ href }) => known.links.has(href)) && made.images.every(({ src }) => known.images.has(src))
  return isKnown ? after : renderFragment(withoutUnknown(parseFragment(after, new Set()), known))
}
