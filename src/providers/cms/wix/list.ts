import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got, misfit } from '../http.ts'
import { pageOf } from '../page-cursor.ts'
import { liveUrl, type WixApi } from './api.ts'
import { htmlOfRicos } from './html.ts'
import { coverOf, postWords, slugOfUrl, toPost, urlOf } from './transform.ts'
import { type DraftPost, RicosDocument } from './types.ts'

const PAGE = 100

const sitePost = (draft: DraftPost): SitePost => {
  const { remoteId, title, url, status } = toPost(draft)
  return {
    postId: remoteId,
    title,
    url,
    status,
    ...(draft.status ? { siteStatus: draft.status.toLowerCase() } : {}),
    publishedAt: draft.firstPublishedDate ?? null,
    changedAt: draft.editedDate ?? null,
    // The author is the id of a member.
    author: null,
    language: draft.language ?? null,
  }
}

/** Lists a page of the blog’s posts by their ids, since an edit moves a post in the order of edits. */
export const listSitePosts = async (api: WixApi, cursor: string | null): Promise<CmsResult<SitePostPage>> => {
  const number = pageOf(cursor)
  const listed = await api.drafts({
    sort: [{ fieldName: 'id', order: 'ASC' }],
    paging: { limit: PAGE, offset: (number - 1) * PAGE },
  })
  if (listed.kind !== 'got') return listed
  const drafts = listed.value.draftPosts ?? []
  return done({
    posts: drafts.map(sitePost).filter(({ status }) => status !== 'trashed'),
    next: drafts.length === PAGE ? String(number + 1) : null,
    hidden: 0,
    total: null,
  })
}

/** Returns the id of the live post at an address; null if none is there. */
const idAt = async (api: WixApi, url: string): Promise<Got<string | null>> => {
  const slug = slugOfUrl(url)
  if (slug === '') return got(null)
  const found = await api.postBySlug(slug)
  if (found.kind !== 'got') return found
  const shown = urlOf(found.value?.post.url)
  return got(
    shown !== null && pageKey(new URL(shown)) === pageKey(new URL(url)) ? (found.value?.post.id ?? null) : null,
  )
}

/**
 * Reads a post with its text as HTML. Null if there is none.
 *
 * The text has the format `page`: Wix stores a document of its own, which HTML does not hold whole. Tags and categories are ids, and
 * stay as they are.
 */
export const readSitePost = async (api: WixApi, ref: PostRef): Promise<CmsResult<StoredPost | null>> => {
  const id = 'postId' in ref ? got(ref.postId) : await idAt(api, ref.url)
  if (id.kind !== 'got') return id
  if (id.value === null) return done(null)
  const read = await api.draft(id.value, 'RICH_CONTENT')
  if (read.kind !== 'got') return read
  const draft = read.value?.draftPost
  if (!draft || draft.status === 'DELETED') return done(null)
  const document = RicosDocument.safeParse(draft.richContent ?? { nodes: [] })
  if (!document.success) return misfit('The text of the post has a form that cannot be read.')
  const { metaDescription = '', seoTitle = '', canonicalUrl = '' } = postWords(draft)
  const post = sitePost(draft)
  const live = post.status === 'published' ? await liveUrl(api, draft) : undefined
  return done({
    ...post,
    ...(live ? { url: live.url } : {}),
    slug: live?.slug ?? draft.seoSlug ?? '',
    format: 'page',
    text: htmlOfRicos(document.data),
    excerpt: draft.excerpt ?? '',
    metaDescription,
    seoTitle,
    canonicalUrl,
    tags: [],
    categories: [],
    image: coverOf(draft),
    lock: draft.editedDate ?? null,
    owner: null,
  })
}
