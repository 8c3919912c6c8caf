import { published } from '../published.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'

type GohighlevelPost = {
  _id: string
  title: string
  urlSlug: string
  status: string
  archived: boolean
  publishedAt: string
  updatedAt: string
  imageUrl: string
  imageAltText: string
  author: string
  categories: string[]
  tags: string[]
  description: string
  canonicalLink: string
  rawHTML: string
  blogId: string
}

export type GohighlevelOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  blogs?: readonly { _id: string; name: string }[]
  authors?: readonly { _id: string; name: string }[]
  categories?: readonly { _id: string; label: string; urlSlug: string }[]
  /** Scopes the token lacks. */
  lacks?: readonly string[]
  /** The token is an agency's. */
  isAgency?: boolean
  /** True if the slug check misses taken slugs. Then creating a post changes its slug. */
  blindCheck?: boolean
  /** True if the search of posts matches only titles, as in older versions. */
  titleSearch?: boolean
  /**
   * True if answers have the shapes that users reported: other wrappers, ids as `id`, authors and categories as
   * objects.
   */
  oddShapes?: boolean
  /** True if updates keep the old text and report no error. */
  dropsText?: boolean
  /** True if `hosted` with an address only stores the address. */
  notesAddresses?: boolean
  /** Number of calls before the API answers 429. */
  callsLeft?: number
}

export type GohighlevelStandIn = StandIn & {
  token: string
  locationId: string
  posts: () => GohighlevelPost[]
  uploads: string[]
}

const TOKEN = 'pit-01234567-89ab-cdef-0123-456789abcdef'
const LOCATION = 've9EPM428h8vShlRW1KT'
const BLOG = { _id: '65a0b1c2d3e4f5061728394a', name: 'Shed News' }
const SCHEMA = published('gohighlevel')

type World = {
  options: GohighlevelOptions
  posts: Map<string, GohighlevelPost>
  made: number
  calls: number
  uploads: string[]
}

const error = (statusCode: number, message: string | string[], name: string): Answer =>
  json(statusCode, { statusCode, message, error: name })
const unprocessable = (messages: string[]): Answer => error(422, messages, 'Unprocessable Entity')
const nowOf = ({ options }: World): Date => options.now?.() ?? new Date()

/** The most entries a page of any list may have. */
const MAX_LIMIT = 50

/** Returns the wire shape of a post: never its text. */
const shown = ({ options }: World, { rawHTML: _, blogId: __, ...post }: GohighlevelPost) => {
  if (!options.oddShapes) return post
  const { _id, author, categories, ...rest } = post
  return { ...rest, id: _id, author: { _id: author, name: 'x' }, categories: categories.map((id) => ({ _id: id })) }
}

/** Returns the fields of a post that are empty. */
const emptyIn = (body: Record<string, unknown>): string[] =>
  Object.keys(body).flatMap((field) => (body[field] === '' ? [`${field} should not be empty`] : []))

const create = (world: World, body: Record<string, unknown>): Answer => {
  const faults = emptyIn(body)
  if (faults.length > 0) return unprocessable(faults)
  const at = nowOf(world)
  world.made += 1
  const wanted = String(body.urlSlug)
  const isTaken = [...world.posts.values()].some((p) => p.urlSlug === wanted)
  const seconds = Math.floor(at.getTime() / 1000).toString(16)
  const post: GohighlevelPost = {
    ...(body as unknown as GohighlevelPost),
    _id: `${seconds.padStart(8, '0')}${world.made.toString(16).padStart(16, '0')}`,
    urlSlug: isTaken ? `${wanted}-1` : wanted,
    archived: false,
    updatedAt: at.toISOString(),
  }
  world.posts.set(post._id, post)
  return json(201, world.options.oddShapes ? { blogPost: shown(world, post) } : { data: shown(world, post) })
}

const change = (world: World, id: string, body: Record<string, unknown>): Answer => {
  const post = world.posts.get(id)
  if (!post) return error(404, 'Blog post not found', 'Not Found')
  const faults = emptyIn(body)
  if (faults.length > 0) return unprocessable(faults)
  const { rawHTML, wordCount: _, ...fields } = body
  Object.assign(post, fields, { updatedAt: nowOf(world).toISOString() })
  if (!world.options.dropsText) post.rawHTML = String(rawHTML)
  return json(200, world.options.oddShapes ? shown(world, post) : { updatedBlogPost: shown(world, post) })
}

const SCOPES: readonly [method: string, path: RegExp, scope: string][] = [
  ['GET', /^\/blogs\/site\/all$/, 'blogs/list.readonly'],
  ['GET', /^\/blogs\/posts\/all$/, 'blogs/posts.readonly'],
  ['GET', /^\/blogs\/authors$/, 'blogs/author.readonly'],
  ['GET', /^\/blogs\/categories$/, 'blogs/category.readonly'],
  ['GET', /^\/blogs\/posts\/url-slug-exists$/, 'blogs/check-slug.readonly'],
  ['POST', /^\/blogs\/posts$/, 'blogs/post.write'],
  ['PUT', /^\/blogs\/posts\/[^/]+$/, 'blogs/post-update.write'],
  ['POST', /^\/medias\/upload-file$/, 'medias.write'],
]

const admission = ({ options }: World, { method, path, headers, query, body }: StandInRequest): Answer | undefined => {
  if (!headers.version) return error(401, 'version header was not found.', 'Unauthorized')
  if (!/^(v3|2021-07-28|2021-04-15|2023-02-21)$/.test(String(headers.version)))
    return error(400, 'version header is invalid', 'Bad Request')
  if (headers.authorization !== `Bearer ${TOKEN}`) return error(401, 'Invalid JWT', 'Unauthorized')
  if (options.isAgency) return error(401, "Token's user type mismatch!", 'Unauthorized')
  const scope = SCOPES.find(([m, pattern]) => m === method && pattern.test(path))?.[2]
  if (!scope) return error(404, `Cannot ${method} ${path}`, 'Not Found')
  if (options.lacks?.includes(scope)) return error(401, 'The token is not authorized for this scope.', 'Unauthorized')
  const location = query.get('locationId') ?? (body as { locationId?: string } | undefined)?.locationId ?? LOCATION
  return location === LOCATION ? undefined : error(403, 'The token does not have access to this location.', 'Forbidden')
}

const pageFault = (query: URLSearchParams): Answer | undefined =>
  Number(query.get('limit') ?? 10) > MAX_LIMIT
    ? unprocessable([`limit must not be greater than ${MAX_LIMIT}`])
    : undefined

/** Returns one page of a list, by `offset` and `limit`. */
const pageOf = <T>(list: readonly T[], query: URLSearchParams): T[] => {
  const offset = Number(query.get('offset') ?? 0)
  return list.slice(offset, offset + Number(query.get('limit') ?? 10))
}

const listPosts = (world: World, { query, headers }: StandInRequest): Answer => {
  if (query.get('status') === 'ALL' && headers.version !== 'v3')
    return unprocessable(['status must be a valid enum value'])
  const { posts, options } = world
  const term = query.get('searchTerm')?.toLowerCase()
  const all = [...posts.values()].filter(
    (p) =>
      p.blogId === query.get('blogId') &&
      (!term || p.title.toLowerCase().includes(term) || (!options.titleSearch && p.urlSlug.includes(term))),
  )
  return json(200, { blogs: pageOf(all.reverse(), query).map((post) => shown(world, post)) })
}

const AUTHORS = [
  { _id: 'a1', name: 'Owner' },
  { _id: 'a2', name: 'Jane Doe' },
]
const CATEGORIES = [
  { _id: 'c1', label: 'News', urlSlug: 'news' },
  { _id: 'c2', label: 'Guides', urlSlug: 'guides' },
]

/** Returns the public page of a live post, beside the API. */
const page = ({ posts }: World, path: string): Answer | undefined => {
  const slug = /^\/post\/([^/]+)$/.exec(path)?.[1]
  const post = [...posts.values()].find((p) => p.urlSlug === slug && p.status === 'PUBLISHED')
  if (slug === undefined) return undefined
  return {
    status: post ? 200 : 404,
    headers: { 'content-type': 'text/html' },
    body: `<main>${post?.rawHTML ?? ''}</main>`,
  }
}

const route = (world: World, request: StandInRequest): Answer => {
  const { options, posts } = world
  const { method, path, query } = request
  const body = (request.body ?? {}) as Record<string, unknown>
  const refusal = admission(world, request) ?? (method === 'GET' ? pageFault(query) : undefined)
  if (refusal) return refusal
  if (path === '/blogs/site/all') return json(200, { data: options.blogs ?? [BLOG] })
  if (path === '/blogs/posts/all') return listPosts(world, request)
  if (path === '/blogs/authors') {
    const all = options.authors ?? AUTHORS
    return json(200, { authors: pageOf(all, query), count: all.length })
  }
  if (path === '/blogs/categories') {
    const all = options.categories ?? CATEGORIES
    return json(200, { categories: pageOf(all, query), count: all.length })
  }
  if (path === '/blogs/posts/url-slug-exists')
    return json(200, {
      exists: !options.blindCheck && [...posts.values()].some((p) => p.urlSlug === query.get('urlSlug')),
    })
  if (path === '/medias/upload-file') {
    const sent = request.raw.toString('latin1')
    world.uploads.push(sent)
    const linked = /name="fileUrl"\r\n\r\n(\S+)/.exec(sent)?.[1]
    if (options.notesAddresses && linked) return json(201, { fileId: 'f0', url: linked })
    return json(201, { fileId: 'f1', url: 'https://storage.leadconnector.example/f1.png' })
  }
  return method === 'POST' ? create(world, body) : change(world, path.split('/').at(-1) ?? '', body)
}

const counted = (world: World, request: StandInRequest): Answer => {
  const shownPage = page(world, request.path)
  if (shownPage) return shownPage
  world.calls += 1
  const { callsLeft } = world.options
  if (callsLeft === undefined || world.calls <= callsLeft) return route(world, request)
  const answer = error(429, 'Too Many Requests', 'Too Many Requests')
  return {
    ...answer,
    headers: { ...answer.headers, 'x-ratelimit-interval-milliseconds': '10000', 'x-ratelimit-daily-remaining': '1999' },
  }
}

/**
 * Starts GoHighLevel's blog API for one location.
 *
 * Reproduces:
 * - lists that skip or have an offset, and pages of at most 50
 * - a missing scope reported as 401
 * - slugs that are changed
 * - fields by the published schema
 * - posts in the trash that are still listed
 * - no way to read a text back or to delete
 */
export const startGohighlevel = async (options: GohighlevelOptions = {}): Promise<GohighlevelStandIn> => {
  const world: World = { options, posts: new Map(), made: 0, calls: 0, uploads: [] }
  const all = () => [...world.posts.values()]
  const standIn = await startStandIn({
    ...options,
    answer: (request) => counted(world, request),
    posts: all,
    published: {
      schema: SCHEMA,
      refused: ({ kind, path, message }, request) => {
        if (kind === 'operation') return error(404, `Cannot ${request.method} ${request.path}`, 'Not Found')
        const field = path.join('.')
        return unprocessable([kind === 'unknown' ? `property ${field} should not exist` : `${field} ${message}`])
      },
    },
  })
  return { ...standIn, token: TOKEN, locationId: LOCATION, posts: all, uploads: world.uploads }
}
