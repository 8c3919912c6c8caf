import { clip, storableText } from '../../platform/lib/text.ts'
import { pageKey, shownPage, siteKey } from '../../platform/lib/urls.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { readDocument } from '../html/document.ts'
import { readPageHead } from '../html/page.ts'
import { collapse } from '../html/references.ts'
import { isAllowed, type RobotsRule } from './robots.ts'

/** Data of a page of a site. Its text can be stored; its links are absolute. */
export type SitePage = {
  title: string
  siteName: string
  description: string
  lang: string
  /** Canonical address that the page names; null if it names none. */
  canonical: string | null
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

/** Reads a page's title, site name, description, language, canonical address, headings of the first three levels, and links. Never throws. */
export const readSitePage = (html: string, address: URL): SitePage => {
  const head = readPageHead(html)
  const document = readDocument(html)
  const meta = (...names: string[]) =>
    names.map((name) => head.meta.get(name) ?? '').find((text) => text.trim() !== '') ?? ''
  const base = URL.parse(head.base, address.href)?.href ?? address.href
  const headings = document.headings.filter(({ level }) => level <= 3).map(({ text }) => tidy(text, MAX_HEADING))
  const first = document.headings.find(({ level }) => level === 1)?.text ?? ''
  return {
    title: tidy(head.title, MAX_TITLE) || tidy(meta('og:title'), MAX_TITLE) || tidy(first, MAX_TITLE),
    siteName: tidy(meta('og:site_name', 'application-name'), MAX_HEADING),
    description: tidy(meta('description', 'og:description'), MAX_DESCRIPTION),
    canonical: head.canonical === null ? null : (absolute(head.canonical, base)?.href ?? null),
    lang: head.lang.trim() || meta('content-language', 'og:locale'),
    headings: headings.filter((text) => text !== ''),
    links: document.links.flatMap(({ href, rel }) => (rel.includes('nofollow') ? [] : (absolute(href, base) ?? []))),
    noindex: head.noindex,
  }
}

const MAX_KEYS = 1_000

/** Returns the keys of the pages that a page links to. */
export const keysOfLinks = ({ links }: Pick<SitePage, 'links'>): string[] => {
  const keys = links.map(pageKey)
  return [...new Set([...keys, ...keys.map(shownPage)])].slice(0, MAX_KEYS)
}

/** Result of requesting an address of a site. */
export type Visit =
  | { kind: 'found'; url: URL; bytes: Uint8Array<ArrayBuffer>; contentType: string; robotsTag: string }
  /** The site does not provide it, and a retry would not help. */
  | { kind: 'refused'; reason: string }
  /** robots.txt forbids it; no request was sent. */
  | { kind: 'disallowed'; reason: string }
  /** The site did not respond, or responded that a retry may help. */
  | { kind: 'away'; reason: string }

type Wanted = { accept: string; maxBytes: number; rules: readonly RobotsRule[]; maxRedirects?: number }

/** Requests addresses of a site one after the other, with the delay between them. */
export type Visitor = {
  visit: (url: URL, wanted: Wanted) => Promise<Visit>
  /** True if another visit fits in this run. The first one always does. */
  hasTime: () => boolean
}

const TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 3
/** Time in a run after which no visit starts. With the timeout of a visit, a run ends within 20 s. */
const BUDGET_MS = 9_000

/** Returns the crawler's product token for robots.txt. */
export const productOf = (serviceName: string): string => `${serviceName}Bot`

const hostOf = (url: URL): string => siteKey(new URL('/', url))

const isPassing = (status: number): boolean => status >= 500 || status === 429 || status === 408 || status === 425

/**
 * Creates a visitor for one run. It follows redirects itself, at most three unless `maxRedirects` is set.
 *
 * Each address is checked against robots.txt and by `ctx.outbound`. Redirects to another host are refused; `www.` does not
 * matter.
 *
 * Two requests are at least `delayMs` apart. The first waits until `notBefore` (ms since 1970) of the last run, at most
 * `delayMs`.
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
      signs: true,
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
        if (answer.incomplete) return { kind: 'away', reason: 'its answer broke off' }
        const [contentType, robotsTag] = [headers.get('content-type') ?? '', headers.get('x-robots-tag') ?? '']
        return { kind: 'found', url, bytes, contentType, robotsTag }
      }
      if (isPassing(status)) return { kind: 'away', reason: `it answered with status ${status}` }
      const next = status >= 300 && status < 400 ? URL.parse(headers.get('location') ?? '', url.href) : null
      if (!next) return { kind: 'refused', reason: `it answered with status ${status}` }
      if (hostOf(next) !== hostOf(site))
        return { kind: 'refused', reason: `it redirects to another site (${next.host})` }
      url = next
    }
    return { kind: 'refused', reason: 'it redirects too many times' }
  }

  return { visit, hasTime: () => !asked || ctx.now().getTime() - started + delayMs < BUDGET_MS }
}
