import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got } from '../http.ts'
import { pageOf } from '../page-cursor.ts'
import type { WebflowApi } from './api.ts'
import type { Setting } from './connect.ts'
import { imageIn, slugOf, textIn, toPost, wordsOf } from './transform.ts'
import type { WebflowItem } from './types.ts'

const PAGE = 100

const sitePost = (item: WebflowItem, { mapping, urlPrefix }: Setting): SitePost => {
  const { remoteId, title, url, status, siteStatus } = toPost(item, urlPrefix, mapping)
  return {
    postId: remoteId,
    title,
    url,
    status,
    ...(siteStatus === undefined ? {} : { siteStatus }),
    publishedAt: textIn(item, mapping.date) || item.lastPublished || null,
    changedAt: item.lastUpdated ?? null,
    // A referenced author is an id of another collection.
    author: mapping.author?.type === 'PlainText' ? textIn(item, mapping.author) || null : null,
    language: null,
  }
}

/** Lists a page of the collection’s items, in Webflow’s own order. */
export const listSitePosts = async (
  api: WebflowApi,
  setting: Setting,
  cursor: string | null,
): Promise<CmsResult<SitePostPage>> => {
  const number = pageOf(cursor)
  const listed = await api.itemsFrom(setting.collection.id, (number - 1) * PAGE)
  if (listed.kind !== 'got') return listed
  const { items, pagination } = listed.value
  const total = pagination?.total ?? null
  return done({
    posts: items.map((item) => sitePost(item, setting)),
    next: total !== null && total > number * PAGE ? String(number + 1) : null,
    hidden: 0,
    total,
  })
}

const itemAt = async (
  api: WebflowApi,
  { collection, urlPrefix }: Setting,
  url: string,
): Promise<Got<WebflowItem | null>> => {
  const slug = new URL(url).pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  if (slug === '' || pageKey(new URL(`${urlPrefix}/${slug}`)) !== pageKey(new URL(url))) return got(null)
  const found = await api.itemsBy(collection.id, 'slug', slug)
  return found.kind === 'got' ? got(found.value.items.find((item) => slugOf(item) === slug) ?? null) : found
}

/** Embed that Webflow's API returns without its code. Writing the text back would delete the code. */
const EMPTY_EMBED = /<div\b[^>]*\bdata-rt-embed-type\b[^>]*>\s*<\/div>/i

/** Reads an item with the HTML of its text, as the editor has it. Null if there is none. */
export const readSitePost = async (
  api: WebflowApi,
  setting: Setting,
  ref: PostRef,
): Promise<CmsResult<StoredPost | null>> => {
  const read = 'postId' in ref ? await api.item(setting.collection.id, ref.postId) : await itemAt(api, setting, ref.url)
  if (read.kind !== 'got') return read
  const item = read.value
  if (item === null) return done(null)
  const { mapping } = setting
  const { metaDescription = '', seoTitle = '', canonicalUrl = '' } = wordsOf(item, mapping)
  const text = textIn(item, mapping.body)
  const tags = mapping.tags?.type === 'PlainText' ? textIn(item, mapping.tags) : ''
  const category = mapping.category?.type === 'PlainText' ? textIn(item, mapping.category) : ''
  return done({
    ...sitePost(item, setting),
    slug: slugOf(item),
    format: 'html',
    text,
    excerpt: textIn(item, mapping.summary),
    metaDescription,
    seoTitle,
    canonicalUrl,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    categories: category === '' ? [] : [category],
    image: imageIn(item, mapping),
    lock: item.lastUpdated ?? null,
    owner: EMPTY_EMBED.test(text) ? 'Webflow embeds' : null,
  })
}
