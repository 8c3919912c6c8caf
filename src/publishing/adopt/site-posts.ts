import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { noTarget, openTarget, type TargetRow } from '../target/open.ts'
import type { SitePosts, TargetFactory } from '../target/publish-target.ts'
import type { SitePost } from '../target/site-posts.ts'
import type { ListSitePostsInput } from './operations.ts'
import { articlesOfPosts, targetOfProject } from './queries.ts'
import { notListed, notRead } from './rules.ts'

/** Returns a target's site in the form of `articles.remote_site`. */
export const siteKey = ({ platform, url }: Pick<TargetRow, 'platform' | 'url'>): string => `${platform} ${url}`

/** Returns the calls for the posts of a target. Throws 400 if its platform has none. */
export const postsAt = async (ctx: Ctx, targets: TargetFactory, row: TargetRow): Promise<SitePosts> => {
  const target = await openTarget(ctx, targets, row)
  if (!target?.posts) throw notListed(row.platform)
  return target.posts
}

/** Returns the active target of a project of the account. Throws 404, 403, and 400 without a target. */
export const siteOfProject = async (ctx: Ctx, projectId: number): Promise<TargetRow> => {
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

/**
 * Lists a page of the posts that the connected CMS has, and which of them are articles.
 *
 * Throws 404, 403, 400 without a target that lists posts, and 422 or 503 with the site's reason.
 */
export const listSitePosts = async (
  ctx: Ctx,
  targets: TargetFactory,
  projectId: number,
  { cursor }: ListSitePostsInput,
) => {
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
    ...(page.notes ? { notes: page.notes } : {}),
  }
}
