import { createHmac, randomBytes } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import { changePost, createPost, type GhostState, type GhostStoredPost, type GhostUser, invalid } from './ghost-data.ts'

export type GhostOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  version?: string
  users?: readonly Omit<GhostUser, 'id'>[]
  /** Runs before each change of a post, as another person's edit would. */
  beforeChange?: (post: GhostStoredPost) => void
}

export type GhostStandIn = StandIn & {
  key: string
  posts: () => GhostStoredPost[]
  state: GhostState
  uploads: string[]
  /** Names of uploaded images that somebody deleted. */
  lost: Set<string>
  /** Makes a published post, as a person writes it in Ghost's editor: of `html`, or of `lexical`. */
  write: (fields: { title: string } & Record<string, unknown>) => GhostStoredPost
}

type World = {
  options: GhostOptions
  state: GhostState
  key: string
  uploads: string[]
  lost: Set<string>
  origin: () => string
}

const ROOT = '/ghost/api/admin/'
const MAX_AGE_S = 300

const error = (
  status: number,
  type: string,
  message: string,
  context: string | null = null,
  code: string | null = null,
) =>
  json(status, {
    errors: [
      { message, context, type, details: null, property: null, help: null, code, id: 'e1', ghostErrorCode: null },
    ],
  })

const part = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, 'base64url').toString()) as never

/** Returns Ghost's refusal of a request's token; undefined if it is accepted. */
const refused = ({ key, state }: World, header: string | undefined): Answer | undefined => {
  const denied = (message: string, code: string) => error(401, 'UnauthorizedError', message, null, code)
  if (!header)
    return error(
      403,
      'NoPermissionError',
      'Authorization failed',
      'Unable to determine the authenticated user or integration. Check that cookies are being passed through if using session authentication.',
    )
  const [scheme, token = ''] = header.split(' ')
  if (scheme !== 'Ghost')
    return denied('Authorization header format is "Authorization: Ghost [token]"', 'INVALID_AUTH_HEADER')
  const [head = '', body = '', signature = ''] = token.split('.')
  const [id, secret = ''] = key.split(':')
  if (part(head).kid !== id) return denied('Unknown Admin API Key', 'UNKNOWN_ADMIN_API_KEY')
  const right = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${head}.${body}`).digest('base64url')
  if (right !== signature) return denied('Invalid token: invalid signature', 'INVALID_JWT')
  const { iat, exp, aud } = part(body) as { iat: number; exp: number; aud: string }
  const now = state.now().getTime() / 1_000
  if (iat > now) return denied('Invalid token: jwt not active', 'INVALID_JWT')
  if (exp < now || iat + MAX_AGE_S < now) return denied('Invalid token: maxAge exceeded', 'INVALID_JWT')
  return /\/?admin\/?$/.test(aud) ? undefined : denied('Invalid token: jwt audience invalid', 'INVALID_JWT')
}

const shown = ({ origin }: World, post: GhostStoredPost, query: URLSearchParams) => {
  const { html, lexical, mobiledoc, ...rest } = post
  const formats = query.get('formats')
  const whole = {
    ...rest,
    url: post.status === 'published' ? `${origin()}/${post.slug}/` : `${origin()}/p/${post.uuid}/`,
    ...(formats?.includes('html') ? { html } : {}),
    ...(formats === null || formats.includes('lexical') ? { lexical } : {}),
    ...(formats?.includes('mobiledoc') ? { mobiledoc } : {}),
  }
  const named = query.get('fields')?.split(',')
  const also = query.get('include')?.split(',') ?? ['tags', 'authors']
  return named
    ? Object.fromEntries(Object.entries(whole).filter(([name]) => named.includes(name) || also.includes(name)))
    : whole
}

/** Most posts of a page since Ghost 6, also of `limit=all`. */
const MAX_PAGE = 100

/** Returns a page of posts, the newest first unless they are ordered by id. */
const pageOfPosts = (world: World, query: URLSearchParams): Answer => {
  const found = filtered(world, query.get('filter') ?? '')
  if (query.get('order') === 'id asc') found.sort((a, b) => (a.id < b.id ? -1 : 1))
  const limit = Math.min(MAX_PAGE, Number(query.get('limit') ?? 15))
  const page = Number(query.get('page') ?? 1)
  const pages = Math.max(1, Math.ceil(found.length / limit))
  return json(200, {
    posts: found.slice((page - 1) * limit, page * limit).map((post) => shown(world, post, query)),
    meta: {
      pagination: {
        page,
        limit,
        pages,
        total: found.length,
        next: page < pages ? page + 1 : null,
        prev: page > 1 ? page - 1 : null,
      },
    },
  })
}

const missing = (verb: string): Answer =>
  error(404, 'NotFoundError', `Resource not found error, cannot ${verb} post.`, 'Post not found.')

const invalidPost = (verb: string, context: string): Answer =>
  error(422, 'ValidationError', `Validation error, cannot ${verb} post.`, context)

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')

/**
 * Returns the names in a filter that ignores case, each given by its beginning and its end:
 * `(name:~^'news'+name:~$'news')`.
 */
const namesIn = (filter: string): string[] =>
  [...filter.matchAll(/\(name:~\^'((?:\\.|[^'\\])*)'\+name:~\$'((?:\\.|[^'\\])*)'\)/g)].flatMap(([, start, end]) =>
    start === end && start !== undefined ? [unescaped(start).toLowerCase()] : [],
  )

const filtered = ({ state }: World, filter: string): GhostStoredPost[] => {
  const [, id, after = ''] = /^id:'([^']*)'\+created_at:>'([^']*)'$/.exec(filter) ?? []
  const posts = [...state.posts.values()]
  if (id !== undefined)
    return posts.filter((post) => post.id === id && Date.parse(post.created_at) > Date.parse(`${after}Z`))
  const since = /^created_at:>'([^']*)'$/.exec(filter)?.[1]
  if (since !== undefined) return posts.filter((post) => Date.parse(post.created_at) > Date.parse(`${since}Z`))
  const slug = /^tag:'([a-z0-9-]+)'$/.exec(filter)?.[1]
  return posts.filter((post) => post.tags.some((tag) => tag.slug === slug))
}

const givenPost = (body: unknown): Record<string, unknown> | undefined =>
  (body as { posts?: Record<string, unknown>[] } | undefined)?.posts?.[0]

const onPost = (world: World, id: string, { method, query, body }: StandInRequest): Answer => {
  const { state, options } = world
  const verb = method === 'GET' ? 'read' : method === 'PUT' ? 'edit' : 'delete'
  if (!/^[0-9a-f]{24}$/.test(id)) return invalidPost(verb, 'Validation (matches) failed for id undefined.id')
  const post = state.posts.get(id)
  if (!post) return missing(verb)
  if (method === 'GET') return json(200, { posts: [shown(world, post, query)] })
  if (method === 'DELETE') {
    state.posts.delete(id)
    return { status: 204, headers: {}, body: '' }
  }
  const given = givenPost(body)
  if (!given?.updated_at) return invalidPost('edit', 'Validation failed for 0.')
  const wrong = invalid(given)
  if (wrong) return invalidPost('save', wrong)
  options.beforeChange?.(post)
  const changed = changePost(state, state.posts.get(id) ?? post, given, query.get('source') === 'html')
  if (changed) return json(200, { posts: [shown(world, changed, query)] })
  const busy = 'Saving failed! Someone else is editing this post.'
  return error(409, 'UpdateCollisionError', busy, busy, 'UPDATE_COLLISION')
}

const onPosts = (world: World, rest: string, request: StandInRequest): Answer => {
  const { method, query, body } = request
  const { state } = world
  const slug = /^slug\/([^/]+)\/$/.exec(rest)?.[1]
  if (slug !== undefined) {
    const post = [...state.posts.values()].find((p) => p.slug === decodeURIComponent(slug))
    return post ? json(200, { posts: [shown(world, post, query)] }) : missing('read')
  }
  if (rest !== '') return onPost(world, rest.replace(/\/$/, ''), request)
  if (method === 'GET') return pageOfPosts(world, query)
  const given = givenPost(body)
  if (!given?.title) return invalidPost('save', 'Validation failed for 0.')
  const wrong = invalid(given)
  return wrong
    ? invalidPost('save', wrong)
    : json(201, { posts: [shown(world, createPost(state, given, query.get('source') === 'html'), query)] })
}

const upload = ({ uploads, origin }: World, { raw }: StandInRequest): Answer => {
  const text = raw.toString('latin1')
  const filename = /name="file"; filename="([^"]+)"/.exec(text)?.[1]
  if (!filename) return error(422, 'ValidationError', 'Please select an image.')
  // Both the type and the extension are judged.
  if (!/Content-Type: image\/(png|jpeg|gif|webp)/i.test(text) || !/\.(jpe?g|gif|png|webp)$/i.test(filename))
    return error(415, 'UnsupportedMediaTypeError', 'Please select a valid image.')
  const name = uploads.includes(filename) ? filename.replace(/(\.\w+)$/, `-${uploads.length}$1`) : filename
  uploads.push(name)
  return json(201, { images: [{ url: `${origin()}/content/images/2026/11/${name}`, ref: null }] })
}

/** Returns a stored image, or 404 if somebody deleted it. */
const storedImage = ({ uploads, lost }: World, path: string): Answer | undefined => {
  const [, name] = /^\/content\/images\/2026\/11\/(.+)$/.exec(path) ?? []
  if (name === undefined || !uploads.includes(name) || lost.has(name)) return undefined
  return { status: 200, headers: { 'content-type': 'image/png' }, body: '' }
}

const answer = (world: World, request: StandInRequest): Answer => {
  const { path, query, headers } = request
  const { state, options, origin } = world
  if (!path.startsWith(ROOT))
    return (
      storedImage(world, path) ?? {
        status: 404,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>404</title>',
      }
    )
  if (!path.endsWith('/')) return { status: 301, headers: { location: `${path}/` }, body: '' }
  const [, collection = '', rest = ''] = /^([a-z]+)\/(.*)$/.exec(path.slice(ROOT.length)) ?? []
  if (collection === 'site')
    return json(200, { site: { title: 'The Shed', url: `${origin()}/`, version: options.version ?? '6.65' } })
  const refusal = refused(world, headers.authorization)
  if (refusal) return refusal
  if (collection === 'posts') return onPosts(world, rest, request)
  if (collection === 'pages') {
    const page = state.pages.find(({ slug }) => rest === `slug/${slug}/`)
    return page ? json(200, { pages: [{ ...page, url: `${origin()}/${page.slug}/` }] }) : missing('read')
  }
  if (collection === 'users') return json(200, { users: state.users.slice(0, Number(query.get('limit') ?? 15)) })
  if (collection === 'tags') {
    const listed = (field: string): string[] => {
      const [, list = ''] =
        new RegExp(`${field}:\\[((?:'(?:\\\\.|[^'\\\\])*',?)*)\\]`).exec(query.get('filter') ?? '') ?? []
      return [...list.matchAll(/'((?:\\.|[^'\\])*)'/g)].map(([, text = '']) => unescaped(text))
    }
    const [names, slugs] = [namesIn(query.get('filter') ?? ''), listed('slug')]
    return json(200, {
      tags: state.tags.filter((tag) => names.includes(tag.name.toLowerCase()) || slugs.includes(tag.slug)),
    })
  }
  if (collection === 'images' && rest === 'upload/') return upload(world, request)
  return error(404, 'NotFoundError', 'Resource not found')
}

/** Starts a stand-in of Ghost's Admin API on 127.0.0.1, with the answers the real one gave (6.65.0). */
export const startGhost = async (options: GhostOptions = {}): Promise<GhostStandIn> => {
  const users = options.users ?? [{ name: 'Olive Owner', slug: 'olive', email: 'owner@example.com' }]
  const state: GhostState = {
    posts: new Map(),
    pages: [],
    tags: [{ id: '6b0164addbda8401e38ec1e4', name: 'News', slug: 'news', visibility: 'public' }],
    users: users.map((user, n) => ({ ...user, id: `${n}`.padStart(24, '0') })),
    made: 0,
    now: options.now ?? (() => new Date()),
  }
  const key = `${randomBytes(12).toString('hex')}:${randomBytes(32).toString('hex')}`
  let url = ''
  const world: World = { options, state, key, uploads: [], lost: new Set(), origin: () => url }
  const posts = (): GhostStoredPost[] => [...state.posts.values()]
  const write: GhostStandIn['write'] = (fields) => createPost(state, { status: 'published', ...fields }, true)
  const standIn = await startStandIn({ ...options, answer: (request) => answer(world, request), posts })
  url = standIn.url
  return { ...standIn, key, posts, state, uploads: world.uploads, lost: world.lost, write }
}
