import { distinctiveRun, runText } from '../../content/html/shown.ts'
import { readLivePage } from '../../content/site/live-page.ts'
import type {
  CmsArticle,
  CmsFailure,
  CmsPost,
  CmsQuery,
  CmsResult,
  CmsUpdate,
} from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { COMPLETE } from '../cms/fields.ts'
import { type CmsDeps, done, type Found, type Got, got, misfit, refused } from '../cms/http.ts'
import { type GohighlevelApi, MAX_PAGES, PAGE } from './api.ts'
import { labelsOf } from './connect.ts'
import { bodyOf, type GhlPost, type Place, statusOf, toPost, wordsIn } from './transform.ts'

/** One blog of a location, and the services for working in it. */
export type Blog = { api: GohighlevelApi; connection: Connection; place: Place; deps: CmsDeps }

/** True if a post exists and is not in the trash. */
const isThere = (post: GhlPost | null): post is GhlPost => post !== null && statusOf(post) !== 'trashed'

/**
 * Returns a post from the lists: searched by slug (newer versions of the API match it), then by title, then on all pages.
 *
 * Returns null if it is not among all posts. A blog with more posts than are read is a failure, because the post may be among the others.
 */
const listed = async (
  { api, place }: Blog,
  { slug, title }: Pick<CmsQuery, 'slug' | 'title'>,
  is: (post: GhlPost) => boolean,
): Promise<Got<GhlPost | null>> => {
  for (const term of [slug, title]) {
    const matching = await api.posts(place.blogId, 0, term)
    if (matching.kind !== 'got') return matching
    const found = matching.value.blogs.find(is)
    if (found) return got(found)
  }
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const all = await api.posts(place.blogId, page * PAGE)
    if (all.kind !== 'got') return all
    const post = all.value.blogs.find(is)
    if (post) return got(post)
    if (all.value.given < PAGE) return got(null)
  }
  return refused(
    'unexpected_answer',
    `The post is not among the ${MAX_PAGES * PAGE} posts GoHighLevel lists first, and its API has no question for one post. Whether it is there is not known.`,
    200,
  )
}

const slugTaken = (slug: string): CmsFailure =>
  refused(
    'slug_taken',
    `GoHighLevel says that the slug "${slug}" is another post's, in the trash or in another blog of the location.`,
    409,
  )

/**
 * Returns the post of an article: by id, else by slug.
 *
 * A slug that only a post in the trash or in another blog has is refused as taken.
 */
export const findPost = async (blog: Blog, query: CmsQuery): Promise<CmsResult<Found>> => {
  const { api, place } = blog
  if (query.remoteId) {
    const byId = await listed(blog, query, (post) => post._id === query.remoteId)
    if (byId.kind !== 'got') return byId
    if (isThere(byId.value)) return done({ ...toPost(byId.value, place.blogUrl), matchedBy: 'remote_id' })
  }
  const taken = await api.isSlugTaken(query.slug)
  if (taken.kind !== 'got') return taken
  if (!taken.value.exists) return done(null)
  const bySlug = await listed(blog, query, (post) => post.urlSlug === query.slug && isThere(post))
  if (bySlug.kind !== 'got') return bySlug
  return bySlug.value ? done({ ...toPost(bySlug.value, place.blogUrl), matchedBy: 'slug' }) : slugTaken(query.slug)
}

/** True if a public page shows a text. Undefined if the page cannot be read, or the text has no distinctive part. */
const showsText = async (deps: CmsDeps, url: string, html: string): Promise<boolean | undefined> => {
  const run = distinctiveRun(html)
  if (run === undefined) return undefined
  const { outbound, serviceName } = deps
  const page = await readLivePage({ outbound, settings: { serviceName } }, url)
  return page.kind === 'page' && page.status === 200 ? runText(page.html).includes(run) : undefined
}

const NO_IMAGE =
  'GoHighLevel takes no post without an image. Give the article a feature image, or the connection a default_image_url.'

/** Makes a post that got another slug a draft, because the API cannot delete it. Returns a refusal that says so. */
const withdraw = async ({ api }: Blog, post: GhlPost, body: Record<string, unknown>): Promise<CmsFailure> => {
  const other = post.urlSlug ?? ''
  const changed = await api.change(post._id, {
    ...body,
    urlSlug: other,
    status: 'DRAFT',
    wordCount: wordsIn(String(body.rawHTML)),
  })
  const left = changed.kind === 'got' ? 'It is a draft there now' : 'It could not be made a draft'
  return refused(
    'conflict',
    `GoHighLevel made the post under the slug "${other}", as "${body.urlSlug}" is taken. ${left}; its API cannot delete it, so delete it there.`,
    409,
  )
}

/** Creates a post if its slug is free. */
export const createPost = async (blog: Blog, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const { api, connection, place, deps } = blog
  const fallback = connection.secrets.default_image_url
  const image = article.image ?? (fallback ? { url: fallback, alt: article.title } : undefined)
  if (!image) return misfit(NO_IMAGE)
  const labels = await labelsOf(api, connection, article)
  if (labels.kind !== 'got') return labels
  const taken = await api.isSlugTaken(article.slug)
  if (taken.kind !== 'got') return taken
  if (taken.value.exists) return slugTaken(article.slug)
  const body = bodyOf(article, place, {
    ...labels.value,
    image,
    status: article.status === 'published' ? 'PUBLISHED' : 'DRAFT',
    urlSlug: article.slug,
    publishedAt: article.publishedAt ?? deps.now().toISOString(),
  })
  const made = await api.create(body)
  if (made.kind !== 'got') return made
  const post = made.value
  if (post.urlSlug && post.urlSlug !== article.slug) return await withdraw(blog, post, body)
  const notes = [...labels.value.notes, ...(article.image ? [] : ['The default image was used.'])]
  return done(
    toPost({ ...post, urlSlug: article.slug, status: post.status ?? String(body.status) }, place.blogUrl),
    notes,
  )
}

const WHOLE =
  'GoHighLevel takes whole posts only and tells no text, so what people edited in the other fields there was written over.'
const LIVE_DRAFT = 'GoHighLevel has no drafts of live posts, so the post was left as it is.'
const UNCONFIRMED = 'GoHighLevel does not say that the post was changed; look at it.'

/**
 * Returns a note if the public page does not show the new text.
 *
 * The API may silently drop the text of an update, and it returns no text. So the public page is the only proof.
 */
const textNotes = async ({ deps }: Blog, post: CmsPost, article: CmsArticle): Promise<string[]> => {
  if (post.url === null) return []
  return (await showsText(deps, post.url, article.html)) === false
    ? [
        `${post.url} does not show the new text. If it does not in a minute, GoHighLevel kept the old one, a fault of its API (highlevel-api-docs#334): open the post in its editor, paste the new text there and save it.`,
      ]
    : []
}

/** Returns the whole post to send. Fields that the article leaves empty stay as they were. */
const bodyAfter = async (
  { api, connection, place, deps }: Blog,
  before: GhlPost,
  article: CmsArticle,
  update: CmsUpdate,
): Promise<CmsFailure | { kind: 'body'; body: Record<string, unknown>; notes: string[] }> => {
  const isLive = before.status === 'PUBLISHED'
  const isChange = update.intent === 'change'
  const image = article.image ?? { url: before.imageUrl ?? '', alt: before.imageAltText ?? '' }
  if (image.url === '') return misfit(NO_IMAGE)
  const labels = await labelsOf(api, connection, article)
  if (labels.kind !== 'got') return labels
  const body = bodyOf(article, place, {
    author: article.author === '' && before.author ? before.author : labels.value.author,
    categories: article.category === '' && before.categories.length > 0 ? before.categories : labels.value.categories,
    image,
    // Every update needs a status and a date. A change keeps those of the post.
    status: isChange ? (before.status ?? 'DRAFT') : article.status === 'published' ? 'PUBLISHED' : 'DRAFT',
    urlSlug: before.urlSlug ?? article.slug,
    publishedAt: (isLive || isChange ? before.publishedAt : article.publishedAt) ?? deps.now().toISOString(),
  })
  const notes = isChange && update.only ? [...labels.value.notes, WHOLE] : labels.value.notes
  return { kind: 'body', body: { ...body, wordCount: wordsIn(article.html) }, notes }
}

const change = async (
  blog: Blog,
  before: GhlPost,
  article: CmsArticle,
  update: CmsUpdate,
): Promise<CmsResult<CmsPost | null>> => {
  const made = await bodyAfter(blog, before, article, update)
  if (made.kind !== 'body') return made
  const { body, notes } = made
  const changed = await blog.api.change(before._id, body)
  if (changed.kind === 'refused' && changed.code === 'site_not_found') return done(null)
  if (changed.kind !== 'got') return changed
  const after = changed.value
  const isSeen = !after.updatedAt || after.updatedAt !== before.updatedAt
  const sent = { urlSlug: String(body.urlSlug), title: article.title, archived: false }
  const post = toPost({ ...after, ...sent, status: after.status ?? String(body.status) }, blog.place.blogUrl)
  return done(post, [...notes, ...(isSeen ? [] : [UNCONFIRMED]), ...(await textNotes(blog, post, article))])
}

/** Runs `work` on the post with this id. Returns null if the post is gone. */
const ofPost = async (
  blog: Blog,
  remoteId: string,
  article: CmsArticle,
  work: (before: GhlPost) => Promise<CmsResult<CmsPost | null>>,
): Promise<CmsResult<CmsPost | null>> => {
  const before = await listed(blog, article, (post) => post._id === remoteId)
  if (before.kind !== 'got') return before
  return isThere(before.value) ? await work(before.value) : done(null)
}

/** Changes a post in place. Returns null if it is gone. */
export const updatePost = (
  blog: Blog,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<CmsResult<CmsPost | null>> =>
  ofPost(blog, remoteId, article, async (before) =>
    update.intent === 'complete' && before.status === 'PUBLISHED' && article.status === 'draft'
      ? done(toPost(before, blog.place.blogUrl), [LIVE_DRAFT])
      : await change(blog, before, article, update),
  )

/** Makes a live post a draft. The whole article is sent, because every update needs the whole post. Returns null if the post is gone. */
export const unpublishPost = (blog: Blog, remoteId: string, article: CmsArticle): Promise<CmsResult<CmsPost | null>> =>
  ofPost(blog, remoteId, article, (before) => change(blog, before, { ...article, status: 'draft' }, COMPLETE))
