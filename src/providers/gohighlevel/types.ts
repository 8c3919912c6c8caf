import * as z from 'zod/mini'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
/** Returns a text, or nothing where the answer has something else in its place. */
const text = () => z.catch(maybe(z.string()), undefined)

export const GhlError = z.object({
  message: maybe(z.union([z.string(), z.array(z.string())])),
  error: maybe(z.string()),
})

type Ids = { _id?: unknown; id?: unknown }

/** Returns the id of a thing that is told as such or as an object; undefined if there is none. */
const idIn = (value: unknown): string | undefined => {
  const { _id, id } = (typeof value === 'object' && value !== null ? value : {}) as Ids
  const found = typeof value === 'string' ? value : (_id ?? id)
  return typeof found === 'string' && found !== '' ? found : undefined
}

const hasId = z.refine<{ _id: string }>(({ _id }) => _id !== '', { error: 'has no id' })

/**
 * Post in any form that an answer has.
 *
 * The documentation has texts for author and categories, the public feed of the same service has objects, and ids are both
 * `_id` and `id`. One unusual field must not make a whole list unreadable.
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

/** Returns the readable entries of a list. */
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
/** `given`: how many entries the page had, the unreadable ones too. */
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

/** The post a write answers with, under any of the names it was seen under, or as the answer itself. */
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
