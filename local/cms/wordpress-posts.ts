import { type Answer, json } from '../receiver/answers.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  linkOf,
  liveStatus,
  may,
  newPost,
  nextId,
  type Post,
  postsOf,
  restError,
  type State,
  slugOf,
  type User,
  uniqueSlug,
} from './wordpress-data.ts'
import { kses } from './wordpress-text.ts'

type Fields = Record<string, unknown>

/** Returns what a user may do with a post, as WordPress names it in its links. */
const rightsOf = (state: State, user: User | undefined) => ({
  self: [{ href: `${state.origin()}/wp-json/wp/v2/posts` }],
  ...(may(user, 'unfiltered_html') ? { 'wp:action-unfiltered-html': [{ href: state.origin() }] } : {}),
})

const present = (state: State, post: Post, user?: User) => ({
  id: post.id,
  slug: post.slug,
  status: post.status,
  link: linkOf(state, post),
  permalink_template: `${state.origin()}${state.folder}/%postname%/`,
  date_gmt: post.dateGmt,
  modified_gmt: post.modifiedGmt,
  author: post.author,
  featured_media: post.featuredMedia,
  password: post.password,
  tags: post.tags,
  categories: post.categories,
  title: { raw: post.title, rendered: post.title },
  // A line end within text is shown as a break.
  content: {
    raw: post.content,
    rendered: post.content.replace(/(?<!>)\n(?!<)|(<\/(?:strong|em|a)>)\n/g, '$1<br />\n'),
  },
  excerpt: { raw: post.excerpt, rendered: post.excerpt },
  // PHP writes an empty list for no registered keys.
  meta: Object.keys(post.meta).length > 0 ? post.meta : [],
  _links: rightsOf(state, user),
})

const cannot = (user: User | undefined, code: string, message: string): Answer =>
  restError(user ? 403 : 401, code, `Sorry, you are not allowed to ${message}.`)

/**
 * Returns the refusal of a status that anonymous callers may not send: an invalid parameter, with the real reason in
 * its details.
 */
const statusForbidden = (): Answer =>
  restError(400, 'rest_invalid_param', 'Invalid parameter(s): status', {
    params: { status: 'Status is forbidden.' },
    details: { status: { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: 401 } } },
  })

/** Returns the named fields of an object, as `_fields` does: `id,title.raw`. Without names, all of them. */
const withFields = (whole: Record<string, unknown>, names: string | null): Record<string, unknown> => {
  if (names === null) return whole
  const shown: Record<string, unknown> = {}
  for (const name of names.split(',')) {
    const [field = '', part] = name.split('.')
    if (!(field in whole)) continue
    const value = whole[field] as Record<string, unknown>
    shown[field] = part === undefined ? value : { ...(shown[field] as object | undefined), [part]: value[part] }
  }
  return shown
}

const MAX_PAGE = 100

/** True if a user may edit a post, and so read it with `context=edit`. */
const mayEdit = (user: User | undefined, post: Post): boolean =>
  may(user, 'edit_posts') && (post.author === user?.id || may(user, 'edit_others_posts'))

const invalidParam = (name: string): Answer =>
  restError(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { params: { [name]: 'bad' } })

const list = (state: State, user: User | undefined, query: URLSearchParams): Answer => {
  const statuses = query.get('status')?.split(',') ?? ['publish']
  const isEdit = query.get('context') === 'edit'
  if (statuses.some((status) => status !== 'publish') && !may(user, 'edit_posts')) return statusForbidden()
  const perPage = Number(query.get('per_page') ?? 10)
  if (perPage < 1 || perPage > MAX_PAGE) return invalidParam('per_page')
  const slugs = query.get('slug')?.split(',')
  const phrase = query.get('search')?.replace(/^"|"$/g, '') ?? ''
  const rows = postsOf(state)
    .filter(({ status }) => (statuses.includes('any') ? status !== 'trash' : statuses.includes(status)))
    .filter((post) => !slugs || slugs.includes(post.slug))
    .filter((post) => `${post.title} ${post.content}`.includes(phrase))
  const start = (Number(query.get('page') ?? 1) - 1) * perPage
  if (start > 0 && start >= rows.length)
    return restError(
      400,
      'rest_post_invalid_page_number',
      'The page number requested is larger than the number of pages available.',
    )
  // Posts that the user may not edit are counted, and left out.
  const shown = rows.slice(start, start + perPage).filter((post) => !isEdit || mayEdit(user, post))
  return json(
    200,
    shown.map((post) => withFields(present(state, post), query.get('_fields'))),
    { 'x-wp-total': String(rows.length), 'x-wp-totalpages': String(Math.ceil(rows.length / perPage)) },
  )
}

const text = (value: unknown, before: string): string => (typeof value === 'string' ? value : before)

/** Removes the tags that WordPress strips for users who may not post unfiltered HTML, not the text between them. */
const filtered = (user: User, content: string): string =>
  may(user, 'unfiltered_html') ? content : content.replace(/<\/?(?:script|iframe)\b[^>]*>/gi, '')

/** Returns a title or an excerpt, which are HTML too. */
const filteredText = (user: User, given: string): string => (may(user, 'unfiltered_html') ? given : kses(given))

const refusalOf = (user: User, fields: Fields, post: Post | undefined): Answer | undefined => {
  if (!may(user, 'edit_posts')) return cannot(user, 'rest_cannot_create', 'create posts as this user')
  if (post && post.author !== user.id && !may(user, 'edit_others_posts'))
    return cannot(user, 'rest_cannot_edit', 'edit this post')
  if (fields.author !== undefined && fields.author !== user.id && !may(user, 'edit_others_posts'))
    return cannot(user, 'rest_cannot_edit_others', 'update posts as this user')
  if ((fields.status === 'publish' || fields.status === 'future') && !may(user, 'publish_posts'))
    return cannot(user, 'rest_cannot_publish', 'publish posts in this post type')
  if (
    fields.status !== undefined &&
    !['publish', 'draft', 'pending', 'future', 'private', 'archived'].includes(String(fields.status))
  )
    return invalidParam('status')
  return undefined
}

const ids = (value: unknown, before: number[]): number[] => (Array.isArray(value) ? value.map(Number) : before)

const dateOf = (state: State, given: unknown, before: string): string => {
  if (given === null) return state.now().toISOString().slice(0, 19)
  return typeof given === 'string' ? given : before
}

const apply = (state: State, user: User, post: Post, fields: Fields): void => {
  post.modifiedGmt = state.now().toISOString().slice(0, 19)
  post.title = filteredText(user, text(fields.title, post.title))
  post.content = fields.content === undefined ? post.content : filtered(user, String(fields.content))
  post.excerpt = filteredText(user, text(fields.excerpt, post.excerpt))
  post.password = text(fields.password, post.password)
  if (fields.test_kind === 'page') post.kind = 'page'
  if (fields.test_meta !== undefined) post.meta = fields.test_meta as Post['meta']
  post.author = Number(fields.author ?? post.author)
  post.tags = ids(fields.tags, post.tags)
  post.categories = ids(fields.categories, post.categories)
  post.dateGmt = dateOf(state, fields.date_gmt, post.dateGmt)
  // WordPress turns an id that is no picture into none, without reporting it.
  if (fields.featured_media !== undefined)
    post.featuredMedia = state.media.some(({ id }) => id === fields.featured_media) ? Number(fields.featured_media) : 0
  const wasTrashed = post.status === 'trash'
  if (typeof fields.status === 'string') post.status = fields.status === 'publish' ? liveStatus(post) : fields.status
  if (wasTrashed && post.status !== 'trash') post.slug = post.slug.replace(/__trashed$/, '')
  if (post.status === 'publish' && Date.parse(`${post.dateGmt}Z`) > state.now().getTime() + 60_000)
    post.status = 'future'
  // A post that is shown has a slug: without one WordPress takes it from the title.
  const given = text(fields.slug, post.slug)
  const isShown = post.status !== 'draft' && post.status !== 'pending'
  const asked = given === '' && isShown ? slugOf(post.title) || String(post.id) : given
  if (post.status !== 'trash') post.slug = uniqueSlug(state, asked, post.id)
}

/** Keeps the text that a post has now, unless it was kept last. */
export const keepRevision = (state: State, { title, content, excerpt, revisions }: Post): void => {
  const last = revisions.at(-1)
  if (last && last.title === title && last.content === content && last.excerpt === excerpt) return
  revisions.push({ id: nextId(state), title, content, excerpt })
}

/** Answers requests to `/wp/v2/posts/{id}/revisions`, newest first. */
export const revisionsAnswer = (state: State, user: User | undefined, query: URLSearchParams, id: number): Answer => {
  const post = postsOf(state).find((row) => row.id === id)
  if (!post) return restError(404, 'rest_post_invalid_parent', 'Invalid post parent ID.')
  if (!mayEdit(user, post)) return cannot(user, 'rest_cannot_read', 'view revisions of this post')
  const shown = post.revisions.map(({ id: revision, title, content, excerpt }) => ({
    id: revision,
    title: { raw: title },
    content: { raw: content },
    excerpt: { raw: excerpt },
  }))
  const rows = shown.reverse().slice(0, Number(query.get('per_page') ?? 10))
  return json(
    200,
    rows.map((row) => withFields(row, query.get('_fields'))),
  )
}

const remove = (state: State, user: User | undefined, post: Post, isForced: boolean): Answer => {
  if (!user || (post.author !== user.id && !may(user, 'edit_others_posts')))
    return cannot(user, 'rest_cannot_delete', 'delete this post')
  if (isForced) {
    state.posts = state.posts.filter(({ id }) => id !== post.id)
    return json(200, { deleted: true, previous: present(state, post) })
  }
  if (post.status === 'trash') return restError(410, 'rest_already_trashed', 'The post has already been deleted.')
  post.status = 'trash'
  post.slug = `${post.slug}__trashed`
  return json(200, present(state, post))
}

/** Returns the refusal of custom fields by their schemas. Unknown ones are ignored. */
const wrongMeta = ({ customFields }: State, meta: unknown): Answer | undefined => {
  const isWrong = Object.entries((meta ?? {}) as Fields).some(([key, value]) => {
    const field = customFields[key]
    if (!field || value === null) return false
    const type = Number.isInteger(value) && field.type === 'number' ? 'number' : typeOf(value)
    return type !== field.type || (field.enum !== undefined && !field.enum.includes(String(value)))
  })
  return isWrong ? invalidParam('meta') : undefined
}

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Sets custom fields, after the rest of the post is saved. Null deletes one. Returns the refusal of a locked one. */
const setMeta = ({ customFields }: State, post: Post, meta: unknown): Answer | undefined => {
  for (const [key, value] of Object.entries((meta ?? {}) as Fields)) {
    const field = customFields[key]
    if (field?.isLocked)
      return restError(403, 'rest_cannot_update', `Sorry, you are not allowed to edit the ${key} custom field.`, {
        key,
      })
    if (field && value === null) delete post.meta[key]
    else if (field) post.meta[key] = value
  }
  return undefined
}

const create = (state: State, user: User | undefined, fields: Fields): Answer => {
  if (!user) return cannot(user, 'rest_cannot_create', 'create posts as this user')
  const refusal = refusalOf(user, fields, undefined) ?? wrongMeta(state, fields.meta)
  if (refusal) return refusal
  if (!fields.title && !fields.content && !fields.excerpt)
    return restError(400, 'empty_content', 'Content, title, and excerpt are empty.')
  const post = { ...newPost(state), author: user.id }
  apply(state, user, post, fields)
  state.posts.push(post)
  const locked = setMeta(state, post, fields.meta)
  if (locked) return locked
  return json(201, present(state, post))
}

/** Answers requests to `/wp/v2/posts` and `/wp/v2/posts/{id}`. */
export const postsAnswer = (
  state: State,
  user: User | undefined,
  request: StandInRequest,
  id: number | undefined,
): Answer => {
  const method = request.query.get('_method') ?? request.method
  const fields = (request.body ?? {}) as Fields
  if (id === undefined && method === 'OPTIONS')
    return json(200, { schema: { properties: { meta: { type: 'object', properties: state.customFields } } } })
  if (id === undefined) return method === 'GET' ? list(state, user, request.query) : create(state, user, fields)
  const post = postsOf(state).find((row) => row.id === id)
  if (!post) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.')
  if (method === 'DELETE') return remove(state, user, post, request.query.get('force') === 'true')
  if (method !== 'GET') {
    if (!user) return cannot(user, 'rest_cannot_edit', 'edit this post')
    const refusal = refusalOf(user, fields, post) ?? wrongMeta(state, fields.meta)
    if (refusal) return refusal
    apply(state, user, post, fields)
    keepRevision(state, post)
    const locked = setMeta(state, post, fields.meta)
    if (locked) return locked
    return json(200, present(state, post, user))
  }
  const isShown = post.status === 'publish' && request.query.get('context') !== 'edit'
  return isShown || mayEdit(user, post)
    ? json(200, withFields(present(state, post, user), request.query.get('_fields')))
    : cannot(user, 'rest_forbidden_context', 'edit this post')
}
