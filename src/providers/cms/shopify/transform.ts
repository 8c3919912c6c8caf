import * as z from 'zod/mini'
import { escapeText } from '../../../content/html/references.ts'
import type { CmsArticle, CmsPost, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import type { CmsPostStatus } from '../../../publishing/target/site-posts.ts'
import { distinctNames } from '../fields.ts'
import { textOf } from '../overwritten.ts'

const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))

const GraphqlError = z.object({
  message: z.string(),
  extensions: maybe(z.looseObject({ code: maybe(z.string()), requiredAccess: maybe(z.string()) })),
})

/** Answer of the API. `errors` is a list, but a plain text (or a map of texts) if the token or the shop is refused. */
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

const ListedArticle = z.extend(Article, { updatedAt: z.string(), author: maybe(z.object({ name: z.string() })) })
export type ListedArticle = z.infer<typeof ListedArticle>

const StoredArticle = z.extend(ListedArticle, {
  body: z.string(),
  summary: maybe(z.string()),
  tags: z.array(z.string()),
  templateSuffix: maybe(z.string()),
  image: maybe(z.object({ url: z.string(), altText: maybe(z.string()) })),
  description: maybe(z.object({ value: z.string() })),
  searchTitle: maybe(z.object({ value: z.string() })),
})
export type StoredArticle = z.infer<typeof StoredArticle>

export const ListData = z.object({
  articles: z.object({
    nodes: z.array(ListedArticle),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: maybe(z.string()) }),
  }),
})

export const StoredData = z.object({ article: z.nullable(StoredArticle) })

const Articles = z.object({ nodes: z.array(Article) })

export const FoundData = z.object({ articles: Articles })

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
export const DeletedMetafieldsData = z.object({ metafieldsDelete: z.object({ userErrors: z.array(UserError) }) })
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

/** Returns the global id for a number. A global id stays as it is. */
export const gidOf = (type: 'Article' | 'Blog', id: string): string =>
  id.startsWith('gid://') ? id : `gid://shopify/${type}/${id}`

/** Returns the number at the end of a global id: 7 for `gid://shopify/Article/7`. */
export const numberOf = (gid: string): string => gid.split('/').at(-1) ?? gid

/** Returns an article's tags. Shopify has no categories besides blogs, so the category is the first tag. */
const tagsOf = ({ category, tags }: CmsArticle): string[] =>
  distinctNames([category, ...tags].filter((tag) => tag !== ''))

/** Returns the search for an article by its handle. Handles consist of a-z, 0-9 and hyphens. */
export const searchOf = (slug: string, blogId: string): string => `handle:${slug} AND blog_id:${numberOf(blogId)}`

export type TextType = 'single_line_text_field' | 'multi_line_text_field'

/** Returns the metafields for search engines, and our mark in the app's own namespace. */
export const metafieldsOf = (article: CmsArticle, type: TextType) => [
  { namespace: '$app', key: 'external_id', type: 'single_line_text_field', value: article.marker },
  ...searchFields({ description_tag: article.metaDescription, title_tag: article.seoTitle }, type),
]

/** Returns the metafields for search engines. Empty ones are left out, because a metafield cannot be empty. */
export const searchFields = (texts: Record<'description_tag' | 'title_tag', string | undefined>, type: TextType) =>
  Object.entries(texts).flatMap(([key, text]) => {
    const value = (text ?? '').replace(/\s+/g, ' ').trim()
    return value === '' ? [] : [{ namespace: 'global', key, type, value }]
  })

/** Returns the metafield with the source of an article's image, because Shopify returns only its own address. */
export const imageSourceOf = ({ image }: CmsArticle) =>
  image ? [{ namespace: '$app', key: 'image_source', type: 'single_line_text_field', value: image.url }] : []

/** Returns the contents of a new or changed article. */
export const contentOf = (article: CmsArticle): Record<string, unknown> => ({
  title: article.title,
  body: article.html,
  summary: article.metaDescription === '' ? '' : `<p>${escapeText(article.metaDescription)}</p>`,
  tags: tagsOf(article),
  ...(article.image ? { image: { url: article.image.url, altText: article.image.alt } } : {}),
})

/** Returns the date of a post that goes live. A date in the future is left out, because Shopify refuses it. */
export const publishDateOf = (article: CmsArticle, now: Date): Record<string, unknown> =>
  article.publishedAt === undefined || Date.parse(article.publishedAt) > now.getTime()
    ? {}
    : { publishDate: article.publishedAt }

/** Returns an article's status. One that is not public but has a date goes public on that date. */
const statusOf = ({ isPublished, publishedAt }: Article): CmsPostStatus => {
  if (isPublished) return 'published'
  return publishedAt ? 'scheduled' : 'draft'
}

/** Returns an article as the port describes posts. Only a public one has an address. */
export const toPost = (article: Article, siteUrl: string): CmsPost => ({
  remoteId: article.id,
  slug: article.handle,
  title: article.title,
  status: statusOf(article),
  url: article.isPublished ? `${siteUrl}/blogs/${article.blog.handle}/${article.handle}` : null,
  marker: article.mark?.value ?? null,
  createdAt: article.createdAt ?? null,
})

/** Cause of a refusal that is fixed by leaving out the part, or by another text type. */
export type Omission = 'image' | 'metafields' | 'type'

/** Returns the cause of a failed mutation, from Shopify's codes. */
export const faultOf = (errors: readonly UserError[]): 'taken' | 'gone' | Omission | 'other' => {
  const has = (code: string) => errors.some((e) => e.code === code)
  const within = (name: string) => errors.length > 0 && errors.every((e) => e.field?.some((part) => part === name))
  if (has('TAKEN')) return 'taken'
  if (has('NOT_FOUND')) return 'gone'
  if (has('UPLOAD_FAILED') || within('image')) return 'image'
  if (within('metafields')) return has('INVALID_TYPE') ? 'type' : 'metafields'
  return has('INVALID_TYPE') ? 'type' : 'other'
}

/** Returns the words of an article that an update replaces. */
export const wordsOf = (article: FullArticle): CmsWords => ({
  title: article.title,
  text: textOf(article.body),
  metaDescription: article.description?.value || textOf(article.summary ?? ''),
  seoTitle: article.searchTitle?.value ?? '',
  tags: article.tags,
})

/** Returns the fields that a rollback restores. Handle, dates and state stay. */
export const restoredOf = (kept: FullArticle): Record<string, unknown> => ({
  title: kept.title,
  body: kept.body,
  summary: kept.summary ?? '',
  tags: kept.tags,
  ...(kept.author ? { author: { name: kept.author.name } } : {}),
  ...(kept.image ? { image: { url: kept.image.url, altText: kept.image.altText ?? '' } } : {}),
})
