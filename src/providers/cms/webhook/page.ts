import { decodeReferences } from '../../../content/html/references.ts'
import { type LivePage, readLivePage } from '../../../content/site/live-page.ts'
import type { MainContent } from '../../../insights/suggestions/live-edits.ts'
import { decoded, keyOfRead, pageKey, withoutTrackers } from '../../../platform/lib/urls.ts'
import type { Outbound } from '../../../platform/runtime/outbound.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { StoredPost } from '../../../publishing/target/site-posts.ts'

type PageDeps = { outbound: Outbound; serviceName: string; mainContent: MainContent }

/** Returns the slug of a post by its address; empty if the address has none, or tells posts apart by a query. */
export const slugAt = (url: string): string => {
  const page = URL.parse(url)
  if (page?.search !== '') return ''
  return decoded(page.pathname.split('/').filter(Boolean).at(-1) ?? '').replace(/\.(?:html?|php)$/i, '')
}

/** Returns a text without the title at its beginning, which a receiver shows beside it. */
const withoutTitle = (text: string, title: string): string => {
  const [heading = '', words = ''] = /^\s*<h[12]\b[^>]*>([^<]{1,500})<\/h[12]>\s*/.exec(text) ?? []
  return decodeReferences(words).trim() === title ? text.slice(heading.length) : text
}

const dateOf = (text: string | undefined): string | null => {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const refused = (reason: string, httpStatus?: number): CmsResult<never> => ({
  kind: 'refused',
  code: 'validation',
  reason,
  retryable: httpStatus !== undefined && (httpStatus >= 500 || httpStatus === 429),
  ...(httpStatus === undefined ? {} : { httpStatus }),
})

const postOf = ({ url, canonical, head }: LivePage, text: string): StoredPost => {
  const page = withoutTrackers(new URL(url))
  const keys = [...new Set([pageKey(page), keyOfRead(page, canonical)])]
  const meta = (...names: string[]) =>
    names.map((name) => head.meta.get(name)?.trim() ?? '').find((value) => value !== '') ?? ''
  const title = meta('og:title') || head.title.trim()
  const isElse = canonical !== null && /^https?:/.test(canonical) && !keys.includes(pageKey(new URL(canonical)))
  return {
    postId: page.href,
    title,
    url: page.href,
    status: 'published',
    publishedAt: dateOf(head.meta.get('article:published_time')),
    changedAt: null,
    author: meta('author') || null,
    language: head.lang || null,
    slug: slugAt(page.href),
    format: 'page',
    text: withoutTitle(text, title),
    excerpt: '',
    metaDescription: meta('description', 'og:description'),
    seoTitle: '',
    canonicalUrl: isElse ? canonical : '',
    tags: [],
    categories: [],
    image: null,
    lock: null,
    owner: null,
    pageKeys: keys,
  }
}

/**
 * Reads a post from its live page: title, description and language of its head, and the main text that Readability finds.
 *
 * Null if there is no page. What the page has beyond that is not known, so the post has no picture, tags or categories.
 */
export const readPage = async (
  { outbound, serviceName, mainContent }: PageDeps,
  url: string,
): Promise<CmsResult<StoredPost | null>> => {
  const page = await readLivePage({ outbound, settings: { serviceName } }, url)
  if (page.kind === 'unread')
    return { kind: 'refused', code: 'unavailable', reason: page.reason, retryable: page.isForbidden !== true }
  if (page.status === 404 || page.status === 410) return { kind: 'done', value: null }
  if (page.status !== 200) return refused(`The page answered HTTP ${page.status}.`, page.status)
  if (!page.isHtml) return refused('The address does not lead to an HTML page.')
  if (page.isCut) return refused('The page has more than 2 MiB, so it was not read.')
  const text = await mainContent(page.html, page.base)
  if (text === undefined) return refused('No text of an article was found on the page.')
  return { kind: 'done', value: postOf(page, text) }
}
