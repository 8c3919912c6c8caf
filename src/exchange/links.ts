import type { DocumentLink } from '../html/document.ts'
import { clip, storableText } from '../lib/text.ts'
import { siteKeys } from '../lib/urls.ts'

/** A link to another site that its author vouches for, with every site it may belong to, the narrowest first. */
export type SiteLink = { url: string; keys: readonly string[]; anchor: string }

/** What a site is to the linking project. `kept`: counted for this article before; `full`: its month's links are used up. */
type SiteKind = 'own' | 'kept' | 'partner' | 'competitor' | 'full'
export type KnownSite = { site_key: string; project_id: number; kind: SiteKind }

/** A link that counts: at most one an article and partner. */
export type CountedLink = { toProjectId: number; url: string; anchor: string }

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

/** The links of a document that can count: absolute http(s) addresses without `nofollow`, `sponsored` or `ugc`. */
export const siteLinks = (links: readonly DocumentLink[]): SiteLink[] => links.flatMap(siteLink)

/** Every site the links may belong to, each once. */
export const linkedKeys = (links: readonly SiteLink[]): string[] => [...new Set(links.flatMap(({ keys }) => keys))]

const PRECEDENCE: readonly SiteKind[] = ['full', 'competitor', 'partner', 'kept', 'own']

const bySite = (sites: readonly KnownSite[]): Map<string, KnownSite> => {
  const known = new Map<string, KnownSite>()
  for (const site of sites) {
    const other = known.get(site.site_key)
    if (!other || PRECEDENCE.indexOf(site.kind) > PRECEDENCE.indexOf(other.kind)) known.set(site.site_key, site)
  }
  return known
}

/**
 * The links that count, the first to each partner. A link belongs to the narrowest site known; own sites, competitors and
 * partners whose month is full do not count.
 */
export const countedLinks = (links: readonly SiteLink[], sites: readonly KnownSite[]): CountedLink[] => {
  const known = bySite(sites)
  const counted = new Map<number, CountedLink>()
  for (const { url, keys, anchor } of links) {
    const key = keys.find((candidate) => known.has(candidate))
    const site = key === undefined ? undefined : known.get(key)
    if (!site || (site.kind !== 'partner' && site.kind !== 'kept') || counted.has(site.project_id)) continue
    counted.set(site.project_id, { toProjectId: site.project_id, url, anchor })
  }
  return [...counted.values()]
}
