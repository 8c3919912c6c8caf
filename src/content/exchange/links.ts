import type { UncountedReason } from '../../../schema/values/exchange.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { siteKeys } from '../../platform/lib/urls.ts'
import type { DocumentLink } from '../html/document.ts'

/** Followed link to another site, with the keys of every site it may belong to, narrowest first. */
export type SiteLink = { url: string; keys: readonly string[]; anchor: string }

/**
 * Relation of a site to the linking project.
 *
 * `kept`: its link counts now. `returning`: its link counted before and is missing. `full`: it has all links of its month.
 * `no_credits`: it cannot pay for the link.
 */
type SiteKind = 'own' | 'kept' | 'returning' | 'partner' | 'competitor' | 'full' | 'no_credits'
/** Project whose site a link may lead to, and why the link counts or not. */
export type KnownSite = { site_key: string; project_id: number; kind: SiteKind }

/**
 * Link that counts, at most one per article and partner. `charged`: the partner pays for it now, because it did not count
 * before.
 */
export type CountedLink = { toProjectId: number; url: string; anchor: string; charged: boolean }

/** Link to a project of the exchange that does not count. */
export type UncountedLink = { url: string; reason: UncountedReason }

const UNVOUCHED = new Set(['nofollow', 'sponsored', 'ugc'])
const MAX_URL = 2_000
const MAX_ANCHOR = 500
/** Base address for relative links, which are left out. */
const NOWHERE = 'https://nowhere.invalid/'

const siteLink = ({ href, rel, text }: DocumentLink): SiteLink[] => {
  if (rel.some((word) => UNVOUCHED.has(word)) || !URL.canParse(href, NOWHERE)) return []
  const url = new URL(href, NOWHERE)
  if (!/^https?:$/.test(url.protocol) || url.hostname === 'nowhere.invalid' || url.href.length > MAX_URL) return []
  return [{ url: url.href, keys: siteKeys(url), anchor: clip(storableText(text), MAX_ANCHOR) }]
}

/** Returns the links that can count: absolute http(s) addresses without `nofollow`, `sponsored` or `ugc`. */
export const siteLinks = (links: readonly DocumentLink[]): SiteLink[] => links.flatMap(siteLink)

/** Returns the keys of every site that the links may belong to, without duplicates. */
export const linkedKeys = (links: readonly SiteLink[]): string[] => [...new Set(links.flatMap(({ keys }) => keys))]

const PRECEDENCE: readonly SiteKind[] = ['full', 'no_credits', 'competitor', 'partner', 'returning', 'kept', 'own']

const bySite = (sites: readonly KnownSite[]): Map<string, KnownSite> => {
  const known = new Map<string, KnownSite>()
  for (const site of sites) {
    const other = known.get(site.site_key)
    if (!other || PRECEDENCE.indexOf(site.kind) > PRECEDENCE.indexOf(other.kind)) known.set(site.site_key, site)
  }
  return known
}

/** Returns the first link to each known project, with its site. A link belongs to the narrowest known site. */
const firstLinks = (links: readonly SiteLink[], sites: readonly KnownSite[]) => {
  const known = bySite(sites)
  const first = new Map<number, SiteLink & { site: KnownSite }>()
  for (const link of links) {
    const key = link.keys.find((candidate) => known.has(candidate))
    const site = key === undefined ? undefined : known.get(key)
    if (site && !first.has(site.project_id)) first.set(site.project_id, { ...link, site })
  }
  return [...first.values()]
}

const COUNTS: ReadonlySet<SiteKind> = new Set(['partner', 'returning', 'kept'])

/**
 * Returns the links that count: the first link to each partner.
 *
 * Links to own sites, competitors, partners with a full month and partners without a credit do not count.
 */
export const countedLinks = (links: readonly SiteLink[], sites: readonly KnownSite[]): CountedLink[] =>
  firstLinks(links, sites).flatMap(({ url, anchor, site }) =>
    COUNTS.has(site.kind) ? [{ toProjectId: site.project_id, url, anchor, charged: site.kind !== 'kept' }] : [],
  )

const REASONS: Partial<Record<SiteKind, UncountedReason>> = {
  no_credits: 'no_credits',
  full: 'monthly_limit',
  competitor: 'competitor',
}

/** Returns the links that do not count, with the reason: the first link to each such project. */
export const uncountedLinks = (links: readonly SiteLink[], sites: readonly KnownSite[]): UncountedLink[] =>
  firstLinks(links, sites).flatMap(({ url, site }) => {
    const reason = REASONS[site.kind]
    return reason ? [{ url, reason }] : []
  })
