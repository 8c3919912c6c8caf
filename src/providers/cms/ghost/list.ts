import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got } from '../http.ts'
import { pageOf } from '../page-cursor.ts'
import type { GhostApi, GhostListed, GhostPost } from './api.ts'
import { toPost } from './transform.ts'

/** Most posts of a page. Ghost 6 gives no more. */
const PAGE = 100

const sitePost = (post: GhostListed): SitePost => {
  const { status, url } = toPost(post, '')
  return {
    postId: post.id,
    title: post.title,
    url,
    status,
    siteStatus: post.status,
    publishedAt: post.published_at ?? null,
    changedAt: post.updated_at,
    author: (post.authors ?? []).map(({ name }) => name).join(', ') || null,
    // A Ghost site has one language.
    language: null,
  }
}

/** Lists a page of posts in the order of their ids, so that new posts move no other. */
export const listSitePosts = async (api: GhostApi, cursor: string | null): Promise<CmsResult<SitePostPage>> => {
  const page = await api.postsAt(pageOf(cursor), PAGE)
  if (page.kind !== 'got') return page
  const { posts, meta } = page.value
  const { next, total } = meta.pagination
  return done({ posts: posts.map(sitePost), next: next === null ? null : String(next), hidden: 0, total })
}

/** Returns the id of the post with an address; null if there is none. A page is no post. */
const idAt = async (api: GhostApi, address: string): Promise<Got<string | null>> => {
  const url = new URL(address)
  const slug = url.pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  if (slug === '') return got(null)
  const post = await api.postBySlug(slug)
  if (post.kind !== 'got' || post.value === null) return post as Got<null>
  const { url: found } = post.value
  return got(found && URL.canParse(found) && pageKey(new URL(found)) === pageKey(url) ? post.value.id : null)
}

/** Returns the text of Ghost's editor: Lexical, or Mobiledoc if nobody opened the post since Lexical came. */
export const storedText = ({ lexical, mobiledoc }: GhostPost): { format: 'lexical' | 'mobiledoc'; text: string } =>
  lexical ? { format: 'lexical', text: lexical } : { format: 'mobiledoc', text: mobiledoc ?? '' }

const stored = (post: GhostPost): StoredPost => {
  const { onlyFor } = toPost(post, '')
  return {
    ...sitePost(post),
    slug: post.slug,
    ...storedText(post),
    html: post.html ?? '',
    excerpt: post.custom_excerpt ?? '',
    metaDescription: post.meta_description ?? '',
    seoTitle: post.meta_title ?? '',
    canonicalUrl: post.canonical_url ?? '',
    // Internal tags are not for readers.
    tags: (post.tags ?? []).map(({ name }) => name).filter((name) => !name.startsWith('#')),
    categories: [],
    image: post.feature_image ? { url: post.feature_image, alt: post.feature_image_alt ?? '' } : null,
    lock: post.updated_at,
    owner: null,
    ...(onlyFor === undefined ? {} : { onlyFor }),
  }
}

/** Reads a post with its stored text. Null if there is none. */
export const readSitePost = async (api: GhostApi, ref: PostRef): Promise<CmsResult<StoredPost | null>> => {
  const id = 'postId' in ref ? got(ref.postId) : await idAt(api, ref.url)
  if (id.kind !== 'got') return id
  const post = id.value === null ? got(null) : await api.postWithContent(id.value)
  return post.kind === 'got' ? done(post.value && stored(post.value)) : post
}
