import type { SeoSeverity } from '../../../schema/values/seo.ts'
import { clip } from '../../platform/lib/text.ts'
import type { HtmlDocument } from '../html/document.ts'

/** Article fields and project settings that the checks use, besides the content. */
export type SeoExpectations = {
  keyword: string
  title: string
  slug: string
  metaDescription: string
  /** Address of the feature image; empty without one; absent if the service adds one itself. */
  featureImage?: string | undefined
  /** Label of the project's language, for example `English (US)`. */
  language: string
  /** Number of words that the brief asks for. */
  wordCount: number
  tableOfContents: boolean
  /** Number of internal links that the project asks for. */
  internalLinks: number
  /** Project's site as a `siteKey`. Links to pages below it are internal. */
  siteKey: string
  /** Keys (`pageKey`) of the linked own pages that exist; null if the site was never scanned. */
  knownPages: ReadonlySet<string> | null
  /** Sites (`siteKey`) of the exchange partners committed to the article. */
  exchangeSites: readonly string[]
  /** Domains that must not be linked. */
  competitors: readonly string[]
  bannedPhrases: readonly string[]
  /** Most similar article of the project, with the share of common phrases (0 to 1); null if there is none. */
  duplicateOf: { articleId: number; title: string; share: number } | null
}

/** Fault in one sentence, and how to fix it. `severity` is set if it differs from the check's usual one. */
type Fault = { message: string; fix: string; severity?: SeoSeverity }

/** Result of a check: null if it passed, a fault if it failed. A check that is not applicable counts as neither. */
export type Finding = Fault | null | 'not_applicable'

/** Check of an article: a pure function of its document and the expectations. */
export type Check = (document: HtmlDocument, given: SeoExpectations) => Finding

const SHOWN = 5

/** Returns a list for a sentence: the first few items in quotes, and the number of further items. */
export const named = (items: readonly string[]): string => {
  const shown = items.slice(0, SHOWN).map((item) => `"${item.length > 80 ? `${clip(item, 79)}…` : item}"`)
  return items.length > SHOWN ? `${shown.join(', ')} and ${items.length - SHOWN} more` : shown.join(', ')
}

/** Returns a number with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
