import type { CmsArticle } from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { jsonOf } from '../cms/fields.ts'
import { type Got, got, misfit } from '../cms/http.ts'
import type { GohighlevelApi } from './api.ts'
import { CategoryIds } from './connect.ts'
import type { Place } from './transform.ts'
import type { GhlNamed } from './types.ts'

/** Returns the blog for posts, read once: the chosen one, else the location's only one. */
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

export type Labels = { author: string; categories: string[]; notes: string[] }

/** Author and categories by name, else what the connection says, else the first there is; neither can be made by the API. */
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
  if (author !== '' && !byName) notes.push(`There is no blog author called "${author}", so another stands there.`)
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
