import type { CmsFailure, CmsQuery, CmsResult } from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { type CmsDeps, done, type Found, type Got, got, refused } from '../cms/http.ts'
import { type GohighlevelApi, MAX_PAGES, PAGE } from './api.ts'
import { type Place, statusOf, toPost } from './transform.ts'
import type { GhlPost } from './types.ts'

/** One blog of a location, and what working in it takes. */
export type Blog = { api: GohighlevelApi; connection: Connection; place: Place; deps: CmsDeps }

/** True if a post is there and not in the trash. */
export const isThere = (post: GhlPost | null): post is GhlPost => post !== null && statusOf(post) !== 'trashed'

/**
 * Returns a post of the list: what the search by slug brings first (newer versions of the API match it), then by title, then all
 * pages. Null: not among all of them; a blog with more posts than are read does not say so.
 */
export const listed = async (
  { api, place }: Blog,
  { slug, title }: Pick<CmsQuery, 'slug' | 'title'>,
  is: (post: GhlPost) => boolean,
): Promise<Got<GhlPost | null>> => {
  for (const term of [slug, title]) {
    const matching = await api.posts(place.blogId, 0, term)
    if (matching.kind !== 'got') return matching
    const found = matching.value.blogs.find(is)
    if (found) return got(found)
  }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const all = await api.posts(place.blogId, page * PAGE)
    if (all.kind !== 'got') return all
    const post = all.value.blogs.find(is)
    if (post) return got(post)
    if (all.value.given < PAGE) return got(null)
  }
  return refused(
    'unexpected_answer',
    `The post is not among the ${MAX_PAGES * PAGE} posts GoHighLevel lists first, and its API has no question for one post. Whether it is there is not known.`,
    200,
  )
}

export const slugTaken = (slug: string): CmsFailure =>
  refused(
    'slug_taken',
    `GoHighLevel says that the slug "${slug}" is another post's, in the trash or in another blog of the location.`,
    409,
  )

/** Returns the post of an article: by id, else by slug. A slug that only a post in the trash has is taken. */
export const findPost = async (blog: Blog, query: CmsQuery): Promise<CmsResult<Found>> => {
  const { api, place } = blog
  if (query.remoteId) {
    const byId = await listed(blog, query, (post) => post._id === query.remoteId)
    if (byId.kind !== 'got') return byId
    if (isThere(byId.value)) return done({ ...toPost(byId.value, place.blogUrl), matchedBy: 'remote_id' })
  }
  const taken = await api.isSlugTaken(query.slug)
  if (taken.kind !== 'got') return taken
  if (!taken.value.exists) return done(null)
  const bySlug = await listed(blog, query, (post) => post.urlSlug === query.slug && isThere(post))
  if (bySlug.kind !== 'got') return bySlug
  return bySlug.value ? done({ ...toPost(bySlug.value, place.blogUrl), matchedBy: 'slug' }) : slugTaken(query.slug)
}
