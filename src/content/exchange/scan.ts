import type { UncountedReason } from '../../../schema/values/exchange.ts'
import type { HtmlDocument } from '../html/document.ts'
import {
  type CountedLink,
  countedLinks,
  linkedKeys,
  type SiteLink,
  siteLinks,
  type UncountedLink,
  uncountedLinks,
} from './links.ts'
import type { ExchangeView } from './scan-parts.ts'

/** Links found in content before the database is read. */
export type ContentLinks = { links: readonly SiteLink[]; keys: readonly string[] }

/** Verdict on the links of saved content: those that count, and those to partners that count for nobody. */
export type JudgedLinks = { counted: readonly CountedLink[]; uncounted: readonly UncountedLink[] }

/** Returns the links of content that can count, and the sites to ask for. */
export const linksIn = (document: HtmlDocument): ContentLinks => {
  const links = siteLinks(document.links)
  return { links, keys: linkedKeys(links) }
}

/** Returns the links that count now; undefined if no content was sent, so that nothing changes. */
export const judgeLinks = (sent: ContentLinks | undefined, view: ExchangeView): JudgedLinks | undefined =>
  sent && { counted: countedLinks(sent.links, view.sites), uncounted: uncountedLinks(sent.links, view.sites) }

const ASK = 'Ask GET /backlink-targets for pages to link to, and save the content again.'

const NO_LINK = `The content links to no partner of the backlink exchange, so it earns no credit. ${ASK}`
const NONE_COUNTS = `No link of the content counts in the backlink exchange (backlinks_not_counted says why), so it earns no credit. ${ASK}`

const WHY: Record<UncountedReason, string> = {
  no_credits:
    'The partner has no credit left to pay for a link, so this one counts for nobody. It earns a credit if you save the content again when the partner has one.',
  monthly_limit: 'The partner’s plan takes no more links this month, so this one counts for nobody.',
  competitor: 'One of the two projects names the other as a competitor, so the link counts for nobody.',
}

export type ExchangeAnswer = {
  backlinks_processed: number
  backlinks_warning?: string
  backlinks_not_counted?: (UncountedLink & { message: string })[]
}

/** Returns the exchange's part of a save's answer. `hasContent`: the article has content after the save. */
export const exchangeAnswer = (
  links: JudgedLinks | undefined,
  view: ExchangeView,
  hasContent: boolean,
): ExchangeAnswer => {
  const processed = links?.counted.length ?? view.counted
  const uncounted = view.participating ? (links?.uncounted ?? []) : []
  const warn = view.participating && view.offered && hasContent && processed === 0
  return {
    backlinks_processed: processed,
    ...(warn ? { backlinks_warning: uncounted.length > 0 ? NONE_COUNTS : NO_LINK } : {}),
    ...(uncounted.length > 0
      ? { backlinks_not_counted: uncounted.map((link) => ({ ...link, message: WHY[link.reason] })) }
      : {}),
  }
}
