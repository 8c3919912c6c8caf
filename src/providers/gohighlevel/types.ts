import * as z from 'zod/mini'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

export const GhlError = z.object({
  message: maybe(z.union([z.string(), z.array(z.string())])),
  error: maybe(z.string()),
})

export const GhlPost = z.object({
  _id: z.string(),
  title: maybe(z.string()),
  urlSlug: maybe(z.string()),
  status: maybe(z.string()),
  archived: maybe(z.boolean()),
  publishedAt: maybe(z.string()),
  updatedAt: maybe(z.string()),
  imageUrl: maybe(z.string()),
  imageAltText: maybe(z.string()),
  author: maybe(z.string()),
  categories: maybe(z.array(z.string())),
})

export const Blogs = z.object({ data: z.array(z.object({ _id: z.string(), name: maybe(z.string()) })) })
export const Posts = z.object({ blogs: z.array(GhlPost) })
export const Authors = z.object({ authors: z.array(z.object({ _id: z.string(), name: maybe(z.string()) })) })
export const Categories = z.object({ categories: z.array(z.object({ _id: z.string(), label: maybe(z.string()) })) })
export const SlugCheck = z.object({ exists: z.boolean() })
export const Created = z.object({ data: GhlPost })
export const Updated = z.object({ updatedBlogPost: GhlPost })
export const Uploaded = z.object({ url: z.string() })

export type GhlError = z.infer<typeof GhlError>
export type GhlPost = z.infer<typeof GhlPost>
