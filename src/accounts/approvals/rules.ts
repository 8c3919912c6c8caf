import type { ApprovalKind, ApprovedCall, Proposed } from '../../../schema/values/approvals.ts'
import { sha256 } from '../../platform/lib/crypto.ts'

const DAY_MS = 86_400_000

/** Time that a person has to decide, and that an approved publication may wait after its date, ms. */
export const HOLDS_MS = 7 * DAY_MS
/** Delay until a second owner is reminded, ms. */
export const REMIND_AFTER_MS = DAY_MS

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
  replay: 'The repeated delivery',
  social_post: 'The post',
  comment_guide: 'The rule',
  review_reply: 'The reply',
  crowdwork: 'The campaign',
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
  'Nobody approved it in time. Nothing was sent. Publish it again to ask once more; a changed text asks again, too.'
