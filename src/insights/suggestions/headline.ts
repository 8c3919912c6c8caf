import type { Wording } from '../../../schema/values/suggestions.ts'
import { MAX_DESCRIPTION, MAX_TITLE, MIN_DESCRIPTION } from '../../content/seo/rules.ts'
import { fold, hasPhrase } from '../../content/seo/words.ts'
import { type Evidence, evidenceOf, keepKnownSentences } from '../../content/writing/facts.ts'
import type { Headline, WritingBrief } from '../../content/writing/port.ts'

const ADDRESS = /https?:|www\.|[<>]/i

/** Returns the evidence of an article, title and description included: nothing else may be stated about it. */
export const evidenceFor = ({ title, meta_description, content }: Wording, brief: WritingBrief): Evidence =>
  evidenceOf(`${title}. ${meta_description} ${content}`, brief)

const isKnown = (text: string, evidence: Evidence): boolean => keepKnownSentences(text, evidence) === text.trim()

/** Queries that can be said of the article: with no number and no address that it does not have itself. */
export const sayable = (queries: readonly string[], evidence: Evidence): string[] =>
  queries.filter((query) => !ADDRESS.test(query) && isKnown(query, evidence))

const between = (what: string, text: string, least: number, most: number): string[] =>
  text.length < least || text.length > most
    ? [`The ${what} has ${text.length} characters; it has to have ${least} to ${most}.`]
    : []

/**
 * Returns the faults of a writer's title and description, each as a sentence; empty if they are sound.
 *
 * A fault is their length, a number, quotation or address that the article does not have, or that neither has the query.
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
    if (ADDRESS.test(text) || !isKnown(text, evidence)) faults.push(`The ${what} states what the article does not.`)
  const says = query === undefined || [title, metaDescription].some((text) => hasPhrase(fold(text), fold(query)))
  if (!says) faults.push('Neither title nor description says what searchers typed.')
  return faults
}
