import { keptIn } from '../kept.ts'
import { type Answer, json } from '../receiver/answers.ts'
import { type StandIn, type StandInOptions, startStandIn } from '../stand-in.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  addPicture,
  addTerm,
  CAPABILITIES,
  type CustomField,
  createState,
  findTerm,
  linkOf,
  may,
  type Post,
  restError,
  type State,
  USERS,
  type User,
} from './wordpress-data.ts'
import { publicPage } from './wordpress-pages.ts'
import { pluginAnswer } from './wordpress-plugin.ts'
import { postsAnswer, revisionsAnswer } from './wordpress-posts.ts'
import { textField } from './wordpress-text.ts'

export type WordpressOptions = Pick<StandInOptions, 'port' | 'trouble'> & {
  now?: () => Date
  /** True if application passwords are off: the site has no https, or a security plugin forbids them. */
  hasNoPasswords?: boolean
  /** True if our plugin is not installed. */
  hasNoPlugin?: boolean
  /** True if our plugin is older than 1.4.0, which counts no visits. */
  countsNothing?: boolean
  /** Custom fields that the site shows in REST, by their keys, as JSON schemas. */
  customFields?: Readonly<Record<string, CustomField>>
  /** `post_max_size` of its PHP, bytes: a larger request has no body for WordPress. */
  postMaxSize?: number
  /** Folder of the public pages of posts, such as `/posts`. Absent: the site shows no pages. */
  pagesIn?: string
  /** Folder that keeps what the site stores through a restart; in memory only if absent. */
  dir?: string
}

export type WordpressStandIn = StandIn & {
  pluginKey: string
  /** The application password of a user: 24 letters and digits. */
  passwordOf: (login: string) => string
  posts: () => readonly Post[]
  /** Everything that the site stores. */
  stored: () => Pick<State, 'posts' | 'tags' | 'categories' | 'media' | 'countsSince' | 'counts'>
}

/** Example key of our plugin. Its last digits are a checksum of the others. */
const PLUGIN_KEY = 'wpk_000102030405060708090a0b0c0d0e0f1011121386b2cc3c'
const passwordOf = (login: string): string => login.padEnd(24, '7')

/** Returns the user of a request. With a wrong password the caller is anonymous, which is no error. */
const userOf = (authorization: string | undefined): User | undefined => {
  const [login = '', password = ''] = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64')
    .toString('utf8')
    .split(/:(.*)/s)
  return password.replace(/\s/g, '') === passwordOf(login) ? USERS.find((user) => user.login === login) : undefined
}

const index = (state: State, options: WordpressOptions): Answer =>
  json(200, {
    name: 'Test WP',
    url: state.origin(),
    home: state.origin(),
    namespaces: ['wp/v2', ...(options.hasNoPlugin ? [] : ['galley/v1'])],
    authentication: options.hasNoPasswords ? [] : { 'application-passwords': { endpoints: {} } },
  })

const notLoggedIn = (): Answer => restError(401, 'rest_not_logged_in', 'You are not currently logged in.')

const terms = (state: State, user: User | undefined, request: StandInRequest, kind: 'tags' | 'categories'): Answer => {
  if (request.method === 'GET') {
    const among = (name: string, value: string) => request.query.get(name)?.split(',').includes(value) ?? true
    const postId = request.query.get('post')
    const phrase = request.query.get('search')?.toLowerCase() ?? ''
    const own = postId === null ? undefined : (state.posts.find(({ id }) => String(id) === postId)?.[kind] ?? [])
    return json(
      200,
      state[kind].filter(
        (term) =>
          among('slug', term.slug) &&
          among('include', String(term.id)) &&
          `${term.name} ${term.slug}`.toLowerCase().includes(phrase) &&
          (own === undefined || own.includes(term.id)),
      ),
    )
  }
  if (!may(user, kind === 'tags' ? 'edit_posts' : 'manage_categories'))
    return restError(
      user ? 403 : 401,
      'rest_cannot_create',
      'Sorry, you are not allowed to create terms in this taxonomy.',
    )
  const { name, slug, parent = 0 } = request.body as { name: string; slug?: string; parent?: number }
  // The same name may exist below another parent.
  const known = findTerm(
    state[kind].filter((term) => (term.parent ?? 0) === parent),
    name,
  )
  return known
    ? restError(400, 'term_exists', 'A term with the name provided already exists with this parent.', {
        term_id: known.id,
      })
    : json(201, addTerm(state, kind, name, slug, parent))
}

/** Returns the fields of a multipart body; of the file only its name. */
const multipart = (raw: Buffer): Record<string, string> =>
  Object.fromEntries(
    [...raw.toString('latin1').matchAll(/name="(\w+)"(?:; filename="([^"]*)")?[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)].map(
      (m) => [m[1] ?? '', m[2] ?? Buffer.from(m[3] ?? '', 'latin1').toString('utf8')],
    ),
  )

/** Names of the files that WordPress takes, of those that are sent. */
const FILE = /\.(?:png|jpe?g|gif|webp)$/i

const media = (
  state: State,
  user: User | undefined,
  request: StandInRequest,
  id: number | undefined,
  postMaxSize = Number.POSITIVE_INFINITY,
): Answer => {
  const present = (row: State['media'][number]) => ({
    id: row.id,
    source_url: row.url,
    alt_text: row.alt,
    mime_type: 'image/png',
  })
  const known = state.media.find((row) => row.id === id)
  if (id !== undefined && !known) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.')
  if (request.method === 'GET')
    return json(
      200,
      known ? present(known) : state.media.filter(({ slug }) => slug === request.query.get('slug')).map(present),
    )
  if (!may(user, 'upload_files'))
    return restError(user ? 403 : 401, 'rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.')
  if (known) {
    known.alt = textField(String((request.body as { alt_text?: string }).alt_text ?? known.alt))
    return json(200, present(known))
  }
  const { file, slug = '', alt_text: alt = '' } = request.raw.length > postMaxSize ? {} : multipart(request.raw)
  if (!file) return restError(400, 'rest_upload_no_data', 'No data supplied.')
  // A refusal of the file, though it has the status of a failure.
  if (!FILE.test(file))
    return restError(500, 'rest_upload_unknown_error', 'Sorry, you are not allowed to upload this file type.')
  return json(201, present(addPicture(state, slug, file, textField(alt))))
}

const me = (user: User | undefined): Answer =>
  user
    ? json(200, {
        id: user.id,
        name: user.name,
        roles: [user.role],
        capabilities: Object.fromEntries(CAPABILITIES[user.role].map((name) => [name, true])),
      })
    : notLoggedIn()

const users = (query: URLSearchParams): Answer =>
  json(
    200,
    USERS.filter(
      ({ id, name, login }) =>
        (query.get('include')?.split(',').includes(String(id)) ?? true) &&
        `${name} ${login}`.toLowerCase().includes((query.get('search') ?? '').toLowerCase()),
    ),
  )

const pages = (state: State, request: StandInRequest): Answer => {
  const present = ({ id, slug, title }: State['pages'][number]) => ({
    id,
    link: `${state.origin()}/${slug}/`,
    title: { raw: title },
  })
  if (request.method === 'GET')
    return json(200, state.pages.filter(({ slug }) => slug === request.query.get('slug')).map(present))
  const { slug, title } = request.body as { slug: string; title: string }
  const page = { id: state.pages.length + 10_000, slug, title }
  state.pages.push(page)
  return json(201, present(page))
}

/** Posts of every kind that readers see, by their id. */
const found = (state: State, query: URLSearchParams): Answer =>
  json(
    200,
    state.posts
      .filter(({ id, status }) => String(id) === query.get('include') && status === 'publish')
      .map((post) => ({ id: post.id, title: post.title, url: linkOf(state, post), subtype: post.kind })),
  )

const core = (state: State, path: string, request: StandInRequest, options: WordpressOptions): Answer => {
  const user = userOf(request.headers.authorization)
  const [kind, given, of] = path.split('/')
  const id = given === undefined ? undefined : Number(given)
  if (kind === 'users') return given === 'me' ? me(user) : users(request.query)
  if (kind === 'pages') return pages(state, request)
  if (kind === 'posts' && id !== undefined && of === 'revisions') return revisionsAnswer(state, user, request.query, id)
  if (kind === 'posts') return postsAnswer(state, user, request, id)
  if (kind === 'search') return found(state, request.query)
  if (kind === 'tags' || kind === 'categories') return terms(state, user, request, kind)
  if (kind === 'media') return media(state, user, request, id, options.postMaxSize)
  return restError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
}

/**
 * Starts a WordPress with core REST and our plugin, as far as the adapter uses them, with the surprises of the real
 * one.
 *
 * Taken slugs get a number, and a wrong password makes the caller anonymous. A trashed post can be updated, and a term
 * that exists is an error with its id.
 */
export const startWordpress = async (options: WordpressOptions = {}): Promise<WordpressStandIn> => {
  let origin = ''
  const { now = () => new Date(), customFields, pagesIn } = options
  const { data: state, save } = keptIn(
    options.dir,
    'wordpress.json',
    createState(() => origin, now, customFields, pagesIn),
  )
  const answerOf = (request: StandInRequest): Answer => {
    const route = request.path.startsWith('/wp-json')
      ? request.path.slice('/wp-json'.length)
      : request.query.get('rest_route')
    const picture = state.media.find(({ url }) => new URL(url).pathname === request.path)
    if (state.engineKey !== '' && request.path === `/${state.engineKey}.txt`)
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: state.engineKey }
    if (picture) return { status: 200, headers: { 'content-type': 'image/png' }, body: '' }
    const page = route === null && pagesIn !== undefined ? publicPage(state, request.path) : undefined
    if (page) return page
    if (route === null) return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }
    const path = route.replace(/^\/|\/$/g, '')
    if (path === '') return index(state, options)
    if (path.startsWith('wp/v2/')) return core(state, path.slice('wp/v2/'.length), request, options)
    if (
      path.startsWith('galley/v1/') &&
      !options.hasNoPlugin &&
      !(options.countsNothing && path === 'galley/v1/traffic')
    )
      return pluginAnswer(state, path.slice('galley/v1/'.length), request, PLUGIN_KEY)
    return restError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
  }
  const answer = (request: StandInRequest): Answer => {
    const answered = answerOf(request)
    if (request.method !== 'GET') save()
    return answered
  }
  const standIn = await startStandIn({ ...options, answer, posts: () => state.posts })
  origin = standIn.url
  return { ...standIn, pluginKey: PLUGIN_KEY, passwordOf, posts: () => state.posts, stored: () => state }
}
