import * as z from 'zod/mini'
import type { CmsArticle, CmsFailure, CmsPost, CmsQuery, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { done, quotable, refused } from '../http.ts'
import { askCore, type Core, errorIn, failureOf } from './site.ts'
import {
  choosePost,
  commentText,
  isSameName,
  longestWord,
  plainName,
  slugsToLookAt,
  termSlugs,
  toPost,
} from './transform.ts'
import { Created, Hits, Pages, Post, Posts, Terms, Users, type WordpressPost } from './types.ts'

/** True if a text can be a WordPress post id: digits only. Other ids come from another CMS. */
export const isPostId = (text: string): boolean => /^\d{1,18}$/.test(text)

const WRITTEN = 'id,slug,status,link,permalink_template,date_gmt,modified_gmt,title,content,featured_media,password'

/**
 * Returns the refusal for a post that people turned into a page or another public type; undefined if they did not.
 *
 * Such a post is no longer found among the posts.
 */
const madeAnother = async (core: Core, remoteId: string): Promise<CmsFailure | undefined> => {
  const query = { include: remoteId, subtype: 'any', _fields: 'id,title,url,subtype' }
  const hits = await askCore(core, Hits, { method: 'GET', path: 'search', query })
  if (hits.kind !== 'done') return hits.kind === 'refused' && !hits.retryable ? undefined : hits
  const hit = hits.value?.find(({ id, subtype }) => String(id) === remoteId && subtype !== 'post')
  return (
    hit &&
    refused(
      'conflict',
      `The post is a ${quotable(hit.subtype)} at WordPress now ("${quotable(hit.title)}", ${quotable(hit.url)}), which is not changed from here. Make it a post again there, or detach the article from it.`,
      409,
    )
  )
}

/**
 * Returns a post by its id; null if it does not exist or is in the trash. A post that became a page is a failure.
 *
 * `withRights`: also what the user may do with it.
 */
export const readPost = async (
  core: Core,
  remoteId: string,
  withRights = false,
): Promise<{ kind: 'done'; value: WordpressPost | null } | CmsFailure> => {
  if (!isPostId(remoteId)) return { kind: 'done', value: null }
  const query = { context: 'edit', _fields: withRights ? `${WRITTEN},_links` : WRITTEN }
  const result = await askCore(core, Post, { method: 'GET', path: `posts/${remoteId}`, query })
  if (result.kind !== 'done') return result
  if (result.value === null) return (await madeAnother(core, remoteId)) ?? result
  return result.value.status === 'trash' ? { kind: 'done', value: null } : result
}

const listPosts = async (core: Core, by: { slug: string } | { search: string }) =>
  await askCore(core, Posts, {
    method: 'GET',
    path: 'posts',
    query: {
      ...by,
      status: 'any',
      context: 'edit',
      per_page: '50',
      orderby: 'id',
      order: 'asc',
      _fields: WRITTEN,
    },
  })

/** Returns the posts under these slugs, including drafts. */
export const postsUnder = (core: Core, slugs: readonly string[]) => listPosts(core, { slug: slugs.join(',') })

/** Returns the refusal for a post that has the stored id but the mark of another article. */
const otherArticle = ({ remoteId }: CmsPost): CmsFailure =>
  refused('conflict', `The post ${remoteId} at WordPress has the mark of another article. Nothing was changed.`, 409)

type Found = CmsPost & { matchedBy: 'remote_id' | 'marker' | 'slug' }

/**
 * Returns the post of an article: by its id, else under its slugs, else by our marker in the content.
 *
 * Without a post under the slugs, the marker is searched only if no id is known.
 */
export const findPost = async (core: Core, query: CmsQuery): Promise<CmsResult<Found | null>> => {
  const service = core.deps.serviceName
  const byId = await readPost(core, query.remoteId ?? '')
  if (byId.kind !== 'done') return byId
  const known = byId.value && toPost(byId.value, service, query.marker)
  if (known && known.marker !== null && known.marker !== query.marker) return otherArticle(known)
  if (known) return done({ ...known, matchedBy: 'remote_id' })
  const among = (posts: readonly WordpressPost[] | null) =>
    choosePost(
      (posts ?? []).map((post) => toPost(post, service, query.marker)),
      query,
    )
  const under = await postsUnder(core, slugsToLookAt(query.slug))
  if (under.kind !== 'done') return under
  const found = among(under.value)
  if (found || query.remoteId !== undefined) return done(found)
  // If the answer to its creation was lost and an editor changed its slug, only the mark in its content identifies it.
  const marked = await listPosts(core, { search: `"${commentText(query.marker)} -->"` })
  return marked.kind === 'done' ? done(among(marked.value)) : marked
}

type Written = { kind: 'done'; value: WordpressPost } | CmsFailure

/** Writes fields of a post. Without `id` it creates one. */
export const writePost = async (core: Core, id: number | undefined, fields: object): Promise<Written> => {
  const path = id === undefined ? 'posts' : `posts/${id}`
  const query = { context: 'edit', _fields: WRITTEN }
  const result = await askCore(core, Post, { method: 'POST', path, query, json: fields })
  if (result.kind !== 'done') return result
  return result.value
    ? { kind: 'done', value: result.value }
    : refused('conflict', 'The post was deleted at WordPress meanwhile.', 404, true)
}

/** Returns the refusal of a change of a post that people changed since it was read at `seenAt`; undefined if nobody did. */
export const changedSince = (
  { modified_gmt: now }: WordpressPost,
  seenAt: string | undefined,
): CmsFailure | undefined =>
  seenAt === undefined || now === undefined || now === seenAt
    ? undefined
    : refused('changed', 'Somebody changed the post at WordPress at the same moment. Nothing was changed.', 409, true)

/** Deletes a post that was just created and that no reader has seen. If it cannot be deleted, it stays a draft. */
export const removeDraft = async (core: Core, id: number): Promise<void> => {
  // Sends `_method=DELETE` with POST, because many firewalls block DELETE.
  await core.site.ask({
    method: 'POST',
    path: `wp/v2/posts/${id}`,
    query: { _method: 'DELETE', force: 'true', _fields: 'deleted' },
  })
}

/** Returns the refusal of a slug that another post has. */
export const slugTaken = (slug: string): CmsFailure =>
  refused('slug_taken', `WordPress already has a post under the slug "${slug}".`, 409)

/** Returns the published page at the address that a post would get, or null. WordPress shows the page there, not the post. */
export const pageAt = async (
  core: Core,
  { permalink_template: template }: WordpressPost,
  slug: string,
): Promise<{ kind: 'done'; value: { title: string; link: string } | null } | CmsFailure> => {
  if (template === undefined) return { kind: 'done', value: null }
  const query = { slug, status: 'publish', context: 'edit', per_page: '50', _fields: 'id,link,title' }
  const pages = await askCore(core, Pages, { method: 'GET', path: 'pages', query })
  // A user who may not list pages can still publish. The receipt shows what readers get.
  if (pages.kind !== 'done') return pages.kind === 'refused' && !pages.retryable ? { kind: 'done', value: null } : pages
  const address = template.replace('%postname%', slug)
  const page = (pages.value ?? []).find(({ link }) => link === address)
  return { kind: 'done', value: page ? { title: page.title.raw, link: page.link } : null }
}

/** Returns the refusal of an address that a page already has. */
export const addressTakenByPage = ({ title, link }: { title: string; link: string }): CmsFailure =>
  refused(
    'conflict',
    `The page "${quotable(title)}" has the address ${link}, and readers would see it instead of the post. Change the article's slug, or move the page.`,
    409,
  )

/** True if another post, in any state, has the slug. Also true if the search fails. */
export const isHeldByAnother = async (core: Core, slug: string, id: number): Promise<boolean> => {
  const under = await postsUnder(core, [slug])
  return under.kind !== 'done' || (under.value ?? []).some((post) => post.id !== id)
}

/** Ids found or created, and notes on names that have none. */
type Ids = { ids: number[]; notes: string[] }

type Kind = 'tags' | 'categories'

const SINGULAR = { tags: 'tag', categories: 'category' } as const

/** Id of an existing term, from WordPress's refusal to create it again. */
const existing = z.object({ data: z.object({ term_id: z.coerce.number().check(z.int(), z.gte(1)) }) })

const makeTerm = async (core: Core, kind: Kind, name: string): Promise<number | CmsFailure> => {
  const answer = await core.site.ask({
    method: 'POST',
    path: `wp/v2/${kind}`,
    query: { _fields: 'id,code,message,data' },
    json: { name },
  })
  if (answer.kind !== 'answered') return answer
  const made = answer.status < 300 ? Created.safeParse(answer.json) : undefined
  if (made?.success) return made.data.id
  const known = errorIn(answer)?.code === 'term_exists' ? existing.safeParse(answer.json) : undefined
  return known?.success ? known.data.data.term_id : failureOf(answer)
}

const listTerms = async (core: Core, kind: Kind, query: { slug: string } | { search: string }) => {
  const fields = { ...query, per_page: '100', _fields: 'id,name' }
  const listed = await askCore(core, Terms, { method: 'GET', path: kind, query: fields })
  return listed.kind === 'done' ? (listed.value ?? []) : []
}

/** Returns the id of the term with a name, below any parent and under any slug; undefined if there is none. */
const termNamed = async (core: Core, kind: Kind, name: string): Promise<number | undefined> => {
  const found = await listTerms(core, kind, { search: longestWord(plainName(name)) })
  return found.find((term) => isSameName(term.name, name))?.id
}

/**
 * Returns the ids of tags or categories by name. Looks all up by slug in one request, those that are missing by name, and creates
 * the rest.
 *
 * A name that cannot be created becomes a note. Only a rate limit fails the call, because every further request would hit it too.
 */
const termIds = async (core: Core, kind: Kind, names: readonly string[]): Promise<Ids | CmsFailure> => {
  if (names.length === 0) return { ids: [], notes: [] }
  const slugs = termSlugs(names.map(plainName))
  const known = slugs.length === 0 ? [] : await listTerms(core, kind, { slug: slugs.join(',') })
  const ids = new Set<number>()
  const notes: string[] = []
  for (const name of names) {
    const id =
      known.find((term) => isSameName(term.name, name))?.id ??
      (await termNamed(core, kind, name)) ??
      (await makeTerm(core, kind, name))
    if (typeof id === 'number') ids.add(id)
    else if (id.kind === 'refused' && id.code === 'rate_limited') return id
    else notes.push(`The ${SINGULAR[kind]} "${plainName(name)}" could not be made: ${id.reason}`)
  }
  return { ids: [...ids], notes }
}

/**
 * Returns the id of the only user with this name.
 *
 * To users who may not list others, WordPress shows only users with published posts.
 */
const authorId = async (core: Core, name: string): Promise<Ids | CmsFailure> => {
  if (name === '') return { ids: [], notes: [] }
  const query = { search: name, per_page: '100', _fields: 'id,name' }
  const result = await askCore(core, Users, { method: 'GET', path: 'users', query })
  if (result.kind === 'refused' && result.code === 'rate_limited') return result
  const users = result.kind === 'done' ? (result.value ?? []) : []
  const same = users.filter((user) => isSameName(user.name, name))
  const [user] = same
  return user && same.length === 1
    ? { ids: [user.id], notes: [] }
    : {
        ids: [],
        notes: [
          `No one user named "${plainName(name)}" was found at WordPress, so the byline is the connected user's.`,
        ],
      }
}

/** Returns the post fields for an article's tags, category and author. Empty ones are left out, so the post keeps its own. */
export const termFields = async (
  core: Core,
  article: CmsArticle,
): Promise<{ fields: { tags?: number[]; categories?: number[]; author?: number }; notes: string[] } | CmsFailure> => {
  const tags = await termIds(core, 'tags', article.tags)
  if ('kind' in tags) return tags
  const categories = await termIds(core, 'categories', article.category === '' ? [] : [article.category])
  if ('kind' in categories) return categories
  const author = await authorId(core, article.author)
  if ('kind' in author) return author
  const [user] = author.ids
  return {
    fields: {
      ...(tags.ids.length > 0 ? { tags: tags.ids } : {}),
      ...(categories.ids.length > 0 ? { categories: categories.ids } : {}),
      ...(user === undefined ? {} : { author: user }),
    },
    notes: [...tags.notes, ...categories.notes, ...author.notes],
  }
}
