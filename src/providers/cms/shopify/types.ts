import * as z from 'zod/mini'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

const GraphqlError = z.object({
  message: z.string(),
  extensions: maybe(z.looseObject({ code: maybe(z.string()), requiredAccess: maybe(z.string()) })),
})

/** `errors` is a list, but a plain text (or a map of texts) where the token or the shop is refused. */
export const Envelope = z.object({
  data: maybe(z.unknown()),
  errors: maybe(z.union([z.array(GraphqlError), z.string(), z.record(z.string(), z.unknown())])),
  extensions: maybe(
    z.object({
      cost: maybe(
        z.object({
          requestedQueryCost: maybe(z.number()),
          throttleStatus: maybe(z.object({ currentlyAvailable: z.number(), restoreRate: z.number() })),
        }),
      ),
    }),
  ),
})

export const UserError = z.object({
  code: maybe(z.string()),
  field: maybe(z.array(z.string())),
  message: z.string(),
})

const Blog = z.object({ id: z.string(), title: maybe(z.string()), handle: z.string() })

export const Article = z.object({
  id: z.string(),
  handle: z.string(),
  title: z.string(),
  isPublished: z.boolean(),
  publishedAt: maybe(z.string()),
  createdAt: maybe(z.string()),
  blog: z.object({ id: z.string(), handle: z.string() }),
  mark: maybe(z.object({ value: z.string() })),
})

export const FullArticle = z.extend(Article, {
  body: z.string(),
  summary: maybe(z.string()),
  tags: z.array(z.string()),
  author: maybe(z.object({ name: z.string() })),
  image: maybe(z.object({ url: z.string(), altText: maybe(z.string()) })),
  description: maybe(z.object({ value: z.string() })),
  searchTitle: maybe(z.object({ value: z.string() })),
  imageSource: maybe(z.object({ value: z.string() })),
})

const Articles = z.object({ nodes: z.array(Article) })

export const SettingData = z.object({
  shop: z.object({ name: z.string(), primaryDomain: z.object({ url: z.string() }) }),
  blog: maybe(Blog),
  blogs: z.object({ nodes: z.array(Blog) }),
  currentAppInstallation: maybe(z.object({ accessScopes: z.array(z.object({ handle: z.string() })) })),
})

export const FindData = z.object({
  article: maybe(Article),
  articles: Articles,
  blog: maybe(z.object({ articles: Articles })),
})

export const ReadData = z.object({ article: z.nullable(FullArticle) })

const payload = z.object({ article: maybe(Article), userErrors: z.array(UserError) })
export const CreateData = z.object({ articleCreate: payload })
export const UpdateData = z.object({ articleUpdate: payload })
export const MetafieldsData = z.object({ metafieldsSet: z.object({ userErrors: z.array(UserError) }) })
export const DeleteData = z.object({ articleDelete: z.object({ userErrors: z.array(UserError) }) })

const File = z.object({ id: z.string(), fileStatus: z.string(), image: maybe(z.object({ url: maybe(z.string()) })) })
export const FilesData = z.object({
  fileCreate: z.object({ files: maybe(z.array(File)), userErrors: z.array(UserError) }),
})
export const FileData = z.object({ node: maybe(File) })
export const StagedData = z.object({
  stagedUploadsCreate: z.object({
    stagedTargets: maybe(
      z.array(
        z.object({
          url: maybe(z.string()),
          resourceUrl: maybe(z.string()),
          parameters: z.array(z.object({ name: z.string(), value: z.string() })),
        }),
      ),
    ),
    userErrors: z.array(UserError),
  }),
})

export const TokenAnswer = z.object({
  access_token: maybe(z.string()),
  expires_in: maybe(z.number()),
  error: maybe(z.string()),
  error_description: maybe(z.string()),
})

export type Envelope = z.infer<typeof Envelope>
export type UserError = z.infer<typeof UserError>
export type Article = z.infer<typeof Article>
export type File = z.infer<typeof File>
export type FullArticle = z.infer<typeof FullArticle>
export type SettingData = z.infer<typeof SettingData>
