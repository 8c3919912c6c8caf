import { approveUrl } from '../../accounts/approvals/rules.ts'
import { isoText, wallTime } from '../../platform/lib/time.ts'
import type { listRows } from './list-queries.ts'
import type { articleById, Version, VersionInFull } from './queries.ts'

type Row = Awaited<ReturnType<typeof listRows>>[number]
export type ArticleDetail = Omit<Awaited<ReturnType<typeof articleById>>[number], 'mine'>

/** Returns an article as lists show it. `ScheduledDate` is wall time in the project's zone, `ScheduledAt` the same instant in UTC. */
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

/** Returns one article in full. */
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

/** Returns a version of an article, with its content where it was asked for by number. */
export const revisionRow = ({ id, ...version }: Version | VersionInFull) => ({ revision: id, ...version })
