import { shownWords } from '../../content/html/shown.ts'
import type { CmsArticle, CmsPost, CmsPostStatus } from '../../publishing/target/cms-adapter.ts'
import type { GhlError, GhlPost } from './types.ts'

const STATUSES: Record<string, CmsPostStatus> = {
  PUBLISHED: 'published',
  SCHEDULED: 'scheduled',
  ARCHIVED: 'trashed',
  DELETED: 'trashed',
}

/** Returns the state of a post. A post that failed to be published on its date is a draft. */
export const statusOf = ({ status, archived }: GhlPost): CmsPostStatus =>
  archived ? 'trashed' : (STATUSES[status ?? ''] ?? 'draft')

/** Returns the time at which a post was made: the API does not tell it, but MongoDB's ids begin with the second they were made in. */
export const madeAt = (id: string): string | null =>
  /^[0-9a-f]{24}$/i.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString() : null

/** Returns the address of a post: the blog's address, with `/post` behind it if it is a bare domain. */
export const postUrl = (blogUrl: string, slug: string): string => {
  const base = blogUrl.replace(/(?<!\/)\/+$/, '')
  return `${base}${new URL(base).pathname === '/' ? '/post' : ''}/${slug}`
}

export const toPost = (post: GhlPost, blogUrl: string): CmsPost => {
  const status = statusOf(post)
  const slug = post.urlSlug ?? ''
  return {
    remoteId: post._id,
    slug,
    title: post.title ?? '',
    status,
    ...(post.status ? { siteStatus: post.status.toLowerCase() } : {}),
    url: status === 'published' ? postUrl(blogUrl, slug) : null,
    marker: null,
    createdAt: madeAt(post._id),
  }
}

/** Returns the number of words of the text. Without this number the API takes an update and silently drops its text; a creation does not know it. */
export const wordsIn = (html: string): number => shownWords(html).length

export type Place = { locationId: string; blogId: string; blogUrl: string }
export type Parts = {
  author: string
  categories: string[]
  image: { url: string; alt: string }
  status: string
  urlSlug: string
  publishedAt: string
}

/** Returns the body of a post: every field is required, at each update too. */
export const bodyOf = (article: CmsArticle, place: Place, parts: Parts): Record<string, unknown> => ({
  title: article.title,
  locationId: place.locationId,
  blogId: place.blogId,
  imageUrl: parts.image.url,
  imageAltText: parts.image.alt || article.title,
  description: article.metaDescription || article.title,
  rawHTML: article.html,
  status: parts.status,
  categories: parts.categories,
  tags: [...article.tags],
  author: parts.author,
  urlSlug: parts.urlSlug,
  canonicalLink: article.canonicalUrl ?? postUrl(place.blogUrl, parts.urlSlug),
  publishedAt: parts.publishedAt,
})

export const wordsOf = ({ message, error }: GhlError): string =>
  (Array.isArray(message) ? message.join('; ') : message) || error || ''
