import { type Answer, json } from '../receiver/answers.ts'
import { storedName } from './wordpress-text.ts'

export type Role = 'admin' | 'author' | 'contributor' | 'subscriber'

/** Rights of each role, of those that the adapter checks. */
export const CAPABILITIES: Record<Role, readonly string[]> = {
  admin: ['edit_posts', 'publish_posts', 'upload_files', 'edit_others_posts', 'manage_categories', 'unfiltered_html'],
  author: ['edit_posts', 'publish_posts', 'upload_files'],
  contributor: ['edit_posts'],
  subscriber: [],
}

export type User = { id: number; login: string; name: string; role: Role }

export const USERS: readonly User[] = [
  { id: 1, login: 'admin', name: 'admin', role: 'admin' },
  { id: 2, login: 'author', name: 'Author Person', role: 'author' },
  { id: 3, login: 'contributor', name: 'Contributor Person', role: 'contributor' },
  { id: 4, login: 'subscriber', name: 'Subscriber Person', role: 'subscriber' },
]

export type Post = {
  id: number
  title: string
  content: string
  excerpt: string
  slug: string
  status: string
  /** A post that became a page has no routes of posts. */
  kind: 'post' | 'page'
  password: string
  dateGmt: string
  modifiedGmt: string
  author: number
  featuredMedia: number
  tags: number[]
  categories: number[]
  /** Meta that plugins registered for REST. */
  meta: Record<string, unknown>
  /** Meta of our plugin. */
  externalId: string
  /** The title for search engines and the canonical address, which only the plugin keeps. */
  search: { title: string; canonical: string }
  delivery: string
  madeAt: string
  /** Texts that WordPress keeps: each new one at an update, and none of a post that was just made. */
  revisions: { id: number; title: string; content: string; excerpt: string }[]
}

export type Term = { id: number; name: string; slug: string; parent?: number }
export type Picture = { id: number; slug: string; url: string; alt: string; source: string }

/** Custom field as its schema in REST describes it. `isLocked`: nobody may write it. */
export type CustomField = { type: string; items?: { type: string }; enum?: readonly string[]; isLocked?: true }

/** Visits or requests that our plugin counted. `kind`: `visit` or `crawl`. */
type Count = { day: string; post: number; kind: string; name: string; count: number }

export type State = {
  customFields: Readonly<Record<string, CustomField>>
  /** Folder of the addresses of posts; empty: none. */
  folder: string
  origin: () => string
  now: () => Date
  posts: Post[]
  pages: { id: number; slug: string; title: string }[]
  tags: Term[]
  categories: Term[]
  media: Picture[]
  /** Key of IndexNow that the plugin serves; empty: none. */
  engineKey: string
  /** First day that our plugin counts; empty if it could not make its table. */
  countsSince: string
  counts: Count[]
  nextId: number
}

const DAY_MS = 86_400_000

/** Returns the day of an instant, in UTC. */
export const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

export const createState = (
  origin: () => string,
  now: () => Date,
  customFields: State['customFields'] = {},
  folder = '',
): State => ({
  customFields,
  folder,
  origin,
  now,
  posts: [],
  pages: [],
  tags: [],
  categories: [{ id: 1, name: 'Uncategorized', slug: 'uncategorized' }],
  media: [],
  engineKey: '',
  countsSince: dayOf(new Date(now().getTime() + DAY_MS)),
  counts: [],
  nextId: 4,
})

/** Returns an error as WordPress words it. */
export const restError = (status: number, code: string, message: string, data: object = {}): Answer =>
  json(status, { code, message, data: { status, ...data } })

export const may = (user: User | undefined, capability: string): boolean =>
  user !== undefined && CAPABILITIES[user.role].includes(capability)

/**
 * Returns the status of a post that should go live. A review plugin holds back titles with the beginning “Held for
 * review”.
 */
export const liveStatus = ({ title, status }: Post): string =>
  title.startsWith('Held for review') && status !== 'publish' ? 'pending' : 'publish'

/** Slugs that WordPress reserves for its own addresses. */
const RESERVED = new Set(['embed', 'feed', 'rss'])

/** Returns the slug of a post. WordPress adds a number to a taken one without reporting it. */
export const uniqueSlug = (state: State, asked: string, own: number): string => {
  const isTaken = (slug: string) =>
    RESERVED.has(slug) || state.posts.some((post) => post.id !== own && post.slug === slug)
  if (!isTaken(asked)) return asked
  let n = 2
  while (isTaken(`${asked}-${n}`)) n += 1
  return `${asked}-${n}`
}

/** Returns the slug that WordPress makes of the name of a term or the title of a post. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

export const nextId = (state: State): number => {
  state.nextId += 1
  return state.nextId
}

export const findTerm = (terms: readonly Term[], name: string): Term | undefined =>
  terms.find((term) => term.name.toLowerCase() === storedName(name).toLowerCase())

export const addTerm = (
  state: State,
  kind: 'tags' | 'categories',
  name: string,
  slug = slugOf(name),
  parent = 0,
): Term => {
  const isTaken = state[kind].some((term) => term.slug === slug)
  const term = { id: nextId(state), name: storedName(name), slug: isTaken ? `${slug}-${state.nextId}` : slug, parent }
  state[kind].push(term)
  return term
}

export const addPicture = (state: State, slug: string, filename: string, alt: string, source = ''): Picture => {
  const id = nextId(state)
  const picture = { id, slug, url: `${state.origin()}/wp-content/uploads/${id}-${filename}`, alt, source }
  state.media.push(picture)
  return picture
}

export const newPost = (state: State): Post => ({
  id: nextId(state),
  title: '',
  content: '',
  excerpt: '',
  slug: '',
  status: 'draft',
  kind: 'post',
  password: '',
  dateGmt: state.now().toISOString().slice(0, 19),
  modifiedGmt: state.now().toISOString().slice(0, 19),
  author: 1,
  featuredMedia: 0,
  tags: [],
  categories: [1],
  meta: {},
  externalId: '',
  search: { title: '', canonical: '' },
  delivery: '',
  madeAt: state.now().toISOString(),
  revisions: [],
})

/** Returns the posts that were not turned into another kind. */
export const postsOf = ({ posts }: State): Post[] => posts.filter(({ kind }) => kind === 'post')

export const linkOf = (state: State, post: Post): string =>
  post.status === 'publish' ? `${state.origin()}${state.folder}/${post.slug}/` : `${state.origin()}/?p=${post.id}`
