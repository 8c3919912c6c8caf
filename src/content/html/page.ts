import { readEvents } from './events.ts'
import { decodeReferences } from './references.ts'
import { attributesOf } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Rules for search engines on a page. */
export type RobotsRules = { noindex: boolean; nofollow: boolean }

/** Rules that have a value after a colon. Any other word before a colon is a crawler's name. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'])

/** Crawlers whose own rules count in addition to the rules for all. */
const CRAWLERS = new Set(['googlebot'])

/** True if a meta name is for robots rules. */
const isRobotsMeta = (name: string): boolean => name === 'robots' || CRAWLERS.has(name)

const rulesOf = (words: readonly string[]): RobotsRules => ({
  noindex: words.includes('noindex') || words.includes('none'),
  nofollow: words.includes('nofollow') || words.includes('none'),
})

/** Returns the rules in a robots meta's content. */
const metaRules = (content: string): RobotsRules => rulesOf(content.split(/[,\s]+/).map((word) => word.toLowerCase()))

/**
 * Returns the rules of an `X-Robots-Tag` header, also of several joined with commas.
 *
 * A crawler's name before a colon applies to the rules up to the next name. Rules for other crawlers are ignored.
 */
export const headerRules = (header: string | null): RobotsRules => {
  const words: string[] = []
  let counts = true
  for (const piece of (header ?? '').toLowerCase().split(',')) {
    const named = /^\s*([\w*.-]+)\s*:(.*)$/s.exec(piece)
    const isCrawler = named !== null && !VALUED.has(named[1] ?? '')
    if (isCrawler) counts = named[1] === '*' || CRAWLERS.has(named[1] ?? '')
    if (counts) words.push((isCrawler ? (named[2] ?? '') : piece).trim())
  }
  return rulesOf(words)
}

/** Metadata of a page. The first of duplicates wins. */
export type PageHead = {
  title: string
  lang: string
  /** Base address of relative links; empty if the page does not set one. */
  base: string
  /** Address in `rel="canonical"`; null if there is none. */
  canonical: string | null
  /** Contents of `meta` elements by lower-case `name` or `property`. */
  meta: ReadonlyMap<string, string>
  /** True if any robots meta has `noindex`. */
  noindex: boolean
  /** True if any robots meta has `nofollow`. */
  nofollow: boolean
}

const readTag = (html: string, tag: TagToken, head: PageHead & { meta: Map<string, string> }): void => {
  const attributes = attributesOf(html, tag)
  const value = (name: string) => attributes.get(name) ?? ''
  if (tag.name === 'html') head.lang ||= value('lang') || value('xml:lang')
  else if (tag.name === 'base') head.base ||= value('href').trim()
  else if (tag.name === 'link') {
    if (/(^|\s)canonical(\s|$)/i.test(value('rel'))) head.canonical ??= attributes.get('href') ?? null
  } else {
    const name = (attributes.get('name') ?? value('property')).trim().toLowerCase()
    if (isRobotsMeta(name)) {
      const rules = metaRules(value('content'))
      head.noindex ||= rules.noindex
      head.nofollow ||= rules.nofollow
    }
    if (name !== '' && !head.meta.has(name)) head.meta.set(name, value('content'))
  }
}

const READ = new Set(['html', 'base', 'link', 'meta'])

/** Reads a page's metadata: its first title, language, base, canonical address and metas. Never throws. */
export const readPageHead = (html: string): PageHead => {
  const meta = new Map<string, string>()
  const head = { title: '', lang: '', base: '', canonical: null, meta, noindex: false, nofollow: false }
  let titles = 0
  let isTitle = false
  for (const event of readEvents(html)) {
    if (event.kind === 'open') {
      isTitle = event.tag.name === 'title' && titles === 0
      if (event.tag.name === 'title') titles += 1
      if (READ.has(event.tag.name)) readTag(html, event.tag, head)
    } else if (event.kind === 'close') isTitle = false
    else if (event.kind === 'text' && isTitle) head.title += decodeReferences(html.slice(event.start, event.end))
  }
  return head
}

/** Most links to other languages that are read from a page. */
const MAX_ALTERNATES = 200

/** Returns a page's links to pages of the same content in other languages (`hreflang`). Their addresses are absolute. Never throws. */
export const readAlternates = (html: string, base: string): { hreflang: string; href: string }[] => {
  const found: { hreflang: string; href: string }[] = []
  for (const event of readEvents(html)) {
    if (event.kind !== 'open' || event.tag.name !== 'link' || found.length >= MAX_ALTERNATES) continue
    const attributes = attributesOf(html, event.tag)
    const [rel, lang] = [attributes.get('rel') ?? '', attributes.get('hreflang')?.trim() ?? '']
    const href = URL.parse(attributes.get('href') ?? '', base)?.href
    if (/(^|\s)alternate(\s|$)/i.test(rel) && lang !== '' && href !== undefined) found.push({ hreflang: lang, href })
  }
  return found
}
