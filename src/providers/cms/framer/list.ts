import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done } from '../http.ts'
import { pageOf } from '../page-cursor.ts'
import { readDeployments, type Setting } from './connect.ts'
import type { FramerItem, FramerSession } from './port.ts'
import { type Deployments, textIn, toPost, wordsOf } from './transform.ts'

const PAGE = 100

const sitePost = (item: FramerItem, { mapping }: Setting, around: Deployments): SitePost => {
  const { remoteId, title, url, status } = toPost(item, mapping, around)
  const date = mapping.date && item.fields[mapping.date.id]
  return {
    postId: remoteId,
    title,
    url: status === 'published' ? url : null,
    status,
    publishedAt: (date?.type === 'date' ? date.value : null) ?? (status === 'published' ? item.createdAt : null),
    changedAt: item.updatedAt,
    // An option or a reference is an id.
    author: textIn(item, mapping.author) || null,
    language: null,
  }
}

/** Lists a page of the collection’s items. Framer returns all of them with each call. */
export const listSitePosts = async (
  session: FramerSession,
  setting: Setting,
  cursor: string | null,
): Promise<CmsResult<SitePostPage>> => {
  const number = pageOf(cursor)
  const items = await session.items(setting.collectionId)
  const around = await readDeployments(session, setting)
  return done({
    posts: items.slice((number - 1) * PAGE, number * PAGE).map((item) => sitePost(item, setting, around)),
    next: items.length > number * PAGE ? String(number + 1) : null,
    hidden: 0,
    total: items.length,
  })
}

const isAt = (url: string | null, ref: { url: string }): boolean =>
  url !== null && pageKey(new URL(url)) === pageKey(new URL(ref.url))

/**
 * Reads an item with the HTML of its text. Null if there is none.
 *
 * Its text has the format `page`: Framer returns components in it in no form that can be written back, so it is not changed.
 */
export const readSitePost = async (
  session: FramerSession,
  setting: Setting,
  ref: PostRef,
): Promise<CmsResult<StoredPost | null>> => {
  const items = await session.items(setting.collectionId)
  const around = await readDeployments(session, setting)
  const item = items.find((one) =>
    'postId' in ref ? one.id === ref.postId : isAt(toPost(one, setting.mapping, around).url, ref),
  )
  if (item === undefined) return done(null)
  const { mapping } = setting
  const { metaDescription = '', seoTitle = '', canonicalUrl = '' } = wordsOf(item, mapping)
  const body = item.fields[mapping.body.id]
  const image = mapping.image && item.fields[mapping.image.id]
  const category = textIn(item, mapping.category)
  return done({
    ...sitePost(item, setting, around),
    slug: item.slug,
    format: 'page',
    text: body?.type === 'formattedText' ? body.value : '',
    excerpt: '',
    metaDescription,
    seoTitle,
    canonicalUrl,
    tags: textIn(item, mapping.tags)
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    categories: category === '' ? [] : [category],
    image: image?.type === 'image' && image.value ? { url: image.value, alt: image.alt ?? '' } : null,
    lock: item.updatedAt,
    owner: null,
  })
}
