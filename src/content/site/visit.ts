import { clip, storableText } from '../../platform/lib/text.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { readDocument } from '../html/document.ts'
import { readPageHead } from '../html/page.ts'
import { collapse } from '../html/references.ts'
import { isAllowed, type RobotsRule } from './robots.ts'

/** Data of a page of a site. Texts are plain and storable; links are absolute. */
export type SitePage = {
  title: string
  siteName: string
  description: string
  lang: string
  headings: string[]
  links: URL[]
  noindex: boolean
}

const MAX_TITLE = 300
const MAX_DESCRIPTION = 1_000
const MAX_HEADING = 150

const tidy = (text: string, max: number): string => clip(storableText(collapse(text)), max).trim()

const absolute = (href: string, base: string): URL | undefined => {
  const url = URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Reads a page: title, name of the site, description, language, headings of the first three levels, links. Never throws. */
export const readSitePage = (html: string, address: URL): SitePage => {
  const head = readPageHead(html)
  const document = readDocument(html)
  const meta = (...names: string[]) =>
    names.map((name) => head.meta.get(name) ?? '').find((text) => text.trim() !== '') ?? ''
  const base = URL.parse(head.base, address)?.href ?? address.href
  const headings = document.headings.filter(({ level }) => level <= 3).map(({ text }) => tidy(text, MAX_HEADING))
  const first = document.headings.find(({ level }) => level === 1)?.text ?? ''
  return {
    title: tidy(head.title, MAX_TITLE) || tidy(meta('og:title'), MAX_TITLE) || tidy(first, MAX_TITLE),
    siteName: tidy(meta('og:site_name', 'application-name'), MAX_HEADING),
    description: tidy(meta('description', 'og:description'), MAX_DESCRIPTION),
    lang: head.lang.trim() || meta('content-language', 'og:locale'),
    headings: headings.filter((text) => text !== ''),
    links: document.links.flatMap(({ href, rel }) => (rel.includes('nofollow') ? [] : (absolute(href, base) ?? []))),
    noindex: head.noindex,
  }
}

/** Result of a visit to an address of a site. */
export type Visit =
  | { kind: 'found'; url: URL; bytes: Uint8Array<ArrayBuffer>; contentType: string; robotsTag: string }
  /** The site does not give it out, now and later. */
  | { kind: 'refused'; reason: string }
  /** robots.txt forbids it; nothing was sent. */
  | { kind: 'disallowed'; reason: string }
  /** No answer, or one that means "not now". */
  | { kind: 'away'; reason: string }

type Wanted = { accept: string; maxBytes: number; rules: readonly RobotsRule[]; maxRedirects?: number }

/** Asks a site for its addresses, one after the other and never faster than the delay. */
export type Visitor = {
  visit: (url: URL, wanted: Wanted) => Promise<Visit>
  /** True if another visit still fits into this run; the first one always does. */
  hasTime: () => boolean
}

const TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 3
/** No visit begins later than this in a run: with its own time-out a run then ends within 20 s. */
const BUDGET_MS = 9_000

/** Returns the crawler's name in robots.txt. */
export const productOf = (serviceName: string): string => `${serviceName}Bot`

const hostOf = (url: URL): string => pageKey(new URL('/', url))

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408 || status === 425

/**
 * Makes a visitor for one run. Redirects are followed by hand, at most three, each address judged by robots.txt and by
 * `ctx.outbound`, never to another host than the site's (with or without `www.`).
 *
 * `delayMs` is kept between any two requests; before the first one `notBefore` (ms since 1970), which the run before left, at most
 * that long.
 */
export const createVisitor = (ctx: Ctx, site: URL, delayMs: number, notBefore: number): Visitor => {
  const started = ctx.now().getTime()
  const { serviceName, publicUrl } = ctx.settings
  const userAgent = `${productOf(serviceName)}/1.0 (+${publicUrl})`
  let next = Math.min(notBefore, started + delayMs)
  let asked = false

  const ask = async (url: URL, { accept, maxBytes }: Wanted) => {
    await ctx.wait(Math.max(0, next - ctx.now().getTime()))
    const headers = { 'User-Agent': userAgent, Accept: accept }
    const answer = await ctx.outbound({
      url: url.href,
      method: 'GET',
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      as: 'bytes',
    })
    next = ctx.now().getTime() + delayMs
    asked = true
    return answer
  }

  const visit: Visitor['visit'] = async (from, wanted) => {
    let url = from
    for (let redirects = 0; redirects <= (wanted.maxRedirects ?? MAX_REDIRECTS); redirects += 1) {
      if (!isAllowed(wanted.rules, url)) return { kind: 'disallowed', reason: 'its robots.txt does not allow it' }
      const answer = await ask(url, wanted)
      if (answer.kind === 'forbidden') return { kind: 'refused', reason: 'the address is not a public one' }
      if (answer.kind === 'unsent')
        return {
          kind: 'away',
          reason: answer.reason === 'no_host' ? 'its host does not exist' : 'its host could not be looked up',
        }
      if (answer.kind === 'no_answer')
        return {
          kind: 'away',
          reason: answer.reason === 'timeout' ? 'it did not answer in time' : 'it could not be reached',
        }
      const { status, headers, bytes } = answer
      if (status >= 200 && status < 300) {
        const [contentType, robotsTag] = [headers.get('content-type') ?? '', headers.get('x-robots-tag') ?? '']
        return { kind: 'found', url, bytes, contentType, robotsTag }
      }
      if (isPassing(status)) return { kind: 'away', reason: `it answered with status ${status}` }
      const next = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', url) : null
      if (!next) return { kind: 'refused', reason: `it answered with status ${status}` }
      if (hostOf(next) !== hostOf(site))
        return { kind: 'refused', reason: `it redirects to another site (${next.host})` }
      url = next
    }
    return { kind: 'refused', reason: 'it redirects too many times' }
  }

  return { visit, hasTime: () => !asked || ctx.now().getTime() - started + delayMs < BUDGET_MS }
}
