type Metafield = { namespace: string; key: string; type?: string; value: string }

/** Metafield that the shop defines for articles. */
type MetafieldDefinition = {
  namespace: string
  key: string
  name: string
  type: { name: string }
  validations: { name: string; value: string }[]
}

export type ShopifyArticle = {
  id: string
  handle: string
  title: string
  body: string
  summary: string
  tags: string[]
  isPublished: boolean
  publishedAt: string | null
  createdAt: string
  updatedAt: string
  author: { name: string }
  image: { url: string; altText: string | null } | null
  /** Template of the theme that draws the article; null for the usual one. */
  templateSuffix: string | null
  blog: { id: string; handle: string; title: string }
  metafields: Metafield[]
}

export type Blog = { id: string; handle: string; title: string }
type UserError = { code: string; field: string[]; message: string }
export type Input = Record<string, unknown>

export type BlogOptions = {
  now: () => Date
  blogs: readonly Blog[]
  /** True if a taken handle is changed instead of refused with TAKEN. */
  suffixes?: boolean
  /** True if the shop defines the description as multi-line text. */
  multiLine?: boolean
  /** True if the shop refuses metafields of apps. */
  noMetafields?: boolean
  /** Metafields that the shop defines for articles. */
  definitions?: readonly MetafieldDefinition[]
}

export type ArticleStore = {
  articles: Map<string, ShopifyArticle>
  create: (input: Input) => ShopifyArticle | UserError[]
  update: (id: string, input: Input) => ShopifyArticle | UserError[]
  setMetafields: (owner: string, fields: Metafield[], at: string[]) => UserError[]
  deleteMetafields: (fields: readonly { ownerId: string; namespace: string; key: string }[]) => void
}

const faultsOf = (input: Input, now: Date): UserError[] => {
  const errors: UserError[] = []
  const add = (code: string, field: string, message: string) =>
    errors.push({ code, field: ['article', field], message })
  if (input.title === '') add('BLANK', 'title', "Title can't be blank")
  const image = input.image as { url?: string } | null | undefined
  if (image?.url && /missing|broken/.test(image.url)) add('UPLOAD_FAILED', 'image', 'Image upload failed')
  const isFuture = typeof input.publishDate === 'string' && Date.parse(input.publishDate) > now.getTime()
  if (input.isPublished === true && isFuture)
    add('INVALID_PUBLISH_DATE', 'publishDate', "Can't set isPublished to true and also set a future publish date")
  return errors
}

/** Returns a shop's articles, with the mutations and their refusals as `userErrors`. */
export const articleStore = (options: BlogOptions): ArticleStore => {
  const articles = new Map<string, ShopifyArticle>()
  let made = 0
  const metafieldFaults = (fields: readonly Metafield[], at: string[]): UserError[] => {
    if (options.noMetafields && fields.length > 0)
      return [{ code: 'INVALID', field: at, message: 'Access to this namespace is not allowed' }]
    const undefinedOne = fields.find(
      ({ namespace, key, type }) =>
        type === undefined && !options.definitions?.some((one) => one.namespace === namespace && one.key === key),
    )
    if (undefinedOne) return [{ code: 'BLANK', field: at, message: "Type can't be blank" }]
    const isWrong =
      options.multiLine && fields.some((f) => f.key === 'description_tag' && f.type !== 'multi_line_text_field')
    return isWrong
      ? [
          {
            code: 'INVALID_TYPE',
            field: at,
            message:
              "Type 'single_line_text_field' must be consistent with the definition's type: 'multi_line_text_field'",
          },
        ]
      : []
  }
  const keep = (article: ShopifyArticle, fields: readonly Metafield[]) => {
    for (const field of fields) {
      const others = article.metafields.filter((m) => m.namespace !== field.namespace || m.key !== field.key)
      article.metafields = [...others, { ...field }]
    }
  }
  const apply = (article: ShopifyArticle, input: Input) => {
    const now = options.now().toISOString()
    const { title, body, summary, tags, author, image, templateSuffix, isPublished, publishDate } =
      input as Partial<ShopifyArticle> & Input
    Object.assign(article, JSON.parse(JSON.stringify({ title, body, summary, tags, author, image, templateSuffix })))
    if (isPublished === true && !article.isPublished) article.publishedAt = String(publishDate ?? now)
    else if (typeof publishDate === 'string') article.publishedAt = publishDate
    if (isPublished !== undefined) article.isPublished = isPublished
    if (isPublished === false) article.publishedAt = null
    article.updatedAt = now
  }
  const create = (input: Input): ShopifyArticle | UserError[] => {
    const errors = faultsOf(input, options.now())
    const blog = options.blogs.find((b) => b.id === input.blogId)
    if (!blog)
      return [
        {
          code: 'BLOG_REFERENCE_REQUIRED',
          field: ['article'],
          message: 'Must reference or create a blog when creating an article.',
        },
      ]
    if (!(input.author as { name?: string } | undefined)?.name)
      errors.push({
        code: 'AUTHOR_FIELD_REQUIRED',
        field: ['article', 'author'],
        message: "Can't create an article author if both author name and user ID are blank.",
      })
    const metafields = (input.metafields ?? []) as Metafield[]
    errors.push(...metafieldFaults(metafields, ['article', 'metafields', '0']))
    let handle = String(input.handle)
    const isTaken = [...articles.values()].some((a) => a.handle === handle && a.blog.id === blog.id)
    if (isTaken && !options.suffixes)
      errors.push({ code: 'TAKEN', field: ['article', 'handle'], message: 'Handle has already been taken' })
    if (errors.length > 0) return errors
    if (isTaken) handle = `${handle}-1`
    made += 1
    const now = options.now().toISOString()
    const article: ShopifyArticle = {
      id: `gid://shopify/Article/${5_000 + made}`,
      handle,
      title: '',
      body: '',
      summary: '',
      tags: [],
      isPublished: false,
      publishedAt: null,
      createdAt: now,
      updatedAt: now,
      author: { name: '' },
      image: null,
      templateSuffix: null,
      blog,
      metafields: [],
    }
    apply(article, input)
    keep(article, metafields)
    articles.set(article.id, article)
    return article
  }
  const update = (id: string, input: Input): ShopifyArticle | UserError[] => {
    const article = articles.get(id)
    if (!article) return [{ code: 'NOT_FOUND', field: ['id'], message: 'Article does not exist' }]
    const errors = faultsOf(input, options.now())
    if (errors.length > 0) return errors
    apply(article, input)
    return article
  }
  const setMetafields = (owner: string, fields: Metafield[], at: string[]): UserError[] => {
    const article = articles.get(owner)
    if (!article) return [{ code: 'INVALID', field: at, message: 'Owner does not exist' }]
    const errors = metafieldFaults(fields, at)
    if (errors.length === 0) keep(article, fields)
    return errors
  }
  const deleteMetafields: ArticleStore['deleteMetafields'] = (fields) => {
    for (const { ownerId, namespace, key } of fields) {
      const article = articles.get(ownerId)
      if (article) article.metafields = article.metafields.filter((m) => m.namespace !== namespace || m.key !== key)
    }
  }
  return { articles, create, update, setMetafields, deleteMetafields }
}
