import { createHash } from 'node:crypto'
import { type Answer, json } from '../receiver/answers.ts'
import type { StandInRequest } from '../stand-in-request.ts'
import {
  addPicture,
  addTerm,
  dayOf,
  findTerm,
  linkOf,
  liveStatus,
  newPost,
  type Picture,
  type Post,
  postsOf,
  restError,
  type State,
  USERS,
  uniqueSlug,
} from './wordpress-data.ts'
import { keepRevision } from './wordpress-posts.ts'

type Article = {
  id?: number
  create?: boolean
  adopted?: boolean
  base?: string
  title: string
  slug: string
  content: string
  description: string
  seo_title: string
  canonical: string
  status?: 'publish' | 'draft'
  only?: string[]
  date_gmt: string
  tags: string[]
  category: string
  author: string
  image_url: string
  alt_text: string
}

const present = (state: State, post: Post, further: object): object => ({
  id: post.id,
  external_id: post.externalId,
  status: post.status,
  slug: post.slug,
  title: post.title,
  url: post.status === 'publish' ? linkOf(state, post) : null,
  has_password: post.password !== '',
  created_at: post.madeAt,
  ...further,
})

/** Returns text as `Galley_Content::text` of the plugin leaves it. */
const shownAsText = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('<', '&lt;')

/** Returns an article with its texts as HTML. */
const escapedTexts = (article: Article): Article => ({
  ...article,
  title: shownAsText(article.title),
  description: shownAsText(article.description),
  seo_title: shownAsText(article.seo_title ?? ''),
  tags: article.tags.map(shownAsText),
  category: shownAsText(article.category),
  author: shownAsText(article.author),
  alt_text: shownAsText(article.alt_text),
})

const notFound = (): Answer => restError(404, 'galley_not_found', 'This site has no such post.')
const notOurs = (): Answer =>
  restError(409, 'galley_not_ours', 'That post was not made from an article, so it was not changed.')
const slugTaken = (): Answer =>
  restError(409, 'slug_taken', 'Another post already has this slug. Change the slug of the article or of that post.')

const untrashed = (state: State): Post[] => postsOf(state).filter((post) => post.status !== 'trash')

/** Returns the refusal for a post that people turned into a page; undefined for any other post. */
const madeAnother = (state: State, id: number): Answer | undefined =>
  state.posts.some((post) => post.id === id && post.kind === 'page')
    ? restError(
        409,
        'galley_other_kind',
        'The post is a page now, so it was not changed. Make it a post again, or detach the article from it.',
      )
    : undefined

const isOfAnother = (post: Post, externalId: string): boolean =>
  post.externalId !== '' && post.externalId !== externalId
const otherArticle = (): Answer =>
  restError(
    409,
    'galley_other_article',
    'That post belongs to another article, so it was not changed. Detach this article from it.',
  )

const find = (state: State, externalId: string, query: URLSearchParams): Answer => {
  const rows = untrashed(state)
  const other = madeAnother(state, Number(query.get('id')))
  if (other) return other
  const named = rows.find((post) => post.id === Number(query.get('id')))
  if (named && isOfAnother(named, externalId)) return otherArticle()
  const ways: [string, Post | undefined][] = [
    ['id', named],
    ['external_id', rows.find((post) => post.externalId === externalId)],
    ['slug', rows.find((post) => post.slug === query.get('slug'))],
  ]
  const [way, post] = ways.find(([, found]) => found) ?? []
  return post ? json(200, present(state, post, { matched_by: way })) : notFound()
}

/** Returns the picture of an address, stored once; undefined if the address has no picture. */
const pictureOf = (state: State, url: string, alt: string): Picture | undefined => {
  const known = state.media.find(({ source }) => source === url)
  if (known) known.alt = alt
  const filename = url.split('/').at(-1) ?? ''
  return known ?? (filename.endsWith('.png') ? addPicture(state, filename, filename, alt, url) : undefined)
}

const details = (state: State, post: Post, given: Article, isSent: (part: string) => boolean): string[] => {
  const notes: string[] = []
  const article = {
    ...given,
    tags: isSent('tags') ? given.tags : [],
    category: isSent('category') ? given.category : '',
    author: isSent('author') ? given.author : '',
    image_url: isSent('image') ? given.image_url : '',
  }
  const termOf = (kind: 'tags' | 'categories', name: string) =>
    findTerm(state[kind], name) ?? addTerm(state, kind, name)
  if (article.tags.length > 0) post.tags = article.tags.map((name) => termOf('tags', name).id)
  if (article.category) post.categories = [termOf('categories', article.category).id]
  const user = USERS.find(({ name }) => name.toLowerCase() === article.author.toLowerCase())
  if (user) post.author = user.id
  else if (article.author)
    notes.push(
      `The byline was not set: this site needs exactly one user named "${article.author}" who may write posts.`,
    )
  const picture = article.image_url ? pictureOf(state, article.image_url, article.alt_text) : undefined
  if (picture) post.featuredMedia = picture.id
  else if (article.image_url) notes.push('The feature image could not be added: Not Found')
  return notes
}

const pageAt = (state: State, slug: string): Answer | undefined => {
  const page = state.pages.find((one) => one.slug === slug)
  return (
    page && restError(409, 'galley_page_there', `The page "${page.title}" has the address, and readers would see it.`)
  )
}

const isTaken = (state: State, slug: string, own: number): boolean =>
  state.posts.some((post) => post.id !== own && post.slug === slug)

const ACTIVE = /<(script|iframe|form|svg)\b[^>]*>|<[^>]*\son\w+\s*=[^>]*>/gi

/** Returns the refusal of a text of a post that the site had before, as `text_refusal` of the plugin makes it. */
const textRefusal = (post: Post, content: string, base = ''): Answer | undefined => {
  if (base !== '' && createHash('sha256').update(post.content).digest('hex') !== base)
    return restError(409, 'galley_changed', 'Somebody changed the post at the same moment, so it was not changed.')
  const known = [post.content, ...post.revisions.map((revision) => revision.content)].join('\n')
  const added = content.match(ACTIVE)?.find((tag) => !known.includes(tag))
  return added === undefined
    ? undefined
    : restError(422, 'galley_active', `The text would add a part that the integration key may not write: ${added}.`)
}

/** Saves parts of a post that the site had before. Its text is stored as it was sent. */
const saveAdopted = (state: State, post: Post | undefined, article: Article): Answer => {
  if (!post) return notFound()
  const isSent = (part: string) => article.only?.includes(part) === true
  const refusal = isSent('content') ? textRefusal(post, article.content, article.base) : undefined
  if (refusal) return refusal
  keepRevision(state, post)
  if (isSent('title')) post.title = article.title
  if (isSent('content')) post.content = article.content
  if (isSent('description')) post.excerpt = article.description
  if (isSent('seo_title')) post.search.title = article.seo_title
  if (isSent('canonical')) post.search.canonical = article.canonical
  const notes = details(state, post, article, isSent)
  if (article.status === 'publish' && post.status !== 'publish') post.status = liveStatus(post)
  keepRevision(state, post)
  return json(200, present(state, post, { created: false, unchanged: false, notes }))
}

const save = (state: State, externalId: string, article: Article, delivery: string): Answer => {
  const rows = untrashed(state)
  const other = madeAnother(state, article.id ?? 0)
  if (other) return other
  const named = rows.find((post) => post.id === article.id)
  const known = named ?? rows.find((post) => post.externalId === externalId)
  if (known && isOfAnother(known, externalId)) return otherArticle()
  if (article.adopted) return saveAdopted(state, known, article)
  if (named && named.externalId === '' && !named.content.includes(`<!-- ${externalId} -->`)) return notOurs()
  if (known && delivery !== '' && known.delivery === delivery)
    return json(200, present(state, known, { created: false, unchanged: true, notes: [] }))
  if (!known && article.create === false) return notFound()
  if (!known && isTaken(state, article.slug, 0)) return slugTaken()
  const page = known ? undefined : pageAt(state, article.slug)
  if (page) return page
  const post = known ?? { ...newPost(state), slug: uniqueSlug(state, article.slug, 0) }
  if (!known) state.posts.push(post)
  const isSent = (part: string) => !known || !article.only?.length || article.only.includes(part)
  post.externalId = externalId
  if (isSent('title')) post.title = article.title
  if (isSent('content')) post.content = article.content
  if (isSent('description')) post.excerpt = article.description
  if (isSent('seo_title')) post.search.title = article.seo_title ?? ''
  if (isSent('canonical')) post.search.canonical = article.canonical ?? ''
  const notes = details(state, post, article, isSent)
  if (!known && post.slug !== article.slug) notes.push(`WordPress keeps the slug "${article.slug}" for itself.`)
  if (article.status === 'publish' && post.status !== 'publish') {
    if (isTaken(state, post.slug, post.id)) return slugTaken()
    post.status = liveStatus(post)
    post.dateGmt = article.date_gmt || state.now().toISOString().slice(0, 19)
  }
  post.delivery = delivery
  return json(known ? 200 : 201, present(state, post, { created: !known, unchanged: false, notes }))
}

const listed = (state: State, post: Post): object => ({
  id: post.id,
  title: post.title,
  url: post.status === 'publish' ? linkOf(state, post) : null,
  status: post.status,
  date_gmt: post.dateGmt,
  modified_gmt: post.modifiedGmt,
  author: USERS.find(({ id }) => id === post.author)?.name ?? null,
  language: null,
})

const PAGE = 100

const page = (state: State, after: number): Answer => {
  const rows = untrashed(state).filter(({ id }) => id > after)
  const posts = rows.slice(0, PAGE)
  const next = rows.length > PAGE ? posts.at(-1)?.id : 0
  return json(200, { posts: posts.map((post) => listed(state, post)), next, total: untrashed(state).length })
}

const stored = (state: State, post: Post | undefined): Answer => {
  if (!post) return notFound()
  const picture = state.media.find(({ id }) => id === post.featuredMedia)
  const names = (kind: 'tags' | 'categories') =>
    state[kind].filter(({ id }) => post[kind].includes(id)).map(({ name }) => name)
  return json(200, {
    ...listed(state, post),
    slug: post.slug,
    content: post.content,
    excerpt: post.excerpt,
    description: post.excerpt,
    seo_title: post.search.title,
    canonical: post.search.canonical,
    tags: names('tags'),
    categories: names('categories'),
    image_url: picture?.url ?? '',
    image_alt: picture?.alt ?? '',
    has_password: post.password !== '',
    builder: post.meta._elementor_edit_mode === 'builder' ? 'Elementor' : '',
  })
}

/** Returns the post with an address, as `url_to_postid` finds it. */
const postAt = (state: State, url: string): Post | undefined =>
  untrashed(state).find((post) => linkOf(state, post) === url || `${state.origin()}/?p=${post.id}` === url)

const version = (state: State, post: Post): object => ({
  ...(post.externalId === '' ? { adopted: true, seo_title: post.search.title, canonical: post.search.canonical } : {}),
  title: post.title,
  content: post.content,
  excerpt: post.excerpt,
  description: post.excerpt,
  author: post.author,
  image: post.featuredMedia,
  tags: post.tags,
  tag_names: state.tags.filter(({ id }) => post.tags.includes(id)).map(({ name }) => name),
  categories: post.categories,
  category_names: state.categories.filter(({ id }) => id > 1 && post.categories.includes(id)).map(({ name }) => name),
})

const readOrRestore = (state: State, request: StandInRequest, id: number): Answer => {
  const post = untrashed(state).find((row) => row.id === id)
  if (!post) return madeAnother(state, id) ?? notFound()
  if (request.method === 'GET') return json(200, version(state, post))
  const { image, adopted, ...kept } = request.body as { image: number; adopted?: boolean } & Partial<Post>
  if (post.externalId === '' && !adopted) return notOurs()
  const refusal = adopted ? textRefusal(post, kept.content ?? '') : undefined
  if (refusal) return refusal
  const { title = '', content = '', excerpt = '', author = 1, tags = [], categories = [] } = kept
  Object.assign(post, { title, content, excerpt, author, tags, categories, featuredMedia: image, delivery: '' })
  return json(200, present(state, post, { created: false, unchanged: false, notes: [] }))
}

const takeDown = (state: State, id: number, isAdopted: boolean): Answer => {
  const post = untrashed(state).find((row) => row.id === id)
  if (!post) return madeAnother(state, id) ?? notFound()
  if (post.externalId === '' && !isAdopted) return notOurs()
  Object.assign(post, { status: 'draft', delivery: '' })
  return json(200, present(state, post, { created: false, unchanged: false, notes: [] }))
}

/** Longest texts that the plugin takes, characters: `article_fields` of class-galley-rest.php. */
const MAX: Readonly<Record<string, number>> = {
  title: 1_000,
  slug: 200,
  content: 2_000_000,
  description: 2_000,
  seo_title: 500,
  canonical: 2_000,
  json_ld: 400_000,
  category: 200,
  author: 200,
  image_url: 2_000,
  alt_text: 500,
}

/** Returns the refusal of a body with a text that is too long, as WordPress words it. */
const tooLong = (body: unknown): Answer | undefined => {
  const { tags, ...texts } = body as Record<string, unknown>
  const long = Object.entries(texts).find(
    ([name, text]) => typeof text === 'string' && [...text].length > (MAX[name] ?? Number.POSITIVE_INFINITY),
  )
  const isTag = Array.isArray(tags) && tags.some((tag) => [...String(tag)].length > 200)
  const name = long?.[0] ?? (isTag ? 'tags' : undefined)
  if (name === undefined) return undefined
  const params = { [name]: `${name} must be at most ${MAX[name] ?? 200} characters long.` }
  return restError(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { params })
}

const host = (state: State, { url, alt_text: alt }: { url: string; alt_text: string }): Answer => {
  const picture = pictureOf(state, url, shownAsText(alt))
  return picture
    ? json(201, { id: picture.id, url: picture.url })
    : restError(
        422,
        'galley_image',
        'The address has no image that this site accepts. Use a JPEG, PNG, GIF or WebP image.',
      )
}

const traffic = (state: State, query: URLSearchParams): Answer => {
  const day = query.get('day') ?? ''
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return restError(400, 'rest_invalid_param', 'Invalid parameter(s): day')
  const { countsSince: since } = state
  const isCounted = since !== '' && day >= since && day < dayOf(state.now())
  const ofDay = state.counts.filter((count) => isCounted && count.day === day)
  return json(200, { day, since, counted: isCounted, counts: ofDay.map(({ day: _, ...count }) => count) })
}

/** Counts a visit, which a page sends. */
const visit = (state: State, { post, assistant }: { post: number; assistant: string }): Answer => {
  if (!state.posts.some(({ id, status }) => id === post && status === 'publish')) return notFound()
  const wanted = { day: dayOf(state.now()), post, kind: 'visit', name: assistant }
  const known = state.counts.find(({ day, post: of, name }) => day === wanted.day && of === post && name === assistant)
  if (known) known.count += 1
  else state.counts.push({ ...wanted, count: 1 })
  return { status: 204, headers: {}, body: '' }
}

/** Returns the routes of our plugin, below its namespace. */
export const pluginAnswer = (state: State, path: string, request: StandInRequest, key: string): Answer => {
  if (path === 'visits' && request.method === 'POST')
    return visit(state, request.body as { post: number; assistant: string })
  if (request.headers['x-galley-key'] !== key)
    return restError(401, 'galley_bad_key', 'The integration key is wrong, or a newer key replaced it.')
  if (path === 'status')
    return json(200, { ok: true, name: 'Test WP', url: `${state.origin()}/`, plugin_version: '1.5.0' })
  if (path === 'traffic') return traffic(state, request.query)
  const refused = request.method === 'GET' ? undefined : tooLong(request.body ?? {})
  if (refused) return refused
  const takenDown = /^posts\/(\d+)\/unpublish$/.exec(path)?.[1]
  if (takenDown && request.method === 'POST')
    return takeDown(state, Number(takenDown), (request.body as { adopted?: boolean }).adopted === true)
  if (path === 'stored' && !request.query.get('url')) return page(state, Number(request.query.get('after') ?? 0))
  if (path === 'stored') return stored(state, postAt(state, request.query.get('url') ?? ''))
  const storedId = /^stored\/(\d+)$/.exec(path)?.[1]
  if (storedId)
    return stored(
      state,
      untrashed(state).find(({ id: own }) => own === Number(storedId)),
    )
  const [, kind, id = ''] = /^(articles|posts)\/([\w.:-]+)$/.exec(path) ?? []
  if (kind === 'posts') return readOrRestore(state, request, Number(id))
  if (kind === 'articles')
    return request.method === 'GET'
      ? find(state, id, request.query)
      : save(state, id, escapedTexts(request.body as Article), String(request.headers['idempotency-key'] ?? ''))
  if (path === 'engine-key' && request.method === 'POST') {
    state.engineKey = (request.body as { key: string }).key
    return json(200, { location: `${state.origin()}/${state.engineKey}.txt` })
  }
  if (path === 'media' && request.method === 'POST')
    return host(state, request.body as { url: string; alt_text: string })
  return restError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
}
