import { createHash } from 'node:crypto'
import type { DeliveredArticle } from './payload.ts'

export type Post = {
  /** The article's id at the sender; null for a post older than stored ids. */
  article_id: string | null
  slug: string
  title: string
  content_html: string
  meta_description: string
  image_url: string
  alt_text: string
  tags: string[]
  author: string
  status: 'Published' | 'Draft'
  published_at: string
  created_at: string
  received_at: string
  changed_at: string
  /** Number of changes of the stored post after it was created. */
  changes: number
}

export type Action = 'created' | 'updated' | 'unchanged'
export type Stored = { id: string; action: Action; slug: string }

export type Blog = {
  /** Stores one article; undefined when `updateOnly` and no post matches. */
  store: (article: DeliveredArticle, updateOnly: boolean) => Stored | undefined
  matches: (article: DeliveredArticle) => boolean
  bySlug: (slug: string) => Post | undefined
  byArticle: (articleId: string) => Post | undefined
  /** Newest first. */
  posts: () => Post[]
  addOldPost: (post: Pick<Post, 'slug' | 'title' | 'content_html'>) => void
  clear: () => void
}

const CONTENT = ['title', 'content_html', 'meta_description', 'image_url', 'alt_text', 'author', 'status'] as const

const contentOf = (source: DeliveredArticle | Post): string =>
  JSON.stringify([...CONTENT.map((field) => source[field]), source.tags])

/** Returns a digest that is the same for two deliveries that would leave the same posts. */
export const fingerprint = (articles: readonly DeliveredArticle[]): string =>
  createHash('sha256')
    .update(JSON.stringify(articles.map((article) => [article.id, article.slug, contentOf(article)])))
    .digest('base64url')

const newPost = (article: DeliveredArticle, slug: string, now: string): Post => ({
  article_id: article.id,
  slug,
  title: article.title,
  content_html: article.content_html,
  meta_description: article.meta_description,
  image_url: article.image_url,
  alt_text: article.alt_text,
  tags: article.tags,
  author: article.author,
  status: article.status,
  published_at: article.published_at,
  created_at: article.created_at || now,
  received_at: now,
  changed_at: now,
  changes: 0,
})

/** The posts by slug, and the slug of each article that has one. */
type Shelf = { posts: Map<string, Post>; slugs: Map<string, string> }

const postOf = ({ posts, slugs }: Shelf, articleId: string): Post | undefined => posts.get(slugs.get(articleId) ?? '')

/** Returns the post of an article: by its id, or by its slug if that post has no id. */
const match = (shelf: Shelf, article: DeliveredArticle): Post | undefined => {
  const old = shelf.posts.get(article.slug)
  return postOf(shelf, article.id) ?? (old?.article_id === null ? old : undefined)
}

const put = ({ posts, slugs }: Shelf, post: Post): void => {
  posts.set(post.slug, post)
  if (post.article_id !== null) slugs.set(post.article_id, post.slug)
}

const create = (shelf: Shelf, article: DeliveredArticle, now: string): Stored => {
  let slug = article.slug
  for (let n = 2; shelf.posts.has(slug); n += 1) slug = `${article.slug}-${n}`
  put(shelf, newPost(article, slug, now))
  return { id: article.id, action: 'created', slug }
}

const change = (shelf: Shelf, post: Post, article: DeliveredArticle, now: string): Stored => {
  const { slug } = post
  if (post.article_id === article.id && contentOf(post) === contentOf(article))
    return { id: article.id, action: 'unchanged', slug }
  put(shelf, {
    ...newPost(article, slug, now),
    published_at: post.published_at || article.published_at,
    created_at: post.created_at,
    received_at: post.received_at,
    changes: post.changes + 1,
  })
  return { id: article.id, action: 'updated', slug }
}

const NO_CONTENT = { meta_description: '', image_url: '', alt_text: '', author: '', tags: [] }

/** Returns the posts of the receiving blog: one post per article id, permalinks and dates that updates do not move. */
export const createBlog = (saved: readonly Post[], clock: () => Date): Blog => {
  const shelf: Shelf = { posts: new Map(), slugs: new Map() }
  for (const post of saved) put(shelf, post)
  const now = (): string => clock().toISOString()

  return {
    store: (article, updateOnly) => {
      const post = updateOnly ? match(shelf, article) : postOf(shelf, article.id)
      if (post) return change(shelf, post, article, now())
      return updateOnly ? undefined : create(shelf, article, now())
    },
    matches: (article) => match(shelf, article) !== undefined,
    bySlug: (slug) => shelf.posts.get(slug),
    byArticle: (articleId) => postOf(shelf, articleId),
    posts: () => [...shelf.posts.values()].sort((a, b) => b.received_at.localeCompare(a.received_at)),
    addOldPost: (post) => {
      const at = now()
      const dates = { published_at: at, created_at: at, received_at: at, changed_at: at }
      put(shelf, { ...NO_CONTENT, ...dates, ...post, article_id: null, status: 'Published', changes: 0 })
    },
    clear: () => {
      shelf.posts.clear()
      shelf.slugs.clear()
    },
  }
}
