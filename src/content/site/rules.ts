import { baseLanguage, languageOf } from '../../platform/lib/languages.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { decoded, hostOfKey, isOfSite, namesPage, pageKey, withoutTrackers } from '../../platform/lib/urls.ts'
import type { Robots } from './robots.ts'

/** Shortest time between two requests to a site, ms. */
const MIN_DELAY_MS = 500
/** Longest Crawl-delay that is respected, ms. Of a slower site, fewer pages are read. */
const MAX_DELAY_MS = 60_000
const MAX_PAGES = 50
const MIN_PAGES = 5
/** Time limit for reading all pages, ms. */
const PAGES_TIME_MS = 300_000

/** Returns the delay between two requests, ms: the site's Crawl-delay within limits. `scale` shortens it in development. */
export const delayOf = (robots: Robots, scale: number): number =>
  Math.ceil(Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, (robots.crawlDelayS ?? 0) * 1_000)) / scale)

/** Returns the number of pages of a site to read, given the delay between requests in ms. */
export const pagesToRead = (delayMs: number, scale: number): number =>
  Math.max(MIN_PAGES, Math.min(MAX_PAGES, Math.floor(PAGES_TIME_MS / (delayMs * scale))))

/** Files that are not pages to link to. */
const NO_PAGE =
  /\.(pdf|jpe?g|png|gif|webp|svg|ico|css|js|json|xml|gz|zip|mp[34]|webm|avi|mov|docx?|xlsx?|pptx?|rss|atom|txt|exe|dmg|apk)$/i
const SERVICE_PLACE =
  /(^|\/)(log-?in|sign-?in|sign-?up|sign-?out|log-?out|register|cart|basket|checkout|warenkorb|panier|account|my-account|wp-admin|wp-json|wp-login\.php|feed|privacy[\w-]*|terms[\w-]*|cookie[\w-]*|imprint|impressum|datenschutz[\w-]*|agb|legal[\w-]*|search|suche)(\/|$)/i

const MAX_URL = 2_000

/** Page of a site, with the data that its address and its entry in a sitemap show. `alternateOf`: key of the page to offer instead. */
export type KnownPage = {
  url: string
  key: string
  title: string
  keyword: string
  language: string
  alternateOf: string | null
}

/** Returns the words in the last part of an address, as a title until the page is read. Empty for a home page. */
export const slugWords = (url: URL): string => {
  const last = url.pathname.split('/').filter(Boolean).at(-1) ?? ''
  const words = decoded(last)
    .replace(/\.(html?|php|aspx?)$/i, '')
    .replace(/[-_+\s]+/g, ' ')
    .trim()
  return clip(storableText(words), 300)
}

const capitalised = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** Returns the language that the first part of a page's path below its site names, as in `/de/`; empty if none. */
const languageOfPath = ({ pathname }: URL, siteKey: string): string => {
  const base = siteKey.slice(hostOfKey(siteKey).length)
  const [, first = ''] = pathname.slice(base.length).split('/')
  return /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i.test(first) && languageOf(first) ? baseLanguage(first) : ''
}

/** Returns the page of an address, if it is a page of the site. Sitemap addresses may be any page; links only likely ones. */
export const knownPage = (url: URL, siteKey: string, from: 'sitemap' | 'link'): KnownPage | undefined => {
  const page = withoutTrackers(url)
  const key = pageKey(page)
  if (!/^https?:$/.test(page.protocol) || page.username !== '' || page.password !== '') return undefined
  if (page.href.length > MAX_URL || !isOfSite(key, siteKey) || NO_PAGE.test(page.pathname)) return undefined
  if (from === 'link' && ((page.search !== '' && !namesPage(page.search)) || SERVICE_PLACE.test(page.pathname)))
    return undefined
  const words = slugWords(page)
  const language = languageOfPath(page, siteKey)
  return { url: page.href, key, title: capitalised(words), keyword: words.toLowerCase(), language, alternateOf: null }
}

/** Returns the pages without duplicates, in the order of their keys, so that all statements lock rows in the same order. */
export const distinctPages = (pages: readonly KnownPage[]): KnownPage[] =>
  [...new Map(pages.map((page) => [page.key, page])).values()].sort((a, b) => (a.key < b.key ? -1 : 1))

const SEPARATOR = /(?<!\s)\s+[|–—·•:»-]+\s+|(?:(?<!\s)\s+)?[|·•»]\s*|:\s+/

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const MAX_NAME = 60

/**
 * Returns the business's name: the site's own name, or the part of its title that resembles its host.
 *
 * Otherwise returns the shorter of the title's first and last part.
 */
export const businessNameOf = (siteName: string, title: string, host: string): string => {
  if (siteName !== '' && siteName.length <= MAX_NAME) return siteName
  const parts = title
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '' && part.length <= MAX_NAME)
  const domain = letters(host.replace(/^www\./, '').replace(/\.[^.]*$/, ''))
  const alike = parts.find((part) => {
    const name = letters(part)
    return name.length > 2 && (domain.includes(name) || (domain.length > 3 && name.includes(domain)))
  })
  if (alike) return alike
  const ends = [parts.at(-1), parts[0]].filter(
    (part) => part !== undefined && !/^(home|start|welcome|index)/i.test(part),
  )
  return ends.sort((a, b) => (a?.length ?? 0) - (b?.length ?? 0))[0] ?? ''
}

/** Returns a page's title without the site's name at its start or end. */
export const pageTitle = (title: string, businessName: string): string => {
  const name = letters(businessName)
  const parts = title.split(/((?<!\s)\s+[|–—·•:»-]+\s+|(?:(?<!\s)\s+)?[|·•»]\s*)/)
  if (name === '' || parts.length < 3) return title
  if (letters(parts.at(-1) ?? '') === name) return parts.slice(0, -2).join('').trim() || title
  if (letters(parts[0] ?? '') === name) return parts.slice(2).join('').trim() || title
  return title
}

const BLOG_PART =
  /^(blogs?|news|articles?|posts?|magazine?|journal|stories|insights|resources|guides?|learn|tips|ratgeber|artikel|magazin|aktuelles|actualites|conseils|noticias|articulos|consejos|nieuws|kennisbank)$/i
const MIN_ARTICLES = 5
const MIN_ARTICLE_WORDS = 3

/**
 * Returns the address of the site's articles; empty if there is none.
 *
 * It is the path with a blog's name, or else one with many long-named pages.
 */
export const blogRootOf = (pages: readonly string[], site: URL): string => {
  const base = site.pathname.replace(/(?<!\/)\/+$/, '')
  const count = new Map<string, number>()
  const named = new Map<string, number>()
  for (const address of pages) {
    const url = URL.parse(address)
    if (!url) continue
    const parts = url.pathname.slice(base.length).split('/').filter(Boolean)
    const blog = parts.slice(0, 3).findIndex((part) => BLOG_PART.test(part))
    const place = (depth: number) => `${url.origin}${base}/${parts.slice(0, depth).join('/')}`
    if (blog >= 0) named.set(place(blog + 1), (named.get(place(blog + 1)) ?? 0) + 1)
    if (parts.length === 2 && (parts[1] ?? '').split('-').length >= MIN_ARTICLE_WORDS)
      count.set(place(1), (count.get(place(1)) ?? 0) + 1)
  }
  const most = (places: Map<string, number>) => [...places].sort((a, b) => b[1] - a[1])[0]
  const [place, articles = 0] = most(named) ?? most(count) ?? []
  return place !== undefined && (named.has(place) || articles >= MIN_ARTICLES) ? place : ''
}

/** Most addresses that are stored of a site's sitemaps, and most files that are read. */
export const MAX_ADDRESSES = 50_000
export const MAX_FILES = 60

/** Addresses that each waiting file is sure of, so that one large file does not use up the site's limit. */
const RESERVED = 1_000

/** Returns the number of addresses to take from a file, with so many files waiting after it. */
export const shareOf = ({ addresses, files }: { addresses: number; files: number }, waiting: number): number => {
  const left = MAX_ADDRESSES - addresses
  const others = Math.min(waiting, MAX_FILES - files)
  return Math.max(Math.floor(left / (others + 1)), left - others * RESERVED)
}
