import { getDomain, getDomainWithoutSuffix, parse } from 'tldts'
import { isOfSite, isReservedHost, pageKey } from '../../../platform/lib/urls.ts'

/** Names below which anyone has a site of their own (`github.io`) count as suffixes. */
const SUFFIXES = { allowPrivateDomains: true, detectSpecialUse: true } as const

const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')

/** The domain someone registered: `acme.co.uk` of `blog.acme.co.uk`. The host itself where there is none. */
export const registrable = (host: string): string => getDomain(host, SUFFIXES) ?? plainHost(host)

/** The label of a registered domain: `acme` of `blog.acme.co.uk`. */
export const labelOf = (host: string): string =>
  getDomainWithoutSuffix(host, SUFFIXES) ?? plainHost(host).split('.')[0] ?? ''

/** True if a word of a text is a host on the internet, and not `Node.js`. */
export const isHost = (text: string): boolean => {
  const { isIcann, isPrivate } = parse(text, SUFFIXES)
  return isIcann === true || isPrivate === true || isReservedHost(text)
}

/** A site as `siteKey` writes it. One with a path is that part of its host alone. */
export type Site = { key: string; host: string; domain: string }

export const siteOf = (key: string): Site => {
  const host = plainHost(key.split('/')[0]?.replace(/:\d+$/, '') ?? '')
  return { key, host, domain: registrable(host) }
}

const hasPath = (site: Site): boolean => site.key.includes('/')

/** Returns the nearness of a page to a site: the length of what they share, 1 for the same registered domain, 0 for none. */
export const nearness = (url: URL, site: Site): number => {
  if (hasPath(site)) return isOfSite(pageKey(url), site.key) ? site.key.length : 0
  const host = plainHost(url.hostname)
  if (host === site.host || host.endsWith(`.${site.host}`)) return site.host.length
  return registrable(host) === site.domain ? 1 : 0
}
