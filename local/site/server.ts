import { gzipSync } from 'node:zlib'
import { escapeAttribute } from '../../src/content/html/references.ts'
import type { Answer } from '../receiver/answers.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'

type PageSpec = {
  title?: string
  site_name?: string
  description?: string
  lang?: string
  robots?: string
  canonical?: string
  headings?: string[]
  links?: string[]
  status?: number
  /** Target of the page's redirect; with the status 301 unless one is given. */
  location?: string
  type?: string
  /** Padding after the page's text, bytes. */
  padding?: number
  /** Elements that are opened around the page's text and never closed. */
  nested?: number
}

type SitemapSpec = {
  /** Paths of pages; absolute addresses stay as they are. */
  pages?: string[]
  /** Pages with the same content in several languages: the path of each, by its language. */
  groups?: Record<string, string>[]
  /** Pages `/pages/page-1` and so on. */
  count?: number
  /** Paths of further sitemaps: makes it an index. */
  sitemaps?: string[]
  gzip?: boolean
  /** Sent instead of a sitemap. */
  raw?: string
}

/** Description of a website. Paths begin with a slash; a page's may have a query. */
export type SiteSpec = {
  /** The robots.txt; without it there is none. `{origin}` is replaced with the site's address. */
  robots?: string
  pages?: Record<string, PageSpec>
  sitemaps?: Record<string, SitemapSpec>
}

const meta = (name: string, content: string | undefined, attribute = 'name'): string =>
  content === undefined ? '' : `<meta ${attribute}="${name}" content="${escapeAttribute(content)}">`

const htmlOf = (page: PageSpec): string => {
  const [first, ...rest] = page.headings ?? []
  const links = (page.links ?? []).map(
    (href) => `<li><a href="${escapeAttribute(href)}">${escapeAttribute(href)}</a></li>`,
  )
  return `<!doctype html><html${page.lang === undefined ? '' : ` lang="${escapeAttribute(page.lang)}"`}><head><meta charset="utf-8">
<title>${escapeAttribute(page.title ?? '')}</title>${meta('description', page.description)}${meta('robots', page.robots)}${page.canonical === undefined ? '' : `<link rel="canonical" href="${escapeAttribute(page.canonical)}">`}${meta('og:site_name', page.site_name, 'property')}</head>
<body>${'<b>'.repeat(page.nested ?? 0)}${first === undefined ? '' : `<h1>${escapeAttribute(first)}</h1>`}${rest.map((text) => `<h2>${escapeAttribute(text)}</h2>`).join('')}
<ul>${links.join('')}</ul><p>${' '.repeat(page.padding ?? 0)}</p></body></html>`
}

const pageAnswer = (page: PageSpec): Answer => {
  const status = page.status ?? (page.location === undefined ? 200 : 301)
  const location: Record<string, string> = page.location === undefined ? {} : { location: page.location }
  return {
    status,
    headers: { 'content-type': page.type ?? 'text/html; charset=utf-8', ...location },
    body: htmlOf(page),
  }
}

const sitemapText = ({ pages = [], count = 0, groups = [], sitemaps }: SitemapSpec, origin: string): string => {
  const address = (path: string) => escapeAttribute(new URL(path, origin).href)
  const entry = (name: string, path: string, more = '') => `<${name}><loc>${address(path)}</loc>${more}</${name}>`
  const inGroup = (group: Record<string, string>) => {
    const alternates = Object.entries(group).map(
      ([lang, path]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${address(path)}"/>`,
    )
    return Object.values(group).map((path) => entry('url', path, alternates.join('')))
  }
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
  const ns = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
  if (sitemaps)
    return `${head}<sitemapindex ${ns}>${sitemaps.map((path) => entry('sitemap', path)).join('\n')}</sitemapindex>`
  const counted = Array.from({ length: count }, (_, n) => `/pages/page-${n + 1}`)
  const entries = [...[...pages, ...counted].map((path) => entry('url', path)), ...groups.flatMap(inGroup)]
  return `${head}<urlset ${ns} xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('\n')}</urlset>`
}

const sitemapAnswer = (sitemap: SitemapSpec, origin: string): Answer => {
  const text = sitemap.raw ?? sitemapText(sitemap, origin)
  const body = sitemap.gzip ? gzipSync(text) : text
  return { status: 200, headers: { 'content-type': sitemap.gzip ? 'application/gzip' : 'application/xml' }, body }
}

const missing: Answer = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }

/** Returns the website's answer to a path and query. */
const siteAnswer = (spec: SiteSpec, path: string, search: string, origin: string): Answer => {
  if (path === '/robots.txt' && spec.robots !== undefined)
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: spec.robots.replaceAll('{origin}', origin) }
  const sitemap = spec.sitemaps?.[path]
  if (sitemap) return sitemapAnswer(sitemap, origin)
  const page = spec.pages?.[`${path}${search}`] ?? spec.pages?.[path]
  return page ? pageAnswer(page) : missing
}

/** Request to the website, and its time by the wall clock (ms). */
type SiteRequest = { path: string; at_ms: number; user_agent: string }

export type RunningSite = StandIn & { requests: () => SiteRequest[] }

/** Starts a website on 127.0.0.1 by its description (see `SiteSpec`); `/_faults` makes it misbehave. */
export const startSite = async (spec: SiteSpec = {}): Promise<RunningSite> => {
  const requests: SiteRequest[] = []
  let origin = ''
  const standIn = await startStandIn({
    answer: ({ path, query }) => siteAnswer(spec, path, query.size > 0 ? `?${query}` : '', origin),
    heard: ({ path, query, headers }) =>
      requests.push({
        path: query.size > 0 ? `${path}?${query}` : path,
        at_ms: Date.now(),
        user_agent: headers['user-agent'] ?? '',
      }),
  })
  origin = standIn.url
  return { ...standIn, requests: () => requests }
}
