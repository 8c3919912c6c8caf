import { readWithProject } from '../../accounts/projects/scope.ts'
import { invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { SitePosts, TargetFactory } from '../target/publish-target.ts'
import type { SitePost } from '../target/site-posts.ts'
import type { ListSitePostsInput } from './operations.ts'
import { articlesOfPosts, indexedAt, pagesWith, targetOfProject } from './queries.ts'
import { notListed, notRead } from './rules.ts'

/** Returns a target's site in the form of `articles.remote_site`. */
export const siteKey = ({ platform, url }: Pick<TargetRow, 'platform' | 'url'>): string => `${platform} ${url}`

/** Returns the calls for the posts of a target. Throws 400 if its platform has none. */
export const postsAt = async (ctx: Ctx, targets: TargetFactory, row: TargetRow): Promise<SitePosts> => {
  const target = await openTarget(ctx, targets, row)
  if (!target?.posts) throw notListed(row.platform)
  return target.posts
}

/** Target of a project, with the addresses of its site. */
export type SiteTarget = TargetRow & { site: { websiteKey: string; blogRootUrl: string } }

/** Returns the active target of a project of the account. Throws 404, 403, and 400 without a target. */
export const siteOfProject = async (ctx: Ctx, projectId: number): Promise<SiteTarget> => {
  const {
    results: [row],
  } = await readWithProject(ctx, projectId, targetOfProject(ctx.db, projectId))
  if (!row) throw noTarget(ctx, projectId)
  return row
}

type Known = Awaited<ReturnType<typeof articlesOfPosts>>[number]

const shown = (post: SitePost, known: Known | undefined) => ({
  post_id: post.postId,
  title: post.title,
  url: post.url,
  status: post.status,
  site_status: post.siteStatus ?? post.status,
  published_at: post.publishedAt && new Date(post.publishedAt).toISOString(),
  changed_at: post.changedAt && new Date(post.changedAt).toISOString(),
  author: post.author,
  language: post.language,
  article_id: known?.id ?? null,
  origin: known?.origin ?? null,
})

const FOUND_PAGE = 100
const MAX_OFFSET = 50_000
const MAX_WORDS = 10

/** Returns the place in the results that a cursor names. Throws 400 for one that names none. */
const offsetOf = (cursor: string | undefined): number => {
  if (cursor === undefined) return 0
  if (!/^\d{1,5}$/.test(cursor) || Number(cursor) > MAX_OFFSET)
    throw invalidInput([{ field: 'cursor', message: 'must be the next_cursor of the previous response' }])
  return Number(cursor)
}

/**
 * Searches the known pages of a project's site: those of its sitemap, and published articles. No CMS is asked.
 *
 * Throws 404 and 403 for the project, and 400 for too many words or a wrong cursor.
 */
const searchSitePosts = async (ctx: Ctx, projectId: number, q: string, cursor: string | undefined) => {
  const words = q.trim().split(/\s+/)
  if (words.length > MAX_WORDS) throw invalidInput([{ field: 'q', message: `must have at most ${MAX_WORDS} words` }])
  const offset = offsetOf(cursor)
  const {
    results: {
      found,
      index: [index],
    },
  } = await readWithProject(ctx, projectId, {
    found: pagesWith(ctx.db, projectId, words, { limit: FOUND_PAGE, offset }),
    index: indexedAt(ctx.db, projectId),
  })
  const total = found[0]?.total ?? 0
  return {
    platform: null,
    posts: found.map(({ url, title, articleId, origin }) => ({
      post_id: null,
      title,
      url,
      status: 'published' as const,
      site_status: 'published',
      published_at: null,
      changed_at: null,
      author: null,
      language: null,
      article_id: articleId,
      origin,
    })),
    count: found.length,
    total,
    indexed_at: index?.at?.toISOString() ?? null,
    hidden: 0,
    next_cursor: offset + found.length < total ? String(offset + found.length) : null,
  }
}

/**
 * Lists a page of the posts that the connected CMS has, and which of them are articles.
 *
 * With `q`, searches the known pages of the site instead. Throws 404, 403, 400 without a target that lists posts, and 422 or 503
 * with the site's reason.
 */
export const listSitePosts = async (
  ctx: Ctx,
  targets: TargetFactory,
  projectId: number,
  { cursor, q }: ListSitePostsInput,
) => {
  if (q !== undefined) return await searchSitePosts(ctx, projectId, q, cursor)
  const row = await siteOfProject(ctx, projectId)
  const posts = await postsAt(ctx, targets, row)
  const page = await posts.list(cursor ?? null)
  if (page.kind !== 'done') throw notRead(row.platform, page)
  const ids = page.value.posts.map(({ postId }) => postId)
  const known = await ctx.read(() => articlesOfPosts(ctx.db, projectId, siteKey(row), ids))
  const byPost = new Map(known.map((article) => [article.postId, article]))
  return {
    platform: row.platform,
    posts: page.value.posts.map((post) => shown(post, byPost.get(post.postId))),
    count: ids.length,
    total: page.value.total,
    hidden: page.value.hidden,
    next_cursor: page.value.next,
    ...(page.notes ? { missing: page.notes } : {}),
  }
}
