import { hostOfKey, isOfSite, pageKey, shownPage } from '../../platform/lib/urls.ts'
import type { DocumentLink, HtmlDocument } from '../html/document.ts'

/** Links of an article by target, as `pageKey`s without duplicates. */
export type LinkMap = {
  /** Pages of the project's own site. */
  internal: Set<string>
  /** All other pages. */
  external: Set<string>
}

/** True if a page is on a domain or one of its subdomains. */
export const isOnDomain = (key: string, domain: string): boolean => {
  const host = hostOfKey(key)
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
    const key = keyOf(link, hostOfKey(siteKey))
    if (key !== undefined) (isOfSite(key, siteKey) ? links.internal : links.external).add(key)
  }
  return links
}

const MAX_KEYS = 1_000

/**
 * Returns the keys of all linked pages, before the project's site is known.
 *
 * The key of a relative link begins with a slash or a question mark, and needs the site's host before it.
 */
export const linkedKeys = (document: HtmlDocument): string[] => {
  const keys = new Set<string>()
  for (const link of document.links) {
    const key = keyOf(link, 'relative.invalid')
    for (const one of key === undefined ? [] : [key, shownPage(key)])
      keys.add(one.replace(/^relative\.invalid(?=[/?]|$)/, ''))
  }
  return [...keys].slice(0, MAX_KEYS)
}
