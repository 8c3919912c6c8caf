import type { Cms, CmsArticle, CmsFailure, CmsPost, CmsQuery, CmsResult, CmsSite } from '../../publishing/cms.ts'
import type { Connection } from '../../publishing/port.ts'
import { type Found, type Got, got, misfit } from '../cms/got.ts'
import { type CmsMeans, done, refused } from '../cms/http.ts'
import { hidingSecrets } from '../cms/secrets.ts'
import { type GohighlevelApi, gohighlevelApi } from './api.ts'
import { labelsOf, placeOf } from './setting.ts'
import { bodyOf, type Place, toPost, wordsIn } from './transform.ts'
import type { GhlPost } from './types.ts'

const PAGE = 50
/** How far back a post is looked for. */
const MAX_PAGES = 20

type Blog = { api: GohighlevelApi; connection: Connection; place: Place; now: Date }

/** A post of the list: those of this title first, as the search narrows by it, then all. Null: not among them. */
const listed = async (
  { api, place }: Blog,
  title: string,
  is: (post: GhlPost) => boolean,
): Promise<Got<GhlPost | null>> => {
  const titled = await api.posts(place.blogId, PAGE, 0, title)
  if (titled.kind !== 'got') return titled
  const found = titled.value.blogs.find(is)
  if (found) return got(found)
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const all = await api.posts(place.blogId, PAGE, page * PAGE)
    if (all.kind !== 'got') return all
    const post = all.value.blogs.find(is)
    if (post) return got(post)
    if (all.value.blogs.length < PAGE) break
  }
  return got(null)
}

const isThere = (post: GhlPost | null): post is GhlPost =>
  post !== null && toPost(post, 'https://x.example').status !== 'trashed'

const find = async (blog: Blog, query: CmsQuery): Promise<CmsResult<Found>> => {
  const { api, place } = blog
  if (query.remoteId) {
    const byId = await listed(blog, query.title, (post) => post._id === query.remoteId)
    if (byId.kind !== 'got') return byId
    if (isThere(byId.value)) return done({ ...toPost(byId.value, place.blogUrl), matchedBy: 'remote_id' })
  }
  const taken = await api.isSlugTaken(query.slug)
  if (taken.kind !== 'got') return taken
  if (!taken.value.exists) return done(null)
  const bySlug = await listed(blog, query.title, (post) => post.urlSlug === query.slug)
  if (bySlug.kind !== 'got') return bySlug
  if (isThere(bySlug.value)) return done({ ...toPost(bySlug.value, place.blogUrl), matchedBy: 'slug' })
  return slugTaken(query.slug)
}

const slugTaken = (slug: string): CmsFailure =>
  refused(
    'slug_taken',
    `GoHighLevel says that the slug "${slug}" is another post's, in the trash or in another blog of the location.`,
    409,
  )

const NO_IMAGE =
  'GoHighLevel takes no post without an image. Give the article a feature image, or the connection a default_image_url.'

/** A post under another slug than asked for cannot be deleted by the API: it is made a draft, and the refusal says so. */
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

const create = async (blog: Blog, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const { api, connection, place, now } = blog
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
    publishedAt: article.publishedAt ?? now.toISOString(),
  })
  const made = await api.create(body)
  if (made.kind !== 'got') return made
  const post = made.value.data
  if (post.urlSlug && post.urlSlug !== article.slug) return await withdraw(blog, post, body)
  const notes = [...labels.value.notes, ...(article.image ? [] : ['The default image was used.'])]
  return done(
    toPost({ ...post, urlSlug: article.slug, status: post.status ?? String(body.status) }, place.blogUrl),
    notes,
  )
}

const LIVE_DRAFT = 'GoHighLevel has no drafts of live posts, so the post was left as it is.'
const UNCONFIRMED = 'GoHighLevel does not say that the post was changed; look at it.'

const update = async (blog: Blog, remoteId: string, article: CmsArticle): Promise<CmsResult<CmsPost | null>> => {
  const { api, connection, place, now } = blog
  const known = await listed(blog, article.title, (post) => post._id === remoteId)
  if (known.kind !== 'got') return known
  const before = known.value
  if (!isThere(before)) return done(null)
  const isLive = before.status === 'PUBLISHED'
  if (isLive && article.status === 'draft') return done(toPost(before, place.blogUrl), [LIVE_DRAFT])
  const image = article.image ?? { url: before.imageUrl ?? '', alt: before.imageAltText ?? '' }
  if (image.url === '') return misfit(NO_IMAGE)
  const labels = await labelsOf(api, connection, article)
  if (labels.kind !== 'got') return labels
  const urlSlug = before.urlSlug ?? article.slug
  const status = article.status === 'published' ? 'PUBLISHED' : 'DRAFT'
  const publishedAt = (isLive ? before.publishedAt : article.publishedAt) ?? now.toISOString()
  const parts = {
    author: article.author === '' && before.author ? before.author : labels.value.author,
    categories: article.category === '' && before.categories?.length ? before.categories : labels.value.categories,
  }
  const changed = await api.change(remoteId, {
    ...bodyOf(article, place, { ...parts, image, status, urlSlug, publishedAt }),
    wordCount: wordsIn(article.html),
  })
  if (changed.kind === 'refused' && changed.httpStatus === 404) return done(null)
  if (changed.kind !== 'got') return changed
  const after = changed.value.updatedBlogPost
  const isSeen = !after.updatedAt || after.updatedAt !== before.updatedAt
  const post = toPost({ ...after, urlSlug, title: article.title, status }, place.blogUrl)
  return done(post, [...labels.value.notes, ...(isSeen ? [] : [UNCONFIRMED])])
}

/** Each reading scope is tried once, as the API has no list of a token's scopes; those for writing only show when used. */
const probe = async (
  api: GohighlevelApi,
  connection: Connection,
  place: Place & { name: string },
): Promise<CmsResult<CmsSite>> => {
  const labels = await labelsOf(api, connection, { author: '', category: '' })
  if (labels.kind !== 'got') return labels
  const slug = await api.isSlugTaken('connection-test')
  if (slug.kind !== 'got') return slug
  const posts = await api.posts(place.blogId, 1, 0)
  if (posts.kind !== 'got') return posts
  const notes = connection.secrets.default_image_url
    ? []
    : ['Articles without a feature image will be refused: GoHighLevel wants one. A default_image_url helps.']
  return done({ name: place.name, url: place.blogUrl }, notes)
}

/**
 * GoHighLevel's (LeadConnector's) blog API. It has no post by id, no deletion, and never gives a text back: posts are found in
 * lists, a collision is made a draft, and there is no `read`, so a rollback is not possible here. Our mark has no place; when
 * a post was made is told by its id.
 * Not confirmed by documentation: that ids are MongoDB's, what happens to a slug that is taken between check and creation
 * (a suffix is handled), whether an update keeps its text in every case (`wordCount` and `Version: v3` are always sent),
 * the public address (`blog_url`), an empty image (never sent).
 */
export const gohighlevelCms = (connection: Connection, means: CmsMeans): Cms => {
  const { secrets, url } = connection
  const api = gohighlevelApi(means, url, secrets.private_token ?? '', secrets.location_id ?? '')
  const placed = placeOf(api, connection)
  const inBlog = async <T>(work: (blog: Blog) => Promise<CmsResult<T>>): Promise<CmsResult<T>> => {
    const place = await placed()
    return place.kind === 'got' ? await work({ api, connection, place: place.value, now: means.now() }) : place
  }
  const cms: Cms = {
    probe: async () => {
      const place = await placed()
      return place.kind === 'got' ? await probe(api, connection, place.value) : place
    },
    find: (query) => inBlog((blog) => find(blog, query)),
    create: (article) => inBlog((blog) => create(blog, article)),
    update: (remoteId, article) => inBlog((blog) => update(blog, remoteId, article)),
    hostImage: async (image) => {
      const form = new FormData()
      form.set('hosted', 'true')
      form.set('fileUrl', image.url)
      form.set('name', image.url.split('/').at(-1)?.slice(0, 100) || 'image')
      const uploaded = await api.upload(form)
      return uploaded.kind === 'got' ? done(uploaded.value.url) : uploaded
    },
  }
  return hidingSecrets(cms, [secrets.private_token])
}
