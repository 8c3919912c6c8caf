import type { ApprovalKind, Proposed } from '../../../schema/values/approvals.ts'
import type { DeliveredArticle } from '../../../schema/values/delivered-article.ts'
import type { ApprovalDetail, ApprovalRow } from './queries.ts'
import { approveUrl } from './rules.ts'

const FIELDS = {
  'Meta description': 'meta_description',
  'Search title': 'seo_title',
  'Feature image': 'image_url',
  'Alt text': 'alt_text',
  Category: 'category',
  Tags: 'tags',
  Author: 'author',
  Slug: 'slug',
  'Canonical address': 'canonical_url',
} as const satisfies Record<string, keyof DeliveredArticle>

/** Returns an article in the form that a person reviews. Empty fields are left out. */
export const proposedArticle = (article: DeliveredArticle): Proposed => {
  const fields = Object.entries(FIELDS).map(([name, field]) => {
    const value = article[field]
    return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')] as const
  })
  return {
    title: article.title,
    body: article.content_html,
    format: 'html',
    fields: Object.fromEntries(fields.filter(([, value]) => value !== '')),
  }
}

/** Returns an approval as lists show it. */
export const approvalRow = (a: ApprovalRow, publicUrl: string) => ({
  id: a.id,
  project_id: a.projectId,
  kind: a.kind,
  status: a.status,
  article_id: a.articleId,
  title: a.title,
  target: a.target,
  comment: a.comment,
  requested_by: a.requestedBy,
  decided_by: a.decidedBy,
  decided_at: a.decidedAt?.toISOString() ?? null,
  approve_url: approveUrl(publicUrl, a),
  created_at: a.createdAt.toISOString(),
  expires_at: a.expiresAt.toISOString(),
})

/** Kinds of approvals that change the live version of an article. */
const CHANGES_ARTICLE: ReadonlySet<ApprovalKind> = new Set(['publish', 'sync', 'suggestion', 'rollback', 'replay'])

/** Returns the version that readers see now; null if there is none. */
export const liveOf = ({ kind, live }: Pick<ApprovalDetail, 'kind' | 'live'>): Proposed | null =>
  live !== null && CHANGES_ARTICLE.has(kind) ? proposedArticle(live) : null

/** Returns one approval in full. */
export const approvalDetail = (a: ApprovalDetail, publicUrl: string) => ({
  ...approvalRow(a, publicUrl),
  proposed: a.proposed,
  live: liveOf(a),
  result: a.result,
})
