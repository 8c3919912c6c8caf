import { pageKey } from '../../platform/lib/urls.ts'
import type { DocumentLink, HtmlDocument } from '../html/document.ts'

/** Links of an article by target, as `pageKey`s without duplicates. */
export type LinkMap = {
  /** Pages of the project's own site. */
  internal: Set<string>
  /** All other pages. */
  external: Set<string>
}

/** Returns the host of a site key or page key. */
export const hostOf = (key: string): string => key.split('/', 1)[0] ?? ''

/** True if a page is on a site: it is the site's address or below it. */
export const isBelow = (key: string, siteKey: string): boolean => key === siteKey || key.startsWith(`${siteKey}/`)

/** True if a page is on a domain or one of its subdomains. */
export const isOnDomain = (key: string, domain: string): boolean => {
  const host = hostOf(key)
  return host === domain || host.endsWith(`.${domain}`)
}

const keyOf = ({ href }: DocumentLink, host: string): string | undefined => {
  if (href.startsWith('#')) return undefined
  try {
    const url = new URL(href, `https://${host}/`)
    return url.protocol === 'http:' || url.protocol === 'https:' ? pageKey(url) : undefined
  } catch {
    return undefined
  }
}

/** Sorts an article's links. Relative links start at the root of the project's host. */
export const sortLinks = (document: HtmlDocument, siteKey: string): LinkMap => {
  const links: LinkMap = { internal: new Set(), external: new Set() }
  for (const link of document.links) {
    const key = keyOf(link, hostOf(siteKey))
    if (key !== undefined) (isBelow(key, siteKey) ? links.internal : links.external).add(key)
  }
  return links
}

const MAX_KEYS = 1_000

/**
 * Returns the keys of all linked pages, before the project's site is known.
 *
 * The key of a relative link begins with a slash, and needs the site's host before it.
 */
export const linkedKeys = (document: HtmlDocument): string[] => {
  const keys = new Set<string>()
  for (const link of document.links) {
    const key = keyOf(link, 'relative.invalid')
    if (key !== undefined) keys.add(key.replace(/^relative\.invalid(?=\/|$)/, ''))
  }
  return [...keys].slice(0, MAX_KEYS)
}
