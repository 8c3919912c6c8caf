import type { FoundAt } from '../../../schema/values/moves.ts'
import { readDocument } from '../../content/html/document.ts'
import { readLivePage } from '../../content/site/live-page.ts'
import { isOfSite, pageKey, withoutTrackers } from '../../platform/lib/urls.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { showsTitle } from '../live-page.ts'

/** The old and the new site, each by its address and its key. */
export type Sites = { fromKey: string; toUrl: string; toKey: string }

/** Address of an article at the new site, or the reason why it was not found. */
export type Found = { newUrl: string; newKey: string; foundAt: FoundAt } | { reason: string }

/** Longest address that is stored. */
const MAX_URL = 2_000

/** Returns the address with the same path at the new site; undefined if the article was not at the old site. */
const samePath = (url: string, { fromKey, toUrl, toKey }: Sites): string | undefined => {
  const address = URL.parse(url)
  if (!address || !isOfSite(pageKey(address), fromKey)) return undefined
  const from = fromKey.slice(fromKey.split('/', 1)[0]?.length ?? 0)
  const to = new URL(toUrl)
  const at = new URL(address)
  at.protocol = to.protocol
  at.host = to.host
  at.port = to.port
  at.pathname = `${toKey.slice(toKey.split('/', 1)[0]?.length ?? 0)}${address.pathname.slice(from.length)}`
  return at.href
}

/** Reads an address and returns where it leads, if that page of the new site shows the article. */
const lookAt = async (
  deps: Pick<Deps, 'outbound' | 'settings'>,
  { toKey }: Sites,
  { url, title }: { url: string; title: string },
): Promise<{ url: string; key: string } | { reason: string }> => {
  const page = await readLivePage(deps, url)
  if (page.kind === 'unread') return page
  const address = withoutTrackers(new URL(page.url))
  const key = pageKey(address)
  if (!isOfSite(key, toKey)) return { reason: `It leads to ${address.host}, which is not the new site.` }
  if (page.status !== 200) return { reason: `The page answered with ${page.status}.` }
  // A home page has the titles of the newest articles.
  if (key === toKey) return { reason: 'It leads to the home page of the new site.' }
  if (address.href.length > MAX_URL || key.length > MAX_URL) return { reason: 'The address is too long.' }
  return showsTitle(page.head.title, readDocument(page.html).headings, title)
    ? { url: address.href, key }
    : { reason: 'The page there does not show the title of the article.' }
}

/**
 * Looks for a published article at the new site: at the same path, then where the redirects of its old address end.
 *
 * A page counts if it is of the new site and shows the article's title.
 */
export const findAtNewSite = async (
  deps: Pick<Deps, 'outbound' | 'settings'>,
  sites: Sites,
  { url, title }: { url: string; title: string },
): Promise<Found> => {
  const old = URL.parse(url)
  if (old && isOfSite(pageKey(old), sites.toKey) && !isOfSite(pageKey(old), sites.fromKey))
    return { newUrl: url, newKey: pageKey(old), foundAt: 'there' }
  const path = samePath(url, sites)
  const atPath = path === undefined ? undefined : await lookAt(deps, sites, { url: path, title })
  if (atPath && 'url' in atPath) return { newUrl: atPath.url, newKey: atPath.key, foundAt: 'path' }
  const atEnd = await lookAt(deps, sites, { url, title })
  if ('url' in atEnd) return { newUrl: atEnd.url, newKey: atEnd.key, foundAt: 'redirect' }
  return {
    reason: atPath
      ? `Not at the same path: ${atPath.reason} Not behind the old address: ${atEnd.reason}`
      : `Not behind the old address: ${atEnd.reason}`,
  }
}
