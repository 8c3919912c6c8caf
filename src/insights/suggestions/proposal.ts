import type { OpportunityType, Trigger, Wording } from '../../../schema/values/suggestions.ts'
import { readDocument } from '../../content/html/document.ts'
import { escapeAttribute, escapeText } from '../../content/html/references.ts'
import { describe } from '../../content/seo/description.ts'
import { MAX_DESCRIPTION, MAX_TITLE, MIN_DESCRIPTION } from '../../content/seo/rules.ts'
import { fold, hasPhrase } from '../../content/seo/words.ts'
import { sentencesOf } from '../../platform/lib/sentences.ts'

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Places at which a title can end: before a colon, a comma, a dash, or the text after a question. */
const CLAUSE = /[,:;|]\s|\s[–—-]\s|[?!…]\s/gu

/**
 * Returns a title that says what searchers type, in front of what it said before, or of its first clauses; unchanged where it says so already or
 * neither has room.
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

/** Returns a description made of the page's own sentences, one that answers the query first; unchanged where none fits. */
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

/** Returns a link to the page that competes for the same query, where the text has none. */
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
  thin_content:
    'A language model as the writer would also add what is missing; without one, notes of yours are needed.',
}

/** Further advice for a person. */
const ADVICE: Partial<Record<OpportunityType, string>> = {
  cannibalisation:
    'Think of merging the two pages: with a canonical address (canonical_url) on this one, the other is the one that ranks.',
  dead_page: 'A page nobody looks for can be unpublished.',
}

/** Returns the notes on a rewrite for a person: what a model would add if none wrote it, and what it cannot do. */
export const notesOf = (type: OpportunityType, isByModel: boolean): string[] =>
  [isByModel ? undefined : MODEL_ADDS[type], ADVICE[type]].filter((note) => note !== undefined)

type Given = { type: OpportunityType; trigger: Trigger; query: string | undefined }

/** True if title and description are to say the query. A page that competes with a better one leaves it to that one. */
export const saysQuery = (type: OpportunityType): boolean => type !== 'cannibalisation'

/**
 * Returns a proposal that invents nothing: title and description from the query and the page's own sentences.
 *
 * `content`: the article with its structure and links in order, or a writer's version of it.
 */
export const proposeFrom = (before: Wording, content: string, { type, trigger, query }: Given): Wording =>
  saysQuery(type)
    ? {
        title: betterTitle(before.title, query),
        meta_description: betterDescription(before.meta_description, before.content, query),
        content,
      }
    : { ...before, content: withLinkTo(content, trigger) }
