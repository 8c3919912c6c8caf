/** Things that a person can be asked to approve. */
export const APPROVAL_KINDS = [
  'publish',
  'sync',
  'suggestion',
  'rollback',
  'replay',
  'social_post',
  'comment_guide',
  'review_reply',
  'crowdwork',
] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

/**
 * `used`: what was approved is on its way or out. `superseded`: content or target changed, so that it is asked again. `failed`: it was
 * approved, and could not be carried out.
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

/** Statuses in which an approval can still let something out. */
export const OPEN_APPROVAL_STATUSES = ['awaiting', 'approved'] as const satisfies ApprovalStatus[]

/** Content that is published once it is approved, as a person reads it. */
export type Proposed = {
  title: string
  /** The text: HTML of an article, else plain text. */
  body: string
  format: 'html' | 'text'
  /** Everything else that goes out with it, by its name for people. */
  fields: Record<string, string>
}

/** Call that is carried out once it is approved: the operation, and its checked input. */
export type ApprovedCall = { operation: string; input: unknown }

/** Answer of an approved call, as its caller would have had it. */
export type CallResult = { status: number; body: Record<string, unknown> }

/** Thing that a person is asked about, and the content they read before they decide. */
export type WantedApproval = {
  kind: ApprovalKind
  projectId: number
  /** The thing that goes out: `social_post:9`. Without one each content is a question of its own. */
  subject?: string
  articleId?: number | null
  /** Target, for people. */
  target: string
  proposed: Proposed
  /** Body with which the call is carried out, with what the person saw: the caller's own may leave the target open. */
  body?: unknown
}
