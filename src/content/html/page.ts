import { readEvents } from './events.ts'
import { decodeReferences } from './references.ts'
import { attributesOf } from './tags.ts'
import type { TagToken } from './tokens.ts'

/** Rules for robots of a page. */
export type RobotsRules = { noindex: boolean; nofollow: boolean }

/** Rules with a value behind a colon; any other word before a colon is the name of a crawler. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after'])

/** Crawlers whose rules count beside those for all: the one whose results are counted here. */
const CRAWLERS = new Set(['googlebot'])

/** Names of metas that hold rules for robots. */
const isRobotsMeta = (name: string): boolean => name === 'robots' || CRAWLERS.has(name)

const rulesOf = (words: readonly string[]): RobotsRules => ({
  noindex: words.includes('noindex') || words.includes('none'),
  nofollow: words.includes('nofollow') || words.includes('none'),
})

/** Returns the rules of a robots meta: words between commas. */
const metaRules = (content: string): RobotsRules => rulesOf(content.split(/[,\s]+/).map((word) => word.toLowerCase()))

/**
 * Returns the rules of an `X-Robots-Tag`, of several such headers joined by commas, too. A crawler's name before a colon holds for the rules
 * after it, to the next name; rules for other crawlers do not count.
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

/** Data of a page outside its text. The first of duplicates wins. */
export type PageHead = {
  title: string
  lang: string
  /** The address relative links start from; empty when the page's own. */
  base: string
  /** `rel="canonical"`; null when the page names none. */
  canonical: string | null
  /** `meta` by lower-case `name` or `property`. */
  meta: ReadonlyMap<string, string>
  /** True if any of its robots metas asks search engines to leave it out. */
  noindex: boolean
  /** True if any of them asks to follow none of its links. */
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

/** Reads what a page says of itself: its first title, language, base, canonical address, metas. Never throws. */
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
