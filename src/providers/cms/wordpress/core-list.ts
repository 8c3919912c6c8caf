import * as z from 'zod/mini'
import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsFailure, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, readAnswer } from '../http.ts'
import { pageOf } from '../page-cursor.ts'
import { ownerOf } from './builders.ts'
import { askCore, type Core, failureOf } from './site.ts'
import { listedPost, lockedBy } from './transform.ts'
import { Media, Terms, Users } from './types.ts'

const PAGE = 100

/** Every status that people give to posts. Trash and unsaved drafts are left out. */
const STATUSES = 'publish,future,draft,pending,private'

const raw = z.object({ raw: z.string() })
const id = z.int().check(z.gte(1))

const Listed = z.object({
  id,
  link: z._default(z.string(), ''),
  slug: z._default(z.string(), ''),
  status: z.string(),
  title: raw,
  date_gmt: z.nullish(z.string()),
  modified_gmt: z.nullish(z.string()),
  author: z._default(z.int(), 0),
  // Plugins for languages add it.
  lang: z.catch(z.nullish(z.string()), null),
})
type Listed = z.infer<typeof Listed>

const Stored = z.extend(Listed, {
  content: raw,
  excerpt: z.optional(raw),
  tags: z._default(z.array(id), []),
  categories: z._default(z.array(id), []),
  featured_media: z._default(z.int(), 0),
  password: z._default(z.string(), ''),
  // Without a registered key, PHP writes an empty list.
  meta: z.catch(z.record(z.string(), z.unknown()), {}),
})
type Stored = z.infer<typeof Stored>

/** Named fields only: with all of them, the site would run every shortcode of every post. */
const LISTED_FIELDS = 'id,link,slug,status,title.raw,date_gmt,modified_gmt,author,lang'
const STORED_FIELDS = `${LISTED_FIELDS},content.raw,excerpt.raw,tags,categories,featured_media,password,meta`

const sitePost = ({ link, title, author, lang, ...post }: Listed, names: ReadonlyMap<number, string>): SitePost =>
  listedPost({
    ...post,
    title: title.raw,
    url: link || null,
    author: names.get(author) ?? null,
    language: lang || null,
  })

/** Returns the names of authors. To some users WordPress shows no others, and their posts then have no name. */
const namesOf = async (core: Core, posts: readonly Listed[]): Promise<Map<number, string>> => {
  const authors = [...new Set(posts.map(({ author }) => author).filter((author) => author > 0))]
  if (authors.length === 0) return new Map()
  const query = { include: authors.join(','), per_page: String(PAGE), _fields: 'id,name' }
  const users = await askCore(core, Users, { method: 'GET', path: 'users', query })
  return new Map((users.kind === 'done' ? (users.value ?? []) : []).map(({ id: user, name }) => [user, name]))
}

/**
 * Lists a page of posts, oldest first, so that new posts move no other.
 *
 * WordPress counts the posts that the user may not edit, and leaves them out of the page.
 */
export const listSitePosts = async (core: Core, cursor: string | null): Promise<CmsResult<SitePostPage>> => {
  const number = pageOf(cursor)
  const answer = await core.site.ask({
    method: 'GET',
    path: 'wp/v2/posts',
    query: {
      context: 'edit',
      status: STATUSES,
      per_page: String(PAGE),
      page: String(number),
      orderby: 'id',
      order: 'asc',
      _fields: LISTED_FIELDS,
    },
  })
  if (answer.kind !== 'answered') return answer
  if (answer.status === 400 && JSON.stringify(answer.json).includes('rest_post_invalid_page_number'))
    return done({ posts: [], next: null, hidden: 0, total: null })
  if (answer.status >= 300) return failureOf(answer)
  const read = readAnswer(z.array(Listed), answer, { name: 'WordPress', writes: false })
  if (read.kind !== 'got') return read
  const total = Number(answer.headers.get('x-wp-total') ?? Number.NaN)
  const names = await namesOf(core, read.value)
  const counted = Number.isNaN(total) ? read.value.length : Math.min(PAGE, Math.max(0, total - (number - 1) * PAGE))
  return done({
    posts: read.value.map((post) => sitePost(post, names)),
    next: total > number * PAGE ? String(number + 1) : null,
    hidden: Math.max(0, counted - read.value.length),
    total: Number.isNaN(total) ? null : total,
  })
}

type Read<T> = { kind: 'done'; value: T | null } | CmsFailure

const byId = (core: Core, postId: string): Promise<Read<Stored>> =>
  askCore(core, Stored, {
    method: 'GET',
    path: `posts/${postId}`,
    query: { context: 'edit', _fields: STORED_FIELDS },
  })

/** Returns the post with an address. Pages, attachments and posts of other types are not found. */
const byUrl = async (core: Core, address: string): Promise<Read<Stored>> => {
  const url = new URL(address)
  const plain = url.searchParams.get('p')
  if (plain !== null && /^\d{1,18}$/.test(plain)) return await byId(core, plain)
  const slug =
    url.pathname
      .replace(/\/+$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.html?$/, '') ?? ''
  if (slug === '') return { kind: 'done', value: null }
  const query = { slug, status: STATUSES, context: 'edit', per_page: '50', _fields: STORED_FIELDS }
  const found = await askCore(core, z.array(Stored), { method: 'GET', path: 'posts', query })
  if (found.kind !== 'done') return found
  const post = found.value?.find(({ link }) => URL.canParse(link) && pageKey(new URL(link)) === pageKey(url))
  return { kind: 'done', value: post ?? null }
}

const termNames = async (core: Core, kind: 'tags' | 'categories', post: Stored): Promise<string[]> => {
  if (post[kind].length === 0) return []
  const query = { include: post[kind].join(','), per_page: String(PAGE), _fields: 'id,name' }
  const listed = await askCore(core, Terms, { method: 'GET', path: kind, query })
  return listed.kind === 'done' ? (listed.value ?? []).map(({ name }) => name) : []
}

const imageOf = async (core: Core, { featured_media: picture }: Stored): Promise<StoredPost['image']> => {
  if (picture === 0) return null
  const query = { context: 'edit', _fields: 'id,source_url,alt_text' }
  const found = await askCore(core, Media, { method: 'GET', path: `media/${picture}`, query })
  return found.kind === 'done' && found.value ? { url: found.value.source_url, alt: found.value.alt_text } : null
}

const DELIMITER = /<!--\s+wp:/

/** Returns the form of a stored text: with or without delimiters of blocks. */
export const formatOf = (text: string): 'blocks' | 'classic' => (DELIMITER.test(text) ? 'blocks' : 'classic')

/** Reads a post with its stored text. Null if there is none, or it is in the trash. The post's password is not returned. */
export const readSitePost = async (core: Core, ref: PostRef): Promise<CmsResult<StoredPost | null>> => {
  if ('postId' in ref && !/^\d{1,18}$/.test(ref.postId)) return done(null)
  const found = 'postId' in ref ? await byId(core, ref.postId) : await byUrl(core, ref.url)
  if (found.kind !== 'done') return found
  const post = found.value
  if (post === null || post.status === 'trash') return done(null)
  const listed = sitePost(post, new Map())
  const [names, tags, categories, image, owner] = await Promise.all([
    namesOf(core, [post]),
    termNames(core, 'tags', post),
    termNames(core, 'categories', post),
    imageOf(core, post),
    ownerOf(core.deps, { text: post.content.raw, meta: post.meta, url: listed.url }),
  ])
  const text = post.content.raw
  return done({
    ...listed,
    author: names.get(post.author) ?? null,
    slug: post.slug,
    format: formatOf(text),
    text,
    excerpt: post.excerpt?.raw ?? '',
    metaDescription: post.excerpt?.raw ?? '',
    seoTitle: '',
    canonicalUrl: '',
    tags,
    categories,
    image,
    lock: null,
    ...owner,
    ...lockedBy(post.password !== ''),
  })
}
