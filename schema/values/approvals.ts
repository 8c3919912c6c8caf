/** Things that a person can be asked to approve. */
export const APPROVAL_KINDS = [
  'publish',
  'sync',
  'suggestion',
  'rollback',
  'unpublish',
  'replay',
  'social_post',
  'comment_guide',
  'review_reply',
  'crowdwork',
  'changes',
] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

/**
 * `used`: approved, and sent or being sent. `superseded`: content or target changed, so a new approval is needed.
 * `failed`: approved, but it could not be carried out.
 */
export const APPROVAL_STATUSES = [
  'awaiting',
  'approved',
  'returned',
  'expired',
  'superseded',
  'used',
  'failed',
] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

/** Statuses of an approval that can still allow something to go out. */
export const OPEN_APPROVAL_STATUSES = ['awaiting', 'approved'] as const satisfies ApprovalStatus[]

/** Content to publish after the approval, as a person reads it. */
export type Proposed = {
  title: string
  /** The text: HTML of an article, else plain text. */
  body: string
  format: 'html' | 'text'
  /** Other parts that go out with it, by their names for people. */
  fields: Record<string, string>
}

/** Call to carry out after the approval: the operation, and its checked input. */
export type ApprovedCall = { operation: string; input: unknown }

/** Answer of an approved call, as its caller would have received it. */
export type CallResult = { status: number; body: Record<string, unknown> }

/** Request for a person's approval, with the content they read before they decide. */
export type WantedApproval = {
  kind: ApprovalKind
  projectId: number
  /** Thing that goes out: `social_post:9`. Without it, each content needs an approval of its own. */
  subject?: string
  articleId?: number | null
  /** Target, for people. */
  target: string
  proposed: Proposed
  /** Body for carrying out the call, with everything the person saw. The caller's own body may omit the target. */
  body?: unknown
}
