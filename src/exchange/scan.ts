import type { HtmlDocument } from '../html/document.ts'
import { type CountedLink, countedLinks, linkedKeys, type SiteLink, siteLinks } from './links.ts'
import type { ExchangeView } from './scan-parts.ts'

/** What was found in content before anything was read from the database. */
export type ContentLinks = { links: readonly SiteLink[]; keys: readonly string[] }

/** The links of content that can count, and the sites to ask for. */
export const linksIn = (document: HtmlDocument): ContentLinks => {
  const links = siteLinks(document.links)
  return { links, keys: linkedKeys(links) }
}

/** The links that count now; undefined when no content was sent, and then nothing changes. */
export const linksToSave = (sent: ContentLinks | undefined, view: ExchangeView): readonly CountedLink[] | undefined =>
  sent && countedLinks(sent.links, view.sites)

const WARNING =
  'The content links to no partner of the backlink exchange, so it earns no credit. Ask GET /backlink-targets for pages to link to, and save the content again.'

/** What the answer of a save says of the exchange. `hasContent`: whether the article has content after the save. */
export const exchangeAnswer = (
  links: readonly CountedLink[] | undefined,
  view: ExchangeView,
  hasContent: boolean,
): { backlinks_processed: number; backlinks_warning?: string } => {
  const processed = links?.length ?? view.counted
  const warn = view.participating && hasContent && processed === 0
  return { backlinks_processed: processed, ...(warn ? { backlinks_warning: WARNING } : {}) }
}
