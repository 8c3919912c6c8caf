import * as z from 'zod/mini'
import { shownWords } from '../../content/html/shown.ts'
import type { CmsArticle, CmsPost } from '../../publishing/target/cms-adapter.ts'
import type { CmsPostStatus } from '../../publishing/target/site-posts.ts'
import { statusIn } from '../cms/states.ts'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
/** Returns the schema of a text. A value of another type becomes undefined. */
const text = () => z.catch(maybe(z.string()), undefined)

export const GhlError = z.object({
  statusCode: maybe(z.number()),
  message: maybe(z.union([z.string(), z.array(z.string())])),
  error: maybe(z.string()),
})

type Ids = { _id?: unknown; id?: unknown }

/** Returns the id in a value that is an id, or an object with one; undefined if there is none. */
const idIn = (value: unknown): string | undefined => {
  const { _id, id } = (typeof value === 'object' && value !== null ? value : {}) as Ids
  const found = typeof value === 'string' ? value : (_id ?? id)
  return typeof found === 'string' && found !== '' ? found : undefined
}

const hasId = z.refine<{ _id: string }>(({ _id }) => _id !== '', { error: 'has no id' })

/**
 * Post in any form that answers have.
 *
 * The documentation has texts for author and categories. The public feed of the same service has objects, and ids are named `_id` or `id`.
 * One unusual field must not make a whole list unreadable.
 */
export const GhlPost = z
  .pipe(
    z.object({
      _id: z.optional(z.unknown()),
      id: z.optional(z.unknown()),
      title: text(),
      urlSlug: text(),
      status: text(),
      archived: z.catch(maybe(z.boolean()), undefined),
      publishedAt: text(),
      updatedAt: text(),
      imageUrl: text(),
      imageAltText: text(),
      author: z.optional(z.unknown()),
      categories: z.optional(z.unknown()),
    }),
    z.transform((given) => ({
      ...given,
      _id: idIn(given) ?? '',
      author: idIn(given.author),
      categories: (Array.isArray(given.categories) ? given.categories : []).flatMap((one) => idIn(one) ?? []),
    })),
  )
  .check(hasId)

const Named = z
  .pipe(
    z.object({ _id: z.optional(z.unknown()), id: z.optional(z.unknown()), name: text(), label: text() }),
    z.transform((given) => ({ ...given, _id: idIn(given) ?? '' })),
  )
  .check(hasId)

/** Returns the schema of a list, which keeps only its readable entries. */
const listOf = <T>(schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((list: unknown[]): T[] =>
      list.flatMap((one) => {
        const read = schema.safeParse(one)
        return read.success ? [read.data] : []
      }),
    ),
  )

const count = z.catch(maybe(z.number()), undefined)

export const Blogs = z.object({ data: listOf(Named) })
/** A page of posts. `given` is its number of entries, including unreadable ones. */
export const Posts = z.pipe(
  z.object({ blogs: z.array(z.unknown()) }),
  z.transform(({ blogs }) => ({ blogs: z.parse(listOf(GhlPost), blogs), given: blogs.length })),
)
export const Authors = z.object({ authors: listOf(Named), count })
export const Categories = z.object({ categories: listOf(Named), count })
export const SlugCheck = z.object({ exists: z.boolean() })

const Wrapped = z.looseObject({
  data: z.optional(z.unknown()),
  blogPost: z.optional(z.unknown()),
  post: z.optional(z.unknown()),
  updatedBlogPost: z.optional(z.unknown()),
})

/** The post in the answer to a write, under any of the known names, or as the answer itself. */
export const Written = z.pipe(
  z.pipe(
    Wrapped,
    z.transform((given) => given.updatedBlogPost ?? given.data ?? given.blogPost ?? given.post ?? given),
  ),
  GhlPost,
)
export const Uploaded = z.object({ url: z.string() })

export type GhlError = z.infer<typeof GhlError>
export type GhlPost = z.infer<typeof GhlPost>
export type GhlNamed = z.infer<typeof Named>

/** Returns the state of a post. A post that could not be published on its date is a draft. */
export const statusOf = ({ status, archived }: GhlPost): CmsPostStatus =>
  archived ? 'trashed' : statusIn('gohighlevel', status ?? '')

/** Returns the time when a post was created. The API does not return it, but MongoDB's ids begin with it, in seconds. */
export const madeAt = (id: string): string | null =>
  /^[0-9a-f]{24}$/i.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString() : null

/** Returns the address of a post: the blog's address, with `/post` added if it is a bare domain. */
export const postUrl = (blogUrl: string, slug: string): string => {
  const base = blogUrl.replace(/(?<!\/)\/+$/, '')
  return `${base}${new URL(base).pathname === '/' ? '/post' : ''}/${slug}`
}

/** Returns a post as the port describes posts. Only a published one has an address. */
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

/** Returns the number of words of a text. Without it the API accepts an update but silently drops its text. Creations have no such field. */
export const wordsIn = (html: string): number => shownWords(html).length

/** Blog that posts go to, and the address of its pages. */
export type Place = { locationId: string; blogId: string; blogUrl: string }
/** Parts of a post that depend on the blog's state. `publishedAt` is ISO 8601. */
export type Parts = {
  author: string
  categories: string[]
  image: { url: string; alt: string }
  status: string
  urlSlug: string
  publishedAt: string
}

/** Returns the body of a post. Every field is required, in updates too. */
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

/** Returns the words for people in an error. */
export const wordsOf = ({ message, error }: GhlError): string =>
  (Array.isArray(message) ? message.join('; ') : message) || error || ''
