import { fromMarkdown } from '../../../content/html/from-markdown.ts'
import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got } from '../http.ts'
import type { NotionApi, NotionPage } from './api.ts'
import type { Setting } from './connect.ts'
import { textIn, toPost, wordsOf } from './transform.ts'

const sitePost = (page: NotionPage, { mapping, chosen }: Setting): SitePost => {
  const { remoteId, title, status, siteStatus } = toPost(page, mapping, chosen)
  const date = mapping.date && page.properties[mapping.date.name]?.date?.start
  return {
    postId: remoteId,
    title,
    // Other addresses open only for members of the workspace.
    url: status === 'published' ? (page.public_url ?? null) : null,
    status,
    ...(siteStatus === undefined ? {} : { siteStatus }),
    publishedAt: date || (status === 'published' ? (page.created_time ?? null) : null),
    changedAt: page.last_edited_time ?? null,
    author: textIn(page, mapping.author) || page.properties[mapping.author?.name ?? '']?.select?.name || null,
    language: null,
  }
}

/** Lists a page of the database’s pages, the oldest first. */
export const listSitePosts = async (
  api: NotionApi,
  setting: Setting,
  cursor: string | null,
): Promise<CmsResult<SitePostPage>> => {
  const listed = await api.pagesFrom(setting.dataSourceId, cursor)
  if (listed.kind !== 'got') return listed
  const { results, has_more: hasMore, next_cursor: next } = listed.value
  return done({
    posts: results.map((page) => sitePost(page, setting)).filter(({ status }) => status !== 'trashed'),
    next: hasMore ? (next ?? null) : null,
    hidden: 0,
    total: null,
  })
}

/** Id of a page at the end of an address, with or without hyphens. */
const PAGE_ID = /([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})$/i

const pageAt = async (
  api: NotionApi,
  { mapping, dataSourceId }: Setting,
  address: string,
): Promise<Got<NotionPage | null>> => {
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  const [, id] = PAGE_ID.exec(path) ?? []
  if (id !== undefined) return await api.page(id)
  const slug = path.split('/').at(-1) ?? ''
  if (!mapping.slug || slug === '') return got(null)
  const found = await api.pagesBy(dataSourceId, mapping.slug, slug)
  if (found.kind !== 'got') return found
  const isThere = ({ public_url: shown }: NotionPage) => shown != null && pageKey(new URL(shown)) === pageKey(url)
  return got(found.value.results.find(isThere) ?? null)
}

const namesIn = (page: NotionPage, name: string | undefined): string[] => {
  const value = page.properties[name ?? '']
  return value?.multi_select?.map((option) => option.name) ?? (value?.select ? [value.select.name] : [])
}

/**
 * Reads a page with its text as Notion’s Markdown. Null if there is none.
 *
 * The text has the format `page`: Notion replaces all blocks of a page at once, and would lose those that it does not return.
 */
export const readSitePost = async (
  api: NotionApi,
  setting: Setting,
  ref: PostRef,
): Promise<CmsResult<StoredPost | null>> => {
  const { mapping, chosen } = setting
  const read = 'postId' in ref ? await api.page(ref.postId) : await pageAt(api, setting, ref.url)
  if (read.kind !== 'got') return read
  const page = read.value
  if (page === null || toPost(page, mapping, chosen).status === 'trashed') return done(null)
  const content = await api.markdown(page.id)
  if (content.kind !== 'got') return content
  if (content.value === null) return done(null)
  const { markdown } = content.value
  const made = fromMarkdown(markdown)
  const { metaDescription = '', seoTitle = '', canonicalUrl = '' } = wordsOf(page, mapping, '')
  return done({
    ...sitePost(page, setting),
    slug: textIn(page, mapping.slug),
    format: 'page',
    text: markdown,
    html: typeof made === 'string' ? '' : made.html,
    excerpt: '',
    metaDescription,
    seoTitle,
    canonicalUrl,
    tags: namesIn(page, mapping.tags?.name),
    categories: namesIn(page, mapping.category?.name),
    image: page.cover?.external ? { url: page.cover.external.url, alt: '' } : null,
    lock: page.last_edited_time ?? null,
    owner: null,
  })
}
