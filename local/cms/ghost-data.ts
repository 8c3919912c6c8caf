import { randomUUID } from 'node:crypto'

type GhostTag = { id: string; name: string; slug: string; visibility: 'public' | 'internal' }
export type GhostUser = { id: string; name: string; slug: string; email: string }

export type GhostStoredPost = {
  id: string
  uuid: string
  title: string
  slug: string
  html: string
  lexical: string | null
  /** The text of a post that nobody opened since Lexical came. */
  mobiledoc: string | null
  status: 'draft' | 'published' | 'scheduled'
  visibility: 'public' | 'members'
  created_at: string
  updated_at: string
  published_at: string | null
  meta_description: string | null
  custom_excerpt: string | null
  feature_image: string | null
  feature_image_alt: string | null
  codeinjection_head: string | null
  tags: GhostTag[]
  authors: GhostUser[]
}

export type GhostState = {
  posts: Map<string, GhostStoredPost>
  /** Pages, which share their slugs with posts. */
  pages: { id: string; title: string; slug: string }[]
  tags: GhostTag[]
  users: GhostUser[]
  made: number
  now: () => Date
}

/** Limits of Ghost's tables, characters. The alternative text is refused by the table of revisions. */
const LIMITS = {
  title: [255, 'posts.title'],
  meta_description: [500, 'posts_meta.meta_description'],
  custom_excerpt: [300, 'posts.custom_excerpt'],
  feature_image: [2000, 'posts.feature_image'],
  feature_image_alt: [191, 'post_revisions.feature_image_alt'],
  codeinjection_head: [65_535, 'posts.codeinjection_head'],
} as const

/** Signs of an address (RFC 3986), as Ghost's schema judges its format. */
const URI_REFERENCE = /^(?:[\w\-.~:/?#@!$&'()*+,;=]|%[0-9a-f]{2})*$/i

type Given = Record<string, unknown>

const newId = (state: GhostState): string => {
  state.made += 1
  return (0x6b0164000000 + state.made).toString(16).padStart(24, '0')
}

const slugOf = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/^#/, 'hash-')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** Words that Ghost keeps for itself. */
const PROTECTED = ['ghost', 'rss', 'amp']

const allowed = (slug: string): string => (PROTECTED.includes(slug) ? `${slug}-post` : slug)

/** Returns a free slug. Ghost adds a number to a taken one without reporting it. */
const freeSlug = (slug: string, taken: (slug: string) => boolean): string => {
  let free = slug
  for (let n = 2; taken(free); n += 1) free = `${slug}-${n}`
  return free
}

/** Returns tags by id or exact name, and makes missing ones: `news` beside `News` gets the slug `news-2`. */
const tagsOf = (state: GhostState, given: unknown): GhostTag[] =>
  (given as { id?: string; name?: string }[]).map(({ id, name = '' }) => {
    const known = state.tags.find((tag) => tag.id === id || tag.name === name)
    if (known) return known
    const tag: GhostTag = {
      id: newId(state),
      name,
      slug: freeSlug(slugOf(name), (slug) => state.tags.some((t) => t.slug === slug)),
      visibility: name.startsWith('#') ? 'internal' : 'public',
    }
    state.tags.push(tag)
    return tag
  })

/** Returns staff by id, slug or e-mail. For an unknown person Ghost takes the owner without reporting it. */
const authorsOf = ({ users }: GhostState, given: unknown): GhostUser[] =>
  (given as Partial<GhostUser>[]).flatMap(({ id, slug, email }) => {
    const user = users.find((u) => u.id === id || u.slug === slug || u.email === email) ?? users[0]
    return user ? [user] : []
  })

/** Returns the error of Ghost's validation of the fields; undefined if there is none. */
export const invalid = (given: Given): string | undefined => {
  for (const [name, [max, column]] of Object.entries(LIMITS))
    if (typeof given[name] === 'string' && given[name].length > max)
      return `Value in [${column}] exceeds maximum length of ${max} characters. ${column}`
  for (const name of ['feature_image', 'canonical_url'])
    if (typeof given[name] === 'string' && !URI_REFERENCE.test(given[name])) return `Validation failed for ${name}.`
  if (given.lexical !== undefined && given.lexical !== null && !isLexical(given.lexical))
    return 'Invalid lexical structure.'
  const named = (given.tags as { name?: string }[] | undefined) ?? []
  return named.some((tag) => tag.name?.startsWith(',')) ? 'Tag name cannot start with a comma.' : undefined
}

type Node = { type: string; text?: string; tag?: string; children?: Node[] } & Record<string, unknown>

const wordsOf = ({ text, children }: Node): string => text ?? (children ?? []).map(wordsOf).join('')

/** Returns the HTML of a text of the editor: its words, and the HTML of its cards. */
const htmlOf = (lexical: string): string => {
  const { root } = JSON.parse(lexical) as { root: string | Node }
  if (typeof root === 'string') return root
  const shown = (node: Node): string => {
    if (!node.children) return String(node.html ?? '')
    const name = node.type === 'list' ? 'ul' : (node.tag ?? 'p')
    const inner =
      node.type === 'list' ? node.children.map((item) => `<li>${wordsOf(item)}</li>`).join('') : wordsOf(node)
    return `<${name}>${inner}</${name}>`
  }
  return (root.children ?? []).map(shown).join('')
}

/** True if a request's text can be read by Ghost's editor. */
const isLexical = (text: unknown): boolean => {
  try {
    return typeof JSON.parse(String(text)).root === 'object' || typeof JSON.parse(String(text)).root === 'string'
  } catch {
    return false
  }
}

/** Returns the fields of a post that a request may set; `html` counts only with `source=html`. */
const changesOf = (state: GhostState, given: Given, hasSource: boolean): Partial<GhostStoredPost> => {
  const { html, lexical, tags, authors, id: _, uuid: __, updated_at: ___, ...plain } = given
  const changes: Given = { ...plain }
  if (html !== undefined && hasSource) {
    // The editor has no block for these, so their marks are lost unless they are in a card.
    const flat = String(html).replace(
      /<!--kg-card-begin: html-->[\s\S]*?<!--kg-card-end: html-->|<\/?(?:dl|dt|dd|details|summary|video)\b[^>]*>/g,
      (found) => (found.startsWith('<!--') ? found : ''),
    )
    Object.assign(changes, { html: flat, lexical: JSON.stringify({ root: flat }) })
  }
  if (typeof lexical === 'string') Object.assign(changes, { lexical, html: htmlOf(lexical) })
  if (tags !== undefined) changes.tags = tagsOf(state, tags)
  if (authors !== undefined) changes.authors = authorsOf(state, authors)
  return changes as Partial<GhostStoredPost>
}

const second = (date: Date): string => `${date.toISOString().slice(0, 19)}.000Z`

const settled = (state: GhostState, post: GhostStoredPost): GhostStoredPost => {
  post.slug = freeSlug(allowed(slugOf(post.slug || post.title)), (slug) =>
    [...state.posts.values(), ...state.pages].some((p) => p.slug === slug && p.id !== post.id),
  )
  if (post.status === 'published') post.published_at ??= second(state.now())
  state.posts.set(post.id, post)
  return post
}

export const createPost = (state: GhostState, given: Given, hasSource: boolean): GhostStoredPost => {
  const now = second(state.now())
  const [owner] = state.users
  return settled(state, {
    id: newId(state),
    uuid: randomUUID(),
    title: '',
    slug: '',
    html: '',
    lexical: '{"root":""}',
    mobiledoc: null,
    status: 'draft',
    visibility: 'public',
    created_at: now,
    published_at: null,
    meta_description: null,
    custom_excerpt: null,
    feature_image: null,
    feature_image_alt: null,
    codeinjection_head: null,
    tags: [],
    authors: owner ? [owner] : [],
    ...changesOf(state, given, hasSource),
    updated_at: now,
  })
}

/** Changes a post. Returns undefined if the change differs and `updated_at` is not that of the post. */
export const changePost = (
  state: GhostState,
  post: GhostStoredPost,
  given: Given,
  hasSource: boolean,
): GhostStoredPost | undefined => {
  const changes = changesOf(state, given, hasSource)
  const differs = Object.entries(changes).some(
    ([name, value]) => JSON.stringify(post[name as keyof GhostStoredPost]) !== JSON.stringify(value),
  )
  if (differs && given.updated_at !== post.updated_at) return undefined
  return settled(state, { ...post, ...changes, updated_at: differs ? second(state.now()) : post.updated_at })
}
