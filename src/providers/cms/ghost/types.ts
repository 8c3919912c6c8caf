import * as z from 'zod/mini'

const text = z.nullish(z.string())

export const GhostPost = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  status: z.string(),
  visibility: text,
  url: text,
  updated_at: z.string(),
  created_at: text,
  published_at: text,
  html: text,
  lexical: text,
  meta_description: text,
  meta_title: text,
  canonical_url: text,
  custom_excerpt: text,
  feature_image: text,
  feature_image_alt: text,
  tags: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  authors: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
})
export type GhostPost = z.infer<typeof GhostPost>

export const GhostPosts = z.object({ posts: z.array(GhostPost) })

export const GhostPages = z.object({ pages: z.array(z.object({ title: z.string(), slug: z.string(), url: text })) })

export const GhostUser = z.object({ id: z.string(), name: z.string(), slug: z.string(), email: text })
export type GhostUser = z.infer<typeof GhostUser>

export const GhostUsers = z.object({ users: z.array(GhostUser) })

export const GhostTags = z.object({ tags: z.array(z.object({ name: z.string(), slug: z.string() })) })

export const GhostSite = z.object({
  site: z.object({ title: z.string(), url: text, version: z.nullish(z.string()) }),
})

export const GhostImages = z.object({ images: z.array(z.object({ url: z.string() })).check(z.minLength(1)) })

/** Ghost's errors; the sentence for people is in `context`, or in `message` where that is empty. */
export const GhostErrors = z.object({
  errors: z
    .array(z.object({ message: text, context: text, type: text, code: text, property: text }))
    .check(z.minLength(1)),
})
