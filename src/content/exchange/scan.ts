import { type SQL, sql } from 'drizzle-orm'
import type { UncountedReason } from '../../../schema/values/exchange.ts'
import type { Db } from '../../platform/db/client.ts'
import type { HtmlDocument } from '../html/document.ts'
import { areCompetitors, canPay, hasPartner, isFull, isOffered, isParticipant } from './candidates.ts'
import {
  type CountedLink,
  countedLinks,
  type KnownSite,
  linkedKeys,
  type SiteLink,
  siteLinks,
  type UncountedLink,
  uncountedLinks,
} from './links.ts'

/** Exchange data that a save reads: participation, the sites behind its links, and the number of links that count already. */
export type ExchangeView = {
  participating: boolean
  /** True if the article could link to at least one partner. */
  offered: boolean
  counted: number
  sites: KnownSite[]
}

/**
 * Selects, in one row, the sites among `keys` that matter for a project. `linkedKeys` returns such keys.
 *
 * A link that counted for the article before stays counted while it is in the content. If several projects have one site, the
 * oldest offered one is the partner.
 */
export const partnersOf = (
  db: Db,
  projectId: SQL,
  given: { keys: readonly string[]; articleId?: number | undefined; keyword: string | undefined; now: Date },
) => {
  const keys = sql`any(${sql.param([...given.keys])}::text[])`
  const article = sql`${given.articleId ?? 0}::int`
  const keyword = given.keyword ?? sql`(select main_keyword from articles where id = ${article})`
  const links = sql`exchange_links l where l.article_id = ${article}`
  return db.execute<ExchangeView>(sql`
    select g.participating, g.participating and ${hasPartner({ projectId, keyword, now: given.now })} as offered, (select count(*)::int from ${links} and l.status in ('Scheduled', 'Verified')) as counted,
      coalesce((select jsonb_agg(s) from (
        select o.website_key as site_key, o.id as project_id, 'own' as kind from projects o
          where o.account_id = g.account_id and o.status = 'Active' and o.website_key = ${keys}
        union all
        select k.website_key, k.id, case when h.status <> 'Missing' then 'kept' when ${canPay('k', article)} then 'returning' else 'no_credits' end
          from projects k join (select l.to_project_id, l.status from ${links} and l.status <> 'Removed') h on h.to_project_id = k.id
          where k.website_key = ${keys}
        union all
        (select distinct on (p.website_key) p.website_key, p.id,
            case when ${areCompetitors('g', 'p')} then 'competitor' when ${isFull('c', 'p', given.now)} then 'full'
              when ${canPay('p', article)} then 'partner' else 'no_credits' end
          from projects p join accounts c on c.id = p.account_id
          where g.participating and ${isParticipant('p')} and ${isOffered('p')} and p.website_key = ${keys} and p.account_id <> g.account_id
          order by p.website_key, p.id)) s), '[]') as sites
    from (select id, account_id, website_key, competitor_websites, ${isParticipant('projects')} and not exists (select 1 from articles where id = ${article} and origin = 'adopted') as participating
      from projects where id = ${projectId}) g`)
}

/** Links found in content, and the keys of their sites. */
export type ContentLinks = { links: readonly SiteLink[]; keys: readonly string[] }

/** Links of saved content that count, and links to partners that do not. */
export type JudgedLinks = { counted: readonly CountedLink[]; uncounted: readonly UncountedLink[] }

/** Returns the links of content that can count, and the keys of their sites. */
export const linksIn = (document: HtmlDocument): ContentLinks => {
  const links = siteLinks(document.links)
  return { links, keys: linkedKeys(links) }
}

/** Returns the links that count now; undefined if no content was sent, because the links stay unchanged then. */
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

/** Fields of a save's answer about exchange links. `backlinks_processed` is the number of links that count. */
export type ExchangeAnswer = {
  backlinks_processed: number
  backlinks_warning?: string
  backlinks_not_counted?: (UncountedLink & { message: string })[]
}

/** Returns the exchange's part of a save's answer. `hasContent` is true if the article has content after the save. */
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
