import * as z from 'zod/mini'
import { httpUrl } from '../../platform/lib/fields.ts'
import type { CmsArticle } from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { addressPrefix, apiUrl, jsonOf, type Opened, remoteId, textsOf, token } from '../cms/fields.ts'
import { type Got, got, misfit } from '../cms/http.ts'
import type { GohighlevelApi } from './api.ts'
import type { GhlNamed, Place } from './transform.ts'

const API_URL = 'https://services.leadconnectorhq.com'

const CategoryIds = z.array(remoteId()).check(z.maxLength(20))

const Fields = z.object({
  private_token: token(),
  location_id: remoteId(),
  blog_url: addressPrefix(),
  blog_id: z.optional(remoteId()),
  author_id: z.optional(remoteId()),
  category_ids: z.optional(CategoryIds),
  default_image_url: z.optional(httpUrl()),
  api_url: z.optional(apiUrl()),
})

/**
 * Connection form of GoHighLevel: a sub-account's private token and location, and the address of its blog.
 *
 * The API does not return that address. It requires author, category and image for every post, so the form has defaults for posts without
 * them.
 */
export const gohighlevelConnection = {
  fields: Fields,
  connection: (given: Record<string, unknown>): Opened => {
    const { api_url, category_ids, ...fields } = Fields.parse(given)
    return {
      url: api_url ?? API_URL,
      urlField: 'api_url',
      name: `GoHighLevel blog ${new URL(fields.blog_url).host}`,
      secrets: textsOf({ ...fields, category_ids: category_ids && JSON.stringify(category_ids) }),
    }
  },
}

/** Returns a function that reads the blog for posts, once: the chosen one, else the location's only one. */
export const placeOf = (api: GohighlevelApi, { secrets }: Connection) => {
  const { location_id: locationId = '', blog_id: chosen, blog_url: blogUrl = '' } = secrets
  let known: (Place & { name: string }) | undefined
  return async (): Promise<Got<Place & { name: string }>> => {
    if (known) return got(known)
    const asked = await api.blogs()
    if (asked.kind !== 'got') return asked
    const blogs = asked.value.data
    const list = blogs.map((b) => `${b.name ?? 'unnamed'} (${b._id})`).join(', ')
    if (blogs.length === 0) return misfit('The location has no blog. Add one in GoHighLevel under Sites, Blogs.')
    if (!chosen && blogs.length > 1) return misfit(`blog_id is needed: the location has several blogs: ${list}.`)
    const blog = chosen ? blogs.find((b) => b._id === chosen) : blogs[0]
    if (!blog) return misfit(`blog_id: the location has no such blog. It has: ${list}.`)
    known = { locationId, blogId: blog._id, blogUrl, name: blog.name ?? 'GoHighLevel' }
    return got(known)
  }
}

const named = (list: readonly GhlNamed[], name: string): string | undefined =>
  name === ''
    ? undefined
    : list.find((one) => (one.name ?? one.label ?? '').trim().toLowerCase() === name.trim().toLowerCase())?._id

/** Ids of author and categories, with notes for people. */
export type Labels = { author: string; categories: string[]; notes: string[] }

/** Returns author and categories by name, else the connection's, else the first ones. The API cannot create either. */
export const labelsOf = async (
  api: GohighlevelApi,
  { secrets }: Connection,
  { author, category }: Pick<CmsArticle, 'author' | 'category'>,
): Promise<Got<Labels>> => {
  const notes: string[] = []
  const authors = await api.authors()
  if (authors.kind !== 'got') return authors
  const byName = named(authors.value, author)
  const authorId = byName ?? secrets.author_id ?? authors.value[0]?._id
  if (!authorId) return misfit('The location has no blog author, and a post needs one. Add one in GoHighLevel.')
  if (author !== '' && !byName) notes.push(`There is no blog author called "${author}", so another author was used.`)
  const categories = await api.categories()
  if (categories.kind !== 'got') return categories
  const chosen = CategoryIds.safeParse(jsonOf(secrets.category_ids) ?? [])
  const own = named(categories.value, category)
  const fallback = chosen.success && chosen.data.length > 0 ? chosen.data : [categories.value[0]?._id ?? '']
  const ids = own ? [own] : fallback
  if (ids.includes(''))
    return misfit('The location has no blog category, and a post needs one. Add one in GoHighLevel.')
  if (category !== '' && !own)
    notes.push(`There is no category "${category}", and the API cannot make one, so another was used.`)
  return got({ author: authorId, categories: ids, notes })
}
