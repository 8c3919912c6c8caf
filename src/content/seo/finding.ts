import type { SeoSeverity } from '../../../schema/values/seo.ts'
import type { HtmlDocument } from '../html/document.ts'
import type { SeoExpectations } from './report.ts'

/** Fault in one sentence, and its remedy; `severity` if it is not the check's usual one. */
type Fault = { message: string; fix: string; severity?: SeoSeverity }

/** Result of one check: null if it passed, a fault if it did not. A check that is not applicable counts in neither. */
export type Finding = Fault | null | 'not_applicable'

/** One check: pure, over the article as it is read and what it is judged against. */
export type Check = (document: HtmlDocument, given: SeoExpectations) => Finding

const SHOWN = 5

/** Returns a list for a sentence: the first few in quotes, and how many more there are. */
export const named = (items: readonly string[]): string => {
  const shown = items.slice(0, SHOWN).map((item) => `"${item.length > 80 ? `${item.slice(0, 79)}…` : item}"`)
  return items.length > SHOWN ? `${shown.join(', ')} and ${items.length - SHOWN} more` : shown.join(', ')
}

/** Returns a count with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
