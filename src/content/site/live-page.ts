import { decodePage } from '../../platform/lib/bytes.ts'
import { locationOf } from '../../platform/lib/urls.ts'
import type { Deps } from '../../platform/runtime/ctx.ts'
import { unsentReason } from '../../platform/runtime/outbound.ts'
import { headerRules, type PageHead, type RobotsRules, readPageHead } from '../html/page.ts'

/** Page that readers get at an address. `url` is where its redirects end, and `base` what its links are relative to. */
export type LivePage = {
  kind: 'page'
  url: string
  base: string
  status: number
  isHtml: boolean
  /** True if the page is longer than what was read. */
  isCut: boolean
  html: string
  head: PageHead
  /** Full address in the page's canonical link; null if it has none. */
  canonical: string | null
  /** Rules for search engines, of the page and of its headers. */
  robots: RobotsRules
}

/** Reason why a page could not be read, as a sentence. `isForbidden`: its address is not public. */
type Unread = { kind: 'unread'; reason: string; isForbidden?: true }

const TIMEOUT_MS = 10_000
const MAX_BYTES = 2 * 1024 * 1024
const MAX_REDIRECTS = 5

const unread = (reason: string): Unread => ({ kind: 'unread', reason })

type Read = { status: number; headers: Headers; bytes: Uint8Array; truncated: boolean }

const pageOf = (url: string, { status, headers, bytes, truncated }: Read): LivePage => {
  const type = headers.get('content-type') ?? ''
  const html = decodePage(bytes, type)
  const head = readPageHead(html)
  const base = URL.parse(head.base, url)?.href ?? url
  const header = headerRules(headers.get('x-robots-tag'))
  return {
    kind: 'page',
    url,
    base,
    status,
    isHtml: /\bhtml\b/i.test(type),
    isCut: truncated,
    html,
    head,
    canonical: head.canonical === null ? null : (URL.parse(head.canonical, base)?.href ?? null),
    robots: { noindex: head.noindex || header.noindex, nofollow: head.nofollow || header.nofollow },
  }
}

/**
 * Reads the page at an address as readers get it: behind its redirects, and decoded from its own character set.
 *
 * Each address of a redirect must be public like the first. At most 2 MiB are read.
 */
export const readLivePage = async (
  { outbound, settings }: Pick<Deps, 'outbound'> & { settings: Pick<Deps['settings'], 'serviceName'> },
  address: string,
): Promise<LivePage | Unread> => {
  const headers = { 'User-Agent': `${settings.serviceName}-Publisher/1.0`, Accept: 'text/html' }
  let url = address
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await outbound({
      url,
      method: 'GET',
      headers,
      signs: true,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      as: 'bytes',
    })
    if (answer.kind === 'forbidden')
      return {
        ...unread(
          redirects > 0 ? 'It redirects to an address that is not public.' : 'The address is not a public one.',
        ),
        isForbidden: true,
      }
    if (answer.kind === 'unsent') return unread(unsentReason(answer))
    if (answer.kind === 'no_answer') return unread(`The page could not be fetched (${answer.reason}).`)
    const next = locationOf(answer, url)
    if (next === null && answer.incomplete) return unread('The page broke off while it was read.')
    if (next === null) return pageOf(url, answer)
    url = next.href
  }
  return unread('The page redirects too many times.')
}
