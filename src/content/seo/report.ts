import type { SeoSeverity } from '../../../schema/values/seo.ts'
import type { HtmlDocument } from '../html/document.ts'

/** Settings and facts that an article is judged by, besides its own words. */
export type SeoExpectations = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  /** Address of the picture at its head, empty without one; absent where the service adds one itself. */
  featureImage?: string | undefined
  /** The project's language label, for example `English (US)`. */
  language: string
  /** Words the brief asks for. */
  wordCount: number
  tableOfContents: boolean
  /** Links to own pages the project asks for. */
  internalLinks: number
  /** The project's site, as `siteKey` makes it: links below it are internal. */
  siteKey: string
  /** Keys (`pageKey`) of the linked own pages that are known to exist; null when the site was never scanned. */
  knownPages: ReadonlySet<string> | null
  /** Sites (`siteKey`) of the exchange partners committed to the article. */
  exchangeSites: readonly string[]
  /** Domains never to be linked. */
  competitors: readonly string[]
  bannedPhrases: readonly string[]
  /** The article of the project this one repeats, with the share of common shingles (0 to 1); null when none does. */
  duplicateOf: { articleId: number; title: string; share: number } | null
}

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
