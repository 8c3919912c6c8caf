import { eq, exists, type SQL, sql } from 'drizzle-orm'
import { adoptedPosts } from '../../../schema/adopted.ts'
import { articles } from '../../../schema/articles.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { assess, assessmentQueries } from '../../content/articles/assess.ts'
import { hostDataImages, readSent, type SafeContent } from '../../content/articles/content.ts'
import { freeSlug, nextArticleId, slugFor } from '../../content/articles/parts.ts'
import { articlePage } from '../../content/site/writes.ts'
import { isStoredForm } from '../../content/stored/forms.ts'
import { showStoredWork } from '../../content/stored/port.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { SlugChoice } from '../../platform/lib/slug.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { openTarget, type TargetRow } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import type { PostRef, StoredPost } from '../target/site-posts.ts'
import type { AdoptPostInput } from './operations.ts'
import { adoptedCount, articlesOfPosts, isFreePage } from './queries.ts'
import { checkOnSite, checkPage, foundFields, notListed, notPublic, notRead, warningsOf } from './rules.ts'
import { type SiteTarget, siteKey, siteOfProject } from './site-posts.ts'

/** Post of a site, and the project that it is adopted for. */
type Found = { projectId: number; row: TargetRow; post: StoredPost }

type Known = Awaited<ReturnType<typeof articlesOfPosts>>[number]

const knownAnswer = ({ id, origin, title, url }: Known) => ({
  status: 'known' as const,
  article_id: id,
  origin,
  title,
  url,
  message:
    origin === 'own'
      ? 'The post is an article that was made here. Nothing was changed.'
      : 'The post was adopted before. Nothing was changed.',
})

/** Returns the text of a post as HTML that callers read. */
const htmlOf = async (ctx: Ctx, { format, text, html }: StoredPost): Promise<string> => {
  const shown = isStoredForm(format) ? await ctx.texts(showStoredWork, { format, text }) : {}
  return shown.html ?? html ?? text
}

/** Returns the text of a post as safe HTML, and the choice of its slug. Throws 422 for a text that cannot be an article. */
const readFound = async (ctx: Ctx, post: StoredPost): Promise<{ safe: SafeContent; slug: SlugChoice }> => {
  try {
    const { safe, slug } = await readSent(ctx, { content: await htmlOf(ctx, post) }, [post.slug, post.title], '')
    return { safe: safe as SafeContent, slug }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_input') throw error
    throw new ApiError('cms_rejected', `The post cannot be an article: ${error.message}. Nothing was changed.`)
  }
}

const limitReached = (used: number, limit: number): ApiError =>
  new ApiError(
    'adoption_limit',
    `The project has ${used} adopted articles, and the plan allows ${limit}. Nothing was adopted.`,
    { used, limit },
  )

const assessedOf = (post: StoredPost, slug: string) => ({
  keyword: post.title,
  title: post.title,
  slug,
  metaDescription: post.metaDescription,
  featureImage: post.image?.url ?? '',
  articleStyle: 'Informative' as const,
})

const columnsOf = (post: StoredPost, now: Date) => ({
  origin: 'adopted' as const,
  status: 'Published' as const,
  title: post.title,
  mainKeyword: post.title,
  metaDescription: post.metaDescription,
  featureImage: post.image?.url ?? '',
  altText: post.image?.alt ?? '',
  category: post.categories[0] ?? '',
  tags: [...post.tags],
  seoTitle: post.seoTitle,
  canonicalUrl: post.canonicalUrl,
  claimedAt: now,
  url: post.url,
  publishedAt: post.publishedAt === null ? now : new Date(post.publishedAt),
  remoteId: post.postId,
  createdAt: now,
  updatedAt: now,
})

/** Returns the statement that keeps a post as it was found. */
const keepFound =
  (
    articleId: number,
    { projectId, site, post }: { projectId: number; site: string; post: StoredPost },
    hash: string,
    readAt: Date,
  ) =>
  (isMet: SQL) =>
    insertWhere(
      adoptedPosts,
      {
        articleId,
        projectId,
        site,
        postId: post.postId,
        format: post.format,
        source: post.text,
        sourceHash: hash,
        lock: post.lock,
        owner: post.owner,
        fields: foundFields(post),
        readAt,
      },
      { if: isMet },
    )

const MAX_TITLE = 500
const MAX_DESCRIPTION = 1_000

/** Returns a post whose fields the database can store. Its text stays as it is. */
const storable = (post: StoredPost): StoredPost => ({
  ...post,
  title: clip(storableText(post.title), MAX_TITLE) || post.slug,
  metaDescription: clip(storableText(post.metaDescription), MAX_DESCRIPTION),
  excerpt: storableText(post.excerpt),
  seoTitle: clip(storableText(post.seoTitle), MAX_TITLE),
  tags: post.tags.map(storableText),
  categories: post.categories.map(storableText),
  author: post.author && storableText(post.author),
  image: post.image && { url: post.image.url, alt: clip(storableText(post.image.alt), MAX_DESCRIPTION) },
})

/** Throws 422 for a text that cannot be kept byte for byte: PostgreSQL stores neither NUL nor half of a character. */
const checkBytes = ({ text }: StoredPost): void => {
  if (text.includes('\0') || !text.isWellFormed())
    throw new ApiError(
      'cms_rejected',
      'The text of the post has characters that no text may have. Nothing was changed.',
    )
}

const TRIES = 3

/**
 * Makes an article of a post that was read. Its first revision is the text as found, which is also kept in the site's own form.
 *
 * Returns the article of a post that is one already. Throws 402 beyond the plan's maximum, and 422 for a text that cannot be an
 * article.
 */
export const adoptFound = async (ctx: Ctx, { projectId, row, post: read }: Found) => {
  if (read.status !== 'published') throw notPublic(read)
  checkBytes(read)
  const post = storable(read)
  const { safe, slug: choice } = await readFound(ctx, post)
  const site = siteKey(row)
  for (let attempt = 1; ; attempt += 1) {
    const {
      known: [known],
      held: [held],
      ids,
      slugs,
      found,
    } = await ctx.read(() => ({
      known: articlesOfPosts(ctx.db, projectId, site, [post.postId], post.pageKeys),
      held: adoptedCount(ctx.db, projectId),
      ids: nextArticleId(ctx.db),
      slugs: freeSlug(ctx.db, sql`${projectId}::int`, choice),
      found: assessmentQueries(ctx, { projectId }, safe.reading, post.title),
    }))
    if (known) return { status: 200 as const, body: knownAnswer(known) }
    const account = await ctx.account()
    const limit = PLAN_INCLUDES[account.plan].adoptedArticles
    if ((held?.used ?? 0) >= limit) throw limitReached(held?.used ?? 0, limit)
    const id = Number(ids.rows[0]?.id)
    const slug = slugFor(slugs, id)
    const judged = await assess(ctx, found, { projectId }, assessedOf(post, slug), safe.reading)
    // Links of adopted posts count for nobody in the exchange.
    const assessment = await hostDataImages(ctx, safe.images, { ...judged, writes: () => [] })
    const now = ctx.now()
    const warnings = warningsOf(post)
    const answer = {
      status: 'adopted' as const,
      article_id: id,
      origin: 'adopted' as const,
      title: post.title,
      url: post.url,
      revision: 1,
      format: post.format,
      editable: post.owner === null && post.unread === undefined,
      owner: post.owner,
      seo: assessment.answer.seo,
      message: 'The post is an article now. Nothing was written to the site.',
      ...(warnings.length > 0 ? { warnings } : {}),
    }
    const isMade = exists(ctx.db.select({ id: articles.id }).from(articles).where(eq(articles.id, id)))
    const isFree: SQL = sql`not exists (select 1 from ${articles} other where other.project_id = ${projectId}::int
      and other.remote_id = ${post.postId} and other.remote_site = ${site})
      and ${isFreePage(projectId, post.pageKeys ?? [])}
      and (select count(*) from ${adoptedPosts} where ${eq(adoptedPosts.projectId, projectId)}) < ${limit}::int`
    const { made } = await ctx
      .batch({
        project: lockProject(ctx.db, projectId),
        made: insertWhere(
          articles,
          {
            ...columnsOf(post, now),
            ...assessment.changes,
            accountId: account.id,
            projectId,
            id,
            slug,
            content: safe.html,
            contentSent: safe.hash,
            remoteSite: site,
          },
          { if: isFree, returning: { id: articles.id } },
        ),
        ...when(isMade, {
          found: keepFound(id, { projectId, site, post }, await sha256(post.text), now),
          images: (isMet) => assessment.writes(id, isMet),
          page: (isMet) => articlePage(ctx.db, id, post.url ?? undefined, { if: isMet, now }),
          kept: ctx.keepAnswer(answer),
          audit: audit(ctx, { account: account.id, action: 'article.adopt', on: ['article', id] }),
        }),
      })
      .catch((error: unknown) => {
        if (violatedUnique(error) !== 'articles_slug_unique' || attempt === TRIES) throw error
        return { made: [] }
      })
    if (made.length > 0) return { status: 201 as const, body: answer }
    if (attempt === TRIES)
      throw new ApiError('edit_conflict', 'The post is being adopted by another call. Repeat the call.')
  }
}

const refOf = ({ url, post_id: postId }: AdoptPostInput): PostRef =>
  url === undefined ? { postId: postId ?? '' } : { url }

/** Throws 400 for fields that the platform does not take: a webhook wants the address, any other platform one of both. */
const checkNames = ({ url, post_id: postId }: AdoptPostInput, platform: string): void => {
  const message =
    platform === 'webhook'
      ? url === undefined
        ? 'is required for a webhook site, which returns no posts: the text is read from the page'
        : undefined
      : url !== undefined && postId !== undefined
        ? 'cannot be combined with post_id: send one of them'
        : undefined
  if (message !== undefined) throw invalidInput([{ field: 'url', message }])
}

const noPost = (ref: PostRef, platform: string): ApiError =>
  new ApiError(
    'not_found',
    platform === 'webhook'
      ? 'There is no page at this URL.'
      : 'url' in ref
        ? 'The CMS has no post at this URL. Pages, and posts of other types, are not adopted.'
        : 'The CMS has no post with this id.',
  )

/**
 * Reads a post of a site, of a webhook site from its live page.
 *
 * Throws 404 if there is none, 400 for a page of another site, and 422 or 503 with the site's reason.
 */
export const readFoundPost = async (
  ctx: Ctx,
  targets: TargetFactory,
  row: SiteTarget,
  ref: PostRef,
): Promise<StoredPost> => {
  const { posts, readPage } = (await openTarget(ctx, targets, row)) ?? {}
  const isPage = readPage !== undefined && 'url' in ref
  if (isPage) checkOnSite('url', ref.url, row.site, ctx.settings)
  const read = isPage ? await readPage(ref.url) : await posts?.read(ref)
  if (read === undefined) throw notListed(row.platform)
  if (read.kind !== 'done') throw notRead(isPage ? 'website' : row.platform, read)
  if (read.value === null) throw noPost(ref, row.platform)
  if (isPage) checkPage(read.value, row.site)
  return read.value
}

/**
 * Makes an article of a published post that the site has. Nothing is written to the site.
 *
 * Throws 404 and 403 for the project, 404 for the post, 400 without a target that reads posts, 402 beyond the plan's maximum, and
 * 422 or 503 with the site's reason.
 */
export const adoptPost = async (ctx: Ctx, targets: TargetFactory, input: AdoptPostInput) => {
  const projectId = input.project_id
  const row = await siteOfProject(ctx, projectId)
  checkNames(input, row.platform)
  const found = await readFoundPost(ctx, targets, row, refOf(input))
  const post = row.platform === 'webhook' ? { ...found, postId: input.post_id ?? found.postId } : found
  return await adoptFound(ctx, { projectId, row, post })
}
