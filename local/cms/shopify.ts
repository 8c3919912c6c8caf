import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  type ArticleStore,
  articleStore,
  type Blog,
  type BlogOptions,
  type Input,
  type ShopifyArticle,
} from './shopify-blog.ts'
import { invalidIn } from './shopify-schema.ts'

export type ShopifyOptions = Pick<StandInOptions, 'port' | 'trouble'> &
  Partial<BlogOptions> & {
    scopes?: readonly string[]
    /** Time for which a new article is missing in the search, and with `listLags` in the blog's list too, ms. */
    lagMs?: number
    listLags?: boolean
    /** Points of the bucket; a call costs ten, and two a second come back. */
    points?: number
    version?: string
    frozen?: boolean
    /** Error of a request for a token by client credentials. */
    tokenError?: string
    /** Number of polls until a file is ready. */
    filePolls?: number
  }

export type ShopifyStandIn = StandIn & {
  token: string
  clientId: string
  clientSecret: string
  articles: () => ShopifyArticle[]
  /** The files of the shop, by the address each was made of. */
  files: () => string[]
  /** Revokes the token of the client credentials. */
  revoke: () => void
}

const TOKEN = 'shpat_0123456789abcdef0123456789abcdef'
const CLIENT_ID = '0a1b2c3d4e5f60718293a4b5c6d7e8f9'
const CLIENT_SECRET = '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'
const COST = 10
const RESTORE_RATE = 2
export const NEWS: Blog = { id: 'gid://shopify/Blog/11', handle: 'news', title: 'News' }

type World = {
  options: ShopifyOptions & { now: () => Date; blogs: readonly Blog[] }
  store: ArticleStore
  fetched: string | undefined
  tokens: number
  bucket: { points: number; atMs: number }
  files: Map<string, { source: string; asked: number }>
  origin: () => string
}

const metafield = (article: ShopifyArticle, namespace: string, key: string) =>
  article.metafields.find((m) => m.namespace === namespace && m.key === key) ?? null

const shown = (article: ShopifyArticle) => ({
  ...article,
  mark: metafield(article, '$app', 'external_id'),
  description: metafield(article, 'global', 'description_tag'),
  searchTitle: metafield(article, 'global', 'title_tag'),
  imageSource: metafield(article, '$app', 'image_source'),
})

const listed = ({ options, store }: World, lags: boolean): ShopifyArticle[] => {
  const untilMs = options.now().getTime() - (lags ? (options.lagMs ?? 0) : 0)
  return [...store.articles.values()].filter((a) => Date.parse(a.createdAt) <= untilMs).reverse()
}

/** Returns articles by `handle:`, which like the search index also finds longer handles, and by `blog_id:`. */
const search = (world: World, query: string): ShopifyArticle[] => {
  const handle = /handle:(\S+)/.exec(query)?.[1] ?? ''
  const blog = /blog_id:(\d+)/.exec(query)?.[1]
  return listed(world, true).filter((a) => a.handle.startsWith(handle) && (!blog || a.blog.id.endsWith(`/${blog}`)))
}

/** Articles of a page of the list. */
const LISTED = 100

type Variables = {
  id?: string
  after?: string | null
  known?: boolean
  chosen?: boolean
  blogId?: string
  search?: string
  article?: Input
  files?: { originalSource: string; alt?: string }[]
  metafields?: (Parameters<ArticleStore['setMetafields']>[1][number] & { ownerId: string })[]
}

const setting = ({ options }: World, { chosen, blogId }: Variables) => ({
  shop: { name: 'Shed Shop', primaryDomain: { url: 'https://shed.example' } },
  ...(chosen ? { blog: options.blogs.find((b) => b.id === blogId) ?? null } : {}),
  blogs: { nodes: options.blogs },
  currentAppInstallation: {
    accessScopes: (options.scopes ?? ['write_content', 'read_content']).map((handle) => ({ handle })),
  },
})

/** Returns a page of all articles in the order of their ids. The cursor is the id of the last one. */
const list = ({ store }: World, { after }: Variables) => {
  const all = [...store.articles.values()]
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0
  const nodes = all.slice(start, start + LISTED)
  const hasNextPage = start + LISTED < all.length
  return { articles: { nodes: nodes.map(shown), pageInfo: { hasNextPage, endCursor: nodes.at(-1)?.id ?? null } } }
}

const find = (world: World, { id = '', known, search: query = '', blogId }: Variables) => {
  const article = world.store.articles.get(id)
  const inBlog = listed(world, world.options.listLags === true).filter((a) => a.blog.id === blogId)
  return {
    ...(known ? { article: article ? shown(article) : null } : {}),
    articles: { nodes: search(world, query).slice(0, 5).map(shown) },
    blog: { articles: { nodes: inBlog.slice(0, 25).map(shown) } },
  }
}

const payload = (result: ReturnType<ArticleStore['create']>) =>
  Array.isArray(result) ? { article: null, userErrors: result } : { article: shown(result), userErrors: [] }

const setMetafields = ({ store }: World, fields: NonNullable<Variables['metafields']>) => {
  const userErrors = fields.flatMap(({ ownerId, ...field }, n) =>
    store.setMetafields(ownerId, [field], ['metafields', String(n)]),
  )
  return { metafieldsSet: { metafields: userErrors.length > 0 ? null : fields, userErrors } }
}

const fileOf = ({ options, files }: World, id: string) => {
  const file = files.get(id)
  if (!file) return null
  const isReady = file.asked >= (options.filePolls ?? 1)
  const fileStatus = /missing|broken/.test(file.source) ? 'FAILED' : isReady ? 'READY' : 'PROCESSING'
  const url = `https://cdn.shopify.example/files/${id.split('/').at(-1)}.png`
  return { id, fileStatus, image: fileStatus === 'READY' ? { url } : null }
}

const altTooLong = {
  code: 'ALT_VALUE_LIMIT_EXCEEDED',
  field: ['files', '0', 'alt'],
  message: 'The alt value exceeds the maximum limit of 512 characters.',
}

const createFiles = (world: World, given: NonNullable<Variables['files']>) => {
  if (given.some(({ alt = '' }) => alt.length > 512)) return { fileCreate: { files: null, userErrors: [altTooLong] } }
  const files = given.map(({ originalSource }) => {
    const id = `gid://shopify/MediaImage/${world.files.size + 1}`
    world.files.set(id, { source: originalSource, asked: 0 })
    return fileOf(world, id)
  })
  return { fileCreate: { files, userErrors: [] } }
}

const stageUpload = ({ origin }: World) => ({
  stagedUploadsCreate: {
    stagedTargets: [
      { url: `${origin()}/staged`, resourceUrl: `${origin()}/staged/1`, parameters: [{ name: 'key', value: 'tmp/1' }] },
    ],
    userErrors: [],
  },
})

const pollFile = (world: World, id: string) => {
  const file = world.files.get(id)
  if (file) file.asked += 1
  return { node: fileOf(world, id) }
}

/** Carries out a document by its operation's field; undefined if the field is unknown. */
const execute = (world: World, document: string, variables: Variables): unknown => {
  const { store } = world
  const { id = '', article = {} } = variables
  if (document.includes('articleCreate(')) return { articleCreate: payload(store.create(article)) }
  if (document.includes('articleUpdate(')) return { articleUpdate: payload(store.update(id, article)) }
  if (document.includes('articleDelete('))
    return { articleDelete: { deletedArticleId: store.articles.delete(id) ? id : null, userErrors: [] } }
  if (document.includes('metafieldDefinitions('))
    return { metafieldDefinitions: { nodes: world.options.definitions ?? [] } }
  if (document.includes('metafieldsDelete(')) {
    store.deleteMetafields(variables.metafields ?? [])
    return { metafieldsDelete: { userErrors: [] } }
  }
  if (document.includes('metafieldsSet(')) return setMetafields(world, variables.metafields ?? [])
  if (document.includes('fileCreate(')) return createFiles(world, variables.files ?? [])
  if (document.includes('stagedUploadsCreate(')) return stageUpload(world)
  if (document.includes('node(id')) return pollFile(world, id)
  if (document.startsWith('query List(')) return list(world, variables)
  if (document.startsWith('query FindHandle('))
    return {
      articles: {
        nodes: search(world, variables.search ?? '')
          .slice(0, 25)
          .map(shown),
      },
    }
  if (document.includes('articles(first')) return find(world, variables)
  if (document.includes('shop {')) return setting(world, variables)
  const known = store.articles.get(id)
  return document.includes('article(id') ? { article: known ? shown(known) : null } : undefined
}

const graphqlError = (message: string, code: string, more: object = {}, rest: object = {}): Answer =>
  json(200, { errors: [{ message, extensions: { code, ...more } }], ...rest })

/** Takes the points of a call from the bucket; undefined if there are too few. */
const spend = ({ options, bucket }: World): object | undefined => {
  const limit = options.points
  if (limit === undefined) return {}
  const nowMs = options.now().getTime()
  bucket.points = Math.min(limit, bucket.points + ((nowMs - bucket.atMs) / 1000) * RESTORE_RATE)
  bucket.atMs = nowMs
  const isEnough = bucket.points >= COST
  if (isEnough) bucket.points -= COST
  const throttleStatus = { maximumAvailable: limit, currentlyAvailable: bucket.points, restoreRate: RESTORE_RATE }
  const cost = { requestedQueryCost: COST, actualQueryCost: isEnough ? COST : null, throttleStatus }
  return isEnough ? { extensions: { cost } } : { throttled: { extensions: { cost } } }
}

const graphql = (world: World, { headers, body }: StandInRequest): Answer => {
  const { options } = world
  const token = headers['x-shopify-access-token']
  if (token !== TOKEN && (token === undefined || token !== world.fetched))
    return json(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
  if (options.frozen) return json(402, { errors: 'Unavailable Shop' })
  const { query = '', variables = {} } = (body ?? {}) as { query?: string; variables?: Variables }
  const cost = spend(world) as { throttled?: object }
  if (cost.throttled) return graphqlError('Throttled', 'THROTTLED', {}, cost.throttled)
  const invalid = invalidIn(query, variables)
  if (invalid) return graphqlError(invalid, 'undefinedField')
  if (/^mutation (CreateFile|StageUpload)/.test(query) && options.scopes && !options.scopes.includes('write_files'))
    return graphqlError('Access denied for fileCreate field.', 'ACCESS_DENIED', {
      requiredAccess: '`write_files` access scope.',
    })
  const mayWrite = options.scopes === undefined || options.scopes.includes('write_content')
  if (query.startsWith('mutation') && !mayWrite)
    return graphqlError('Access denied for articleCreate field.', 'ACCESS_DENIED', {
      requiredAccess: '`write_content` access scope.',
    })
  const data = execute(world, query, variables)
  if (data === undefined) return graphqlError("Field doesn't exist on type 'QueryRoot'", 'undefinedField')
  const answer = json(200, { data, ...cost })
  return { ...answer, headers: { ...answer.headers, 'x-shopify-api-version': options.version ?? '2026-10' } }
}

const tokenAnswer = (world: World, { raw }: StandInRequest): Answer => {
  const form = new URLSearchParams(raw.toString('utf8'))
  if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' })
  if (world.options.tokenError) return json(400, { error: world.options.tokenError })
  if (form.get('client_id') !== CLIENT_ID || form.get('client_secret') !== CLIENT_SECRET)
    return json(400, {
      error: 'application_cannot_be_found',
      error_description: 'Oauth error: the client secret is not valid',
    })
  world.tokens += 1
  world.fetched = `shpat_fetched_${world.tokens}`
  return json(200, { access_token: world.fetched, scope: 'write_content', expires_in: 86_399 })
}

/**
 * Starts Shopify's GraphQL Admin API 2026-10 for one shop's blogs and files.
 *
 * Documents and variables are checked against the published schema.
 *
 * Reproduces: `errors` as a text on 401, user errors under HTTP 200, THROTTLED with its bucket, a search that lags,
 * handles taken or changed, images that cannot be fetched.
 */
export const startShopify = async (given: ShopifyOptions = {}): Promise<ShopifyStandIn> => {
  const now = given.now ?? (() => new Date())
  const options = { ...given, now, blogs: given.blogs ?? [NEWS] }
  const bucket = { points: given.points ?? 0, atMs: now().getTime() }
  let origin = ''
  const world: World = {
    options,
    store: articleStore(options),
    fetched: undefined,
    tokens: 0,
    bucket,
    files: new Map(),
    origin: () => origin,
  }
  const articles = () => [...world.store.articles.values()]
  const standIn = await startStandIn({
    ...given,
    answer: (request) => {
      if (request.path === '/staged') return { status: 201, headers: {}, body: '' }
      if (request.method === 'POST' && request.path === '/admin/oauth/access_token') return tokenAnswer(world, request)
      return request.method === 'POST' && request.path === '/admin/api/2026-10/graphql.json'
        ? graphql(world, request)
        : json(404, { errors: 'Not Found' })
    },
    posts: articles,
  })
  origin = standIn.url
  return {
    ...standIn,
    files: () => [...world.files.values()].map(({ source }) => source),
    token: TOKEN,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    articles,
    revoke: () => {
      world.fetched = undefined
    },
  }
}
