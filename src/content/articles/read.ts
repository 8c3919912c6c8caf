import type { BatchResponse } from 'drizzle-orm/batch'
import { approveUrl } from '../../accounts/approvals/rules.ts'
import { projectSetup } from '../../accounts/projects/present.ts'
import { readPage } from '../../accounts/projects/scope.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Query } from '../../platform/db/client.ts'
import { isoText, wallTime } from '../../platform/lib/time.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { isFirstPage, isIndexed, listRows, preparedFirstPage, setupIfEmpty } from './list-queries.ts'
import type { ListArticlesInput } from './operations.ts'
import { articleById, preparedArticle, type Version, type VersionInFull } from './queries.ts'

type Row = Awaited<ReturnType<typeof listRows>>[number]
export type ArticleDetail = Omit<Awaited<ReturnType<typeof articleById>>[number], 'mine'>

/**
 * Returns an article as lists show it. `ScheduledDate` is wall time in the project's zone; `ScheduledAt` is the same instant in
 * UTC.
 */
export const articleRow = (a: Row) => ({
  ID: a.id,
  Title: a.title,
  MainKeyword: a.mainKeyword,
  Status: a.status,
  ScheduledDate: a.scheduledAt && wallTime(a.scheduledAt, a.timezone),
  ScheduledAt: isoText(a.scheduledAt),
  ProjectID: a.projectId,
  Slug: a.slug,
  ArticleStyle: a.articleStyle,
  Url: a.url,
  PublishState: a.publishState,
  PublishedAt: a.status === 'Published' ? isoText(a.publishedAt) : null,
  UpdatedAt: isoText(a.updatedAt),
  claimed: a.claimedAt !== null,
  being_written: a.status === 'Generating' || a.writingStartedAt !== null,
})

const approvalShown = ({ approval, projectId }: ArticleDetail, publicUrl: string) =>
  approval && {
    id: approval.id,
    status: approval.status,
    approve_url: approveUrl(publicUrl, { id: approval.id, projectId }),
    expires_at: new Date(approval.expiresMs).toISOString(),
    comment: approval.comment,
  }

/** Returns one article with all its fields. */
export const articleDetail = (a: ArticleDetail, publicUrl: string) => ({
  ...articleRow(a),
  Content: a.content,
  MetaDescription: a.metaDescription,
  FeatureImage: a.featureImage,
  AltText: a.altText,
  Category: a.category,
  Tags: a.tags,
  SeoTitle: a.seoTitle,
  CanonicalUrl: a.canonicalUrl,
  Instructions: a.instructions,
  Author: a.author,
  CreatedAt: isoText(a.createdAt),
  Claimed: a.claimedAt !== null,
  PublishError: a.publishError,
  Approval: approvalShown(a, publicUrl),
  GenerationError: a.status === 'Published' ? null : a.generationError,
  Progress: a.progress,
  Receipt: a.receipt,
  Revision: a.revision,
  Seo: a.seo,
})

/** Returns a version as answers show it. */
export const revisionRow = ({ id, ...version }: Version | VersionInFull) => ({ revision: id, ...version })

const PAGE = { default: 50, max: 200 }

/** Returns the account's articles that match the filters, newest first. Throws 404 and 403 for the project. */
export const listArticles = (ctx: Ctx, input: ListArticlesInput) =>
  readPage(ctx, input, PAGE, (owner, paging, keyHash) =>
    keyHash !== undefined && isFirstPage(input)
      ? preparedFirstPage(ctx.db, { keyHash, limit: paging.limit + 1 })
      : listRows(ctx.db, owner, input, paging),
  )

/** Returns the setup progress of a project that has no articles yet; empty for any other. */
export const setupWithoutArticles = async (ctx: Ctx, projectId: number | undefined) => {
  if (projectId === undefined) return {}
  const [[project]] = await ctx.read((owner) => [setupIfEmpty(ctx.db, owner, projectId)])
  return project ? { setup: projectSetup(project) } : {}
}

/** Returns the note on a search that the index does not support. It read only the newest articles. */
export const searchNote = (q: string | undefined): { search_limited?: true } =>
  !q || isIndexed(q) ? {} : { search_limited: true }

const firstOwned = (rows: (ArticleDetail & { mine: boolean })[]): ArticleDetail =>
  owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')

/** Returns one article of the account. Throws 404, 403. */
export const getArticle = async (ctx: Ctx, id: number): Promise<ArticleDetail> => {
  const [rows] = await ctx.read((owner, keyHash) => [
    keyHash === undefined ? articleById(ctx.db, owner, id) : preparedArticle(ctx.db, { keyHash, id }),
  ])
  return firstOwned(rows)
}

/** Returns one article of the account, and the results of other queries in the same round trip. */
export const getArticleWith = async <T extends readonly Query[]>(
  ctx: Ctx,
  id: number,
  also: T,
): Promise<[ArticleDetail, BatchResponse<T>]> => {
  const [rows, ...others] = await ctx.read((owner) => [articleById(ctx.db, owner, id), ...also])
  return [firstOwned(rows), others as unknown as BatchResponse<T>]
}
