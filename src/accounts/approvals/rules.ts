import type { ApprovalKind, ApprovedCall, Proposed } from '../../../schema/values/approvals.ts'
import type { DeliveredArticle, SentArticle } from '../../../schema/values/delivered-article.ts'
import { sha256 } from '../../platform/lib/crypto.ts'
import { shownValue } from '../../platform/lib/text.ts'
import type { ApprovalDetail, ApprovalRow } from './queries.ts'

const DAY_MS = 86_400_000

/** Time that a person has to decide, and that an approved publication may wait after its date, ms. */
export const HOLDS_MS = 7 * DAY_MS
/** Delay until a second owner is reminded, ms. */
export const REMIND_AFTER_MS = DAY_MS
/** Delay until everybody who may decide is warned of the end, ms. */
export const WARN_AFTER_MS = 5 * DAY_MS

/** Content and target that an approval is bound to. */
export type Proposal = {
  accountId: number
  projectId: number
  kind: ApprovalKind
  /** Thing to send, such as `article:7`. */
  subject: string
  articleId: number | null
  revision: number | null
  /** Target of the publication, for people. */
  target: string
  proposed: Proposed
  /** Hash of content and target. */
  hash: string
  /** Call to carry out after the approval. */
  call?: ApprovedCall
}

/** Returns the hash that binds an approval to its content and target. */
export const contentHash = (kind: ApprovalKind, target: string, content: unknown): Promise<string> =>
  sha256(JSON.stringify([kind, target, content]))

/** Returns the address of the page on which a person decides. */
export const approveUrl = (publicUrl: string, { id, projectId }: { id: number; projectId: number }): string =>
  `${publicUrl}/p/${projectId}/approvals/${id}`

const THINGS: Record<ApprovalKind, string> = {
  publish: 'The article',
  sync: 'The change of the live article',
  suggestion: 'The rewrite',
  rollback: 'The earlier version',
  unpublish: 'The removal of the post',
  replay: 'The repeated delivery',
  social_post: 'The post',
  comment_guide: 'The rule',
  review_reply: 'The reply',
  crowdwork: 'The campaign',
  changes: 'The set of changes',
}

/** Returns the answer to a call that waits for a person. */
export const awaitingBody = (
  publicUrl: string,
  { kind, projectId, articleId }: Pick<Proposal, 'kind' | 'projectId' | 'articleId'>,
  { id, expiresAt }: Asked,
) => ({
  status: 'awaiting_approval' as const,
  approval_id: id,
  article_id: articleId,
  approve_url: approveUrl(publicUrl, { id, projectId }),
  expires_at: expiresAt.toISOString(),
  error: `${THINGS[kind]} waits for a person to approve it. Nothing was sent. It goes out by itself once it is approved; GET /approvals/${id} shows what was decided.`,
})

/** Question that waits for a person. */
export type Asked = { id: number; expiresAt: Date }

export const EXPIRED =
  'Nobody approved it in time. Nothing was sent. Publish it again, or plan it with a new date, to ask again.'

const RETURNED = 'Returned by '

/** Returns the error of an article that a person sent back. */
export const returnedError = (by: string, comment: string): string => `${RETURNED}${by}: ${comment}`

/** True if the error of an article means that a person sent it back. */
export const isReturned = (error: string | null): error is string => error?.startsWith(RETURNED) === true

/** Pattern of such an error for `like`. */
export const RETURNED_LIKE = `${RETURNED}%`

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

const ownFieldsOf = ({ fields = {} }: SentArticle) =>
  Object.entries(fields).map(([name, value]) => [`Field “${name}”`, shownValue(value)] as const)

/** Returns an article in the form that a person reviews. Empty fields are left out. */
export const proposedArticle = (article: SentArticle): Proposed => {
  const fields = Object.entries(FIELDS).map(([name, field]) => {
    const value = article[field]
    return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')] as const
  })
  return {
    title: article.title,
    body: article.content_html,
    format: 'html',
    fields: Object.fromEntries([...fields.filter(([, value]) => value !== ''), ...ownFieldsOf(article)]),
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
const CHANGES_ARTICLE: ReadonlySet<ApprovalKind> = new Set([
  'publish',
  'sync',
  'suggestion',
  'rollback',
  'unpublish',
  'replay',
])

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
