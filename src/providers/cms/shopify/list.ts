import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got } from '../http.ts'
import { textOf } from '../overwritten.ts'
import type { ShopifyApi } from './api.ts'
import { FIND_HANDLE, LIST, STORED } from './documents.ts'
import { FoundData, gidOf, ListData, type ListedArticle, type StoredArticle, StoredData, toPost } from './transform.ts'

const sitePost = (article: ListedArticle, siteUrl: string): SitePost => {
  const { status, url } = toPost(article, siteUrl)
  return {
    postId: article.id,
    title: article.title,
    url,
    status,
    publishedAt: article.publishedAt ?? null,
    changedAt: article.updatedAt,
    author: article.author?.name || null,
    // Translations are texts of the same article.
    language: null,
  }
}

/** Lists a page of the articles of all blogs in the order of their ids, without their texts. */
export const listSitePosts = async (
  api: ShopifyApi,
  siteUrl: string,
  cursor: string | null,
): Promise<CmsResult<SitePostPage>> => {
  const page = await api.ask({ document: LIST, variables: { after: cursor }, data: ListData, writes: false })
  if (page.kind !== 'got') return page
  const { nodes, pageInfo } = page.value.articles
  return done({
    posts: nodes.map((article) => sitePost(article, siteUrl)),
    next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null,
    hidden: 0,
    total: null,
  })
}

/** Returns the id of the article with an address: `/blogs/{blog}/{handle}`, after a language if there is one. */
const idAt = async (api: ShopifyApi, siteUrl: string, address: string): Promise<Got<string | null>> => {
  const [, handle] = /\/blogs\/[^/]+\/([^/]+)\/?$/.exec(new URL(address).pathname) ?? []
  if (handle === undefined || !/^[\w-]+$/.test(handle)) return got(null)
  const variables = { search: `handle:${handle}` }
  const found = await api.ask({ document: FIND_HANDLE, variables, data: FoundData, writes: false })
  if (found.kind !== 'got') return found
  // The search matches the beginnings of words. The shop may have several domains, so only paths are compared.
  const wanted = pageKey(new URL(new URL(address).pathname, siteUrl))
  const article = found.value.articles.nodes.find(
    (one) => pageKey(new URL(`/blogs/${one.blog.handle}/${one.handle}`, siteUrl)) === wanted,
  )
  return got(article?.id ?? null)
}

/** Longest text of an article whose template draws something else, characters. */
const NEARLY_EMPTY = 40

/** Returns the name of the owner of a text that a template draws instead, as page builders do. */
const ownerOf = ({ templateSuffix, body }: StoredArticle): string | null =>
  templateSuffix && textOf(body).trim().length < NEARLY_EMPTY ? `the template ${templateSuffix}` : null

const stored = (article: StoredArticle, siteUrl: string): StoredPost => ({
  ...sitePost(article, siteUrl),
  slug: article.handle,
  format: 'html',
  text: article.body,
  excerpt: textOf(article.summary ?? ''),
  metaDescription: article.description?.value || textOf(article.summary ?? ''),
  seoTitle: article.searchTitle?.value ?? '',
  canonicalUrl: '',
  tags: article.tags,
  categories: [],
  image: article.image ? { url: article.image.url, alt: article.image.altText ?? '' } : null,
  lock: article.updatedAt,
  owner: ownerOf(article),
})

/** Reads an article with its stored HTML. Null if there is none. */
export const readSitePost = async (
  api: ShopifyApi,
  siteUrl: string,
  ref: PostRef,
): Promise<CmsResult<StoredPost | null>> => {
  const id = 'postId' in ref ? got(gidOf('Article', ref.postId)) : await idAt(api, siteUrl, ref.url)
  if (id.kind !== 'got') return id
  if (id.value === null || !/^gid:\/\/shopify\/Article\/\d{1,18}$/.test(id.value)) return done(null)
  const read = await api.ask({ document: STORED, variables: { id: id.value }, data: StoredData, writes: false })
  if (read.kind !== 'got') return read
  const { article } = read.value
  return done(article && stored(article, siteUrl))
}
