import * as z from 'zod/mini'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
const text = () => maybe(z.string())

export const WixError = z.object({
  message: text(),
  details: maybe(
    z.object({
      applicationError: maybe(z.object({ code: text(), description: text() })),
      validationError: maybe(
        z.object({ fieldViolations: maybe(z.array(z.object({ field: text(), description: text() }))) }),
      ),
    }),
  ),
})

/** A text in the SDK's types, an object in older answers. */
const WixUrl = z.union([z.string(), z.object({ base: text(), path: text() })])

export const DraftPost = z.looseObject({
  id: z.string(),
  title: text(),
  excerpt: text(),
  status: text(),
  seoSlug: text(),
  url: maybe(WixUrl),
  createdDate: text(),
  editedDate: text(),
  firstPublishedDate: text(),
  language: text(),
  categoryIds: maybe(z.array(z.string())),
  tagIds: maybe(z.array(z.string())),
  richContent: z.optional(z.unknown()),
  media: z.optional(z.unknown()),
  seoData: z.optional(z.unknown()),
  hasUnpublishedChanges: maybe(z.boolean()),
})

/** Cover of a post, if it is a picture of the site's media. */
export const Media = z.object({
  wixMedia: maybe(z.object({ image: maybe(z.object({ id: text(), altText: text() })) })),
  altText: text(),
})

/** Entries for search engines in a post's head. */
export const SeoData = z.looseObject({
  tags: z.array(z.looseObject({ type: z.string(), children: text(), props: maybe(z.record(z.string(), z.unknown())) })),
})
export type SeoData = z.infer<typeof SeoData>

export const AnyAnswer = z.unknown()
export const DraftAnswer = z.object({ draftPost: DraftPost })
export const DraftsAnswer = z.object({ draftPosts: maybe(z.array(DraftPost)) })
const Post = z.looseObject({
  id: z.string(),
  slug: text(),
  url: maybe(WixUrl),
  richContent: z.optional(z.unknown()),
})
export const PostAnswer = z.object({ post: Post })
export const PublishAnswer = z.object({ postId: z.string() })

export const MembersAnswer = z.object({
  members: maybe(z.array(z.object({ id: z.string(), profile: maybe(z.object({ nickname: text() })) }))),
})

export const PropertiesAnswer = z.object({
  properties: z.object({ siteDisplayName: text(), businessName: text() }),
})

export const TagAnswer = z.object({ tag: z.object({ id: z.string() }) })
const Label = z.object({ id: z.string(), label: z.string() })
const labels = () => maybe(z.array(Label))
export const TagsAnswer = z.object({ tags: labels() })
export const CategoryAnswer = z.object({ category: z.object({ id: z.string() }) })
export const CategoriesAnswer = z.object({ categories: labels() })

const Size = z.object({ width: maybe(z.number()), height: maybe(z.number()) })
export const FileAnswer = z.object({
  file: z.object({
    id: z.string(),
    url: text(),
    operationStatus: text(),
    media: maybe(z.object({ image: maybe(z.object({ image: maybe(Size) })) })),
  }),
})

/** A node of a Ricos document. Only the fields used here have types. */
export type RicosNode = { type: string; id?: string; nodes?: RicosNode[]; [data: string]: unknown }

export type RicosDocument = { nodes: RicosNode[]; [data: string]: unknown }

/** Most levels of nodes. Wix's editor nests a few: a list in a cell of a table in a box. */
const MAX_LEVELS = 200

const isNode = (value: unknown): value is RicosNode => {
  const { type, nodes } = (value ?? {}) as Partial<RicosNode>
  return typeof type === 'string' && (nodes === undefined || Array.isArray(nodes))
}

/** True if a value is a document. It goes level by level, since a document may be nested deeper than the stack is. */
const isDocument = (value: unknown): value is RicosDocument => {
  let level: unknown = (value as Partial<RicosDocument> | null | undefined)?.nodes
  for (let n = 0; n < MAX_LEVELS; n += 1) {
    if (!Array.isArray(level) || !level.every(isNode)) return false
    if (level.length === 0) return true
    level = level.flatMap(({ nodes = [] }) => nodes)
  }
  return false
}

export const RicosDocument = z.custom<RicosDocument>(isDocument)
export const RicosAnswer = z.object({ document: RicosDocument })

export type WixError = z.infer<typeof WixError>
export type DraftPost = z.infer<typeof DraftPost>
