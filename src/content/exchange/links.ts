import type { UncountedReason } from '../../../schema/values/exchange.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { siteKeys } from '../../platform/lib/urls.ts'
import type { DocumentLink } from '../html/document.ts'

/** A link to another site that its author vouches for, with every site it may belong to, the narrowest first. */
export type SiteLink = { url: string; keys: readonly string[]; anchor: string }

/**
 * Relation of a site to the linking project.
 *
 * `kept`: counted for this article now. `returning`: counted before, and taken back since. `full`: its month's links are used
 * up. `no_credits`: it cannot pay for the link.
 */
type SiteKind = 'own' | 'kept' | 'returning' | 'partner' | 'competitor' | 'full' | 'no_credits'
export type KnownSite = { site_key: string; project_id: number; kind: SiteKind }

/** A link that counts: at most one an article and partner. `charged`: it did not count before, so the partner pays for it now. */
export type CountedLink = { toProjectId: number; url: string; anchor: string; charged: boolean }

/** A link to a project of the exchange that counts for nobody. */
export type UncountedLink = { url: string; reason: UncountedReason }

const UNVOUCHED = new Set(['nofollow', 'sponsored', 'ugc'])
const MAX_URL = 2_000
const MAX_ANCHOR = 500
/** Links without a host of their own resolve to this one and are left out. */
const NOWHERE = 'https://nowhere.invalid/'

const siteLink = ({ href, rel, text }: DocumentLink): SiteLink[] => {
  if (rel.some((word) => UNVOUCHED.has(word)) || !URL.canParse(href, NOWHERE)) return []
  const url = new URL(href, NOWHERE)
  if (!/^https?:$/.test(url.protocol) || url.hostname === 'nowhere.invalid' || url.href.length > MAX_URL) return []
  return [{ url: url.href, keys: siteKeys(url), anchor: clip(storableText(text), MAX_ANCHOR) }]
}

/** Returns the links of a document that can count: absolute http(s) addresses without `nofollow`, `sponsored` or `ugc`. */
export const siteLinks = (links: readonly DocumentLink[]): SiteLink[] => links.flatMap(siteLink)

/** Returns every site the links may belong to, each once. */
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

/** Returns the first link to each project known, with what its site is: that of the narrowest site. */
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
 * Returns the links that count, the first to each partner. A link belongs to the narrowest site known; own sites, competitors,
 * partners whose month is full and those that cannot pay do not count.
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

/** Returns the first link to each project of the exchange that counts for nobody, and why. */
export const uncountedLinks = (links: readonly SiteLink[], sites: readonly KnownSite[]): UncountedLink[] =>
  firstLinks(links, sites).flatMap(({ url, site }) => {
    const reason = REASONS[site.kind]
    return reason ? [{ url, reason }] : []
  })
